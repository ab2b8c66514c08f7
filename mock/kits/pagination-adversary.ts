/**
 * Changes a list between two pages, as other users of a service do. An item that is added before the next
 * page makes another item come twice. An item that is removed makes the client miss another one.
 */
import { atPointer, isObject, parseJson } from '../../spec/base/json.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import { contract } from '../../spec/contract.ts';
import { pagedLists } from '../areas/paged-lists.ts';
import type { Journal, JournalEntry } from '../world/journal.ts';
import type { ListWorld } from '../world/paged-list.ts';
import { checkOptions } from '../world/world-request.ts';

export type PagedOperation = keyof typeof pagedLists;

/** The change between the pages, and its list. */
export type Adversity = { readonly times?: number } & (
  | { readonly insert: PagedOperation; readonly remove?: never }
  | { readonly remove: PagedOperation; readonly insert?: never }
);

export interface PaginationAdversary extends Disposable {
  /** Ids of the items that were inserted or removed so far. */
  readonly changed: readonly string[];
  stop(): void;
}

/**
 * Waits for a page that is not the last one. Then it inserts an item at the head of the list, or removes the
 * last item of the page that nothing else needs. It does so `times` times; by default once. Throws a
 * TypeError for an adversity that never happens.
 */
export function paginationAdversary(
  world: ListWorld & { readonly requests: Pick<Journal, 'note' | 'subscribe'> },
  adversity: Adversity,
): PaginationAdversary {
  const operation = pagedOperation(adversity);
  const list = pagedLists[operation];
  const changed: string[] = [];
  const stop = world.requests.subscribe((entry) => {
    if (entry.operation !== operation || entry.fault?.cut !== undefined) return;
    if (entry.page !== 'first' && entry.page !== 'middle') return;
    const id =
      adversity.insert === undefined
        ? idsOf(entry, operation).findLast((candidate) => list.remove(world, candidate))
        : list.insert(world, entry.path);
    if (id === undefined) return;
    changed.push(id);
    const did = adversity.insert === undefined ? 'removed' : 'inserted';
    world.requests.note(`the adversary of ${operation} ${did} ${id}`);
    if (changed.length >= (adversity.times ?? 1)) stop();
  });
  return { changed, stop, [Symbol.dispose]: stop };
}

/** A caller in JavaScript may pass anything, and an adversary that never acts proves nothing. */
function pagedOperation(adversity: Adversity): PagedOperation {
  checkOptions(adversity, ['insert', 'remove', 'times'], 'An adversity');
  const { insert, remove, times = 1 } = adversity;
  if ((insert === undefined) === (remove === undefined)) {
    throw new TypeError('an adversity has insert or remove, one of the two');
  }
  const operation = insert ?? remove;
  if (!Object.hasOwn(pagedLists, operation)) {
    throw new TypeError(
      `${operation} is not a list that comes in pages${insteadOf(operation, Object.keys(pagedLists))}`,
    );
  }
  if (!Number.isInteger(times) || times < 1) {
    throw new TypeError(`times must be a whole number of at least 1, not ${String(times)}`);
  }
  return operation;
}

/** The ids on a page; none if the journal has cut the page. */
function idsOf({ responseBody }: JournalEntry, operation: PagedOperation): string[] {
  const { at, key } = contract.operations.get(operation)?.items ?? { at: '', key: '' };
  const items = atPointer(parseJson(responseBody ?? undefined), at);
  return Array.isArray(items) ? items.filter(isObject).map((item) => String(item[key])) : [];
}
