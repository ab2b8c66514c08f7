import { execFile } from 'node:child_process';
import { parseEnv, promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasTool } from '../testing/tools.ts';
import { assignment, failureOf, type Shell, shells } from './shell-dialects.ts';

const run = promisify(execFile);

const awkward = [
  'acme-admin',
  "it's",
  "'; exit 7; '",
  '$HOME `id` $(id) "x" \\',
  "\\'",
  'a b#c=d&e|f>g*?~!',
  'C:\\new folder\\ca.pem',
  'ünï ‘code’',
  '-n',
  '',
];

/** Programs that read an assignment and print the value that came of it. */
const readers: Readonly<Partial<Record<Shell, (text: string) => [string, ...string[]]>>> = {
  sh: (text) => ['sh', '-c', `${text}\nprintf %s "$X"`],
  fish: (text) => ['fish', '-c', `${text}\nprintf %s $X`],
  powershell: (text) => ['pwsh', '-NoProfile', '-c', `${text}\n[Console]::Write($env:X)`],
};

describe.for(Object.entries(readers))('%s', ([name, command]) => {
  const shell = name as Shell;
  const set = assignment(shell, 'X', 'set');
  const found = hasTool(command(set), /^set$/, `THE QUOTING FOR ${shell}`);

  test.runIf(found)('takes a value for a value', async () => {
    for (const value of awkward) {
      const [program, ...args] = command(assignment(shell, 'X', value));
      expect((await run(program, args)).stdout).toBe(value);
    }
  });
});

test('what sh evaluates is one word, whatever it is', async () => {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((value) => !/\p{Cc}/u.test(value));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 50 }), async (values) => {
      const lines = values.map((value, index) => assignment('sh', `X${index}`, value));
      const print = values.map((_, index) => `printf '%s\\n' "$X${index}"`);
      const { stdout } = await run('sh', ['-c', [...lines, ...print].join('\n')]);
      expect(stdout).toBe(values.map((value) => `${value}\n`).join(''));
    }),
    { numRuns: 20 },
  );
});

test('fish and PowerShell: what is special within their single quotes is escaped', () => {
  expect(assignment('fish', 'X', "it's a \\")).toBe("set -gx X 'it\\'s a \\\\'");
  expect(assignment('powershell', 'X', "it's ‘so’")).toBe("$env:X = 'it''s ‘‘so’’'");
});

test('dotenv: without quotes where none are needed, because docker takes them for a part', () => {
  expect(assignment('dotenv', 'X', 'http://127.0.0.1:4010/w/acme')).toBe(
    'X=http://127.0.0.1:4010/w/acme',
  );
  for (const value of awkward.filter((text) => !/['`"].*['`"].*['`"]/.test(text))) {
    expect(parseEnv(assignment('dotenv', 'X', value))).toEqual({ X: value });
  }
  expect(() => assignment('dotenv', 'X', `'"\``)).toThrow(/X has every kind of quote/);
});

test('github: as it stands, a line each', () => {
  expect(assignment('github', 'X', "it's")).toBe("X=it's");
});

test.for(shells)('%s: a value never makes a second line', (shell) => {
  for (const value of ['a\nB=1', 'a\rB', 'a\0', 'a\u001b[0m']) {
    expect(() => assignment(shell, 'X', value)).toThrow(/X has a control character/);
  }
});

test('a failure fails in the shell that evaluates it', async () => {
  await expect(run('sh', ['-c', failureOf('sh')])).rejects.toMatchObject({ code: 1 });
});
