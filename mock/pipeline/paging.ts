/** Pages of a list, with offset, limit and total (PAGE-1 to PAGE-10). */
import { deepFreeze } from '../../spec/base/json.ts';
import { named, type Operation } from '../../spec/contract.ts';
import type { Sliceable } from '../world/table.ts';
import type { Call } from './call.ts';
import type { Refusal } from './exchange.ts';

/** A call of any operation that takes `offset` and `limit`. */
export interface PagedCall
  extends Pick<Call, 'assume' | 'operation' | 'choice' | 'refuseAssumed' | 'invalidParameter'> {
  readonly query: { offset?: number; limit?: number };
}

const BOUNDS = ['offset', 'limit'] as const;
const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;
/** For each choice, the limit that replaces a larger one. */
const lowered: Readonly<Record<string, number>> = { cap: LARGEST_LIMIT, 'cap-at-two-hundred': 200 };

/** Refuses an offset or limit below 0, and the limits that a silence decides. */
export function checkPaging(call: PagedCall): Refusal | undefined {
  for (const name of BOUNDS) {
    const value = call.query[name];
    if (value === undefined || value >= 0) continue;
    const refused = call.invalidParameter(name, `${name} must not be below 0, as ${value} is`);
    if (refused !== undefined) return refused;
  }
  const { limit } = call.query;
  if (limit === undefined) return undefined;
  if (limit === 0) {
    const choice = call.assume(named.limitZero);
    if (choice === 'refused') {
      return call.invalidParameter('limit', 'limit must be at least 1, not 0');
    }
    if (choice === 'default') delete call.query.limit;
  }
  if (limit > LARGEST_LIMIT && call.assume(named.limitAboveMost) === 'refused') {
    const message = `limit must not be above ${LARGEST_LIMIT}, as ${limit} is`;
    return call.invalidParameter('limit', message);
  }
  return undefined;
}

export interface Page<Items> {
  readonly items: Items;
  readonly pagination: { readonly offset: number; readonly limit: number; readonly total: number };
}

/**
 * The page that the call asks for, of a list in ascending order; or a refusal. Each row becomes an item
 * by `make`, which may depend only on the row and on `choice`.
 */
export function page<Row, Item extends object>(
  call: PagedCall,
  list: Sliceable<Row>,
  choice: string | boolean,
  make: (row: Row) => Item,
): Page<Item[]> | Refusal {
  const offset = call.query.offset ?? 0;
  const most = lowered[call.choice(named.limitAboveMost)];
  const limit = Math.min(call.query.limit ?? DEFAULT_LIMIT, most ?? Number.POSITIVE_INFINITY);
  const total = list.length;
  const beyond = offset > 0 && offset >= total;
  if (beyond && call.assume(named.offsetBeyondEnd) === 'not-found') {
    const message = `There is no item at offset ${offset}: the list has ${total}`;
    return call.refuseAssumed(named.offsetBeyondEnd, message, 'offset');
  }
  const items = itemsOf(call, list, { offset, limit, choice }, make);
  return { items, pagination: { offset, limit, total } };
}

/** The place of a page in its list, and the choice that its items depend on. */
interface Place {
  readonly offset: number;
  readonly limit: number;
  readonly choice: string | boolean;
}

/** A page of a list. It is kept as long as the list does not change. */
export interface KeptPage extends Place {
  readonly operation: Operation;
  readonly descending: boolean;
  readonly items: object[];
  /** The items as JSON. */
  readonly text: string;
  /** The check that the items last passed. */
  fits: unknown;
  /** The last body that had the items, and the text before and after them. */
  answer: { readonly before: string; readonly behind: string; readonly text: string } | undefined;
}

const pagesOfList = new WeakMap<object, KeptPage[]>();
const pageOfItems = new WeakMap<object, KeptPage>();
/** The most pages to keep for a list. */
const MOST_PAGES = 32;

/** The page whose items `itemsOf` has made; undefined for other items. */
export function keptPage(items: unknown): KeptPage | undefined {
  return typeof items === 'object' && items !== null ? pageOfItems.get(items) : undefined;
}

