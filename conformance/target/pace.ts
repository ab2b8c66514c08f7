/** How a step that waits polls its target, on the target's own clock. */

import type { Target } from './target.ts';

/**
 * Counts its own waits, so that it never hurries if others move the same clock. The waits are equal on the
 * wall's clock. They grow on a clock that is moved, such as a mock's: there only their total counts.
 * `tell` is called once, with the time left, if the run waits for a tenant.
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
      // On the wall's clock, `performance.now()` already counts the wait.
      if (!isMoved) return;
      moved += Math.max(0, milliseconds - (performance.now() - before));
      next *= 2;
    },
  };
}
