import { describe, expect, test } from 'vitest';
import { filterDefects, rowsMinus, searchDefects, unsteadyColumns } from './rows.ts';

const first = [
  ['1', 'login', 'ana', '10:00:00'],
  ['2', 'logout', 'ana', '10:00:00'],
];

test('a column that counts rows or changes between exports belongs to no event', () => {
  const again = first.map((row) => [...row.slice(0, 3), '10:00:07']);
  expect(unsteadyColumns(first, again)).toEqual([3, 0]);
  expect(unsteadyColumns(first.toReversed(), first.toReversed())).toEqual([0]);
  expect(unsteadyColumns(first.slice(1), first.slice(1))).toEqual([]);
});

test('a column that is the same in all rows belongs to no event', () => {
  const minutes = [['Name', 'At'], ...first.map(([, name = '']) => [name, '10:42'])];
  expect(unsteadyColumns(minutes, minutes)).toEqual([1]);
  expect(unsteadyColumns(minutes.slice(1), minutes.slice(1))).toEqual([]);
});

test('exports with different events cannot be compared', () => {
  expect(unsteadyColumns(first, first.slice(1))).toBeUndefined();
  const others = first.map(([number]) => [number ?? '', 'x', 'y', 'z']);
  expect(unsteadyColumns(first, others)).toBeUndefined();
});

test('rows are compared one to one, by the columns that belong to the event', () => {
  const found = [['1', 'logout', 'ana', '10:00:09']];
  expect(rowsMinus(found, first, [0, 3])).toEqual([]);
  expect(rowsMinus([...found, ...found], first, [0, 3])).toEqual(found);
  expect(rowsMinus(found, first, [3])).toEqual(found);
});

describe('a filter by user', () => {
  const byAna = [
    ['login', 'ana', ''],
    ['grant', 'ana', 'ben'],
  ];
  const others = [
    ['grant', 'ben', 'ana'],
    ['login', 'ben', ''],
  ];
  const all = [...byAna, ...others];

  test('may leave out rows that name the user in another column', () => {
    expect(filterDefects('ana', byAna, all, [])).toEqual([]);
  });
  test('must not leave out a row of the user', () => {
    expect(filterDefects('ana', byAna.slice(1), all, [])).toEqual([byAna[0]]);
    expect(filterDefects('ana', [], all, [])).toEqual([...byAna, others[0]]);
  });
  test('must not keep a row of another user', () => {
    expect(filterDefects('ana', [...byAna, ['login', 'ben', '']], all, [])).toEqual([others[1]]);
  });
  test('is not judged if no column shows the user', () => {
    const shown = all.map(([name = '', , target = '']) => [name, 'hidden', target]);
    expect(filterDefects('ana', shown.slice(0, 2), shown, [])).toBeUndefined();
  });
});

describe('a search', () => {
  const word = /\bana\b/;
  const inTheUser = ['login', 'ana', ''];
  const inTheData = ['grant', 'ben', 'to ana'];
  const moreData = ['grant', 'eve', 'ana again'];
  const all = [inTheUser, inTheData, moreData, ['login', 'ben', '']];

  test('may read only some columns', () => {
    expect(searchDefects(word, [inTheData, moreData], all, [])).toEqual([]);
    expect(searchDefects(word, [inTheUser], all, [])).toEqual([]);
  });
  test('must find each row that shows the word in a column that it reads', () => {
    expect(searchDefects(word, [inTheData], all, [])).toEqual([moreData]);
    expect(searchDefects(word, [inTheUser, moreData], all, [])).toEqual([inTheData]);
  });
  test('must find something', () => {
    expect(searchDefects(word, [], all, [])).toEqual([inTheUser, inTheData, moreData]);
  });
  test('is not known to read a column if another column has the word too', () => {
    expect(searchDefects(word, [['ana', 'ana', '']], all, [])).toEqual([]);
  });
});
