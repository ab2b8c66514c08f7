/** A page of the deployments or environments list, and how a deviation shows another. */

import type { Memory, Scene } from '../../../deviations/deviation.ts';
import { type Handle, isRecord, type Json, same } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';

export type ListId = 'listDeployments' | 'listEnvironments';

export const words: Readonly<Record<ListId, string>> = {
  listDeployments: 'deployments',
  listEnvironments: 'environments',
};

/** A page as it is shown. */
export interface Page {
  readonly items: readonly Json[];
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** What was asked for, and the list that the page is a part of. */
export interface Asked {
  readonly scene: Scene;
  readonly memory: Memory;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly type: string | undefined;
  /** The whole list, filtered as it was asked. */
  readonly whole: readonly Json[];
  /** The whole list without the type filter. */
  readonly unfiltered: readonly Json[];
}

export type Repage = (page: Page, asked: Asked) => Partial<Page> | undefined;
const EVERYTHING = { offset: 0, limit: 1_000_000 };

/** Replaces parts of a page. */
export function repaged(change: Repage): Handle {
  return (next, scene) => {
    const query = scene.call.query as Record<string, unknown>;
    const sent = { ...query };
    const ask = (other: Readonly<Record<string, unknown>>) => {
      replace(query, other);
      const result = next();
      replace(query, sent);
      return result;
    };
    const filter = sent.type === undefined ? {} : { type: sent.type };
    const whole = itemsOf(ask({ ...filter, ...EVERYTHING }));
    const unfiltered = itemsOf(ask(EVERYTHING));
    const result = next();
    const page = pageOf(result);
    if (result instanceof Promise || isRefusal(result) || page === undefined) return result;
    const asked: Asked = {
      scene,
      memory: scene.memory,
      offset: numberOf(sent.offset),
      limit: numberOf(sent.limit),
      type: typeof sent.type === 'string' ? sent.type : undefined,
      whole,
      unfiltered,
    };
    const changed: Page = { ...page, ...change(page, asked) };
    if (same(page, changed)) return result;
    const { items, ...pagination } = changed;
    const name = words[scene.call.operation.id as ListId];
    return { ...result, body: { data: { [name]: items }, pagination } };
  };
}

function replace(target: Record<string, unknown>, by: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, by);
}

function pageOf(result: ReturnType<Parameters<Handle>[0]>): Page | undefined {
  if (result instanceof Promise || isRefusal(result) || !isRecord(result.body)) return undefined;
  const { data, pagination } = result.body;
  if (!isRecord(data) || !isRecord(pagination)) return undefined;
  const items = Object.values(data).find(Array.isArray) ?? [];
  const { offset, limit, total } = pagination;
  return {
    items: items.filter(isRecord),
    offset: Number(offset),
    limit: Number(limit),
    total: Number(total),
  };
}

function itemsOf(result: ReturnType<Parameters<Handle>[0]>): readonly Json[] {
  return pageOf(result)?.items ?? [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The part of a list that a page holds; another beginning or length may be given. */
export function cut(page: Page, list: readonly Json[], begin = page.offset, length = page.limit) {
  return list.slice(Math.max(0, begin), Math.max(0, begin) + Math.max(0, length));
}

/** A page as it would be if these had been asked for. */
export function pagedBy(begin: number, length: number, { whole }: Asked): Partial<Page> {
  return { items: whole.slice(begin, begin + length), offset: begin, limit: length };
}

/** The page of another list than the filtered one. */
export function instead(page: Page, list: readonly Json[]): Partial<Page> {
  return { items: cut(page, list), total: list.length };
}
