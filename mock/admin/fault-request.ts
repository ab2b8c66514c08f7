/** A fault as the control API is asked for one. */
import { operationIds } from '../match.ts';
import { type Fault, FaultError, type FaultOrder } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import { type AdminCall, AdminError } from './admin.ts';

const FIELDS = [
  'operation',
  'credential',
  'after',
  'every',
  'times',
  'phase',
  'kind',
  'status',
  'delayMs',
  'retryAfter',
  'rateLimit',
];
const PHASES = ['before', 'after-commit', 'mid-body', 'socket'];
const KINDS = ['reset', 'half-close', 'stall'];

export function orderFault(world: World, body: AdminCall['body']): Fault {
  checkNames(body, FIELDS, 'A fault');
  const { operation, credential, status, phase = 'before', kind, rateLimit } = body;
  if (operation !== undefined && !operationIds.includes(operation as never)) {
    throw new AdminError(400, `operation must be one of ${operationIds.join(', ')}`);
  }
  if (credential !== undefined && !world.state.tables.credentials.has(String(credential))) {
    throw new AdminError(400, `There is no credential ${String(credential)}`);
  }
  oneOf(phase, 'phase', PHASES);
  if (kind !== undefined) oneOf(kind, 'kind', KINDS);
  integer(status, 'status', 200, 599);
  integer(body.delayMs, 'delayMs', 0, 600_000);
  integer(body.retryAfter, 'retryAfter', 0, 86_400);
  integer(body.times, 'times', 1, 1_000_000);
  integer(body.after, 'after', 0, 1_000_000);
  integer(body.every, 'every', 1, 1_000_000);
  if (rateLimit !== undefined) checkRateLimit(rateLimit);
  try {
    return world.faults.add(body as FaultOrder);
  } catch (error) {
    throw error instanceof FaultError ? new AdminError(400, error.message) : error;
  }
}

function checkRateLimit(value: unknown): void {
  if (value === null || typeof value !== 'object') {
    throw new AdminError(400, 'rateLimit must be { "capacity": 5, "refillPerSecond": 1 }');
  }
  checkNames(value, ['capacity', 'refillPerSecond'], 'A rateLimit');
  const { capacity, refillPerSecond: refill } = value as Record<string, unknown>;
  integer(capacity ?? null, 'rateLimit.capacity', 1, 1_000_000);
  // At least one token a day, so that there is always a time to retry at.
  if (typeof refill !== 'number' || !(refill >= 1 / 86_400 && refill <= 1_000_000)) {
    throw new AdminError(400, 'rateLimit.refillPerSecond must be a number above 0, to 1000000');
  }
}

function checkNames(value: object, names: readonly string[], what: string): void {
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new AdminError(400, `${what} has ${names.join(', ')}, not ${unknown}`);
  }
}

function oneOf(value: unknown, name: string, values: readonly string[]): void {
  if (values.includes(value as string)) return;
  throw new AdminError(400, `${name} must be one of ${values.join(', ')}`);
}

function integer(value: unknown, name: string, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new AdminError(400, `${name} must be an integer from ${least} to ${most}`);
  }
}
