/** Messages about an invalid body, for kinds of schema that the contract does not use yet. */
import { expect, test } from 'vitest';
import { contractAjv } from '../../spec/compile.ts';
import type { Failure, Schema } from '../../spec/contract.ts';
import { bodyProblems, place, unknownFields } from './body-problems.ts';

/** The failures of a value against a schema, in the form of the contract's validators. */
function failuresOf(schema: Schema, value: unknown): Failure[] {
  const validate = contractAjv({ it: schema }).getSchema('it');
  validate?.(value);
  return (validate?.errors ?? []).map((error) => ({
    pointer: error.instancePath,
    schemaPointer: error.schemaPath.slice(error.schemaPath.indexOf('#') + 1),
    message: error.message ?? '',
    keyword: error.keyword,
    params: error.params as Record<string, unknown>,
    statements: [],
  }));
}
const told = (schema: Schema, value: unknown) =>
  bodyProblems(failuresOf(schema, value), value, {}).map(({ at, message }) => `${at} ${message}`);

const byUser = {
  type: 'object',
  required: ['userId'],
  properties: { userId: { type: 'integer' } },
};
const byEmail = {
  type: 'object',
  required: ['email', 'kind'],
  properties: { email: { type: 'string' }, kind: { enum: ['USER'] } },
};
const list = { type: 'array', items: { oneOf: [byUser, byEmail] } };

test('a choice that does not fit is described by its nearest branch', () => {
  expect(told(list, [{ userId: 'x' }])).toEqual([
    '/0 [0] fits none of 2 forms; for the nearest, [0].userId must be an integer, not "x"',
  ]);
  expect(told(list, [{ e_mail: 'x', kind: 'USER' }])).toEqual([
    '/0 [0] must have email or userId; it has e_mail',
  ]);
});

test('branches that each ask for one field are described as a list of fields', () => {
  const schema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
  expect(told({ ...schema, properties: { a: {}, b: {} } }, {})).toEqual([
    ' The body must have a or b',
  ]);
});

test('a value that fits more than one form is reported', () => {
  const both = { userId: 1, email: 'x', kind: 'USER' };
  expect(told(list, [both])).toEqual(['/0 [0] fits more than one of the forms that it may have']);
});

test('a long list of problems is cut', () => {
  const many = Array.from({ length: 5000 }, () => 'x');
  expect(told({ type: 'array', items: { type: 'integer' } }, many)).toHaveLength(20);
});

test('a place is written as in code', () => {
  expect(place('')).toBe('The body');
  expect(place('/recipients/0/userAttributes/2/name')).toBe('recipients[0].userAttributes[2].name');
  expect(place('/a~1b/m~0n')).toBe('a/b.m~n');
});

test('an unknown field is reported with the line that names the known fields', () => {
  const schema = { type: 'object', properties: { list: { type: 'array', items: byUser } } };
  const lines = { '/properties/list/items/properties': 7 };
  const value: unknown = { list: [{ userId: 1 }, { userid: 1, toString: 1 }] };
  expect([...unknownFields(schema, value, lines)]).toEqual([
    { at: '/list/1/userid', message: 'The field list[1].userid is not known; userId is', line: 7 },
    {
      at: '/list/1/toString',
      message: 'The field list[1].toString is not known; known are userId',
      line: 7,
    },
  ]);
});
