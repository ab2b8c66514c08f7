/** The result of a walk over all pages of a list. */

import { canonical, equal, isObject } from '../../spec/base/json.ts';
import type { PageFigures } from './paging.ts';

/** One page: its request and its answer. */
export interface Page extends PageFigures {
  readonly body: unknown;
  readonly items: readonly unknown[];
  /** The requested position: `offset` or `startIndex`. */
  readonly asked: number;
  /** The requested page size; undefined if none was sent. */
  readonly askedSize: number | undefined;
}

export interface Walk {
  readonly items: readonly unknown[];
  readonly ids: readonly unknown[];
  readonly total: number | undefined;
  /** The distinct totals of the pages. */
  readonly totals: readonly unknown[];
  /** `total` minus the number of distinct ids; undefined without a total. */
  readonly missing: number | undefined;
  readonly duplicates: readonly unknown[];
  readonly longPages: readonly number[];
  readonly shortPages: readonly number[];
  readonly wrongOffsets: readonly number[];
  readonly pages: readonly unknown[];
  /** Ids of one big page, read before the walk. */
  readonly head: readonly unknown[];
}

export function assembleWalk(pages: readonly Page[], key: string, head: readonly unknown[]): Walk {
  const items = pages.flatMap((page) => page.items);
  const ids = items
    .map((item) => (isObject(item) ? item[key] : undefined))
    .filter((id) => id !== undefined);
  const seen = new Set<string>();
  const duplicates = ids.filter((id) => {
    const before = seen.size;
    return seen.add(canonical(id)).size === before;
  });
  const total = pages[0]?.total;
  const indices = (wrong: (page: Page, index: number) => boolean): number[] =>
    pages.flatMap((page, index) => (wrong(page, index) ? [index] : []));
  return {
    items,
    ids,
    total,
    totals: [...new Set(pages.map((page) => page.total).filter((count) => count !== undefined))],
    missing: total === undefined ? undefined : total - seen.size,
    duplicates,
    longPages: indices((page) => page.items.length > (limitOf(page) ?? Number.POSITIVE_INFINITY)),
    shortPages: indices(
      (page, index) => index < pages.length - 1 && page.items.length < (limitOf(page) ?? 0),
    ),
    wrongOffsets: indices(
      (page) =>
        (page.position !== undefined && page.position !== page.asked) ||
        (page.size !== undefined && page.askedSize !== undefined && page.size > page.askedSize),
    ),
    pages: pages.map((page) => page.body),
    head,
  };
}

/** A walk, with the ids of one big page read before it and one read after it. */
export interface Bracketed {
  readonly walk: Walk | undefined;
  readonly after: readonly unknown[] | undefined;
}

/**
 * For each walk, whether the list changed meanwhile. The big pages before and after it show that.
 * In a shared list, two further signs show a change that was undone before the walk ended. One is
 * an item that only this walk saw. The other is a total that changed from page to page, if another
 * walk has a constant total or the list changed between the walks.
 */
export function movedIn(walks: readonly Bracketed[], shared: boolean): boolean[] {
  const heads = walks.flatMap(({ walk, after }) => [walk?.head, after]);
  const lists = [...heads, ...walks.map(({ walk }) => walk?.ids)].map(
    (ids = []) => new Set(ids.map(canonical)),
  );
  const isSeenOnce = (id: unknown): boolean =>
    lists.filter((ids) => ids.has(canonical(id))).length === 1;
  const mayChange = changedBetween(walks) || walks.some(({ walk }) => walk?.totals.length === 1);
  return walks.map(({ walk, after }) => {
    if (walk === undefined) return true;
    if (after !== undefined && !equal(walk.head, after)) return true;
    if (!shared) return false;
    return (walk.totals.length > 1 && mayChange) || walk.ids.some(isSeenOnce);
  });
}

/**
 * Whether the list changed between the walks. Big pages show it if they hold the whole list. If a
 * service cuts or refuses them, the walks themselves are compared.
 */
function changedBetween(walks: readonly Bracketed[]): boolean {
  const [first] = walks;
  const isCut = walks.some(({ walk, after = [] }) => after.length < (walk?.total ?? 0));
  return walks.some(
    ({ walk, after }) =>
      !equal(walk?.head, first?.walk?.head) ||
      !equal(after, first?.after) ||
      (isCut && !equal([walk?.totals, walk?.ids], [first?.walk?.totals, first?.walk?.ids])),
  );
}

/** The most items that a page may hold: the requested size, or the smaller limit that the page declares. */
function limitOf(page: Page): number | undefined {
  if (page.askedSize === undefined) return page.size;
  return page.size === undefined ? page.askedSize : Math.min(page.size, page.askedSize);
}
