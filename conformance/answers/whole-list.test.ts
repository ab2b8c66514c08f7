/** Tests whether a list of unknown shape is known to be complete. */
import { expect, test } from 'vitest';
import { wholeList } from './whole-list.ts';

const list = [{ id: 1 }, { id: 2 }];
const last = { hasNextPage: false, endCursor: 'Mg' };

test.for<[string, unknown, boolean]>([
  ['alone', list, true],
  ['with its count', { data: list, total: 2 }, true],
  ['with another count', { data: list, total: 3 }, false],
  ['under two names, as known clients see it', { items: list, data: list, pageInfo: last }, true],
  ['and another list', { items: list, data: [{ id: 3 }], pageInfo: last }, false],
  ['that goes on', { items: list, pageInfo: { ...last, hasNextPage: true } }, false],
  ['with a cursor that may lead on', { items: list, pageInfo: { endCursor: 'Mg' } }, false],
])('a list %s', ([, body, isWhole]) => {
  expect(wholeList(body)).toEqual(isWhole ? list : undefined);
});
