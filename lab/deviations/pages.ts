/** Operators on paged lists: those with `offset` and `limit`, and SCIM's with `startIndex` and `count`. */
import { type JsonObject, pointerKeys } from '../../spec/base/json.ts';
import { type Asked, answersServed, type Does, type Done, type When } from './does.ts';
import { count } from './memory.ts';
import { changeAt, objectsOf, type Path, pathOf, valueAt } from './places.ts';
import { withBody } from './replies.ts';
import type { Row } from './rows.ts';
import { type Call, otherCall, type Reply } from './wire.ts';

export type Items = readonly JsonObject[];

/** A page, as an answer shows it. */
export interface Page {
  readonly items: Items;
  /** The number of items before the page. */
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** A request for a page, its reply, and the list that the page belongs to. */
export interface PageDone extends Done {
  readonly limit: number | undefined;
  /** All items that pass the request's filter. */
  readonly whole: Items;
  /** All items, without a filter. */
  readonly all: Items;
}

/** The names that a list uses in its requests and its answers. */
interface Paging {
  /** The parameters for the first item and for the most items of a page. */
  readonly sent: readonly [offset: string, limit: string];
  /** Places in a reply: the first item, the number of items, and the total. */
  readonly told: readonly [offset: string, limit: string, total: string];
  /** The number of the first item. */
  readonly base: number;
}

const offsets: Paging = {
  sent: ['offset', 'limit'],
  told: ['pagination.offset', 'pagination.limit', 'pagination.total'],
  base: 0,
};
const indexes: Paging = {
  sent: ['startIndex', 'count'],
  told: ['startIndex', 'itemsPerPage', 'totalResults'],
  base: 1,
};
export const pagingOf = ({ operation }: Call): Paging =>
  operation.parameters.some(({ name }) => name === 'startIndex') ? indexes : offsets;

const placeOf = ({ operation }: Call): Path => pointerKeys(operation.items?.at ?? '');

export function pageOf(call: Call, { body }: Reply): Page {
  const { told, base } = pagingOf(call);
  const [begin = 0, limit = 0, total = 0] = told.map((at) => Number(valueAt(body, pathOf(at))));
  const items = objectsOf(valueAt(body, placeOf(call)));
  return { items, offset: Math.max(0, begin - base), limit, total };
}

/** All items of a list, page by page. */
export async function wholeList({ call, target }: Asked, filters = call.query): Promise<Items> {
  const { sent, base } = pagingOf(call);
  const list: JsonObject[] = [];
  for (;;) {
    const page = { [sent[0]]: String(list.length + base), [sent[1]]: undefined };
    const reply = await target.handle(otherCall(call, { query: { ...filters, ...page } }));
    const { items, total } = pageOf(call, reply);
    list.push(...items);
    if (items.length === 0 || !(list.length < total)) return list;
  }
}

/** Replaces parts of a page; undefined leaves it as it is. */
export const paged = (change: (page: Page, done: PageDone) => Partial<Page> | undefined): Does =>
  answersServed(async (done) => {
    const { call, reply } = done;
    const { sent } = pagingOf(call);
    const text = call.query[sent[1]];
    const isFiltered = Object.keys(call.query).some((name) => !sent.includes(name));
    const whole = await wholeList(done);
    const all = isFiltered ? await wholeList(done, {}) : whole;
    const limit = text === undefined ? undefined : Number(text);
    const changed = change(pageOf(call, reply), { ...done, limit, whole, all });
    return changed && withBody(reply, told(call, reply.body, changed));
  });

/** The body, with these parts of its page replaced. */
function told(call: Call, body: unknown, { items, offset, limit, total }: Partial<Page>): unknown {
  const { told: places, base } = pagingOf(call);
  const begin = offset === undefined ? undefined : offset + base;
  const shown = [begin, base === 1 && items ? items.length : limit, total];
  return places.reduce(
    (whole, place, index) => changeAt(whole, pathOf(place), () => shown[index]),
    changeAt(body, placeOf(call), () => items),
  );
}

/** The items of a list that belong on a page. The caller may give another first item or another length. */
export function cut(page: Page, list: Items, begin = page.offset, length = page.limit): Items {
  return list.slice(Math.max(0, begin), Math.max(0, begin) + Math.max(0, length));
}

/** The same page of another list. */
export const pageIn = (page: Page, list: Items): Partial<Page> => ({
  items: cut(page, list),
  total: list.length,
});

/** Replaces the items of the whole list, filters them as requested, and shows their page. */
export const relisted = (change: (all: Items, done: PageDone) => Items | undefined): Does =>
  paged((page, done) => {
    const all = change(done.all, done);
    const { type } = done.call.query;
    return all && pageIn(page, type === undefined ? all : all.filter((item) => item.type === type));
  });

// ── what goes wrong in the pages of any list ────────────────────────────────────

/** A page does not start at the item that it says. */
export const begins = (at: (page: Page) => number): Does =>
  paged((page, { whole }) => ({ items: cut(page, whole, at(page)) }));
/** A page does not have as many items as the requested limit. */
const holds = (length: (limit: number) => number, from = 1): Does =>
  paged((page, { whole, limit }) =>
    limit === undefined || limit < from
      ? undefined
      : { items: cut(page, whole, page.offset, length(limit)) },
  );
const totals = (change: (total: number, done: PageDone) => number): Does =>
  paged(({ total }, done) => ({ total: Math.max(0, change(total, done)) }));

const isLater: When = ({ call }) => {
  const { sent, base } = pagingOf(call);
  return Number(call.query[sent[0]]) > base;
};
const oneMore = totals((total) => total + 1);
const fromTheEnd = paged((page, { whole }) => ({ items: cut(page, whole.toReversed()) }));

/** The ids of the statements about the pages of a list. */
type PageStatements = Readonly<Record<'pages' | 'total' | 'size' | 'told', string>>;

/** `name` is the first word of each id. */
export const pageRows = (
  name: string,
  { pages, total, size, told: said }: PageStatements,
): readonly Row[] => [
  [`${name}overlapping-pages`, pages, begins(({ offset }) => offset - 1), isLater],
  [`${name}skipping-pages`, pages, begins(({ offset }) => offset + 1), isLater],
  [`${name}order-of-each-page`, pages, fromTheEnd, isLater],
  [`${name}offset-in-pages`, pages, begins(({ offset, limit }) => offset * limit)],
  [`${name}offset-ignored`, pages, begins(() => 0)],
  [`${name}limit-one-too-few`, pages, holds((limit) => limit - 1, 2)],
  [`${name}total-differs-behind-the-first-page`, total, oneMore, isLater],
  [`${name}total-grows`, total, totals((old, { target }) => old + count(target.memory) - 1)],
  [`${name}total-one-too-few`, total, totals((old) => old - 1)],
  [`${name}limit-one-too-many`, size, holds((limit) => limit + 1)],
  [`${name}limit-on-the-first-page-only`, size, holds(() => 1000), isLater],
  [`${name}offset-always-said-zero`, said, paged(() => ({ offset: 0 }))],
];
