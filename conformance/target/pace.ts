/** How a step that waits polls its target, on the target's own clock, and when a call is sent again. */

import { toMillis } from '../../spec/base/time.ts';
import { gatewayStatuses, mayBeGateway } from '../judge/gateway.ts';
import type { WireAnswer } from '../language/answer.ts';
import type { NetworkError, Target } from './target.ts';

const mostAttempts = 3;

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

/** The state of a call: whether it may be sent again if its outcome is unknown, its attempts and its waits. */
interface Attempts {
  readonly repeatable: boolean;
  readonly attempt: number;
  readonly waited: number;
  readonly patienceMs: number;
}

/** How long to wait before a call is sent again; undefined if this answer counts. */
export function pauseFor(
  answer: WireAnswer & { readonly problem?: NetworkError },
  { repeatable, attempt, waited, patienceMs }: Attempts,
): number | undefined {
  const { status, problem } = answer;
  const gateway = gatewayStatuses.includes(status);
  if (problem !== undefined) {
    const last = !repeatable || problem.final || attempt >= mostAttempts;
    return last ? undefined : 250 * 2 ** attempt;
  }
  const again = status === 429 || (repeatable && mayBeGateway(answer));
  if (!again) return undefined;
  if (!gateway && attempt >= 2) return undefined;
  // With another status the header has no meaning; a gateway may send it with each answer.
  const asked = gateway ? retryAfter(answer) : undefined;
  const own = gateway ? Math.min(500 * 2 ** attempt, 15_000) : 100 * 2 ** attempt;
  // If a target does not name a pause, the pauses become longer.
  const pause = asked === undefined ? own : attempt < 2 ? asked : Math.max(asked, own);
  return waited + pause > patienceMs ? undefined : pause;
}

/** Milliseconds that Retry-After asks for, as seconds or as a date; undefined without one. */
export function retryAfter(
  answer: Pick<WireAnswer, 'headers'>,
  now = Date.now(),
): number | undefined {
  const header = answer.headers['retry-after'];
  const value = typeof header === 'string' ? header.trim() : undefined;
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = toMillis(value);
  return until === undefined ? undefined : Math.max(0, until - now);
}
