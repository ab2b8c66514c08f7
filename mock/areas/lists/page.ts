/** A page of the deployments or environments list, and how a deviation shows another. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { type Change, objectsOf, same } from '../../deviations/changes.ts';
import { type Does, onHandling, type Scene } from '../../deviations/does.ts';
import { replace } from '../../deviations/sent.ts';
import { type Handled, isRefusal } from '../../pipeline/exchange.ts';

export type ListId = 'listDeployments' | 'listEnvironments';
type Items = readonly JsonObject[];

export const words: Readonly<Record<ListId, string>> = {
  listDeployments: 'deployments',
  listEnvironments: 'environments',
};

/** A page as it is shown. */
export interface Page {
  readonly items: Items;
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** What was asked for, and the list that the page is a part of. */
export interface Asked extends Scene {
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly type: string | undefined;
  /** The whole list, filtered as it was asked. */
  readonly whole: Items;
  /** The whole list without the type filter. */
  readonly unfiltered: Items;
}

export type Repage = (page: Page, asked: Asked) => Partial<Page> | undefined;
const EVERYTHING = { offset: 0, limit: 1_000_000 };

/** Replaces parts of a page. */
export const repaged = (change: Repage): Does =>
  onHandling((next, scene) => {
    const query = scene.call.query as Record<string, unknown>;
    const sent = { ...query };
    const ask = (other: object) => {
      replace(query, other);
      const items = pageOf(next())?.items ?? [];
      replace(query, sent);
      return items;
    };
    const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
    const type = typeof sent.type === 'string' ? sent.type : undefined;
    const unfiltered = ask(EVERYTHING);
    const whole = type === undefined ? unfiltered : ask({ type, ...EVERYTHING });
    const result = next();
    const page = pageOf(result);
    if (result instanceof Promise || isRefusal(result) || page === undefined) return result;
    const [offset, limit] = [numberOf(sent.offset), numberOf(sent.limit)];
    const asked: Asked = { ...scene, offset, limit, type, whole, unfiltered };
    const changed: Page = { ...page, ...change(page, asked) };
    if (same(page, changed)) return result;
    const { items, ...pagination } = changed;
    const name = words[scene.call.operation.id as ListId];
    return { ...result, body: { data: { [name]: items }, pagination } };
  });

function pageOf(result: Handled | Promise<Handled>): Page | undefined {
  if (result instanceof Promise || isRefusal(result) || !isObject(result.body)) return undefined;
  const { data, pagination } = result.body;
  if (!isObject(data) || !isObject(pagination)) return undefined;
  const { offset, limit, total } = pagination;
  return {
    items: objectsOf(Object.values(data).find(Array.isArray)),
    offset: Number(offset),
    limit: Number(limit),
    total: Number(total),
  };
}

/** The part of a list that a page holds; another beginning or length may be given. */
export function cut(page: Page, list: Items, begin = page.offset, length = page.limit): Items {
  return list.slice(Math.max(0, begin), Math.max(0, begin) + Math.max(0, length));
}

/** A page that begins elsewhere than it says. */
export const beginsAt =
  (begin: (page: Page) => number): Repage =>
  (page, { whole }) => ({ items: cut(page, whole, begin(page)) });

/** A page that holds another number of items than it says. */
export const holds =
  (length: (page: Page) => number): Repage =>
  (page, { whole }) => ({ items: cut(page, whole, page.offset, length(page)) });

/** A page as it would be if this had been asked for. */
export const pagedBy =
  (other: Partial<Page>): Repage =>
  (page, { whole }) => {
    const { offset, limit } = { ...page, ...other };
    return { items: whole.slice(offset, offset + limit), offset, limit };
  };

/** The page of another list than the filtered one; undefined leaves it. */
export const insteadOf =
  (list: (asked: Asked) => Items | undefined): Repage =>
  (page, asked) => {
    const other = list(asked);
    return other && { items: cut(page, other), total: other.length };
  };

/** Changes the total. */
export const totals =
  (change: Change<number, Page & Asked>): Repage =>
  (page, asked) => {
    const total = change(page.total, { ...asked, ...page });
    return total === undefined ? undefined : { total };
  };
