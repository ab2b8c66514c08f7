/** Operators on paged lists: those with `offset` and `limit`, and SCIM's with `startIndex` and `count`. */
import type { JsonObject } from '../../spec/base/json.ts';
import type { Does } from './does.ts';
import { type Asked, answersServed, type Done } from './does.ts';
import { changeAt, objectsOf, valueAt } from './places.ts';
import { withBody } from './replies.ts';
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
