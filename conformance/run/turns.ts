/** The turns that the scenarios of a run have had, and what was recorded of them. */

import type { ProgressEvent } from '../judge/progress-event.ts';
import type { ScenarioRecord } from '../judge/record.ts';
import type { Scenario } from '../language/scenario.ts';
import { runScenario } from './run-scenario.ts';
import type { RunContext } from './running.ts';
import { scenarioRecord, unreachable } from './scenario-record.ts';
import type { Company } from './schedule.ts';

/** After so many scenarios in a row that the target did not answer, the others are not tried. */
const PATIENCE = 5;

/** What a run tells while it goes on. `record`: of the scenario so far, the turn that ended last. */
export type RunEvent =
  | Exclude<ProgressEvent, { readonly type: 'scenario-ended' }>
  | { readonly type: 'scenario-ended'; readonly record: ScenarioRecord };

/** Who is told how a run goes on. */
export interface Listeners {
  /** Ends the tries of an exam once a scenario has shown what they are for. */
  readonly enough?: ((record: ScenarioRecord) => boolean) | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

export class Turns {
  readonly records = new Map<Scenario, ScenarioRecord>();
  /** Whether a scenario has had a turn. */
  begun = false;
  readonly #listeners: Listeners;
  readonly #context: RunContext;
  #unansweredInRow = 0;
  #over = false;

  constructor(listeners: Listeners, context: RunContext) {
    this.#listeners = listeners;
    this.#context = context;
  }

  get unanswered(): boolean {
    return this.#unansweredInRow >= PATIENCE;
  }

  async play(scenario: Scenario, company?: Company): Promise<void> {
    if (this.#over) return;
    this.begun = true;
    const { enough, onEvent } = this.#listeners;
    onEvent?.({ type: 'scenario-started', scenario: scenario.title });
    const { turns: earlier = [] } = this.records.get(scenario) ?? {};
    const turn = this.unanswered
      ? unreachable(scenario, 'the target stopped answering')
      : await runScenario(scenario, this.#context, earlier.length, company);
    const answered = turn.first.couldNotRun === undefined;
    this.#unansweredInRow = answered ? 0 : this.#unansweredInRow + 1;
    const record = scenarioRecord(scenario, [...earlier, turn]);
    this.records.set(scenario, record);
    this.#over ||= enough?.(record) === true;
    onEvent?.({ type: 'scenario-ended', record });
  }
}
