/** Every command: its help has examples that it would take, and its mistakes name that help. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lockstep as inProcess } from '../../mock/testing/program.ts';
import { inWords, inWordsWithPath } from '../../spec/base/refused.ts';

const entry = fileURLToPath(new URL('../lockstep.ts', import.meta.url));
const lockstep = (...words: string[]) => inProcess(words);

const { stdout: whole } = await lockstep('--help');
const commands = [...whole.matchAll(/^ {2}([a-z][a-z-]+) (?=.*(?:\[options\]|<|\[))/gm)];
const helpOf = new Map(
  await Promise.all(
    commands.map(async ([, name = '']) => [name, (await lockstep(name, '--help')).stdout] as const),
  ),
);

test('each command shows examples, with only its own options', () => {
  expect(helpOf.size).toBeGreaterThan(14);
  for (const [name, help] of helpOf) {
    const [, examples = ''] = help.split('\nExamples:\n');
    expect(examples, `${name} --help has no examples`).toContain(`lockstep ${name} `);
    const [own = ''] = examples.split(' -- ');
    for (const [option] of own.replaceAll(/ > .*/g, '').matchAll(/(?<= )--[a-z-]+/g))
      expect(help.split('\nExamples:\n')[0], `lockstep ${name} ${option}`).toContain(option);
  }
});

test('a command that reads the secrets of a tenant file has the option that lets it run commands', () => {
  const readers = [...helpOf].filter(([, help]) => help.includes('--allow-env'));
  expect(readers.map(([name]) => name)).toEqual(expect.arrayContaining(['preflight', 'capture']));
  for (const [name, help] of readers) expect(help, name).toContain('--allow-command');
});

test('help loads neither the contract nor the schema of a tenant file', () => {
  const tell = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`;
  const hook = `data:text/javascript,${encodeURIComponent(tell)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', hook, entry, '--help'], {
    encoding: 'utf8',
  });
  expect(stderr).toContain('bin/lockstep.ts');
  expect(stderr).not.toMatch(/contract[.]generated|tenant[.]schema|ajv/);
});

test.concurrent.for([
  [['certify', '--nope'], '(see lockstep certify --help)'],
  [['gate'], '(see lockstep gate --help)'],
  [['--nope'], '(see lockstep --help)'],
  // Mistakes that a command finds by itself.
  [['certify'], '(see lockstep certify --help)'],
  [['drift'], '(see lockstep drift --help)'],
  [['proxy', '--to', 'nowhere'], '(see lockstep proxy --help)'],
  [['certify', '--watch', '--base-url', 'http://127.0.0.1:1'], '(see lockstep certify --help)'],
] as const)('a mistake names the help of its own command: %j', async ([words, help]) => {
  expect((await lockstep(...words)).stderr).toContain(help);
});

test.concurrent.for([
  [['certify', '--only', 'STAG-1', '--base-url', 'http://127.0.0.1:1'], 'did you mean STAGE-1?'],
  [['where', 'STAG-1'], 'did you mean STAGE-1?'],
  [
    ['mock', '--port', '0', '--deviate', 'folders:children-renamd'],
    'did you mean folders:children-renamed?',
  ],
  [['mock', '--port', '0', '--fixture', 'acm'], 'did you mean acme?'],
  [['help', 'certfy'], 'there is no command certfy (did you mean certify?)'],
  [['mcp', '--base-url', 'nowhere'], 'not the address of a mock, such as http://127.0.0.1:4010'],
  [
    ['exam', '--honest', '--only', 'FOLDER-15:refusd'],
    'there is no honest variant FOLDER-15:refusd',
  ],
] as const)('%j has a likely meaning', async ([words, hint]) => {
  const { code, stderr } = await lockstep(...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
});

test('an error of the system about a file is told in words, with its path once', () => {
  const error = Object.assign(new Error("ENOENT: no such file or directory, open 'x.yaml'"), {
    code: 'ENOENT',
    path: 'x.yaml',
  });
  expect(inWords(error)).toBe('there is no such file or folder');
  expect(inWordsWithPath(error)).toBe('x.yaml: there is no such file or folder');
  error.message = `the ledger cannot be written: ${error.message}`;
  expect(inWordsWithPath(error)).toBe(
    'the ledger cannot be written: there is no such file or folder',
  );
  expect(inWords(new Error('ENOENT is not its code'))).toBe('ENOENT is not its code');
});
