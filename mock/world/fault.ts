/** A fault as it is ordered, and the calls that it strikes. */
import type { OperationId } from '../../spec/contract.ts';
import type { RateLimit } from './token-bucket.ts';

/** When a fault strikes: only what is `before` leaves the request undone. */
export type FaultPhase = 'before' | 'after-commit' | 'mid-body' | 'socket';

/**
 * How a connection is lost: cut off at once (`reset`), ended by the service as if that were all
 * (`half-close`), or kept open with nothing on it (`stall`).
 */
export type FaultKind = 'reset' | 'half-close' | 'stall';

/** A call as a predicate sees it. */
export interface FaultCall {
  readonly operation: OperationId;
  /** Name of the credential; null where it is none of this world's. */
  readonly credential: string | null;
  readonly method: string;
  /** Without a world prefix. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | undefined;
}

/** An order to answer wrongly. */
export interface Fault {
  readonly id: string;
  /** Undefined for any operation. */
  readonly operation?: OperationId;
  /** Name of a credential; undefined for any. */
  readonly credential?: string;
  /** In-process only: strikes the calls for which it is true. */
  readonly when?: (call: FaultCall) => boolean;
  /** How many fitting calls it leaves alone before it begins. */
  readonly after?: number;
  /** Strikes only each so-many-th of the fitting calls from there on. */
  readonly every?: number;
  /** Status to answer with, in the error shape of the surface. */
  readonly status?: number;
  readonly phase: FaultPhase;
  /** How the connection is lost; `reset` where a phase loses it and nothing is given. */
  readonly kind?: FaultKind;
  /** Wall time, not the world's. */
  readonly delayMs?: number;
  /** Seconds for Retry-After. */
  readonly retryAfter?: number;
  /** Lets calls through while there are tokens, then answers 429, or the status that is given. */
  readonly rateLimit?: RateLimit;
  /** How many requests it strikes; undefined for all. */
  readonly times?: number;
  /** In-process only: told of each strike, with the status the service had come to; null if none. */
  readonly onStrike?: (status: number | null) => void;
}

/** A fault as it is ordered; without a phase it strikes `before`. */
export type FaultOrder = Omit<Fault, 'id' | 'phase'> & { readonly phase?: FaultPhase };
