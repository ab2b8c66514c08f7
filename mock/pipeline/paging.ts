/** Pages of a list: offset, limit and total. Statements PAGE-1 to PAGE-10. */
import { named } from '../../spec/contract.ts';
import type { Call } from './call.ts';
import type { Refusal } from './exchange.ts';

/** A call of any operation that takes `offset` and `limit`. */
export interface PagedCall
  extends Pick<Call, 'assume' | 'peek' | 'refuseAssumed' | 'invalidParameter'> {
  readonly query: { offset?: number; limit?: number };
}

const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

/** Refuses an offset or limit below 0, and the limits that a silence decides. */
export function checkPaging(call: PagedCall): Refusal | undefined {
  const { offset, limit } = call.query;
  if (offset !== undefined && offset < 0) {
    const message = `offset must not be below 0, as ${offset} is`;
    const refused = call.invalidParameter('offset', message);
    if (refused !== undefined) return refused;
  }
  if (limit === undefined) return undefined;
  if (limit < 0) {
    return call.invalidParameter('limit', `limit must not be below 0, as ${limit} is`);
  }
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

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: { readonly offset: number; readonly limit: number; readonly total: number };
}

/** The page that the call asks for, of a list in ascending order; or a refusal. */
export function page<Item>(call: PagedCall, list: readonly Item[]): Page<Item> | Refusal {
  const offset = call.query.offset ?? 0;
  let limit = call.query.limit ?? DEFAULT_LIMIT;
  if (limit > LARGEST_LIMIT && call.peek(named.limitAboveMost) === 'cap') limit = LARGEST_LIMIT;
  const beyond = offset > 0 && offset >= list.length;
  if (beyond && call.assume(named.offsetBeyondEnd) === 'not-found') {
    const message = `There is no item at offset ${offset}: the list has ${list.length}`;
    return call.refuseAssumed(named.offsetBeyondEnd, message, 'offset');
  }
  const ordered = inOrder(call, list);
  return {
    items: ordered.slice(offset, offset + limit),
    pagination: { offset, limit, total: list.length },
  };
}

/** A list in the order that the silence about it chooses. */
export function inOrder<Item>(call: Pick<Call, 'assume'>, list: readonly Item[]): readonly Item[] {
  return call.assume(named.orderOfLists) === 'descending' ? list.toReversed() : list;
}

/** The query that `part` reads where the silence lets it, for `alsoReads`. */
export const readsPart = (silence: string) => (basis: Pick<Call, 'peek'>) =>
  basis.peek(silence) === 'honoured' ? ['offset', 'limit'] : [];

/** What a list without pages of its own answers to an offset and a limit: a silence decides. */
export function part<Item>(
  call: Pick<Call, 'assume' | 'sentQuery'>,
  silence: string,
  list: readonly Item[],
): Page<Item> {
  const total = list.length;
  const [offset = 0, limit = total] = ['offset', 'limit'].map((name) => {
    const text = call.sentQuery.get(name)?.[0] ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  });
  const items = list.slice(offset, offset + limit);
  const whole = items.length === total || call.assume(silence) !== 'honoured';
  return whole
    ? { items: list, pagination: { offset: 0, limit: total, total } }
    : { items, pagination: { offset, limit, total } };
}
