/** The engine's own calls: to read what is there, and to put it back. */

import { objectsIn } from '../../spec/base/json.ts';
import { type OperationId, operation } from '../../spec/contract.ts';
import { callTo, pathTo } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import type { Occasion } from '../target/evidence.ts';
import type { Target } from '../target/target.ts';
import type { Ask } from './areas.ts';

/**
 * Calls with this authorization, and keeps the exchanges in a file of the evidence, as those of a
 * scenario.
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

/** Whether a list in pages holds an identifier; undefined if it cannot be told. */
export async function isListed(
  ask: Ask,
  call: OperationId,
  parameters: Parameters<Ask>[1],
  id: unknown,
): Promise<boolean | undefined> {
  for (let offset = 0; offset < 2000; ) {
    const answer = await ask(call, parameters, { query: { offset, limit: 20 } });
    const all = [...objectsIn(answer.body)];
    const items = all.filter((item) => item.id !== undefined);
    // A first page without any proves nothing.
    if (!answer.ok || (items.length === 0 && offset === 0)) return undefined;
    if (items.some((item) => String(item.id) === String(id))) return true;
    // An item may have a field that is called so as well.
    const page = all.find(({ limit, total }) => isCount(limit) && isCount(total));
    offset += Math.min(20, Number(page?.limit ?? 20));
    if (items.length === 0 || offset >= Number(page?.total ?? Number.POSITIVE_INFINITY))
      return false;
  }
  return undefined;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;

export function bearer(target: Target, credential: string | undefined): string | undefined {
  const found = target.credentials.get(credential ?? '');
  return found === undefined ? undefined : `Bearer ${found.secret}`;
}

/** The credential of somebody who may read and restore everything; undefined where there is nobody. */
export function restoringCredential({ credentials }: Target): string | undefined {
  return ['admin', 'oauth'].find((name) => credentials.has(name));
}

export function restoringAuthorization(target: Target): string | undefined {
  return bearer(target, restoringCredential(target));
}
