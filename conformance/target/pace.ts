/** How a step that waits decides when to stop; `verify` replaces it by what the evidence holds. */

import type { Target } from './target.ts';

export interface Pace {
  /** Milliseconds since the wait began, on the target's clock. */
  elapsed(): number;
  wait(milliseconds: number): Promise<void>;
}

/** Counts its own waits, so that a mock's clock, which others move as well, never hurries it. */
export function targetPace(target: Target, signal: AbortSignal | undefined): Pace {
  const start = performance.now();
  let moved = 0;
  return {
    elapsed: () => moved + (performance.now() - start),
    wait: async (milliseconds) => {
      const before = performance.now();
      await target.wait(milliseconds, signal);
      // A mock's clock moves at once; a tenant's wait is in the wall's time already.
      if (target.kind === 'mock') moved += Math.max(0, milliseconds - (performance.now() - before));
    },
  };
}

/** How long a switch may take to show: what the run has seen and half of it more, once it has. */
export function settledMs(run: {
  readonly settling: { readonly longestMs: number };
  readonly convergenceMs: number;
}): number {
  const { settling, convergenceMs } = run;
  return settling.longestMs > 0 ? Math.min(settling.longestMs * 1.5, convergenceMs) : convergenceMs;
}

/** The next wait of a series: steady on a tenant, growing on a mock, where only the total counts. */
export function nextWait(target: Target, every: number, poll: number, left: number): number {
  const wanted = target.kind === 'mock' ? every * 2 ** poll : every;
  return Math.max(1, Math.min(wanted, left));
}
