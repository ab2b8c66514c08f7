/** What the scenarios of a run came to, in the plain values that a report is made of. */

import type {
  EventuallyTiming,
  Judged,
  Observation,
  PreflightFinding,
  ScenarioResult,
} from '../judge/report.ts';
import { allSteps, type Scenario } from '../language/scenario.ts';
import type { Plan, Skipped } from '../safety/plan.ts';
import { notTried } from './judge-step.ts';

export interface ScenarioOutcome {
  readonly result: ScenarioResult;
  readonly judged: readonly Judged[];
  readonly observations: readonly Observation[];
  readonly eventually: readonly EventuallyTiming[];
}

/** `scenarios`: what ran, then what did not. `named`: every statement that a selected one names. */
export function collect(
  outcomes: readonly ScenarioOutcome[],
  skipped: readonly Skipped[],
  selected: readonly Scenario[],
) {
  const ran = inOrder(outcomes);
  const left = new Map(skipped.map((item) => [item.scenario, item]));
  const notRun = selected.flatMap((scenario) => left.get(scenario) ?? []);
  return {
    scenarios: [
      ...ran.map(({ result }) => result),
      ...notRun.map(({ scenario, reason }) => idle(scenario, 'not-run', reason)),
    ],
    judged: [...ran.flatMap(({ judged }) => judged), ...notRun.flatMap(allNotTried)],
    observations: ran.flatMap(({ observations }) => observations),
    notApplicable: notRun.flatMap(({ feature, scenario }) =>
      feature === undefined ? [] : [{ feature, statements: [...scenario.statements] }],
    ),
    named: new Set(selected.flatMap(({ statements, standing }) => [...statements, ...standing])),
  };
}

/** In the order of their titles: the order in which they ran is left to chance. */
export function inOrder(outcomes: readonly ScenarioOutcome[]): ScenarioOutcome[] {
  return outcomes.toSorted((a, b) => (a.result.scenario < b.result.scenario ? -1 : 1));
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
  return {
    result: idle(scenario, 'could-not-run', reason),
    judged: allNotTried({ scenario, verdict: 'not-testable', reason: `could not run: ${reason}` }),
    observations: [],
    eventually: [],
  };
}

/** The result of a scenario that was left out. */
function idle(
  { title, location, effect }: Scenario,
  outcome: ScenarioResult['outcome'],
  reason: string,
): ScenarioResult {
  const { file } = location;
  return { scenario: title, file, effect, outcome, reason, durationMs: 0, requests: 0 };
}

/** The checks of a scenario that did not run. */
function allNotTried({ scenario, verdict, reason }: Skipped): Judged[] {
  if (scenario.extra) return [];
  return [...allSteps(scenario.steps), ...allSteps(scenario.undo)].flatMap((step) =>
    notTried(scenario, step, step.id, { verdict, reason }),
  );
}
