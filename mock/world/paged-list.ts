/**
 * Paged lists: which page an answer is, and how a test changes a list between two pages. Such a
 * change does not use the API, so it looks like another user's.
 */

import { isObject } from '../../spec/base/json.ts';
import { contract, type OperationId } from '../../spec/contract.ts';
import type { ServiceEvent } from './service-event.ts';
import type { State } from './state.ts';

/** The parts of a world that a list needs. */
export interface ListWorld {
  readonly state: State;
  emit(event: ServiceEvent): Record<string, unknown>;
}

export interface PagedList {
  /** Adds an item at the head of the list of a path; the result is its id. */
  insert(world: ListWorld, path: string): string;
  /** Removes an item; false if something else needs it. */
  remove(world: ListWorld, id: string): boolean;
}

/** A name that none of these rows has: `inserted-1`, `inserted-2`, ... */
export function unusedName(rows: Iterable<{ readonly name: string } | undefined>): string {
  const taken = new Set([...rows].map((row) => row?.name));
  let number = 1;
  while (taken.has(`inserted-${number}`)) number += 1;
  return `inserted-${number}`;
}

/** `whole` is all of a list at once; `beyond` is empty, because it starts after the end. */
export type PageKind = (typeof pageKinds)[number];
export const pageKinds = ['whole', 'first', 'middle', 'last', 'beyond'] as const;

/** The operations with `offset` and `limit`, or with SCIM's `startIndex` and `count`. */
export const paginated: ReadonlySet<OperationId> = new Set(
  [...contract.operations.values()]
    .filter((item) => item.parameters.some(({ name }) => /^(offset|startIndex)$/.test(name)))
    .map(({ id }) => id),
);

/** Undefined if the body is not a page, or if the request asked for an empty page. */
export function pageKind(body: unknown): PageKind | undefined {
  const page = readPage(body);
  if (page === undefined) return undefined;
  const { offset, size, total } = page;
  if (offset > 0 && offset >= total) return 'beyond';
  const last = offset + size >= total;
  if (offset === 0 && last) return 'whole';
  if (size === 0) return undefined;
  if (offset === 0) return 'first';
  return last ? 'last' : 'middle';
}

function readPage(body: unknown) {
  if (!isObject(body)) return undefined;
  const { pagination, startIndex, itemsPerPage, totalResults } = body;
  const { offset, limit, total } = (pagination ?? {}) as Record<string, unknown>;
  const [from, size, all] =
    pagination === undefined
      ? [Number(startIndex) - 1, itemsPerPage, totalResults]
      : [offset, limit, total];
  const isPage = [from, size, all].every((value) => Number.isInteger(value));
  return isPage ? { offset: Number(from), size: Number(size), total: Number(all) } : undefined;
}
