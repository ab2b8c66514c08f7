/** Operators on paged lists: those with `offset` and `limit`, and SCIM's with `startIndex` and `count`. */
import type { JsonObject } from '../../spec/base/json.ts';
import { again, all, count, every } from './conditions.ts';
import { type Asked, answersServed, type Does, type Done, type When } from './does.ts';
import { changeAt, objectsOf, valueAt } from './places.ts';
import { withBody } from './replies.ts';
import type { Row } from './rows.ts';
import { type Call, otherCall, type Reply } from './wire.ts';

export type Items = readonly JsonObject[];

/** A page as it is shown. */
export interface Page {
  readonly items: Items;
  /** How many items of the list stand before it. */
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** What was asked for, and the list that the page is a part of. */
export interface PageDone extends Done {
  /** What is sent for the offset and the limit; undefined for nothing. */
  readonly sent: { readonly offset: number | undefined; readonly limit: number | undefined };
  /** The whole list, filtered as it was asked. */
  readonly whole: Items;
  /** The whole list without any filter. */
  readonly all: Items;
}

/** How the pages of a list are asked for and told. */
interface Paging {
  /** Parameters of a request, and the places of the same in a reply. */
  readonly offset: readonly [parameter: string, place: string];
  readonly limit: readonly [parameter: string, place: string];
  readonly total: string;
  /** The number of the first item. */
  readonly base: number;
}

const offsets: Paging = {
  offset: ['offset', 'pagination.offset'],
  limit: ['limit', 'pagination.limit'],
  total: 'pagination.total',
  base: 0,
};
const indexes: Paging = {
  offset: ['startIndex', 'startIndex'],
  limit: ['count', 'itemsPerPage'],
  total: 'totalResults',
  base: 1,
};

const pagingOf = ({ operation }: Call): Paging =>
  operation.parameters.some(({ name }) => name === 'startIndex') ? indexes : offsets;

const placeOf = ({ operation }: Call): readonly string[] =>
  operation.items?.at.split('/').slice(1) ?? [];

/** The page of a reply. */
export function pageOf(call: Call, { body }: Reply): Page {
  const { offset, limit, total, base } = pagingOf(call);
  const at = (place: string) => Number(valueAt(body, place.split('.')));
  return {
    items: objectsOf(valueAt(body, placeOf(call))),
    offset: Math.max(0, at(offset[1]) - base),
    limit: at(limit[1]),
    total: at(total),
  };
}

/** All items of a list, page by page. */
export async function wholeList({ call, target }: Asked, query = call.query): Promise<Items> {
  const { offset, base } = pagingOf(call);
  const list: JsonObject[] = [];
  for (;;) {
    const { [pagingOf(call).limit[0]]: _limit, ...filters } = query;
    const page = { ...filters, [offset[0]]: String(list.length + base) };
    const reply = await target.handle(otherCall(call, { query: page }));
    const { items, total } = pageOf(call, reply);
    list.push(...items);
    if (items.length === 0 || !(list.length < total)) return list;
  }
}

/** The list of a call without its filters. */
const unfiltered = (call: Call) => {
  const { offset, limit } = pagingOf(call);
  const names = [offset[0], limit[0]];
  return Object.fromEntries(Object.entries(call.query).filter(([name]) => names.includes(name)));
};

/** What becomes of a page; undefined leaves it as it is. */
export type Repage = (page: Page, done: PageDone) => Partial<Page> | undefined;

/** Replaces parts of a page. */
export const paged = (change: Repage): Does =>
  answersServed(async (done) => {
    const { call, reply } = done;
    const paging = pagingOf(call);
    const number = ([name]: readonly string[], base: number) => {
      const text = call.query[name ?? ''];
      return text === undefined ? undefined : Number(text) - base;
    };
    const sent = { offset: number(paging.offset, paging.base), limit: number(paging.limit, 0) };
    const isFiltered = Object.keys(unfiltered(call)).length < Object.keys(call.query).length;
    const whole = await wholeList(done);
    const all = isFiltered ? await wholeList(done, unfiltered(call)) : whole;
    const page = pageOf(call, reply);
    const changed = change(page, { ...done, sent, whole, all });
    return changed && withBody(reply, told(call, reply.body, changed));
  });

/** The body with these parts of a page. */
function told(call: Call, body: unknown, { items, offset, limit, total }: Partial<Page>): unknown {
  const paging = pagingOf(call);
  const parts: readonly (readonly [place: readonly string[], value: unknown])[] = [
    [placeOf(call), items],
    [paging.offset[1].split('.'), offset === undefined ? undefined : offset + paging.base],
    [paging.limit[1].split('.'), paging.base === 1 && items ? items.length : limit],
    [paging.total.split('.'), total],
  ];
  return parts.reduce((whole, [place, value]) => changeAt(whole, place, () => value), body);
}

/** The part of a list that a page holds; another beginning or length may be given. */
export function cut(page: Page, list: Items, begin = page.offset, length = page.limit): Items {
  return list.slice(Math.max(0, begin), Math.max(0, begin) + Math.max(0, length));
}

/** The page of another list. */
export const pageIn = (page: Page, list: Items): Partial<Page> => ({
  items: cut(page, list),
  total: list.length,
});

/** The page of the list as it would be if its items were others, filtered as it was asked. */
export const relisted = (change: (all: Items, done: PageDone) => Items | undefined): Does =>
  paged((page, done) => {
    const all = change(done.all, done);
    const { type } = done.call.query;
    return all && pageIn(page, type === undefined ? all : all.filter((item) => item.type === type));
  });

// ── what goes wrong in the pages of any list ────────────────────────────────────

/** A page begins elsewhere than it says. */
export const begins = (at: (page: Page) => number): Does =>
  paged((page, { whole }) => ({ items: cut(page, whole, at(page)) }));
/** It holds another number of items than the limit that is sent. */
const holds = (length: (limit: number) => number, from = 1): Does =>
  paged((page, { whole, sent: { limit } }) =>
    limit === undefined || limit < from
      ? undefined
      : { items: cut(page, whole, page.offset, length(limit)) },
  );
const totals = (change: (total: number, page: Page, done: PageDone) => number): Does =>
  paged((page, done) => ({ total: Math.max(0, change(page.total, page, done)) }));
const others = (change: (items: Items, page: Page, whole: Items) => Items): Does =>
  paged((page, { whole }) => ({ items: change(page.items, page, whole) }));

const isLater: When = ({ call }) => {
  const { offset, base } = pagingOf(call);
  return Number(call.query[offset[0]]) > base;
};
const againLater = all(isLater, again());
const oneMore = totals((total) => total + 1);
const firstForLast = others((own, _page, [first]) =>
  own.length === 0 || first === undefined ? own : [...own.slice(0, -1), first],
);
const lastOfBefore = others((own, { offset }, whole) =>
  own.length === 0 ? own : [...whole.slice(offset - 1, offset), ...own.slice(1)],
);
const withoutLast = others((own, { offset, total }) =>
  offset + own.length >= total ? own.slice(0, -1) : own,
);
const fromTheEnd = others((_own, page, whole) => cut(page, whole.toReversed()));

const saysNext = paged(({ offset, items }) => ({ offset: offset + items.length }));

/** The statements about the pages of a list. */
type PageStatements = Readonly<Record<'pages' | 'total' | 'size' | 'told', string>>;

/** `name` stands before each. */
export const pageRows = (
  name: string,
  { pages, total, size, told: said }: PageStatements,
): readonly Row[] => [
  [`${name}overlapping-pages`, pages, begins(({ offset }) => offset - 1), isLater],
  [`${name}skipping-pages`, pages, begins(({ offset }) => offset + 1), isLater],
  [`${name}first-item-repeated`, pages, firstForLast, isLater],
  [`${name}last-item-of-before-repeated`, pages, lastOfBefore, isLater],
  [`${name}last-item-lost`, pages, withoutLast, isLater],
  [`${name}right-once`, pages, begins(({ offset }) => offset + 1), againLater],
  [`${name}order-of-each-page`, pages, fromTheEnd, isLater],
  [`${name}offset-in-pages`, pages, begins(({ offset, limit }) => offset * limit)],
  [`${name}offset-ignored`, pages, begins(() => 0)],
  [`${name}offset-one-early`, pages, begins(({ offset }) => offset - 1)],
  [`${name}later-pages-empty`, pages, others(() => []), isLater],
  [`${name}limit-one-too-few`, pages, holds((limit) => limit - 1, 2)],
  [`${name}total-of-the-page`, total, totals((_total, { items }) => items.length)],
  [`${name}total-differs-behind-the-first-page`, total, oneMore, isLater],
  [`${name}total-grows`, total, totals((old, _page, { target }) => old + count(target.memory) - 1)],
  [`${name}total-one-too-many`, total, oneMore],
  [`${name}total-one-too-few`, total, totals((old) => old - 1)],
  [`${name}total-to-and-fro`, total, oneMore, every(2)],
  [`${name}total-behind-this-page`, total, totals((old, { offset }) => old - offset)],
  [`${name}limit-ignored`, size, holds(() => 20)],
  [`${name}limit-one-too-many`, size, holds((limit) => limit + 1)],
  [`${name}limit-at-least-ten`, size, holds((limit) => Math.max(10, limit))],
  [`${name}limit-in-whole-tens`, size, holds((limit) => Math.ceil(limit / 10) * 10)],
  [`${name}limit-on-the-first-page-only`, size, holds(() => 1000), isLater],
  [`${name}offset-always-said-zero`, said, paged(() => ({ offset: 0 }))],
  [`${name}offset-said-of-the-next-page`, said, saysNext],
];
