/** Which page of a list an answer is. */
import { contract, type Operation, type OperationId } from '../../spec/contract.ts';

/** `whole` is all of a list at once; `beyond` is empty, because it starts behind the end. */
export type PageKind = (typeof pageKinds)[number];
export const pageKinds = ['whole', 'first', 'middle', 'last', 'beyond'] as const;

/** The operations that take `offset` and `limit`, or what SCIM calls so. */
export const paginated: ReadonlySet<OperationId> = new Set(
  [...contract.operations.values()].filter(isPaginated).map(({ id }) => id),
);

function isPaginated({ parameters }: Operation): boolean {
  return parameters.some((item) => ['offset', 'startIndex'].includes(item.name));
}

/** Undefined where the body is no page, or one that was asked to hold nothing. */
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
  if (body === null || typeof body !== 'object') return undefined;
  const { pagination, startIndex, itemsPerPage, totalResults } = body as Record<string, unknown>;
  const { offset, limit, total } = (pagination ?? {}) as Record<string, unknown>;
  const [from, size, all] =
    pagination === undefined
      ? [Number(startIndex) - 1, itemsPerPage, totalResults]
      : [offset, limit, total];
  const isPage = [from, size, all].every((value) => Number.isInteger(value));
  return isPage ? { offset: Number(from), size: Number(size), total: Number(all) } : undefined;
}
