import { expect, test } from 'vitest';
import { rowsMinus, unsteadyColumns } from './rows.ts';

const first = [
  ['1', 'login', 'ana', '10:00:00'],
  ['2', 'logout', 'ana', '10:00:00'],
];

test('what counts the rows, or changes from export to export, belongs to no event', () => {
  const again = first.map((row) => [...row.slice(0, 3), '10:00:07']);
  expect(unsteadyColumns(first, again)).toEqual([3, 0]);
  expect(unsteadyColumns(first.toReversed(), first.toReversed())).toEqual([0]);
  expect(unsteadyColumns(first.slice(1), first.slice(1))).toEqual([]);
});

test('exports that hold other events cannot be compared', () => {
  expect(unsteadyColumns(first, first.slice(1))).toBeUndefined();
  const others = first.map(([number]) => [number ?? '', 'x', 'y', 'z']);
  expect(unsteadyColumns(first, others)).toBeUndefined();
});

test('rows are compared by what belongs to the event, one for one', () => {
  const found = [['1', 'logout', 'ana', '10:00:09']];
  expect(rowsMinus(found, first, [0, 3])).toEqual([]);
  expect(rowsMinus([...found, ...found], first, [0, 3])).toEqual(found);
  expect(rowsMinus(found, first, [3])).toEqual(found);
});
