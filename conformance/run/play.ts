/** Plays the scenarios of a run: in parallel, then alone or more often if necessary. */

import type { ProgressEvent } from '../judge/progress-event.ts';
import type { ScenarioRecord, TurnRecord } from '../judge/record.ts';
import type { Judged, RunOptions, Variation, Verdict } from '../judge/report.ts';
import { comparesWrong, hasFailedBeside, isOpen, judgeTurn, lastFailed } from '../judge/turn.ts';
import type { Scenario } from '../language/scenario.ts';
import { isIdempotent, mayRepeat, orderOf, type Turns } from '../safety/plan.ts';
import type { Target } from '../target/target.ts';
import { plain } from '../vary/variation.ts';
import { scenarioRecord, unreachable } from './record-step.ts';
import { runScenario, runVaried } from './run-scenario.ts';
import type { RunContext } from './running.ts';
import { type Company, runInParallel } from './schedule.ts';

export interface PlayInput {
  readonly target: Target;
  readonly options: RunOptions;
  readonly turns: Turns;
  /** Failed scenarios run again alone, if possible. Only a failure that occurs again counts. */
  readonly confirm?: boolean | undefined;
  /** The time for the run, and the titles of its scenarios in their order. */
  readonly budget?: { readonly ms: number; readonly order: readonly string[] } | undefined;
  /** The most writes of each round of the soak. */
  readonly soakWrites?: number | undefined;
  /** Ends an exam early, when a scenario has given the wanted result. */
  readonly enough?: ((came: { readonly judged: readonly Judged[] }) => boolean) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** After this many scenarios in a row without an answer, the others are not tried. */
const PATIENCE = 5;

/** Returns the record of each scenario that had a turn. */
export async function playAll(
  input: PlayInput,
  scenarios: readonly Scenario[],
  context: RunContext,
): Promise<ReadonlyMap<Scenario, ScenarioRecord>> {
  const { target, confirm, options, turns } = input;
  const { tries = 1, soakMs = 0 } = options;
  const play = new Play(input, context);
  const repeated = scenarios.filter((scenario) => mayRepeat(scenario, target));
  const more = scenarios.flatMap((scenario) => {
    const { length } = turns.first.get(scenario.title) ?? [plain];
    const times = Math.max(length, mayRepeat(scenario, target) ? tries : 1) - 1;
    return Array.from({ length: times }, () => scenario);
  });
  // On a mock, sharing saves no time and would change the order of calls.
  const sharing = target.kind === 'tenant' && tries === 1 && soakMs === 0 ? scenarios : [];
  const sharers = new Set(sharing.filter(isIdempotent));
  await play.inParallel([...scenarios, ...more], sharers);
  await play.againAlone(play.those(sharers, hasFailedBeside));
  await play.soak(repeated);
  if (confirm === true)
    await play.alone(play.those(repeated, (record) => lastFailed(record, options) !== undefined));
  return play.records;
}

class Play {
  readonly records = new Map<Scenario, ScenarioRecord>();
  /** The number of variations of each scenario that have been played. */
  readonly #varied = new Map<Scenario, number>();
  readonly #input: PlayInput;
  readonly #context: RunContext;
  readonly #inOrder: ReturnType<typeof orderOf>;
  readonly #start = performance.now();
  #queued = 0;
  #unansweredInRow = 0;
  #hasBegun = false;
  #isOver = false;

  constructor(input: PlayInput, context: RunContext) {
    this.#input = input;
    this.#context = context;
    this.#inOrder = orderOf(input.options.seed, input.budget?.order);
  }

  /** The scenarios whose record meets a condition. */
  those(scenarios: Iterable<Scenario>, ask: (record: ScenarioRecord) => boolean): Scenario[] {
    return [...scenarios].filter((scenario) => {
      const record = this.records.get(scenario);
      return record !== undefined && ask(record);
    });
  }

