/**
 * The latencies of a target by operation. The number of samples is limited, however long a run is.
 */

/** At this number every second sample is dropped. From then on, half as many answers are kept. */
const MOST = 500;

interface Samples {
  kept: number[];
  /** If it is 4, every fourth answer is kept. */
  every: number;
  seen: number;
}

export class Latencies {
  readonly #samples = new Map<string, Samples>();

  add(operation: string, milliseconds: number): void {
    const samples = this.#samples.get(operation) ?? { kept: [], every: 1, seen: 0 };
    this.#samples.set(operation, samples);
    if (samples.seen++ % samples.every !== 0) return;
    samples.kept.push(Math.round(milliseconds * 10) / 10);
    if (samples.kept.length < MOST) return;
    samples.kept = samples.kept.filter((_sample, index) => index % 2 === 0);
    samples.every *= 2;
  }

  /** In milliseconds, in the order of the answers. */
  table(): Record<string, readonly number[]> {
    const sorted = [...this.#samples].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([operation, { kept }]) => [operation, kept]));
  }
}
