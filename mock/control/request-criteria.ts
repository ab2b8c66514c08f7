/** Criteria that no request can meet: a slip in one would let every "has not received" pass. */
import { METHODS } from 'node:http';
import { insteadOf } from '../../spec/base/similar.ts';
import { METADATA } from '../pipeline/credential.ts';
import { operationIds } from '../pipeline/request-line.ts';
import type { JournalEntry } from '../world/journal.ts';

/** What a request is told by; values of other types are left to whoever compares. */
export interface Criteria {
  readonly operation?: unknown;
  readonly method?: unknown;
  readonly status?: unknown;
  readonly credential?: unknown;
}

/** What keeps the criteria from ever being met by this world, with what is near; undefined for nothing. */
export function impossible(
  { operation, method, status, credential }: Criteria,
  credentials: Readonly<Record<string, string>>,
  entries: readonly JournalEntry[],
): string | undefined {
  if (typeof operation === 'string' && !operationIds.includes(operation as never)) {
    return `The operation ${operation} is not known${insteadOf(operation, operationIds)}`;
  }
  if (typeof method === 'string' && !METHODS.includes(method.toUpperCase())) {
    return `The method ${method} is not known${insteadOf(method, METHODS_OF_CONTRACT)}`;
  }
  if (status !== undefined && !isMatcher(status) && !isStatus(status)) {
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
  return (
    Number.isInteger(status) && (status === 0 || (Number(status) >= 100 && Number(status) <= 599))
  );
}

/** Such as `expect.any(Number)`, which only whoever compares understands. */
function isMatcher(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
