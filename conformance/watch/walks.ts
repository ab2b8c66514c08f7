/**
 * Follows the pages of lists. A list may move while it is read, so a defect in one walk proves
 * nothing. The same defect in two walks, over the same items in the same places, is a proof.
 */

import { hash } from 'node:crypto';
import { isObject } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import { pagingOf, usualSize } from '../answers/paging.ts';
import { assembleWalk, type Page } from '../answers/walk.ts';
import type { PagedList, Seen } from './facts.ts';
import { type Followed, timesToCount } from './sequences.ts';

const mostWalks = 200;
/** A longer list is not followed. */
const mostItems = 100_000;

/** A walk on its way. */
interface Begun {
  /** The pages so far, with only the keys of their items. */
  pages: Page[];
  next: number;
  /** The walk before: its items, and its totals. */
  before?: { readonly items: string; readonly totals: string } | undefined;
  /** How many walks in a row showed the same items with a defect. */
  defects: number;
}

export class Walks {
  readonly #lists: readonly PagedList[];
  readonly #walks = new Map<string, Begun>();

  constructor(lists: readonly PagedList[]) {
    this.#lists = lists;
  }

  /** `caller`: the reader, because each caller has its own list. */
  note(operation: Operation, seen: Seen, caller: string): Followed[] {
    const promises = this.#lists.find(({ operations }) => operations.includes(operation.id));
    const { items, parameters, area } = operation;
    const paging = pagingOf(parameters);
    const { list, body } = seen.answer;
    if (!promises || !paging || !items || !list) return [];
    const { first, size } = paging;
    const { [paging.position]: position = first, ...filters } = seen.query;
    // A page of length 0 shows no item.
    if (filters[size] !== undefined && !(Number(filters[size]) > 0)) return [];
    const key = [operation.id, caller, JSON.stringify([seen.path, filters])].join(' ');
    const walk = position === first ? this.#begun(key, first) : this.#walks.get(key);
    // A single page, or a page out of order.
    if (walk === undefined || position !== walk.next) return [];
    const keys = list.map((item) => (isObject(item) ? { [items.key]: item[items.key] } : {}));
    const figures = paging.about(body);
    walk.pages.push({
      body: undefined,
      items: keys,
      asked: walk.next,
      askedSize: undefined,
      ...figures,
    });
    walk.next += list.length;
    const read = walk.next - first;
    if (read > mostItems) this.#walks.delete(key);
    // A page may be shorter than requested, but never shorter than the default size.
    const { total = Number.POSITIVE_INFINITY } = figures;
    const usual = usualSize(parameters, paging);
    const asked = Number(filters[size] ?? usual);
    const isWhole = asked <= (usual ?? 0) && read - list.length + asked >= total;
    const isLast = list.length === 0 || read >= total || isWhole;
    return isLast ? ended(walk, items.key, promises, area) : [];
  }

  #begun(key: string, next: number): Begun {
    const { before, defects = 0 } = this.#walks.get(key) ?? {};
    const walk: Begun = { pages: [], next, before, defects };
    this.#walks.delete(key);
    this.#walks.set(key, walk);
    const [oldest] = this.#walks.keys();
    if (this.#walks.size > mostWalks && oldest !== undefined) this.#walks.delete(oldest);
    return walk;
  }
}

function ended(begun: Begun, key: string, { once, counts }: PagedList, area: string): Followed[] {
  const { items, ids, duplicates, totals, missing = 0 } = assembleWalk(begun.pages, key, []);
  const now = { items: hash('sha256', JSON.stringify(ids)), totals: totals.join() };
  const { before, defects } = begun;
  const isOne = totals.length === 1;
  const broken = {
    [once]: duplicates.length > 0 || (isOne && missing > 0),
    [counts]: totals.length > 1 || (isOne && missing < 0),
  };
  const isSame = now.items === before?.items;
  const isBroken = Object.values(broken).includes(true);
  const isLikeBefore = isSame && now.totals === before?.totals;
  // If one of several totals is right, somebody may have come and gone during the walk. That may come twice.
  const mayMove = !isOne && totals.includes(ids.length - duplicates.length);
  const isOfRow = mayMove ? isLikeBefore : isSame;
  begun.defects = isBroken ? (isOfRow ? defects : 0) + 1 : 0;
  Object.assign(begun, { pages: [], next: Number.NaN, before: now });
  // Totals that differ each time come from a list that moves, unless its items never do.
  const isProven = (isLikeBefore && !mayMove) || begun.defects >= timesToCount;
  return [once, counts].map((statement): Followed => {
    if (broken[statement] !== true)
      return { kind: 'counts', statement, area, result: { kind: 'holds' } };
    if (!isProven) {
      const why =
        'the list may have moved while it was read: another walk has not shown the same yet';
      return { kind: 'open', statement, why };
    }
    const actual = { items: items.length, distinct: ids.length - duplicates.length, totals };
    const expected = statement === once ? 'each item once' : 'one total, that of the items';
    const result = { kind: 'fails', pointer: '/walk', expected, actual } as const;
    return { kind: 'counts', statement, area, result };
  });
}
