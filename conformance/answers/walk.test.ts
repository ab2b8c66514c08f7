import { expect, test } from 'vitest';
import { assembleWalk, movedIn } from './walk.ts';

/**
 * A walk that saw these ids between two big pages. `totals` are those of its first and second page.
 */
function walked(
  ids: readonly string[],
  before = ['a', 'b'],
  after: string[] | undefined = before,
  totals = [before.length],
) {
  const page = { body: {}, asked: 0, askedSize: 2, position: 0, size: 2 };
  const items = ids.map((id) => ({ id }));
  const pages = totals.map((total, at) => ({ ...page, total, items: at === 0 ? items : [] }));
  return { walk: assembleWalk(pages, 'id', before), after };
}
const still = walked(['a', 'b']);

test('a list moved if the big pages before and after the walk differ', () => {
  expect(movedIn([walked(['a', 'b'], ['a', 'b'], ['a'])], false)).toEqual([true]);
});

test('an item that only one walk saw came and went', () => {
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

test('a total that changed during a walk shows a moved list if another walk has one total', () => {
  const changed = walked(['a', 'b'], ['a', 'b'], ['a', 'b'], [2, 3]);
  expect(movedIn([changed, still], true)).toEqual([true, false]);
  expect(movedIn([changed, changed], true)).toEqual([false, false]);
  const later = walked(['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c'], [3, 2]);
  expect(movedIn([changed, later], true)).toEqual([true, true]);
});

test('if the service cuts or refuses the big page, the walks themselves show a moved list', () => {
  for (const after of [['a'], undefined]) {
    const come = walked(['a', 'b', 'visitor'], ['a'], ['a'], [2, 3]);
    const go = walked(['a', 'b'], ['a'], ['a'], [3, 2]);
    const seen = (one: typeof come) => ({ ...one, after });
    expect(movedIn([come, go].map(seen), true)).toEqual([true, true]);
    // The same totals in each walk are those of the service.
    expect(movedIn([go, go].map(seen), true)).toEqual([false, false]);
  }
});

test('in a world of its own, the run has no other users', () => {
  expect(movedIn([walked(['a', 'visitor', 'b']), still], false)).toEqual([false, false]);
});

test('a missing item does not show that the list moved', () => {
  expect(movedIn([walked(['a']), still], true)).toEqual([false, false]);
});
