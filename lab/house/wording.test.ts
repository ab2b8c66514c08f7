import { expect, test } from 'vitest';
import { findingsIn, proseOf } from './wording.ts';

const said = (file: string, text: string): string[] =>
  findingsIn(file, text).map(({ line, says }) => `${line}: ${says}`);

test('a phrase is found in a comment and in a text, and not in code', () => {
  const code = [
    '/** Where nothing is left, nobody waits. */',
    'const beside = behind.stands;',
    'throw new Error(`a name is no number`); // A list stands still.',
    "const where = 'beside';",
  ].join('\n');
  expect(said('a.ts', code)).toEqual([
    '1: What, Who or Where opens a clause as its subject',
    '3: is no',
  ]);
});

test('code in Markdown is not read, and a sentence may go on in the next line', () => {
  const text =
    'The answer\nis no list. `stands`\n\n```sh\nis no shell\n```\n| a | it reads otherwise |\n';
  expect(said('a.md', text)).toEqual(['1: is no', '7: otherwise, for differently']);
});

test('a question may begin with What, and there may be no such thing', () => {
  expect(said('a.md', '## What is a world?\n\nThere is no bound.\n')).toEqual([]);
});

test('a long sentence is counted in messages and Markdown', () => {
  const long = `It ${'goes and '.repeat(21)}ends.`;
  expect(said('a.md', long)).toEqual(['1: a sentence of 44 words']);
  expect(said('a.ts', `const a = '${long}';`)).toEqual(['1: a sentence of 44 words']);
  expect(said('a.ts', `/** ${long} */`)).toEqual([]);
});

test('a comment inside of an expression is found with its line', () => {
  expect(proseOf('a.ts', 'f(\n  // One reason.\n  a,\n);\n')).toEqual([
    { line: 2, isComment: true, text: 'One reason.' },
  ]);
});
