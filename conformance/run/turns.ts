/** The turns that the scenarios of a run have had, and what they came to. */

import type { ProgressEvent } from '../judge/progress-event.ts';
import type { Verdict } from '../judge/report.ts';
import type { Scenario } from '../language/scenario.ts';
import { type ScenarioOutcome, unreachable } from './collect.ts';
import { runScenario } from './run-scenario.ts';
import type { RunContext } from './running.ts';
import type { Company } from './schedule.ts';

/** After so many scenarios in a row that the target did not answer, the others are not tried. */
const PATIENCE = 5;

/** Who is told how a run goes on. */
export interface Listeners {
  /** Ends the tries of an exam once a scenario has shown what they are for. */
  readonly enough?: ((outcome: ScenarioOutcome) => boolean) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

export class Turns {
  /** What each scenario came to, turn by turn. */
  readonly outcomes = new Map<Scenario, ScenarioOutcome[]>();
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
    const { enough, onProgress } = this.#listeners;
    onProgress?.({ type: 'scenario-started', scenario: scenario.title });
    const earlier = this.outcomes.get(scenario) ?? [];
    const outcome = this.unanswered
      ? unreachable(scenario, 'the target stopped answering')
      : await runScenario(scenario, this.#context, earlier.length, company);
    const { outcome: came } = outcome.result;
    this.#unansweredInRow = came === 'could-not-run' ? this.#unansweredInRow + 1 : 0;
    this.outcomes.set(scenario, [...earlier, outcome]);
    this.#over ||= enough?.(outcome) === true;
    onProgress?.(ended(outcome));
  }
}

function ended({ result, judged }: ScenarioOutcome): ProgressEvent {
  const verdicts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const { scenario, outcome, durationMs, reason } = result;
  return { type: 'scenario-ended', scenario, outcome, durationMs, verdicts, reason };
}
