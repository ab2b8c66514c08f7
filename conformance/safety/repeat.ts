/** Which scenarios may run more than once: nothing may be written twice that harms. */

import { everyStep, type Scenario } from '../language/scenario.ts';
import type { Target } from '../target/target.ts';

/**
 * Whether a scenario may run again: on a mock's own world any, on a tenant what is idempotent. A
 * promise that is broken now and then shows only in many tries.
 */
export function mayRepeat(scenario: Scenario, { kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'mock' || (scenario.effect !== 'disruptive' && isIdempotent(scenario));
}

/** Whether a scenario may run once more, if that makes sure who has done something. */
export function isIdempotent(scenario: Scenario): boolean {
  if (scenario.effect === 'permanent') return false;
  return everyStep(scenario).every(
    ({ operation, request }) => request === undefined && operation?.idempotent !== false,
  );
}
