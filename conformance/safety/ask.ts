/** The engine's own calls: to read what is there, and to put it back. */

import { operation } from '../../spec/contract.ts';
import { TargetCall } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import type { Occasion } from '../target/evidence.ts';
import type { Target } from '../target/target.ts';
import type { Ask } from './areas.ts';

/** Calls with this authorization, and keeps the exchanges in a file of the evidence. */
export function askWith(
  client: Client,
  authorization: string | undefined,
  file: string,
  occasion: Occasion,
): Ask {
  return (id, parameters, { query = {}, body } = {}) => {
    const { method, path } = operation(id);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = {
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
        encodeURIComponent(String(parameters[name] ?? '')),
      ),
      query: Object.entries(query).map(([name, value]) => [name, String(value)] as const),
      headers: text === undefined ? {} : { 'content-type': 'application/json' },
      ...{ authorization, text, body, plain: false },
    };
    return client.call(new TargetCall(request), file, occasion);
  };
}

export function bearer(target: Target, credential: string | undefined): string | undefined {
  const found = target.credentials.get(credential ?? '');
  return found === undefined ? undefined : `Bearer ${found.secret}`;
}

/** Authorization of somebody who may read and restore everything; undefined where there is nobody. */
export function keeperOf(target: Target): string | undefined {
  return bearer(target, 'admin') ?? bearer(target, 'oauth');
}
