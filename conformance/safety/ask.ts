/** The engine's own calls, which read objects and put them back. */

import { type JsonObject, objectsIn } from '../../spec/base/json.ts';
import { type OperationId, operation } from '../../spec/contract.ts';
import { callTo, pathTo } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import type { Occasion } from '../target/evidence.ts';
import type { Target } from '../target/target.ts';
import type { Ask } from './areas.ts';

/**
 * Calls with this authorization, and keeps the exchanges in a file of the evidence, like the exchanges
 * of a scenario.
 */
export function askWith(
  client: Client,
  authorization: string | undefined,
  file: string,
  kind: Occasion['kind'],
  scenario = file,
): Ask {
  const headers = authorization === undefined ? {} : { authorization };
  const occasion = { scenario, step: kind, kind };
  return (id, parameters, { query = {}, body } = {}) => {
    const { method, path } = operation(id);
    const call = callTo(method.toUpperCase(), pathTo(path, parameters), body, { query, headers });
    return client.call(call, file, occasion);
  };
}

/** The most items of a list that are read. */
const mostItems = 2000;

/** A page of a list: its objects that have an identifier, and whether the list ends with it. */
export interface ListedPage {
  readonly items: readonly JsonObject[];
  readonly isLast: boolean;
}

/**
 * Reads a list page by page, to its end or its first 2000 items. A refusal yields undefined and ends
 * it. A page that only repeats earlier items ends it as well, and does not count as the last.
 */
export async function* pagesOf(
  ask: Ask,
  call: OperationId,
  parameters: Parameters<Ask>[1],
): AsyncGenerator<ListedPage | undefined> {
  const seen = new Set<string>();
  for (let offset = 0; offset < mostItems; ) {
    const answer = await ask(call, parameters, { query: { offset, limit: 20 } });
    if (!answer.ok) return yield undefined;
    const all = [...objectsIn(answer.body)];
    const items = all.filter((item) => item.id !== undefined);
    // An item may have a field with the same name.
    const page = all.find(({ limit, total }) => isCount(limit) && isCount(total));
    offset += Math.min(20, Number(page?.limit ?? 20));
    const isLast = items.length === 0 || offset >= Number(page?.total ?? Number.POSITIVE_INFINITY);
    yield { items, isLast };
    const before = seen.size;
    for (const { id } of items) seen.add(String(id));
    if (isLast || seen.size === before) return;
  }
}

/** Whether a list in pages holds an identifier; undefined if the list does not tell. */
export async function isListed(
  ask: Ask,
  call: OperationId,
  parameters: Parameters<Ask>[1],
  id: unknown,
): Promise<boolean | undefined> {
  let isEmpty = true;
  for await (const page of pagesOf(ask, call, parameters)) {
    // If the first page is empty, it proves nothing.
    if (page === undefined || (isEmpty && page.items.length === 0)) return undefined;
    isEmpty = false;
    if (page.items.some((item) => String(item.id) === String(id))) return true;
    if (page.isLast) return false;
  }
  return undefined;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;

export function bearer(target: Target, credential: string | undefined): string | undefined {
  const found = target.credentials.get(credential ?? '');
  return found === undefined ? undefined : `Bearer ${found.secret}`;
}

/** A credential that may read and restore everything; undefined if there is none. */
export function restoringCredential({ credentials }: Target): string | undefined {
  return ['admin', 'oauth'].find((name) => credentials.has(name));
}

export function restoringAuthorization(target: Target): string | undefined {
  return bearer(target, restoringCredential(target));
}
