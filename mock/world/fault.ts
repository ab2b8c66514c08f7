/** The definition of a fault, and the calls that it strikes. */

import { Refused } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';
import { contract, type OperationId } from '../../spec/contract.ts';

/** The number of calls that may pass at once, and the number of further calls in each second. */
export interface RateLimit {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** When a fault strikes. Only in the phase `before` the request is not carried out. */
export type FaultPhase = (typeof PHASES)[number];
const PHASES = ['before', 'after-commit', 'mid-body', 'socket'] as const;

/**
 * How a connection is lost. `reset` cuts it at once. With `half-close` the service ends it as if the answer
 * were complete. `stall` keeps it open without further data. An answer that breaks off in the middle either
 * ends there, or stalls.
 */
export type FaultKind = (typeof KINDS)[number];
const KINDS = ['reset', 'half-close', 'stall'] as const;

/** A call as a predicate sees it. */
export interface FaultCall {
  readonly operation: OperationId;
  /** Name of the credential; null if this world has none like it. */
  readonly credential: string | null;
  readonly method: string;
  /** Without a world prefix. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | undefined;
  /** The fingerprint that its journal entry will have. */
  readonly fingerprint: string;
}

/** Whether Retry-After gives a number of seconds, or a date in the world's time. */
const RETRY_AFTER_FORMS = ['seconds', 'date'] as const;

/** A fault: how the mock answers certain calls wrongly. */
export interface Fault {
  readonly id: string;
  /** The operation that it strikes; undefined for any. */
  readonly operation?: OperationId;
  /** Name of a credential; undefined for any. */
  readonly credential?: string;
  /** The `fingerprint` of a request in a journal: strikes that request and equal ones. */
  readonly fingerprint?: string;
  /** In-process only: strikes the calls for which it is true. */
  readonly when?: (call: FaultCall) => boolean;
  /** How many matching calls pass before it begins. */
  readonly after?: number;
  /** From then on it strikes only every nth matching call. */
  readonly every?: number;
  /** Strikes a matching call with this probability, above 0, drawn from the world's seed. */
  readonly probability?: number;
  /** Status to answer with, in the error shape of the surface. */
  readonly status?: number;
  /** The body that goes with the status instead of an error of the service: a text, or JSON. */
  readonly body?: string | object;
  /** Headers of the answer with the status. A text is `text/plain` unless they set another type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly phase: FaultPhase;
  /** How the connection is lost; `reset` by default if the phase loses it. */
  readonly kind?: FaultKind;
  /** A delay in wall time, not in the world's time. */
  readonly delayMs?: number;
  /** Wall time that the body takes: it is sent in ten pieces. */
  readonly dripMs?: number;
  /** Seconds for Retry-After. */
  readonly retryAfter?: number;
  /** How Retry-After is written; `date` is an HTTP date in the world's time. */
  readonly retryAfterAs?: (typeof RETRY_AFTER_FORMS)[number];
  /** Lets calls through while there are tokens, then answers 429, or `status` if it is given. */
  readonly rateLimit?: RateLimit;
  /** The number of requests that it strikes; undefined means all. */
  readonly times?: number;
}

/** A fault order. Without a phase it strikes `before`. */
export type FaultOrder = Omit<Fault, 'id' | 'phase'> & { readonly phase?: FaultPhase };

/** A fault order that is malformed, contradicts itself, or would never have an effect. */
export class FaultError extends Refused {
  override readonly name = 'FaultError';
}

/** The integer fields of a fault, with their least and greatest value. */
const BOUNDS = {
  after: [0, 1_000_000],
  every: [1, 1_000_000],
  times: [1, 1_000_000],
  status: [200, 599],
  delayMs: [0, 600_000],
  dripMs: [1, 600_000],
  retryAfter: [0, 86_400],
} as const;
const CHOICES = ['operation', 'credential', 'phase', 'kind', 'retryAfterAs'];
const OTHERS = ['fingerprint', 'probability', 'body', 'headers', 'rateLimit'];
/** The fields of a fault that JSON can hold. */
export const faultFields: readonly string[] = [...CHOICES, ...Object.keys(BOUNDS), ...OTHERS];
/** Throws a FaultError. `credentials` are the names that the world knows. */
export function checkFaultOrder(order: unknown, credentials: readonly string[]): void {
  checkNames(order, [...faultFields, 'when'], 'A fault');
  const { operation, credential, phase, kind, rateLimit, retryAfterAs, probability, when } = order;
  oneOf(operation, 'operation', [...contract.operations.keys()]);
  if (credential !== undefined && !credentials.includes(credential as string)) {
    throw new FaultError(
      `There is no credential ${String(credential)}; there are ${credentials.join(', ')}`,
    );
  }
  oneOf(phase, 'phase', PHASES);
  oneOf(kind, 'kind', KINDS);
  oneOf(retryAfterAs, 'retryAfterAs', RETRY_AFTER_FORMS);
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    integer(order[name], name, least, most);
  }
  if (probability !== undefined && !isProbability(probability)) {
    throw new FaultError(`probability must be above 0 and at most 1, not ${show(probability)}`);
  }
  checkAnswer(order);
  if (rateLimit !== undefined) checkRateLimit(rateLimit);
  if (when !== undefined && typeof when !== 'function') {
    throw new FaultError(`when must be a function, not ${show(when)}`);
  }
  checkSense(order as FaultOrder);
}

