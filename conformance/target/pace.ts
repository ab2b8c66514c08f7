/** How a step that waits decides when to stop; `verify` replaces it by what the evidence holds. */

import type { Operation } from '../../spec/contract.ts';
import type { Target } from './target.ts';

/**
 * Counts its own waits, so that a mock's clock, which others move as well, never hurries it. They are
 * steady on a tenant, and grow on a mock, where only the total counts.
 */
export function targetPace(target: Target, every: number, signal: AbortSignal | undefined) {
  const mock = target.kind === 'mock';
  const start = performance.now();
  let moved = 0;
  let next = every;
  return {
    /** Milliseconds since the wait began, on the target's clock. */
    elapsed: () => moved + (performance.now() - start),
    /** The next wait, no longer than what is left. */
    wait: async (left: number) => {
      const milliseconds = Math.max(1, Math.min(next, left));
      const before = performance.now();
      await target.wait(milliseconds, signal);
      // A mock's clock moves at once; a tenant's wait is in the wall's time already.
      if (!mock) return;
      moved += Math.max(0, milliseconds - (performance.now() - before));
      next *= 2;
    },
  };
}

/** How long changes take to show, as far as the run has seen. */
export class Settling {
  /** The longest that a change may take to show. */
  readonly convergenceMs: number;
  /** By area (`x-lock`): the longest that the run has seen. */
  readonly #longest = new Map<string, number>();

  constructor(convergenceMs: number) {
    this.convergenceMs = convergenceMs;
  }

  /** Takes note of a list that showed a change after so long. */
  saw({ lock, items }: Operation, tookMs: number): void {
    // An object that shows its own change does so sooner than the list of what came of it.
    if (lock?.reads === undefined || items === undefined) return;
    const longest = this.#longest.get(lock.reads) ?? 0;
    this.#longest.set(lock.reads, Math.max(longest, tookMs, 1000));
  }

  /** How long to wait for nothing to change: half of what was seen on top of it, once it was. */
  quietMs(operation: Operation | undefined): number {
    const { reads, writes } = operation?.lock ?? {};
    const longest = this.#longest.get(reads ?? writes ?? '') ?? 0;
    return longest > 0 ? Math.min(longest * 1.5, this.convergenceMs) : this.convergenceMs;
  }
}
