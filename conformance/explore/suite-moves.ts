/**
 * Scenarios of the suite as moves, judged by their own checks. So an operation is explored as soon
 * as it has scenarios and a row in the table of authorisation.
 */

import type { Answer } from '../language/answer.ts';
import { compute } from '../language/compute.ts';
import { conditionsHold, statusFits } from '../language/evaluate.ts';
import { matches } from '../language/matcher.ts';
import { allSteps, type Scenario, type Step } from '../language/scenario.ts';
import { resolve, Unresolved } from '../language/template.ts';
import type { CallData } from './contradiction.ts';
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
  const names = new Map<string, unknown>();
  const player = new Player(session, names);
  for (const [name, value] of Object.entries(scenario.let)) player.define(name, value);
  await player.play(scenario.steps);
  await player.play(scenario.undo);
  if (!isCalm(scenario)) session.unsettled = true;
}

class Player {
  readonly #session: Session;
  readonly #names: Map<string, unknown>;

  constructor(session: Session, names: Map<string, unknown>) {
    this.#session = session;
    this.#names = names;
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
    const met = step.require.every(({ value, is }) =>
      matches(compute(value, scope), resolve(is, scope)),
    );
    if (!met) return false;
    const answer = await this.#answerOf(step);
    if (!this.#isExpected(step, answer)) return false;
    scope.own = answer;
    try {
      for (const [name, value] of Object.entries(step.capture)) this.define(name, value);
      return true;
    } finally {
      scope.own = undefined;
    }
  }

  /** Makes the call of a step and judges it; a step without a call compares earlier answers. */
  async #answerOf(step: Step): Promise<Answer | undefined> {
    const { as, operation, path, query, body, mode, checks, list, timing } = step;
    const session = this.#session;
    const names = new Map(this.#names);
    if (operation === undefined) {
      session.compare(checks, names);
      return undefined;
    }
    const data: CallData = {
      ...{ as, call: operation.id, path, query },
      ...(body === undefined ? {} : { body }),
      ...(list === undefined ? {} : { list }),
      times: mode?.kind === 'repeat' ? mode.times : undefined,
      pages: mode && 'size' in mode ? { size: sizeOf(mode.size, session) } : undefined,
    };
    const expected = (answer: Answer): boolean => this.#isExpected(step, answer);
    const wait = timing && { timing, expected };
    const head = timing === undefined;
    const entry = await session.call(data, { checks, names, head, wait });
    session.scope.steps.set(step.id, entry.answer);
    this.#names.set(`steps.${step.id}`, entry.id);
    return entry.answer;
  }

  #isExpected({ expect }: Step, answer: Answer | undefined): boolean {
    const { scope } = this.#session;
    scope.own = answer;
    try {
      return expect === undefined || conditionsHold(expect, answer, scope);
    } catch (error) {
      if (error instanceof Unresolved) return false;
      throw error;
    } finally {
      scope.own = undefined;
    }
  }

  #set(name: string, value: unknown): void {
    this.#names.set(name, value);
    this.#session.scope.set(name, value);
  }
}

function sizeOf(size: unknown, { scope }: Session): number | undefined {
  return size === undefined ? undefined : Number(resolve(size, scope));
}