function isProbability(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 1;
}

/** A name and a value as HTTP can send them (RFC 9110, section 5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that the connection and the world's clock set. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'date'];

/** Checks the parts of an answer that a fault makes itself. */
function checkAnswer({ fingerprint, body, headers }: Readonly<Record<string, unknown>>): void {
  if (fingerprint !== undefined && typeof fingerprint !== 'string') {
    throw new FaultError(`fingerprint must be that of a journal entry, not ${show(fingerprint)}`);
  }
  if (body !== undefined && typeof body !== 'string' && (typeof body !== 'object' || !body)) {
    throw new FaultError(`body must be a text, an object or a list, not ${show(body)}`);
  }
  if (headers === undefined) return;
  if (headers === null || typeof headers !== 'object' || Array.isArray(headers)) {
    throw new FaultError('headers must be texts by name, such as { "Content-Type": "text/html" }');
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      throw new FaultError(`the header ${show(name)}: ${show(value)} cannot be sent`);
    }
    if (FRAMING.includes(name.toLowerCase())) {
      throw new FaultError(`the header ${name} follows from what is sent, and cannot be set`);
    }
  }
}

/** Statuses whose answers have no body. */
export const BODILESS: readonly number[] = [204, 205, 304];

/** Checks that the parts do not contradict each other. */
function checkSense(order: FaultOrder): void {
  const { phase = 'before', status, delayMs, dripMs, retryAfter, kind, rateLimit, body } = order;
  const cuts = phase === 'mid-body' || phase === 'socket';
  const isLimit = rateLimit !== undefined;
  const isAnswer = isLimit || status !== undefined;
  const isSlow = delayMs !== undefined || dripMs !== undefined;
  const contradictions: readonly (readonly [isThere: boolean, remedy: string])[] = [
    [
      kind !== undefined && (status !== undefined || (phase === 'mid-body' && kind !== 'stall')),
      'kind sets how the connection is lost: leave out status; with mid-body, kind can only be stall',
    ],
    [
      status !== undefined && cuts,
      `${phase} loses the service's own answer: leave out status, or use before or after-commit`,
    ],
    [
      dripMs !== undefined && (kind !== undefined || cuts),
      'dripMs sends the whole body slowly: leave it out if the connection is lost',
    ],
    [body !== undefined && BODILESS.includes(status ?? 0), `an answer of ${status} has no body`],
    [
      order.retryAfterAs !== undefined && retryAfter === undefined && !isLimit,
      'retryAfterAs sets the form of Retry-After: it needs retryAfter or a rateLimit',
    ],
    [
      isLimit && (phase !== 'before' || kind !== undefined || retryAfter !== undefined),
      'A rateLimit answers early and sets Retry-After: leave out phase, kind and retryAfter',
    ],
    [
      retryAfter !== undefined && !isAnswer,
      'retryAfter is a header of an answer: it needs a status',
    ],
    [
      (body !== undefined || order.headers !== undefined) && !isAnswer,
      'body and headers belong to an answer: they need a status',
    ],
    [
      !isAnswer && !isSlow && kind === undefined && phase === 'before',
      'A fault needs a status, a delayMs, a dripMs, a kind, a rateLimit, or a phase other than before',
    ],
  ];
  const [, remedy] = contradictions.find(([isThere]) => isThere) ?? [];
  if (remedy !== undefined) throw new FaultError(remedy);
}

function checkRateLimit(value: unknown): void {
  if (value === null || typeof value !== 'object') {
    throw new FaultError('rateLimit must be { "capacity": 5, "refillPerSecond": 1 }');
  }
  checkNames(value, ['capacity', 'refillPerSecond'], 'A rateLimit');
  const { capacity, refillPerSecond: refill } = value;
  integer(capacity ?? null, 'rateLimit.capacity', 1, 1_000_000);
  // At least one token a day, so that there is always a time to retry at.
  if (typeof refill !== 'number' || !(refill >= 1 / 86_400 && refill <= 1_000_000)) {
    throw new FaultError(
      `rateLimit.refillPerSecond must be a number above 0, to 1000000, not ${show(refill)}`,
    );
  }
}

/** Throws a FaultError if a value is not an object, or has a field that is not one of the names. */
export function checkNames(
  value: unknown,
  names: readonly string[],
  what: string,
): asserts value is Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new FaultError(`${what} is an object with ${names.join(', ')}, not ${show(value)}`);
  }
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new FaultError(`${what} has ${names.join(', ')}, not ${unknown}${hint(unknown, names)}`);
  }
}

function oneOf(value: unknown, name: string, values: readonly string[]): void {
  if (value === undefined || values.includes(value as string)) return;
  const near = typeof value === 'string' ? hint(value, values) : '';
  throw new FaultError(`${name} must be one of ${values.join(', ')}, not ${show(value)}${near}`);
}

function integer(value: unknown, name: string, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new FaultError(`${name} must be an integer from ${least} to ${most}, not ${show(value)}`);
  }
}

function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);
}
