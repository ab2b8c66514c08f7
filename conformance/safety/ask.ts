/** The engine's own calls, which read objects and put them back. */

import { atPointer, isObject, type JsonObject, objectsIn } from '../../spec/base/json.ts';
import { type OperationId, operation } from '../../spec/contract.ts';
import { byOffset, pagingOf } from '../answers/paging.ts';
import type { Answer } from '../language/answer.ts';
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

/** A page of a list: its objects that have an identifier, and whether the list ends with it. */
export interface ListedPage {
  readonly items: readonly JsonObject[];
  readonly isLast: boolean;
}

/**
 * Reads a list page by page, to its end or its first `most` items. A refusal yields undefined and ends
 * it. A page that only repeats earlier items ends it as well, and does not count as the last.
 */
export async function* pagesOf(
  ask: (...call: Parameters<Ask>) => Promise<Answer | undefined>,
  call: OperationId,
  parameters: Parameters<Ask>[1],
  { size = 20, most = 2000 } = {},
): AsyncGenerator<ListedPage | undefined> {
  const { items: place, parameters: declared } = operation(call);
  const paging = pagingOf(declared) ?? byOffset;
  const seen = new Set<string>();
  for (let read = 0; read < most; ) {
    const query = { [paging.position]: paging.first + read, [paging.size]: size };
    const answer = await ask(call, parameters, { query });
    if (answer?.ok !== true) return yield undefined;
    const list = atPointer(answer.body, place?.at ?? '');
    // A list in another place is read as well.
    const all = Array.isArray(list) ? list.filter(isObject) : [...objectsIn(answer.body)];
    const items = all.filter(({ id }) => id !== undefined);
    read += items.length;
    const { total = Number.POSITIVE_INFINITY } = paging.about(answer.body);
    const isLast = items.length === 0 || read >= total;
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
    // An empty first page proves nothing.
    if (page === undefined || (isEmpty && page.items.length === 0)) return undefined;
    isEmpty = false;
    if (page.items.some((item) => String(item.id) === String(id))) return true;
    if (page.isLast) return false;
  }
  return undefined;
}

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
