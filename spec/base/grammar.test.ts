import { expect, test } from 'vitest';
import { Grammar, grammarSchema, sha256Of } from './grammar.ts';

const schema = { type: 'object', required: ['name'] };
/** A check that every value passes. */
const lenient = (of: string) => Object.assign(() => true, { of });

test('a check that was compiled ahead of time is used', () => {
  const check = lenient(sha256Of(grammarSchema(schema)));
  expect(new Grammar(schema, undefined, check).read({})).toEqual({ value: {} });
});

test('a check of another grammar is not used', () => {
  const check = lenient(sha256Of(grammarSchema({ type: 'object' })));
  const read = new Grammar(schema, undefined, check).read({});
  expect(read).toEqual({ problems: [{ path: [], message: 'name is missing' }] });
});
