/** Criteria that no request can meet: a slip in one would let every "has not received" pass. */

import { METHODS } from '../../spec/base/builtins.ts';
import { isObject } from '../../spec/base/json.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import { METADATA } from '../pipeline/credential.ts';
import { operationIds } from '../pipeline/request-line.ts';
import type { JournalEntry } from '../world/journal.ts';

type Criterion = 'operation' | 'method' | 'status' | 'credential';

/**
 * What keeps the criteria from ever being met by this world, with what is near; undefined for nothing.
 * Values of other types are left to whoever compares.
 */
export function impossible(
  { operation, method, status, credential }: { readonly [Name in Criterion]?: unknown },
  credentials: Readonly<Record<string, string>>,
  entries: readonly JournalEntry[],
): string | undefined {
  if (typeof operation === 'string' && !operationIds.includes(operation as never)) {
    return `The operation ${operation} is not known${insteadOf(operation, operationIds)}`;
  }
  if (typeof method === 'string' && !METHODS.includes(method.toUpperCase())) {
    return `The method ${method} is not known${insteadOf(method, METHODS_OF_CONTRACT)}`;
  }
  // An object such as `expect.any(Number)` is for whoever compares.
  if (status !== undefined && !isObject(status) && !isStatus(status)) {
    return `status must be a number from 100 to 599, or 0 for no answer, not ${JSON.stringify(status)}`;
  }
  if (typeof credential === 'string') {
    const known = [...Object.keys(credentials), METADATA];
    // A client may have sent one that was never issued.
    const sent = entries.some((entry) => entry.credential === credential);
    if (!sent && !known.includes(credential)) {
      return `The credential ${credential} is not known${insteadOf(credential, known)}`;
    }
  }
  return undefined;
}

const METHODS_OF_CONTRACT = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'];

function isStatus(status: unknown): boolean {
  const number = Number.isInteger(status) ? Number(status) : Number.NaN;
  return number === 0 || (number >= 100 && number <= 599);
}
