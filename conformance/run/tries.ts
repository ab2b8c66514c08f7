/**
 * Repeats scenarios: a promise that is broken now and then shows only in many tries. What all tries
 * of a scenario came to is one outcome.
 */

import { canonical } from '../../spec/base/json.ts';
import { type Judged, placeOf } from '../judge/report.ts';
import { isFailure, unstable } from '../judge/verdict.ts';
import { allSteps, type Scenario } from '../language/scenario.ts';
import type { Target } from '../target/target.ts';
import type { ScenarioOutcome } from './collect.ts';

/** Whether a scenario may run again: on a mock's own world any, on a tenant what is idempotent. */
export function mayRepeat(scenario: Scenario, { kind }: Pick<Target, 'kind'>): boolean {
  if (kind === 'mock') return true;
  if (scenario.effect !== 'none' && scenario.effect !== 'reversible') return false;
  return [...allSteps(scenario.steps), ...allSteps(scenario.undo)].every(
    ({ operation, request }) => request === undefined && operation?.idempotent !== false,
  );
}

/** One outcome of several tries of one scenario, the first of them first. */
export function mergeTries(tries: readonly ScenarioOutcome[]): ScenarioOutcome | undefined {
  const [first] = tries;
  if (first === undefined || tries.length === 1) return first;
  const sum = (key: 'durationMs' | 'requests'): number =>
    tries.reduce((all, { result }) => all + result[key], 0);
  const failed = tries.find(({ result }) => result.outcome !== 'ran')?.result ?? first.result;
  const places = Map.groupBy(
    tries.flatMap(({ judged }) => judged),
    seenAt,
  );
  return {
    result: {
      ...first.result,
      ...{ outcome: failed.outcome, reason: failed.reason, tries: tries.length },
      ...{ durationMs: sum('durationMs'), requests: sum('requests') },
    },
    judged: [...places.values()].flatMap((same) => mergeChecks(same, tries.length)),
    observations: tries.flatMap(({ observations }) => observations),
    eventually: tries.flatMap(({ eventually }) => eventually),
  };
}

/** A check, or one thing that was observed of a silence: each is worth knowing. */
function seenAt(item: Judged): string {
  return item.kind === 'observe' ? `${placeOf(item)} ${canonical(item.actual)}` : placeOf(item);
}

function mergeChecks(same: readonly Judged[], times: number): Judged[] {
  const failures = same.filter(({ verdict }) => isFailure(verdict));
  const verified = same.filter(({ verdict }) => verdict === 'verified');
  const [failure, held] = [failures[0], verified[0]];
  const tries = {
    // Of the contract's checks only failures are recorded.
    held: same[0]?.kind === 'contract' ? times - failures.length : verified.length,
    failed: failures.length,
  };
  if (failure === undefined) return held === undefined ? same.slice(0, 1) : [{ ...held, tries }];
  if (failure.verdict !== 'unstable' && tries.held === 0) return [{ ...failure, tries }];
  const reason = `it failed in ${tries.failed} of ${tries.held + tries.failed} tries`;
  return [{ ...unstable(failure, reason, failure.held ?? held?.evidence ?? []), tries }];
}
