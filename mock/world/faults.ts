import { DEFAULT_SEED, Random } from '../../spec/base/random.ts';
import type { Fault, FaultCall, FaultKind, FaultOrder, RateLimit } from './fault.ts';
import { checkFaultOrder } from './fault.ts';

/** A fault that can still strike, and its counts. */
export type ActiveFault = Fault & {
  /** Remaining strikes; null if there is no limit. */
  readonly left: number | null;
  /** Matching calls so far, including those that it let pass. */
  readonly seen: number;
};

/** A fault that strikes a call now. */
export interface Strike {
  readonly fault: Fault;
  readonly status: number | undefined;
  /** Seconds for Retry-After. */
  readonly retryAfter: number | undefined;
  /** How the connection is cut. */
  readonly cut: Cut | undefined;
}

/** The way in which a connection is lost: before the answer, or in the middle of its body. */
export type Cut = FaultKind | 'mid-body' | 'mid-body-stall';

/** Whether the first half of the body arrives. */
export function isMidBody(cut: Cut | undefined): boolean {
  return cut === 'mid-body' || cut === 'mid-body-stall';
}

interface Entry {
  readonly fault: Fault;
  left: number;
  seen: number;
  /** The token buckets by credential: each credential has its own. */
  readonly buckets: Map<string | null, TokenBucket>;
}

/**
 * The faults of a world that can still strike, in the order in which they were made. The first that
 * matches a call strikes it, and the faults after it do not see that call.
 */
export class Faults {
  #active: Entry[] = [];
  #made = 0;
  /** The functions that end each wait (a delay or a stall), and the fault of each. */
  readonly #waits = new Map<() => void, string>();
  readonly #credentials: () => readonly string[];
  /** A separate random source, so that a fault does not change the world's draws. */
  #random: Random;

  /** `credentials` returns the names that the world knows at this moment. */
  constructor(credentials: () => readonly string[], seed = DEFAULT_SEED) {
    this.#credentials = credentials;
    this.#random = new Random(seed);
  }

  get any(): boolean {
    return this.#active.length > 0;
  }

  /**
   * Adds a fault. Throws a FaultError if the order is invalid. A fault for a single request goes
   * before the others.
   */
  add(order: FaultOrder): Fault {
    checkFaultOrder(order, this.#credentials());
    this.#made += 1;
    const fault: Fault = { ...order, phase: order.phase ?? 'before', id: `fault-${this.#made}` };
    const left = fault.times ?? Number.POSITIVE_INFINITY;
    const entry = { fault, left, seen: 0, buckets: new Map() };
    if (fault.fingerprint !== undefined) this.#active.unshift(entry);
    else this.#active.push(entry);
    return fault;
  }

  list(): ActiveFault[] {
    return this.#active.map(({ fault, left, seen }) => ({
      ...fault,
      left: Number.isFinite(left) ? left : null,
      seen,
    }));
  }

  /** Removes all faults. Delayed answers are sent at once; stalled ones are cut. */
  clear(): void {
    this.#active = [];
    this.release();
  }

  /** Removes a fault by its id, and ends its delays and stalls; false if it was over already. */
  remove(id: string): boolean {
    const before = this.#active.length;
    this.#active = this.#active.filter(({ fault }) => fault.id !== id);
    const ended = this.release(id);
    return ended || this.#active.length < before;
  }

  /** Returns to the start: removes all faults, and ids count from 1 again. */
  reset(): void {
    this.clear();
    this.#made = 0;
    this.#random = new Random(this.#random.seed);
  }

  /** The fault that strikes a call at a world time (ms). This uses one of its strikes. */
  strike(call: FaultCall, now: number): Strike | undefined {
    for (const entry of this.#active) {
      const { fault } = entry;
      const { rateLimit } = fault;
      if (!fits(fault, call)) continue;
      entry.seen += 1;
      if (!isTurn(fault, entry.seen) || !this.#draws(fault)) continue;
      const wait = rateLimit && bucketOf(entry, rateLimit, call.credential).take(now);
      if (wait === 0) continue;
      entry.left -= 1;
      if (entry.left <= 0) this.#active = this.#active.filter((other) => other !== entry);
      const status = fault.status ?? (rateLimit && 429);
      return { fault, status, retryAfter: wait ?? fault.retryAfter, cut: cutOf(fault) };
    }
    return undefined;
  }

  #draws({ probability }: Fault): boolean {
    return probability === undefined || this.#random.next() < probability * 2 ** 32;
  }

  /** Copies another world's faults, including counts and token buckets. */
  copy(from: Faults): void {
    this.#made = from.#made;
    this.#random = from.#random.clone();
    this.#active = from.#active.map((entry) => ({
      ...entry,
      buckets: new Map([...entry.buckets].map(([name, bucket]) => [name, bucket.clone()])),
    }));
  }

  /** An independent copy of the faults as they are now. */
  clone(): Faults {
    const copy = new Faults(this.#credentials);
    copy.copy(this);
    return copy;
  }

  /** Registers a function that ends a wait of a fault; the result unregisters it. */
  hold(id: string, end: () => void): () => void {
    this.#waits.set(end, id);
    return () => this.#waits.delete(end);
  }

  /** Ends every wait, or the waits of one fault. False if there was none. */
  release(id?: string): boolean {
    const waits = [...this.#waits].filter(([, of]) => id === undefined || of === id);
    for (const [end] of waits) this.#waits.delete(end);
    for (const [end] of waits) end();
    return waits.length > 0;
  }
}

function fits({ operation, credential, fingerprint, when }: Fault, call: FaultCall): boolean {
  return (
    (operation ?? call.operation) === call.operation &&
    (credential ?? call.credential) === call.credential &&
    (fingerprint === undefined || fingerprint === call.fingerprint) &&
    (when === undefined || when(call))
  );
}

function isTurn({ after = 0, every = 1 }: Fault, seen: number): boolean {
  return seen > after && (seen - after) % every === 0;
}

function bucketOf(entry: Entry, limit: RateLimit, credential: string | null): TokenBucket {
  const found = entry.buckets.get(credential) ?? new TokenBucket(limit);
  entry.buckets.set(credential, found);
  return found;
}

function cutOf({ phase, kind, status, delayMs, dripMs }: Fault): Strike['cut'] {
  if (phase === 'mid-body') return kind === 'stall' ? 'mid-body-stall' : phase;
  if (kind !== undefined || phase === 'socket') return kind ?? 'reset';
  const isWhole = status !== undefined || delayMs !== undefined || dripMs !== undefined;
  return phase === 'after-commit' && !isWhole ? 'reset' : undefined;
}

/** A token bucket: full at first, refilled as the world's time passes. */
export class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #at: number | undefined;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#tokens = limit.capacity;
  }

  /** Takes a token at a time (ms) and returns 0, or returns the whole seconds until there is one. */
  take(now: number): number {
    const { capacity, refillPerSecond } = this.#limit;
    // If the clock was set back, the bucket is not refilled.
    const passed = Math.max(0, now - (this.#at ?? now));
    this.#at = now;
    this.#tokens = Math.min(capacity, this.#tokens + (passed / 1000) * refillPerSecond);
    // Sums of fractions of a token may be too small by up to half a millionth.
    if (this.#tokens >= 1 - 1e-6) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return Math.max(1, Math.ceil((1 - this.#tokens) / refillPerSecond - 1e-6));
  }

  clone(): TokenBucket {
    const copy = new TokenBucket(this.#limit);
    copy.#tokens = this.#tokens;
    copy.#at = this.#at;
    return copy;
  }
}
