/** The engine's own calls: to read what is there, and to put it back. */

import { operation } from '../../spec/contract.ts';
import { requestTo, TargetCall } from '../target/call.ts';
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
  return (id, parameters, more = {}) => {
    const request = requestTo(operation(id), parameters, { ...more, authorization });
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
