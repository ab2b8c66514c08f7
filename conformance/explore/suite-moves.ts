/**
 * Scenarios of the suite as moves, judged by their own checks. So an operation is explored as soon
 * as it has scenarios and a row in the table of authorisation.
 */

import type { Answer } from '../language/answer.ts';
import { compute, isSo } from '../language/compute.ts';
import { isExpected, statusFits } from '../language/evaluate.ts';
import { allSteps, type Scenario, type Step } from '../language/scenario.ts';
import type { Session } from './session.ts';

/** Whether a walk can make the calls of a scenario, and has something to judge them by. */
export function isPlayable(scenario: Scenario): boolean {
  const steps = [...allSteps(scenario.steps), ...allSteps(scenario.undo)];
  return judges(scenario) && steps.every(isPlayableStep);
}

/** Whether it only reads, or is refused wherever it writes: it leaves the target as it was. */
export function isCalm({ steps, undo }: Scenario): boolean {
  return undo.length === 0 && [...allSteps(steps)].every(isCalmStep);
}

function judges({ steps }: Scenario): boolean {
  return [...allSteps(steps)].some(({ checks }) => checks.length > 0);
}

function isPlayableStep(step: Step): boolean {
  const { request, headers, rawBody, method, suffix, plain } = step;
  const special = request ?? rawBody ?? method;
  return special === undefined && suffix === '' && !plain && Object.keys(headers).length === 0;
}

function isCalmStep({ operation, timing, checks }: Step): boolean {
  if (timing !== undefined) return false;
  const writes = operation?.lock?.writes !== undefined;
  return !writes || checks.some(({ conditions }) => isRefusal(conditions.status));
}

function isRefusal(status: unknown): boolean {
  return status !== undefined && ![200, 201, 202, 204].some((code) => statusFits(code, status));
}

/** Throws Contradiction where a check of the scenario fails. */
export async function playScenario(session: Session, scenario: Scenario): Promise<void> {
  await session.rest();
  const player = new Player(session);
  for (const [name, value] of Object.entries(scenario.let)) player.define(name, value);
  await player.play(scenario.steps);
  await player.play(scenario.undo);
  if (!isCalm(scenario)) session.unsettled = true;
}

class Player {
  readonly #session: Session;
  readonly #names = new Map<string, unknown>();

  constructor(session: Session) {
    this.#session = session;
  }

  define(name: string, value: unknown): void {
    this.#set(name, compute(value, this.#session.scope));
  }

  /** False where a step was not answered as the rest needs it. */
  async play(steps: readonly Step[]): Promise<boolean> {
    for (const step of steps) {
      const goesOn =
        step.forEach === undefined
          ? await this.#playStep(step)
          : await this.#playEach(step, step.forEach);
      if (!goesOn) return false;
    }
    return true;
  }

  async #playEach(step: Step, { name, list }: NonNullable<Step['forEach']>): Promise<boolean> {
    const items = compute(list, this.#session.scope);
    for (const item of Array.isArray(items) ? items : [items]) {
      this.#set(name, item);
      if (!(await this.play(step.steps))) return false;
    }
    return true;
  }

  async #playStep(step: Step): Promise<boolean> {
    const { scope } = this.#session;
    if (!step.require.every((condition) => isSo(condition, scope))) return false;
    const expected = (answer: Answer | undefined): boolean => isExpected(step, answer, scope);
    const entry = await this.#session.play(step, new Map(this.#names), expected);
    if (entry !== undefined) {
      scope.steps.set(step.id, entry.answer);
      this.#names.set(`steps.${step.id}`, entry.id);
    }
    if (!expected(entry?.answer)) return false;
    scope.of(entry?.answer, () => {
      for (const [name, value] of Object.entries(step.capture)) this.define(name, value);
    });
    return true;
  }

  #set(name: string, value: unknown): void {
    this.#names.set(name, value);
    this.#session.scope.set(name, value);
  }
}
