/** The record of a scenario as a whole; also of one that nobody answers. */

import type { ScenarioRecord, TurnRecord } from '../judge/record.ts';
import { everyStep, type Scenario } from '../language/scenario.ts';
import { untried } from './record-step.ts';

export function scenarioRecord(
  { title, location, effect, extra }: Scenario,
  turns: readonly TurnRecord[],
): ScenarioRecord {
  return { scenario: title, file: location.file, effect, extra, turns };
}

/** A scenario that was not begun, because the target does not answer. */
export function unreachable(scenario: Scenario, reason: string): TurnRecord {
  const why = { rule: 'could-not-run', reason } as const;
  const checks = everyStep(scenario).flatMap((step) => untried(scenario, step, step.id, why));
  const nothing = { observations: [], eventually: [], requests: 0, answered: new Map() };
  const first = { checks, ...nothing, couldNotRun: reason };
  return { first, again: [], beside: false, trace: false, explained: new Map(), durationMs: 0 };
}