  /** Runs scenarios until the time is over. `sharers` may share an area while they watch it. */
  async inParallel(scenarios: readonly Scenario[], sharers: ReadonlySet<Scenario>): Promise<void> {
    const { budget, options } = this.#input;
    const read = new Set(scenarios.flatMap(({ reads }) => [...reads]));
    for (const { title, writes } of scenarios)
      if (!writes.isDisjointFrom(read)) this.#context.client.urgent.add(title);
    const deadline = budget === undefined ? Infinity : this.#start + budget.ms;
    this.#queued = scenarios.length;
    this.#tellStart(0);
    await runInParallel(
      this.#inOrder(scenarios),
      options.jobs,
      async (scenario, company) => {
        // Each run begins at least one scenario, so that the rotation continues even with a very
        // short time.
        if (this.#hasBegun && performance.now() >= deadline) return;
        await this.#play(scenario, sharers.has(scenario) ? company : undefined);
      },
      (scenario) => scenario.writesUntil === 0 && sharers.has(scenario),
    );
  }

  async alone(scenarios: readonly Scenario[]): Promise<void> {
    if (scenarios.length === 0 || this.#context.signal?.aborted === true) return;
    const { options } = this.#input;
    this.#tellStart(scenarios.length);
    await runInParallel(scenarios, 1, async (scenario) => {
      const record = this.records.get(scenario);
      await this.#play(
        scenario,
        undefined,
        record && lastFailed(record, options)?.varied?.variation,
      );
    });
  }

  /**
   * Runs scenarios again, alone, that failed in parallel with others. Then the cause of each change
   * is known.
   */
  async againAlone(scenarios: readonly Scenario[]): Promise<void> {
    const compared = this.those(scenarios, comparesWrong);
    await this.alone(scenarios);
    if (compared.length === 0 || this.those(scenarios, comparesWrong).length > 0) return;
    const titles = compared.map(({ title }) => title).join('; ');
    const why = 'another user changed something, or the target sometimes applies refused writes';
    const text = `these failed while running in parallel and passed alone: ${titles}. Either ${why}`;
    this.#context.protection?.warn(text);
  }

  async soak(scenarios: readonly Scenario[]): Promise<void> {
    const { options, soakWrites = 0 } = this.#input;
    const { soakMs = 0, jobs } = options;
    const { client } = this.#context;
    // Ends before a write is refused, because a scenario that breaks off gives no verdict.
    const lasts = (): boolean =>
      performance.now() < this.#start + soakMs &&
      (soakWrites === 0 || client.writesLeft > soakWrites);
    while (lasts() && scenarios.length > 0 && !this.#isUnanswered) {
      await runInParallel(this.#inOrder(scenarios), jobs, async (scenario) => {
        if (lasts() && this.#context.signal?.aborted !== true) await this.#play(scenario);
      });
    }
  }

  /**
   * Plays one turn. If a turn with several changes fails, it plays more turns to find the change
   * that causes the failure.
   */
  async #play(
    scenario: Scenario,
    company?: Company,
    variation = this.#next(scenario),
  ): Promise<void> {
    await this.#turn(scenario, variation, company);
    const { target, turns, options } = this.#input;
    if (!mayRepeat(scenario, target)) return;
    for (const part of turns.cover?.apart(scenario, variation) ?? []) {
      const record = this.records.get(scenario);
      if (record === undefined || !isOpen(record, variation, options)) return;
      if (turns.isFit?.(part) !== false) await this.#turn(scenario, part);
    }
  }

  async #turn(scenario: Scenario, variation: Variation, company?: Company): Promise<void> {
    if (this.#isOver || this.#context.claimWatch?.isRefused(scenario.needs) === true) return;
    this.#hasBegun = true;
    const { enough, onProgress, turns: planned } = this.#input;
    onProgress?.({ type: 'scenario-started', scenario: scenario.title });
    const { turns = [] } = this.records.get(scenario) ?? {};
    const turn = await runVaried(scenario, variation, planned, async (made) =>
      this.#isUnanswered
        ? unreachable(made, 'the target stopped answering')
        : await runScenario(made, this.#context, turns, company),
    );
    const answered = turn.first.couldNotRun === undefined;
    this.#unansweredInRow = answered ? 0 : this.#unansweredInRow + 1;
    const record = scenarioRecord(scenario, [...turns, turn]);
    this.records.set(scenario, record);
    const judged = enough || onProgress ? judgeTurn(record) : [];
    this.#isOver ||= variation.mixed !== true && enough?.({ judged }) === true;
    onProgress?.(endOf(record, turn, judged));
  }

  #next(scenario: Scenario): Variation {
    const { first, cover, isFit } = this.#input.turns;
    const index = this.#varied.get(scenario) ?? 0;
    this.#varied.set(scenario, index + 1);
    const planned = first.get(scenario.title) ?? [plain];
    if (index < planned.length) return planned[index] ?? plain;
    const more = cover?.more(scenario).filter((one) => isFit?.(one) !== false) ?? [plain];
    return more[(index - planned.length) % more.length] ?? plain;
  }

  get #isUnanswered(): boolean {
    return this.#unansweredInRow >= PATIENCE;
  }

  #tellStart(more: number): void {
    const { onProgress, target } = this.#input;
    onProgress?.({ type: 'started', scenarios: this.#queued + more, baseUrl: target.baseUrl });
  }
}

/** The event at the end of a turn, with its verdicts. */
function endOf(
  { scenario }: ScenarioRecord,
  { durationMs, first: { couldNotRun: reason } }: TurnRecord,
  judged: readonly Judged[],
): ProgressEvent {
  const verdicts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const outcome = reason === undefined ? 'ran' : 'could-not-run';
  return { type: 'scenario-ended', scenario, outcome, durationMs, verdicts, reason };
}
