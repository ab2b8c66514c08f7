/** The random source of worlds and runs: splitmix32 with a seed, so that a seed gives one sequence. */
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

  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let at = copy.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
    }
    return copy;
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

/** The seed of a world that has no other. */
export const DEFAULT_SEED = 1;
