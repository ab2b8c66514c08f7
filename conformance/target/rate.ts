/** Limits the requests per second. Requests that others wait for go first. Reads the pause that a host asks for. */

import { toMillis } from '../../spec/base/time.ts';
import type { WireAnswer } from '../language/answer.ts';

/** Timers may be late by so much without a loss of rate. */
const LATE_MS = 5;

type Wait = (milliseconds: number) => Promise<void>;

export class Rate {
  readonly #gapMs: number;
  /** When the next request may be sent, as `performance.now()` says: the wall's clock may be set. */
  #nextAt = Number.NEGATIVE_INFINITY;
  /** In the order in which they came. */
  readonly #waiting = new Set<{ readonly urgent: boolean }>();

  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond;
  }

  /** Rejects as `wait` does, which must take the wall's time. */
  async pass(urgent: boolean, wait: Wait): Promise<void> {
    const own = { urgent };
    this.#waiting.add(own);
    try {
      for (let left = this.#left(own); left > 0; left = this.#left(own)) await wait(left);
      this.#nextAt = Math.max(performance.now() - LATE_MS, this.#nextAt) + this.#gapMs;
    } finally {
      this.#waiting.delete(own);
    }
  }

  /** Milliseconds to wait before looking again; 0 if it is this one's turn. */
  #left(own: { readonly urgent: boolean }): number {
    const left = this.#nextAt - performance.now();
    if (left > 0) return left;
    const waiting = [...this.#waiting];
    const first = waiting.find(({ urgent }) => urgent) ?? waiting[0];
    // The first has its turn at this time too, and takes it.
    return first === own ? 0 : 1;
  }
}

/** Milliseconds that Retry-After asks for, as seconds or as a date; undefined without one. */
export function retryAfter(
  answer: Pick<WireAnswer, 'headers'>,
  now = Date.now(),
): number | undefined {
  const header = answer.headers['retry-after'];
  const value = typeof header === 'string' ? header.trim() : undefined;
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = toMillis(value);
  return until === undefined ? undefined : Math.max(0, until - now);
}
