/** The completions in the shells that they are for, as far as those are installed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../lockstep.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'completion-'));
writeFileSync(join(folder, 'my tenant.yaml'), '');
const programs = join(folder, 'programs');
mkdirSync(programs);
// The scripts ask the program itself.
writeFileSync(
  join(programs, 'lockstep'),
  `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`,
);
chmodSync(join(programs, 'lockstep'), 0o755);

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
function scriptFor(shell: string): string {
  const { stdout } = spawnSync(process.execPath, [entry, 'completion', shell], {
    encoding: 'utf8',
  });
  const file = join(folder, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}
function run(shell: string, words: readonly string[]): string[] {
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(shell, words, { encoding: 'utf8', cwd: folder, env });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

/** A typed line, the words offered for it, and a word that must not be offered. */
const typed: readonly (readonly [line: string, offered: readonly string[], not?: string])[] = [
  ['lockstep ver', ['verify']],
  ['lockstep certify --allow-p', ['--allow-production']],
  ['lockstep certify --allow ', ['none', 'reversible', 'disruptive', 'permanent']],
  ['lockstep certify --tenant my', ['my tenant.yaml']],
  ['lockstep completion ', ['bash', 'zsh', 'fish']],
  ['lockstep help self', ['self-certify']],
  ['lockstep certify --sh', [], '--shard'],
  ['lockstep client --jobs 2 -- my', ['my tenant.yaml']],
];

const assigned = ['lockstep certify --allow=re', ['reversible']] as const;

describe.runIf(has('bash'))('bash', () => {
  const script = scriptFor('bash');
  test.for([...typed, assigned])('%s', ([line, offered, not]) => {
    // As bash takes a line apart: at spaces, and around the sign of an option.
    const words = line.replaceAll('=', ' = ').split(' ');
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const code = `source '${script}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _lockstep; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const made = run('bash', ['-c', code]);
    expect(made).toEqual(expect.arrayContaining([...offered]));
    expect(made).not.toContain(not);
  });
});

describe.runIf(has('fish'))('fish', () => {
  const script = scriptFor('fish');
  test.for([
    ...typed,
    ['lockstep certify --allow=re', ['--allow=reversible']],
    ['lockstep certify --tenant=my', ['--tenant=my tenant.yaml']],
  ] as typeof typed)('%s', ([line, offered, not]) => {
    const made = run('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`]);
    const words = made.map((one) => (one.split('\t')[0] ?? '').replaceAll('\\ ', ' '));
    expect(words).toEqual(expect.arrayContaining([...offered]));
    expect(words).not.toContain(not);
  });
});

describe.runIf(has('zsh'))('zsh', () => {
  const script = scriptFor('zsh');
  test('is read without a complaint, and is the completion of lockstep', () => {
    const code = `autoload -Uz compinit; compinit -u -D; source ${script}; print $_comps[lockstep]`;
    expect(run('zsh', ['-fc', code])).toEqual(['_lockstep']);
  });

  /** Stands in for zsh's own functions, which need a terminal to show anything. */
  const own = `compdef() { }; _describe() { print -rl -- \${(P)2} }; _files() { print 'my tenant.yaml' }; compset() { }`;
  test.for(typed)('%s', ([line, offered, not]) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    const code = `${own}; source ${script}; words=(${words.join(' ')}); CURRENT=${words.length}; _lockstep`;
    const made = run('zsh', ['-fc', code]).join('\n');
    for (const one of offered) expect(made).toContain(one);
    if (not !== undefined) expect(made).not.toContain(not);
  });
});

test('the shells are here', () => {
  const absent = ['bash', 'zsh', 'fish'].filter((shell) => !has(shell));
  if (absent.length > 0)
    process.stderr.write(
      `\n!!! COMPLETION WAS NOT TESTED in ${absent.join(', ')}: not installed\n\n`,
    );
  expect(absent).not.toContain('bash');
});
