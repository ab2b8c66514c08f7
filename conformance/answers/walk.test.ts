import { expect, test } from 'vitest';
import { assembleWalk, movedIn } from './walk.ts';

/** A walk that saw these ids, between two big pages. */
const walked = (
  ids: readonly string[],
  before = ['a', 'b'],
  after: string[] | undefined = before,
) => {
  const page = { body: {}, asked: 0, askedSize: 2, position: 0, size: 2, total: before.length };
  const items = ids.map((id) => ({ id }));
  return { walk: assembleWalk([{ ...page, items }], 'id', before), after };
};
const still = walked(['a', 'b']);

test('a list moved if the big pages before and after the walk differ', () => {
  expect(movedIn([walked(['a', 'b'], ['a', 'b'], ['a'])], false)).toEqual([true]);
});

test('a visitor that one walk alone saw came and went', () => {
  expect(movedIn([walked(['a', 'visitor', 'b']), still, still], true)).toEqual([
    true,
    false,
    false,
  ]);
});

test('an item that several walks saw and no big page shows is an error of the pages', () => {
  const wrong = walked(['a', 'hidden', 'b']);
  expect(movedIn([wrong, wrong, still], true)).toEqual([false, false, false]);
});

test('nobody visits a world that is the run’s own', () => {
  expect(movedIn([walked(['a', 'visitor', 'b']), still], false)).toEqual([false, false]);
});

test('a missing item does not show that the list moved', () => {
  expect(movedIn([walked(['a']), still], true)).toEqual([false, false]);
});
