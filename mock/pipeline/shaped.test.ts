import { expect, test } from 'vitest';
import { readLeaf } from '../../spec/base/json.ts';
import { shaped } from './basis.ts';

const leaves = (...texts: readonly string[]) => texts.map(readLeaf);

test('an answer gets the fields of a shape: known values stay, others are invented, the rest goes', () => {
  const fields = leaves('/items/*/id:integer', '/items/*/tags/*:string', '/count:integer');
  const known = { items: [{ id: 7, name: 'main' }], pageInfo: {} };
  expect(shaped(fields, known)).toEqual({ items: [{ id: 7, tags: ['invented'] }], count: 0 });
  const list = [{ id: 7 }, { id: 8 }];
  expect(shaped(leaves('/branches/*/id:integer'), {}, { list })).toEqual({ branches: list });
  expect(shaped(leaves('/problem/text:string', '/hints:array'), {}, { text: 'why' })).toEqual({
    problem: { text: 'why' },
    hints: [],
  });
});

test('a value of another type than the shape has is invented', () => {
  expect(shaped(leaves('/parent:string'), { parent: null })).toEqual({ parent: 'invented' });
  const either = leaves('/parent:null', '/parent:string');
  expect(shaped(either, { parent: 'main' })).toEqual({ parent: 'main' });
});

test('further fields are added to what is there, and not to what is missing', () => {
  const fields = leaves(
    '/plan:object',
    '/plan/seats:integer',
    '/list/*/nick:string',
    '/id:integer',
  );
  const keeps = true;
  expect(shaped(fields, { id: 'a', list: [{}] }, { keeps })).toEqual({
    id: 'a',
    plan: { seats: 0 },
    list: [{ nick: 'invented' }],
  });
  expect(JSON.stringify(shaped(fields, { id: 'a' }, { keeps }))).toBe(
    '{"id":"a","plan":{"seats":0}}',
  );
});
