/** How a step that waits polls its target, on the target's own clock. */

import type { Target } from './target.ts';

/**
 * Counts its own waits, so that a clock that others move as well never hurries it. They are steady on the
 * wall's clock, and grow on one that is moved, such as a mock's, where only the total counts. `tell`: told once, with what is
 * left, that a tenant is waited for.
 */
export function targetPace(
  target: Target,
  every: number,
  signal: AbortSignal | undefined,
  tell: (left: number) => void,
) {
  const isMock = target.kind === 'mock';
  const isMoved = isMock || target.now !== undefined;
  const start = performance.now();
  let moved = 0;
  let next = every;
  let told = isMock;
  return {
    /** Milliseconds since the wait began, on the target's clock. */
    elapsed: () => moved + (performance.now() - start),
    /** The next wait, no longer than what is left, and no shorter than `least` unless less is left. */
    wait: async (left: number, least = 1) => {
      if (!told) tell(left);
      told = true;
      const milliseconds = Math.max(1, Math.min(Math.max(next, least), left));
      const before = performance.now();
      await target.wait(milliseconds, signal);
      // What was waited on the wall's clock is in the wall's time already.
      if (!isMoved) return;
      moved += Math.max(0, milliseconds - (performance.now() - before));
      next *= 2;
    },
  };
}
