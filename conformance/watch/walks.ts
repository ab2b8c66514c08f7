/**
 * Follows the pages of lists. A list may move while it is read, so a defect of one walk proves nothing: the
 * same defect of two walks, over the same items in the same places, does.
 */

import { createHash } from 'node:crypto';
import { atPointer, isObject } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { PagedList, Seen } from './facts.ts';
import type { Followed } from './sequences.ts';

const mostWalks = 200;
/** A longer list is not followed. */
const mostItems = 100_000;

interface Walk {
  ids: string[];
  totals: Set<unknown>;
  next: number;
  /** The result of the walk before: its items and its defects. */
  before?: string | undefined;
}

export class Walks {
  readonly #lists: readonly PagedList[];
  readonly #walks = new Map<string, Walk>();

  constructor(lists: readonly PagedList[]) {
    this.#lists = lists;
  }

  /** `caller`: the reader; each sees a list of its own. */
  note(operation: Operation, seen: Seen, caller: string): Followed[] {
    const list = this.#lists.find(({ operations }) => operations.includes(operation.id));
    const { items } = operation;
    const page = items && atPointer(seen.answer.body, items.at);
    const total = list && atPointer(seen.answer.body, list.total);
    if (list === undefined || seen.answer.status !== 200 || !Array.isArray(page)) return [];
    const { [list.position]: position = list.first, ...filters } = seen.query;
    // A page of no length shows no item.
    if (filters[list.size] !== undefined && !(Number(filters[list.size]) > 0)) return [];
    const key = [operation.id, caller, JSON.stringify([seen.path, filters])].join(' ');
    const walk = position === list.first ? this.#begun(key, list.first) : this.#walks.get(key);
    // A page of its own, or out of turn.
    if (walk === undefined || typeof position !== 'number' || position !== walk.next) return [];
    walk.ids.push(
      ...page.map((item) => String(isObject(item) ? item[items?.key ?? ''] : undefined)),
    );
    walk.totals.add(total);
    walk.next += page.length;
    if (walk.ids.length > mostItems) this.#walks.delete(key);
    // A page may be shorter than was asked for, unless no largest page is.
    const asked = Number(filters[list.size] ?? list.least ?? Number.NaN);
    const isWhole = asked <= (list.least ?? 0) && position - list.first + asked >= Number(total);
    const isRead = page.length === 0 || walk.ids.length >= Number(total);
    const isLast = isRead || isWhole;
    return isLast ? this.#ended(walk, list, total, operation.area) : [];
  }

  #begun(key: string, next: number): Walk {
    const { before } = this.#walks.get(key) ?? {};
    const walk: Walk = { ids: [], totals: new Set(), next, before };
    this.#walks.delete(key);
    this.#walks.set(key, walk);
    const [oldest] = this.#walks.keys();
    if (this.#walks.size > mostWalks && oldest !== undefined) this.#walks.delete(oldest);
    return walk;
  }

  #ended(walk: Walk, { once, counts }: PagedList, total: unknown, area: string): Followed[] {
    const { ids, totals, before } = walk;
    const distinct = new Set(ids).size;
    const digest = createHash('sha256')
      .update(JSON.stringify([ids, [...totals]]))
      .digest('base64url');
    walk.before = digest;
    walk.next = Number.NaN;
    const missing = typeof total === 'number' ? total - distinct : 0;
    const defects: readonly (readonly [string, number | boolean])[] = [
      [once, ids.length - distinct],
      [once, totals.size === 1 && missing > 0 ? missing : 0],
      [counts, totals.size > 1],
      [counts, totals.size === 1 && missing < 0],
    ];
    const broken = new Map(defects.filter(([, defect]) => Number(defect) > 0));
    return [once, counts].map((statement): Followed => {
      if (!broken.has(statement))
        return { kind: 'counts', statement, area, result: { kind: 'holds' } };
      if (before !== digest)
        return {
          kind: 'open',
          statement,
          why: 'the list may have moved while it was read: another walk has not shown the same yet',
        };
      const actual = { items: ids.length, distinct, totals: [...totals] };
      const expected = statement === once ? 'each item once' : 'one total, that of the items';
      return {
        kind: 'counts',
        statement,
        area,
        result: { kind: 'fails', pointer: '/walk', expected, actual },
      };
    });
  }
}
