/** The two forms of paging: by offset and limit, and by SCIM (RFC 7644 section 3.4.2.4). */

import { isObject } from '../../spec/base/json.ts';

export interface Paging {
  /** Query parameters for the start of a page, and for its length. */
  readonly position: string;
  readonly size: string;
  /** The position of the first item. */
  readonly first: number;
  /** The figures that a page gives about itself; undefined if it gives none. */
  readonly about: (body: unknown) => PageFigures;
}

export interface PageFigures {
  readonly position: number | undefined;
  readonly size: number | undefined;
  readonly total: number | undefined;
}

export const byOffset: Paging = {
  ...{ position: 'offset', size: 'limit', first: 0 },
  about: (body) => {
    const { pagination } = isObject(body) ? body : {};
    const { offset, limit, total } = isObject(pagination) ? pagination : {};
    return { position: whole(offset), size: whole(limit), total: whole(total) };
  },
};

export const byStartIndex: Paging = {
  ...{ position: 'startIndex', size: 'count', first: 1 },
  about: (body) => {
    const { startIndex, totalResults } = isObject(body) ? body : {};
    return { position: whole(startIndex), size: undefined, total: whole(totalResults) };
  },
};

interface Parameter {
  readonly name: string;
  readonly schema: { readonly [keyword: string]: unknown };
}

/** The paging of an operation, from its parameters; undefined if its list has no pages. */
export const pagingOf = (parameters: readonly Parameter[]): Paging | undefined =>
  [byOffset, byStartIndex].find(({ position }) => parameters.some(({ name }) => name === position));

/** The default page size; undefined if the contract has none. */
export const usualSize = (parameters: readonly Parameter[], { size }: Paging): number | undefined =>
  whole(parameters.find(({ name }) => name === size)?.schema.default);

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
