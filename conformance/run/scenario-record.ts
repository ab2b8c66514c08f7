/** What is recorded of a scenario as a whole; also of one that was not begun. */

import type { ScenarioRecord, TurnRecord } from '../judge/record.ts';
import { everyStep, type Scenario } from '../language/scenario.ts';
import type { Skipped } from '../safety/plan.ts';
import { untried } from './record-step.ts';

export function scenarioRecord(
  { title, location, effect, extra }: Scenario,
  turns: readonly TurnRecord[],
): ScenarioRecord {
  return { scenario: title, file: location.file, effect, extra, turns };
}

/** A scenario that the plan, or the preflight, left out. */
export function skippedRecord({ scenario, why }: Skipped): ScenarioRecord {
  const lacks = why.rule === 'feature-off';
  return {
    ...scenarioRecord(scenario, []),
    notRun: {
      why,
      checks: everyStep(scenario).flatMap((step) => untried(scenario, step, step.id, why)),
      feature: lacks
        ? { name: String(why.feature), statements: [...scenario.statements] }
        : undefined,
    },
  };
}

/** A scenario that was not begun, because the target does not answer. */
export function unreachable(scenario: Scenario, reason: string): TurnRecord {
  const why = { rule: 'could-not-run', reason } as const;
  const checks = everyStep(scenario).flatMap((step) => untried(scenario, step, step.id, why));
  const nothing = { observations: [], eventually: [], requests: 0, answered: new Map() };
  const first = { checks, ...nothing, couldNotRun: reason };
  return { first, again: [], beside: false, trace: false, explained: new Map(), durationMs: 0 };
}

/** In the order of their titles, as the order in which they ran is left to chance; then what did not run. */
export function inReport(
  ran: Iterable<ScenarioRecord>,
  skipped: readonly Skipped[],
  selected: readonly Scenario[],
): ScenarioRecord[] {
  const left = new Map(skipped.map((item) => [item.scenario, item]));
  return [
    ...[...ran].sort((a, b) => (a.scenario < b.scenario ? -1 : 1)),
    ...selected.flatMap((scenario) => left.get(scenario) ?? []).map(skippedRecord),
  ];
}
