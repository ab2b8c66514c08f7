/**
 * The statuses that the description leaves open: for each silent statement about a status, what
 * each of its choices answers. The contract says only `4XX` or `2XX` for these, and this table is
 * what a handler may answer there; every other status must be declared by the contract.
 */
export const assumedStatuses = {
  'SVC-6': { 'not-modelled': 501, 'not-found': 404 },
  'SVC-7': { unlimited: 429, 'sixty-a-minute': 429 },
  'AUTH-7': { unauthorized: 401, forbidden: 403 },
  'AUTH-17': { forbidden: 403, redirect: 308, close: 0 },
  'AUTH-18': { refused: 401, accepted: 0 },
  'AUTH-19': { unauthorized: 401, forbidden: 403 },
  'AUTH-20': { unauthorized: 401, forbidden: 403, accepted: 0 },
  'AUTH-21': { forbidden: 403, allowed: 0 },
  'AUTH-22': { forbidden: 403, unauthorized: 401 },
  'META-16': { unauthorized: 401, forbidden: 403 },
  'ERR-5': { 'bad-request': 400, unprocessable: 422, default: 0 },
  'ERR-6': { 'bad-request': 400, unprocessable: 422 },
  'ERR-7': { read: 0, unsupported: 415 },
  'ERR-8': { 'too-large': 413, 'bad-request': 400 },
  'ERR-9': { 'not-found': 404, forbidden: 403 },
  'ERR-10': { 'method-not-allowed': 405, 'not-found': 404 },
  'ERR-11': { 'bad-request': 400, 'not-found': 404 },
  'REQ-1': { served: 0, 'not-found': 404 },
  'REQ-2': { ignored: 0, refused: 400 },
  'REQ-3': { ignored: 0, refused: 400 },
  'REQ-6': { first: 0, last: 0, refused: 400 },
  'REQ-8': { served: 0, 'method-not-allowed': 405 },
  'PAGE-9': { empty: 0, 'not-found': 404 },
  'META-15': { 'not-found': 404, 'bad-request': 400 },
  'STAGE-9': { 'bad-request': 400, forbidden: 403, conflict: 409, unprocessable: 422 },
  'STAGE-16': { 'not-found': 404, 'bad-request': 400 },
  'STAGE-20': { accepted: 200, conflict: 409 },
  'UPD-9': { deployment: 200, 'no-content': 204, accepted: 202 },
  'UPD-13': { 'bad-request': 400, 'not-found': 404 },
  'AUDIT-13': { forbidden: 403, 'not-found': 404, 'payment-required': 402 },
  'DBT-8': { 'not-found': 404, conflict: 409, 'too-early': 425 },
  'DBT-9': { 'not-found': 404, 'bad-request': 400 },
  'DBT-10': { 'not-found': 404, unprocessable: 422 },
  'FOLDER-17': { accepted: 0, conflict: 409 },
  'RECIP-27': { 'bad-request': 400, unprocessable: 422, 'too-large': 413 },
  'RECIP-31': { 'not-found': 404, forbidden: 403 },
  'SCIM-15': { ignored: 0, refused: 400 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Silent statements that decide a status. */
export type StatusStatement = keyof typeof assumedStatuses;

/** The status that a choice of a silent statement answers; 0 where that choice refuses nothing. */
export function assumedStatus(statement: StatusStatement, choice: string): number {
  const choices: Readonly<Record<string, number>> = assumedStatuses[statement];
  const status = choices[choice];
  if (status === undefined) throw new Error(`${statement} has no status for the choice ${choice}`);
  return status;
}
