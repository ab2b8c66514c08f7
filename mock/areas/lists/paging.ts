/** Pages of a list: offset, limit and total. Statements PAGE-1 to PAGE-10. */
import type { Call } from '../../pipeline/call.ts';
import type { Refusal } from '../../pipeline/exchange.ts';

type PagedOperation = 'listDeployments' | 'listEnvironments';
const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

/** Refuses an offset or limit below 0, and the limits that a silence decides. */
export function checkPaging(call: Call<PagedOperation>): Refusal | undefined {
  const { offset, limit } = call.query;
  if (offset !== undefined && offset < 0) {
    const refused = call.invalidParameter('offset', `offset must not be below 0, as ${offset} is`);
    if (refused !== undefined) return refused;
  }
  if (limit !== undefined && limit < 0) {
    return call.invalidParameter('limit', `limit must not be below 0, as ${limit} is`);
  }
  if (limit === 0) {
    const choice = call.assume('PAGE-8');
    if (choice === 'refused')
      return call.invalidParameter('limit', 'limit must be at least 1, not 0');
    if (choice === 'default') delete call.query.limit;
  }
  if (limit !== undefined && limit > LARGEST_LIMIT && call.assume('PAGE-7') === 'refused') {
    return call.invalidParameter(
      'limit',
      `limit must not be above ${LARGEST_LIMIT}, as ${limit} is`,
    );
  }
  return undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: { readonly offset: number; readonly limit: number; readonly total: number };
}

/** The page that the call asks for, of a list in ascending order; or a refusal (PAGE-9). */
export function page<Item>(
  call: Call<PagedOperation>,
  list: readonly Item[],
): Page<Item> | Refusal {
  const offset = call.query.offset ?? 0;
  let limit = call.query.limit ?? DEFAULT_LIMIT;
  if (limit > LARGEST_LIMIT && call.peek('PAGE-7') === 'cap') limit = LARGEST_LIMIT;
  if (offset > 0 && offset >= list.length && call.assume('PAGE-9') === 'not-found') {
    return call.refuseAssumed(
      'PAGE-9',
      `There is no item at offset ${offset}: the list has ${list.length}`,
      'offset',
    );
  }
  const ordered = inOrder(call, list);
  return {
    items: ordered.slice(offset, offset + limit),
    pagination: { offset, limit, total: list.length },
  };
}

/** A list in the order that PAGE-10 chooses. */
export function inOrder<Item>(call: Pick<Call, 'assume'>, list: readonly Item[]): readonly Item[] {
  return call.assume('PAGE-10') === 'descending' ? list.toReversed() : list;
}
