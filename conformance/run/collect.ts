/**
 * What the scenarios of a run came to, in the plain values that a report is made of. What all tries
 * of a scenario came to is one outcome.
 */

import { canonical } from '../../spec/base/json.ts';
import {
  type EventuallyTiming,
  type Judged,
  type Observation,
  type PreflightFinding,
  placeOf,
  type ScenarioResult,
} from '../judge/report.ts';
import { isFailure, unstable, withdrawn } from '../judge/verdict.ts';
import { everyStep, type Scenario } from '../language/scenario.ts';
import type { Plan, Skipped } from '../safety/plan.ts';
import { notTried } from './judge-step.ts';

export interface ScenarioOutcome {
  readonly result: ScenarioResult;
  readonly judged: readonly Judged[];
  readonly observations: readonly Observation[];
  readonly eventually: readonly EventuallyTiming[];
}

/** `scenarios`: what ran, then what did not. */
export function collect(
  outcomes: readonly ScenarioOutcome[],
  skipped: readonly Skipped[],
  selected: readonly Scenario[],
) {
  // In the order of their titles: the order in which they ran is left to chance.
  const ran = outcomes.toSorted((a, b) => (a.result.scenario < b.result.scenario ? -1 : 1));
  const left = new Map(skipped.map((item) => [item.scenario, item]));
  const notRun = selected.flatMap((scenario) => left.get(scenario) ?? []);
  const all = [...ran, ...notRun.map((item) => idle(item, 'not-run', item.reason))];
  return {
    scenarios: all.map(({ result }) => result),
    judged: all.flatMap(({ judged }) => judged),
    observations: all.flatMap(({ observations }) => observations),
    eventually: all.flatMap(({ eventually }) => eventually),
    notApplicable: notRun.flatMap(({ feature, scenario }) =>
      feature === undefined ? [] : [{ feature, statements: [...scenario.statements] }],
    ),
  };
}

/** What of a plan can run: what the preflight found out makes a scenario that needs it untestable. */
export function fitting({ run, skipped }: Plan, findings: readonly PreflightFinding[]) {
  const unfit = run.flatMap((scenario): Skipped[] => {
    const found = findings.filter(
      ({ name, judged }) =>
        judged !== true &&
        scenario.needs.some((need) => need === name || need.startsWith(`${name}.`)),
    );
    if (found.length === 0) return [];
    const reason = found.map((item) => `${item.name}: ${item.message}`).join('; ');
    return [{ scenario, verdict: 'not-testable', reason }];
  });
  const left = new Set(unfit.map(({ scenario }) => scenario));
  return { run: run.filter((scenario) => !left.has(scenario)), skipped: [...skipped, ...unfit] };
}

/** A scenario that was not begun, because the target does not answer. */
export function unreachable(scenario: Scenario, reason: string): ScenarioOutcome {
  const checks = { verdict: 'not-testable', reason: `could not run: ${reason}` } as const;
  return idle({ scenario, ...checks }, 'could-not-run', reason);
}

/** What a scenario came to that did not run, and its checks with it. */
function idle(
  { scenario, verdict, reason: ofChecks }: Skipped,
  outcome: ScenarioResult['outcome'],
  reason: string,
): ScenarioOutcome {
  const { title, location, effect, extra } = scenario;
  const { file } = location;
  const steps = extra ? [] : everyStep(scenario);
  return {
    result: { scenario: title, file, effect, outcome, reason, durationMs: 0, requests: 0 },
    judged: steps.flatMap((step) =>
      notTried(scenario, step, step.id, { verdict, reason: ofChecks }),
    ),
    observations: [],
    eventually: [],
  };
}

/** One outcome of several tries of one scenario, the first of them first. */
export function mergeTries(made: readonly ScenarioOutcome[]): ScenarioOutcome | undefined {
  const tries = made.map(withoutOthersDoing);
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

/** What failed of a comparison: the status and the shape of an answer are its own. */
export function differences({ result, judged }: ScenarioOutcome): Judged[] {
  return judged.filter(
    ({ kind, location, pointer, verdict }) =>
      isFailure(verdict) &&
      kind === 'check' &&
      location.file === result.file &&
      pointer !== '/status',
  );
}

/** What failed beside others that share an area, and may be of their doing. */
export function othersDoing(outcome: ScenarioOutcome): Judged[] {
  return outcome.result.beside === true ? differences(outcome) : [];
}

function withoutOthersDoing(outcome: ScenarioOutcome): ScenarioOutcome {
  const doubtful = othersDoing(outcome);
  const reason = 'it failed beside others that share its area, and was not tried alone';
  const judged = outcome.judged.map((item) =>
    doubtful.includes(item) ? withdrawn(item, reason) : item,
  );
  return { ...outcome, judged };
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
