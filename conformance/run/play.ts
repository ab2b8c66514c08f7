/** Plays the scenarios of a run: side by side, and alone or more often if something asks for it. */

import { comparesWrong, hasFailed, hasFailedBeside } from '../judge/judge.ts';
import type { ScenarioRecord } from '../judge/record.ts';
import { everyStep, type Scenario } from '../language/scenario.ts';
import type { Target } from '../target/target.ts';
import { orderOf } from './order.ts';
import type { RunInput } from './run.ts';
import type { RunContext } from './running.ts';
import { runSideBySide } from './schedule.ts';
import { Turns } from './turns.ts';

export async function playAll(
  input: RunInput,
  scenarios: readonly Scenario[],
  context: RunContext,
): Promise<Iterable<ScenarioRecord>> {
  const { target, confirm, options } = input;
  const { tries = 1, soakMs = 0 } = options;
  const play = new Play(input, context);
  const repeated = scenarios.filter((scenario) => mayRepeat(scenario, target));
  const more = Array.from({ length: tries - 1 }, () => repeated).flat();
  // A mock has no time to save, and its order of calls stays the same.
  const sharing = target.kind === 'tenant' && tries === 1 && soakMs === 0 ? scenarios : [];
  const sharers = new Set(sharing.filter(isIdempotent));
  await play.sideBySide([...scenarios, ...more], sharers);
  await play.againAlone(sharers);
  await play.soak(repeated);
  if (confirm === true) await play.alone(repeated.filter((one) => play.is(one, hasFailed)));
  return play.turns.records.values();
}

class Play {
  readonly turns: Turns;
  readonly #input: RunInput;
  readonly #context: RunContext;
  readonly #inOrder: ReturnType<typeof orderOf>;
  readonly #start = performance.now();
  #queued = 0;

  constructor(input: RunInput, context: RunContext) {
    this.#input = input;
    this.#context = context;
    this.turns = new Turns(input, context);
    this.#inOrder = orderOf(input.options.seed, input.budget?.order);
  }

  is(scenario: Scenario, ask: (record: ScenarioRecord) => boolean): boolean {
    const record = this.turns.records.get(scenario);
    return record !== undefined && ask(record);
  }

  /** As long as the time lasts. `sharers` may watch an area together. */
  async sideBySide(scenarios: readonly Scenario[], sharers: ReadonlySet<Scenario>): Promise<void> {
    const { turns } = this;
    const { client } = this.#context;
    const queue = this.#inOrder(scenarios);
    const read = new Set(scenarios.flatMap(({ reads }) => [...reads]));
    for (const { title, writes } of scenarios)
      if (!writes.isDisjointFrom(read)) client.urgent.add(title);
    const { budget, options } = this.#input;
    const deadline = budget === undefined ? Infinity : this.#start + budget.ms;
    this.#queued = queue.length;
    this.#tellStart(queue.length);
    await runSideBySide(
      queue,
      options.jobs,
      async (scenario, company) => {
        // However short the time is, each run brings the rotation forward.
        if (turns.begun && performance.now() >= deadline) return;
        await turns.play(scenario, sharers.has(scenario) ? company : undefined);
      },
      (scenario) => scenario.writesUntil === 0 && sharers.has(scenario),
    );
  }

  async alone(scenarios: readonly Scenario[]): Promise<void> {
    if (scenarios.length === 0 || this.#context.signal?.aborted === true) return;
    this.#tellStart(this.#queued + scenarios.length);
    await runSideBySide(scenarios, 1, (scenario) => this.turns.play(scenario));
  }

  /** What failed beside others: so each change is laid at its own door. */
  async againAlone(sharers: ReadonlySet<Scenario>): Promise<void> {
    const again = [...sharers].filter((scenario) => this.is(scenario, hasFailedBeside));
    await this.alone(again);
    if (again.length === 0 || again.some((scenario) => this.is(scenario, comparesWrong))) return;
    const titles = again.map(({ title }) => title).join('; ');
    const why = 'somebody else changed something meanwhile, or what is refused is done at times';
    const text = `what failed side by side, and held alone: ${titles}. Either ${why}`;
    this.#context.protection?.warn(text);
  }

  async soak(scenarios: readonly Scenario[]): Promise<void> {
    const { soakMs = 0, jobs } = this.#input.options;
    const { turns } = this;
    const isOver = (): boolean => performance.now() >= this.#start + soakMs;
    while (!isOver() && scenarios.length > 0 && !turns.unanswered) {
      await runSideBySide(this.#inOrder(scenarios), jobs, async (scenario) => {
        if (!isOver() && this.#context.signal?.aborted !== true) await turns.play(scenario);
      });
    }
  }

  #tellStart(scenarios: number): void {
    this.#input.onEvent?.({ type: 'started', scenarios, baseUrl: this.#input.target.baseUrl });
  }
}

/**
 * Whether a scenario may run again: on a mock's own world any, on a tenant what is idempotent. A
 * promise that is broken now and then shows only in many tries.
 */
function mayRepeat(scenario: Scenario, { kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'mock' || (scenario.effect !== 'disruptive' && isIdempotent(scenario));
}

/** Whether a scenario may run once more, if that makes sure who has done something. */
function isIdempotent(scenario: Scenario): boolean {
  if (scenario.effect === 'permanent') return false;
  return everyStep(scenario).every(
    ({ operation, request }) => request === undefined && operation?.idempotent !== false,
  );
}
