/**
 * A world's clock: the wall's time plus an offset while it runs, a fixed time while it is frozen.
 * The only place in the mock that reads the wall clock.
 */
export class Clock {
  #frozenAt: number | null;
  #offset: number;

  /** Without a time the clock starts at wall time and runs; with one it starts there, frozen. */
  constructor(frozenAt?: number) {
    this.#frozenAt = frozenAt ?? null;
    this.#offset = 0;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#frozenAt ?? wallNow() + this.#offset;
  }

  get frozen(): boolean {
    return this.#frozenAt !== null;
  }

  /** Stops the clock, at the given time or where it is. */
  freeze(at: number = this.now()): void {
    this.#frozenAt = at;
  }

  /** Lets the clock run on, from the given time or from where it is. */
  run(from: number = this.now()): void {
    this.#offset = from - wallNow();
    this.#frozenAt = null;
  }

  advance(ms: number): void {
    if (this.#frozenAt === null) this.#offset += ms;
    else this.#frozenAt += ms;
  }

  clone(): Clock {
    const copy = new Clock();
    copy.#frozenAt = this.#frozenAt;
    copy.#offset = this.#offset;
    return copy;
  }
}

/** The wall's time, for what is not part of a world (how long an answer took). */
export function wallNow(): number {
  return Date.now();
}

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a time (ms) can be written as a timestamp of four-digit year. */
export function fitsTimestamp(at: number): boolean {
  return at >= EARLIEST && at <= LATEST;
}
