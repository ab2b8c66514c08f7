/** Limits the requests per second: requests that others wait for go first. Counts the calls of a minute. */

/** Timers may be late by so much without a loss of rate. */
const LATE_MS = 50;

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

/** The most calls that one credential made within a minute. */
export class Busiest {
  most = 0;
  /** By credential, when its calls of the last minute were sent. */
  readonly #sent = new Map<string, number[]>();

  note(authorization: string, now: number): void {
    const sent = this.#sent.get(authorization) ?? [];
    this.#sent.set(authorization, sent);
    sent.push(now);
    while (sent[0] !== undefined && now - sent[0] >= 60_000) sent.shift();
    this.most = Math.max(this.most, sent.length);
  }
}
