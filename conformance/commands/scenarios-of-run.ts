/** The scenarios of a run in the order of its report: those that ran, and those that did not. */

import type { ScenarioRecord } from '../judge/record.ts';
import { everyStep, type Scenario } from '../language/scenario.ts';
import { untried } from '../run/record-step.ts';
import { scenarioRecord } from '../run/scenario-record.ts';
import type { Skipped } from '../safety/plan.ts';

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

/** A scenario that the plan, or the preflight, left out. */
function skippedRecord({ scenario, why }: Skipped): ScenarioRecord {
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
