/** Finds criteria that no request can meet. A typing error in one would let every "has not received" pass. */

import { METHODS } from '../../spec/base/builtins.ts';
import { isObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { insteadOf } from '../../spec/base/similar.ts';
import type { OperationId } from '../../spec/contract.ts';
import { METADATA } from '../pipeline/credential.ts';
import { operationIds } from '../pipeline/request-line.ts';
import type { JournalEntry } from '../world/journal.ts';
import { checkOptions, namesOf } from '../world/world-request.ts';

/**
 * Criteria for finding a request; a criterion that is left out does not matter. `operation: null` finds
 * requests that matched no operation. `credential: null` finds requests without a credential of this
 * world. A header of null finds requests without that header.
 */
export interface RequestCriteria {
  readonly operation?: OperationId | null;
  /** Case does not matter. */
  readonly method?: string;
  /** Without the world's prefix, and without the query. */
  readonly path?: string;
  /** 0 if there was no answer. */
  readonly status?: number;
  readonly credential?: string | null;
  /** Case does not matter in their names. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

const criteriaNames = namesOf<RequestCriteria>({
  ...{ operation: true, method: true, path: true },
  ...{ status: true, credential: true, headers: true },
});

/** The entries that fit every criterion. Throws a Refused for criteria that no request can meet. */
export function findRequests(
  criteria: RequestCriteria,
  credentials: Readonly<Record<string, string>>,
  entries: readonly JournalEntry[],
): JournalEntry[] {
  checkOptions(criteria, criteriaNames, 'A search for requests');
  const reason = impossible(criteria, credentials, entries);
  if (reason !== undefined) throw new Refused(reason);
  const { headers = {}, ...others } = criteria;
  const pattern = Object.entries({ ...others, ...headers }).find(([, value]) => isObject(value));
  if (pattern !== undefined) {
    throw new Refused(
      `A search compares ${pattern[0]} with a value, not with a pattern or a matcher`,
    );
  }
  const wanted = { ...others, ...(others.method && { method: others.method.toUpperCase() }) };
  return entries.filter(
    (entry) =>
      Object.entries(wanted).every(
        ([name, value]) => entry[name as keyof JournalEntry] === value,
      ) && Object.entries(headers).every(([name, value]) => headerOf(entry, name) === value),
  );
}

/** A header of a request; null if the request had none. The case of the name does not matter. */
export function headerOf({ headers }: JournalEntry, name: string): string | null {
  return headers[name.toLowerCase()] ?? null;
}

type Criterion = 'operation' | 'method' | 'status' | 'credential' | 'headers';

/**
 * The reason why this world can never meet the criteria, with the nearest name; undefined if it can.
 * The comparison itself deals with values of other types.
 */
export function impossible(
  { operation, method, status, credential, headers }: { readonly [Name in Criterion]?: unknown },
  credentials: Readonly<Record<string, string>>,
  entries: readonly JournalEntry[],
): string | undefined {
  if (typeof operation === 'string' && !operationIds.includes(operation as never)) {
    return `The operation ${operation} is not known${insteadOf(operation, operationIds)}`;
  }
  if (typeof method === 'string' && !METHODS.includes(method.toUpperCase())) {
    return `The method ${method} is not known${insteadOf(method, METHODS_OF_CONTRACT)}`;
  }
  // An object such as `expect.any(Number)` is left to the comparison.
  if (status !== undefined && !isObject(status) && !isStatus(status)) {
    return `status must be a number from 100 to 599, or 0 for no answer, not ${JSON.stringify(status)}`;
  }
  if (typeof credential === 'string') {
    const known = [...Object.keys(credentials), METADATA];
    // A client may have sent a credential that was never issued.
    const sent = entries.some((entry) => entry.credential === credential);
    if (!sent && !known.includes(credential)) {
      return `The credential ${credential} is not known${insteadOf(credential, known)}`;
    }
  }
  const hidden = Object.keys(isObject(headers) ? headers : {}).find((name) =>
    /^(authorization|cookie)$/i.test(name),
  );
  if (hidden !== undefined) {
    return `The header ${hidden} is in no journal; find the request by the name of its credential`;
  }
  return undefined;
}

const METHODS_OF_CONTRACT = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'];

function isStatus(status: unknown): boolean {
  const number = Number.isInteger(status) ? Number(status) : Number.NaN;
  return number === 0 || (number >= 100 && number <= 599);
}
