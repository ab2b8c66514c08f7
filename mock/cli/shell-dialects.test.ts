import { execFile } from 'node:child_process';
import { parseEnv, promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignment, failureOf, shells } from './shell-dialects.ts';

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

test('sh: reads each value unchanged', async () => {
  for (const value of awkward) {
    const text = `${assignment('sh', 'X', value)}\nprintf %s "$X"`;
    expect((await run('sh', ['-c', text])).stdout).toBe(value);
  }
});

test('sh: evaluates any text as one word', async () => {
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

test('dotenv: a value has quotes only if it needs them, because docker keeps them', () => {
  expect(assignment('dotenv', 'X', 'http://127.0.0.1:4010/w/acme')).toBe(
    'X=http://127.0.0.1:4010/w/acme',
  );
  for (const value of awkward.filter((text) => !/'.*["$`\\!]|["$`\\!].*'/.test(text))) {
    expect(parseEnv(assignment('dotenv', 'X', value))).toEqual({ X: value });
  }
  for (const value of [`'"`, "it's `id`", "it's $(id)", "it's \\"]) {
    expect(() => assignment('dotenv', 'X', value)).toThrow(/X has quotes in it/);
  }
});

test('dotenv: a shell that reads such a file runs no command in it', async () => {
  for (const value of awkward) {
    let line = '';
    try {
      line = assignment('dotenv', 'X', value);
    } catch {
      continue;
    }
    expect((await run('sh', ['-c', `${line}\nprintf %s "$X"`])).stdout).toBe(value);
  }
});

test('github: a line each, without quotes', () => {
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