/**
 * The items of a page. Rows never change and items are frozen, so each page is made, checked and
 * written as JSON only once.
 */
export function itemsOf<Row, Item extends object>(
  call: Pick<Call, 'assume' | 'operation'>,
  list: Sliceable<Row>,
  { offset, limit, choice }: Place,
  make: (row: Row) => Item,
): Item[] {
  const { operation } = call;
  const descending = call.assume(named.orderOfLists) === 'descending';
  const pages = pagesOfList.get(list) ?? [];
  for (const page of pages) {
    const isSame =
      page.offset === offset &&
      page.limit === limit &&
      page.choice === choice &&
      page.descending === descending &&
      page.operation === operation;
    if (isSame) return page.items as Item[];
  }
  // Only the page is copied, because a table may have a million rows.
  const behind = list.length - offset;
  const rows = descending
    ? list.slice(Math.max(0, behind - limit), Math.max(0, behind)).toReversed()
    : list.slice(offset, offset + limit);
  const items = deepFreeze(rows.map((row) => make(row)));
  const text = JSON.stringify(items);
  const made = { text, fits: undefined, answer: undefined };
  const page = { offset, limit, choice, operation, descending, items, ...made };
  pagesOfList.set(list, [page, ...pages.slice(0, MOST_PAGES - 1)]);
  pageOfItems.set(items, page);
  return items;
}

/** A list in the order that the silence about it chooses. */
export function inOrder<Item>(call: Pick<Call, 'assume'>, list: readonly Item[]): readonly Item[] {
  return call.assume(named.orderOfLists) === 'descending' ? list.toReversed() : list;
}

/** The parameters of a cursor. */
export const CURSOR: readonly string[] = ['first', 'after'];

/** The query parameters that `part` reads, if the silences permit it; for `alsoReads`. */
export const readsPart = (silence: string) => (basis: Pick<Call, 'choice'>) => [
  ...(basis.choice(silence) === 'honoured' ? BOUNDS : []),
  ...(basis.choice(named.cursor) === 'refused' ? [] : CURSOR),
];

const LARGEST_FIRST = 200;

/** A part of a list that is read by cursor, and the cursor of the next part. */
export interface Part<Item> extends Page<readonly Item[]> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * The part of an unpaged list for an offset and a limit, or for a cursor. Silences decide how the
 * list reacts to these. `usual` is the number of items without a limit; `key` identifies an item.
 */
export function part<Item>(
  call: Pick<Call, 'assume' | 'choice' | 'sentQuery'>,
  silence: string,
  list: readonly Item[],
  { key, usual = list.length }: { key: (item: Item) => string; usual?: number },
): Part<Item> {
  const total = list.length;
  const sent = (name: string) => {
    const text = call.sentQuery.get(name)?.[0] ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const [offset = 0, limit = total] = BOUNDS.map(sent);
  const cursorOf = (item: Item) => Buffer.from(key(item)).toString('base64url');
  const after = call.sentQuery.get('after')?.[0];
  const found = after === undefined ? -1 : list.findIndex((item) => cursorOf(item) === after);
  // A cursor that no item has leads to an empty part.
  const from = after !== undefined && found === -1 ? total : found + 1;
  const behind = list.slice(from, from + Math.min(sent('first') ?? usual, LARGEST_FIRST));
  const read = behind.length < total && call.assume(named.cursor) === 'cursor' ? behind : list;
  const bounded = read.slice(offset, offset + limit);
  const isPart = bounded.length < read.length && call.assume(silence) === 'honoured';
  const items = isPart ? bounded : read;
  const last = items.at(-1);
  const hasNextPage = last !== undefined && last !== list.at(-1);
  const endCursor = last === undefined ? null : cursorOf(last);
  const pagination = isPart ? { offset, limit, total } : { offset: 0, limit: total, total };
  return { items, pagination, pageInfo: { hasNextPage, endCursor } };
}
