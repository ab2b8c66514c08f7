/** How a test changes a paged list between two pages: not through the API, as somebody else would. */
import type { ServiceEvent } from './service-event.ts';
import type { State, TableName } from './state.ts';

/** The parts of a world that it takes. */
export interface ListWorld {
  readonly state: State;
  emit(event: ServiceEvent): Record<string, unknown>;
}

export interface PagedList {
  /** Adds an item at the head of the list that stands at a path; the result is its id. */
  insert(world: ListWorld, path: string): string;
  /** Removes an item; false where something else needs it. */
  remove(world: ListWorld, id: string): boolean;
}

/** Moves a row to the head of its table. */
export function moveToFront(state: State, table: TableName, key: string | number): void {
  Object.assign(state.tables, { [table]: state.tables[table].withFirst(key as never) });
}

/** A name that no row has: `inserted-1`, `inserted-2`, ... */
export function unusedName(rows: readonly { readonly name: string }[]): string {
  const taken = new Set(rows.map(({ name }) => name));
  let number = 1;
  while (taken.has(`inserted-${number}`)) number += 1;
  return `inserted-${number}`;
}
