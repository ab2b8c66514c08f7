/** The engine's own calls: to read what is there, and to put it back. */

import { operation } from '../../spec/contract.ts';
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
