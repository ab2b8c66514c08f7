/**
 * What a service does to a client that pages: between two pages, somebody adds an item ahead of
 * the page to come, so that one comes twice, or removes one that was there, so that one is missed.
 */

import { insteadOf } from '../../spec/base/similar.ts';
import type { Journal, JournalEntry } from '../world/journal.ts';
import type { ServiceEvent } from '../world/service-event.ts';
import type { Rows, State } from '../world/state.ts';
import { Table } from '../world/table.ts';

export type PagedOperation = 'listDeployments' | 'listEnvironments' | 'listScimUsers';

/** What happens between the pages of which list. */
export type Adversity = { readonly times?: number } & (
  | { readonly insert: PagedOperation; readonly remove?: never }
  | { readonly remove: PagedOperation; readonly insert?: never }
);

/** The parts of a world that it needs. */
export interface PagedWorld {
  readonly requests: Journal;
  readonly state: State;
  emit(event: ServiceEvent): Record<string, unknown>;
}

export interface PaginationAdversary extends Disposable {
  /** Ids of what was inserted or removed so far. */
  readonly changed: readonly string[];
  stop(): void;
}

/**
 * Waits for a page that is not the last one and then inserts an item at the head of the list, or
 * removes the last item of that page that nothing else hangs on. Once, or so many `times`. Throws a
 * TypeError for an adversity that never happens.
 */
export function paginationAdversary(world: PagedWorld, adversity: Adversity): PaginationAdversary {
  const operation = pagedOperation(adversity);
  const list = lists[operation];
  const changed: string[] = [];
  const stop = world.requests.subscribe((entry) => {
    if (entry.operation !== operation || entry.status !== 200) return;
    if (entry.fault?.cut !== undefined) return;
    const page = pageOf(entry, list);
    if (page === undefined) return;
    const id =
      adversity.insert === undefined
        ? page.ids.findLast((candidate) => list.remove(world, candidate))
        : list.insert(world, entry);
    if (id !== undefined) changed.push(id);
    if (changed.length >= (adversity.times ?? 1)) stop();
  });
  return { changed, stop, [Symbol.dispose]: stop };
}

/** Types do not reach those who write JavaScript, and an adversary that never acts proves nothing. */
function pagedOperation(adversity: Adversity): PagedOperation {
  const { insert, remove, times = 1, ...others } = adversity;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new TypeError(
      `an adversity has no ${unknown}${insteadOf(unknown, ['insert', 'remove', 'times'])}`,
    );
  }
  if ((insert === undefined) === (remove === undefined)) {
    throw new TypeError('an adversity has insert or remove, one of the two');
  }
  const operation = insert ?? remove;
  if (!Object.hasOwn(lists, operation)) {
    throw new TypeError(
      `${operation} is not a list that comes in pages${insteadOf(operation, Object.keys(lists))}`,
    );
  }
  if (!Number.isInteger(times) || times < 1) {
    throw new TypeError(`times must be a whole number of at least 1, not ${String(times)}`);
  }
  return operation;
}

interface List {
  /** Where the items stand in a page. */
  readonly items: (body: Page) => readonly { readonly id: string }[] | undefined;
  readonly insert: (world: PagedWorld, page: JournalEntry) => string;
  /** False where it had better stay. */
  readonly remove: (world: PagedWorld, id: string) => boolean;
}

interface Page {
  readonly data?: { readonly [name: string]: readonly { readonly id: string }[] };
  readonly pagination?: { readonly offset: number; readonly total: number };
  readonly Resources?: readonly { readonly id: string }[];
  readonly startIndex?: number;
  readonly totalResults?: number;
}

const lists: Readonly<Record<PagedOperation, List>> = {
  listDeployments: {
    items: ({ data }) => data?.deployments,
    insert(world) {
      const name = freshName(world.state.tables.deployments.rows());
      const id = String(world.emit({ type: 'createDeployment', name }).id);
      toFront(world.state, 'deployments', id);
      return id;
    },
    remove(world, id) {
      const keys = world.state.tables.credentials.rows();
      if (keys.some(({ deployments }) => deployments?.includes(id) === true)) return false;
      world.emit({ type: 'deleteDeployment', deployment: id });
      return true;
    },
  },
  listEnvironments: {
    items: ({ data }) => data?.environments,
    insert(world, { path }) {
      const deployment = /\/deployments\/([^/]+)/.exec(path)?.[1] ?? '1';
      const name = freshName(world.state.tables.branches.rows());
      const made = world.emit({ type: 'createBranch', name, kind: 'personal', deployment });
      const id = String(made.environmentId);
      toFront(world.state, 'environments', id);
      return id;
    },
    remove(world, id) {
      const { environments, branches } = world.state.tables;
      const branchId = environments.get(id)?.branchId;
      // Without its production environment a deployment would not be one.
      if (branchId === undefined || branchId === null) return false;
      environments.delete(id);
      branches.delete(branchId);
      return true;
    },
  },
  listScimUsers: {
    items: ({ Resources }) => Resources,
    insert(world) {
      const { users } = world.state.tables;
      const rows = users.rows();
      const id = 1 + Math.max(0, ...rows.map((user) => user.id));
      const [first] = rows;
      if (first === undefined) throw new Error('a page that is not the last one has a user');
      const email = `inserted-${id}@example.com`;
      users.put(id, { ...first, id, email, admin: false, auditLogManage: false, edits: [] });
      toFront(world.state, 'users', id);
      return String(id);
    },
    remove(world, id) {
      const { users, credentials } = world.state.tables;
      if (credentials.rows().some(({ userId }) => userId === Number(id))) return false;
      users.delete(Number(id));
      return true;
    },
  },
};

/** The ids on a page behind which there are more; undefined for the last one. */
function pageOf(entry: JournalEntry, list: List): { readonly ids: readonly string[] } | undefined {
  let body: Page;
  try {
    body = JSON.parse(entry.responseBody ?? '{}') as Page;
  } catch {
    // A page so long that the journal cut it.
    return undefined;
  }
  const ids = list.items(body)?.map(({ id }) => id) ?? [];
  const begin = body.pagination?.offset ?? (body.startIndex ?? 1) - 1;
  const total = body.pagination?.total ?? body.totalResults ?? 0;
  return ids.length > 0 && begin + ids.length < total ? { ids } : undefined;
}

function freshName(rows: readonly { readonly name: string }[]): string {
  const taken = new Set(rows.map(({ name }) => name));
  let number = 1;
  while (taken.has(`inserted-${number}`)) number += 1;
  return `inserted-${number}`;
}

/** Moves a row to the head of its table; what the world has changed stays what it was. */
function toFront<Name extends 'deployments' | 'environments' | 'users'>(
  state: State,
  name: Name,
  key: Rows[Name][0],
): void {
  type Key = Rows[Name][0];
  type Row = Rows[Name][1];
  const table = state.tables[name] as unknown as Table<Key, Row>;
  const rows = [...table.entries()];
  const ordered = new Map([
    ...rows.filter(([other]) => other === key),
    ...rows.filter(([other]) => other !== key),
  ]);
  Object.assign(state.tables, { [name]: new Table(ordered, new Map(table.changes())) });
}
