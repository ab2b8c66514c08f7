/** Answers to requests that match no operation: unknown paths and methods, and plain HTTP. */
import { assumedStatus } from '../../spec/contract.ts';
import type { Basis } from './basis.ts';
import { type ExchangeRequest, type Refusal, refusal } from './exchange.ts';
import { hint } from './nearest.ts';

const PREFIXES = ['/api/v1', '/build/api/v1', '/api/scim/v2'];

/** Whether a path stands under one of the service's prefixes. */
export function isModelled(path: string): boolean {
  return PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** A path of no surface: not the service's answer, and not graded. */
export function outside(method: string, path: string): Refusal {
  const where = PREFIXES.join(', ');
  return refusal(
    404,
    'SVC-6',
    `There is nothing at ${path}; the service answers under ${where}${hint(method, path)}`,
  );
}

export function unknownPath(
  basis: Basis,
  { method, path, described }: { method: string; path: string; described: boolean },
): Refusal {
  const status = assumedStatus('SVC-6', basis.assume('SVC-6'));
  if (status === 404) return refusal(404, 'SVC-6', `There is nothing at ${path}`);
  const more = described
    ? 'the description that was loaded does not know it either'
    : "load the service's own description with --description to have one made from it";
  return refusal(
    status,
    'SVC-6',
    `Lockstep does not model ${path}: the contract does not know it${hint(method, path)}. This is not the service's answer; ${more}`,
  );
}

export function unknownMethod(basis: Basis, allowed: readonly string[], method: string): Refusal {
  const status = assumedStatus('ERR-10', basis.assume('ERR-10'));
  const known = allowed.join(', ');
  const message = `${method} is not an operation of this path that the contract knows; it knows ${known}`;
  const refused = refusal(status, 'ERR-10', message);
  return status === 405 ? { ...refused, headers: { Allow: known } } : refused;
}

/** A request over plain HTTP to an address that serves HTTPS. */
export function plainHttp(basis: Basis, request: ExchangeRequest): Refusal {
  const choice = basis.assume('AUTH-17');
  const refused = refusal(assumedStatus('AUTH-17', choice), 'AUTH-17', 'Only HTTPS is accepted');
  if (choice !== 'redirect') return refused;
  return { ...refused, headers: { Location: `https://${request.headers.host}${request.target}` } };
}
