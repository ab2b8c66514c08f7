/** Limits the requests per second: requests that others wait for go first. Counts the calls of a minute. */

/** Timers may be late by this time, and the rate stays the same. */
const LATE_MS = 50;

type Wait = (milliseconds: number) => Promise<void>;

export class Rate {
  readonly #gapMs: number;
  /** The time of the next request, by `performance.now()`, because somebody may set the wall clock. */
  #nextAt = Number.NEGATIVE_INFINITY;
  /** The requests that wait, in the order in which they came. */
  readonly #waiting = new Set<{ readonly urgent: boolean }>();

  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond;
  }

  /** Rejects as `wait` does. `wait` must wait on the wall clock. */
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

  /** The time until this request may try again, in milliseconds; 0 if it may be sent now. */
  #left(own: { readonly urgent: boolean }): number {
    const left = this.#nextAt - performance.now();
    if (left > 0) return left;
    const waiting = [...this.#waiting];
    const first = waiting.find(({ urgent }) => urgent) ?? waiting[0];
    // If another request is the first, it takes this time.
    return first === own ? 0 : 1;
  }
}

/** The most calls that one credential made within a minute. */
export class Busiest {
  most = 0;
  /** The times of the calls of the last minute, by credential. */
  readonly #sent = new Map<string, number[]>();

  note(authorization: string, now: number): void {
    const sent = this.#sent.get(authorization) ?? [];
    this.#sent.set(authorization, sent);
    sent.push(now);
    while (sent[0] !== undefined && now - sent[0] >= 60_000) sent.shift();
    this.most = Math.max(this.most, sent.length);
  }
}
