/**
 * The random source of a world: splitmix32, seeded, so that one seed gives one sequence. Nothing in
 * the mock draws randomness from the machine.
 */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  }

  /** A whole number from 0 to `below` - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.next() & 0xff);
  }

  clone(): Random {
    const copy = new Random(this.seed);
    copy.#state = this.#state;
    return copy;
  }
}

/** The seed of a world that is given none. */
export const DEFAULT_SEED = 1;
