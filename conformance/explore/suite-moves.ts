/**
 * Scenarios of the suite as moves, judged by their own checks. So an operation is explored as soon
 * as it has scenarios and a row in the table of authorisation.
 */

import type { Answer } from '../language/answer.ts';
import { compute, isSo } from '../language/compute.ts';
import { isExpected, statusFits } from '../language/evaluate.ts';
import { allSteps, type Scenario, type Step } from '../language/scenario.ts';
import { Unresolved } from '../language/template.ts';
import { pick } from './move.ts';
import type { Session } from './session.ts';

/** Whether a walk can make the calls of a scenario. */
export function isPlayable(scenario: Scenario): boolean {
  return [...allSteps(scenario.steps), ...allSteps(scenario.undo)].every(isPlayableStep);
}

/** Whether it only reads, or is refused wherever it writes: it leaves the target as it was. */
export function isCalm({ steps, undo }: Scenario): boolean {
  return undo.length === 0 && [...allSteps(steps)].every(isCalmStep);
}

function isPlayableStep(step: Step): boolean {
  const { request, headers, rawBody, method, suffix, plain } = step;
  const special = request ?? rawBody ?? method;
  return special === undefined && suffix === '' && !plain && Object.keys(headers).length === 0;
}

function isCalmStep(step: Step): boolean {
  if (step.timing !== undefined) return false;
  return !writes(step) || step.checks.some(({ conditions }) => isRefusal(conditions.status));
}

const writes = ({ operation }: Step): boolean => operation?.lock?.writes !== undefined;

function isRefusal(status: unknown): boolean {
  return status !== undefined && ![200, 201, 202, 204].some((code) => statusFits(code, status));
}

/**
 * Plays a scenario, and a guest after each of its first steps. Throws Contradiction where a check of
 * one of them fails.
 */
export async function playScenario(
  session: Session,
  scenario: Scenario,
  guests: readonly Scenario[] = [],
): Promise<void> {
  await session.rest();
  const waiting = [...guests];
  const player = new Player(session, async () => {
    const guest = waiting.shift();
    if (guest !== undefined) await playAll(session, guest, new Player(session));
    return guest !== undefined;
  });
  await playAll(session, scenario, player);
  if (![scenario, ...guests].every(isCalm)) session.unsettled = true;
}

type Names = ReadonlyMap<string, unknown>;

/** Judged reads of what was not written since, with what their names stood for. */
class Reads {
  list: { readonly step: Step; readonly names: Names }[] = [];

  add(step: Step, names: Names): void {
    const written = step.operation?.lock?.writes;
    if (written !== undefined) {
      this.list = this.list.filter(({ step: { operation } }) => operation?.lock?.reads !== written);
    } else if (step.timing === undefined && step.checks.length > 0) this.list.push({ step, names });
  }
}

/**
 * Makes an earlier read again, judged as it was, and before it the same read by somebody else: nothing
 * was written since, so only the calls between can have changed what is answered.
 */
export async function readAgain(session: Session, chance: number): Promise<void> {
  const { list } = session.beliefs(Reads);
  const last = list.at(-1)?.step.operation;
  const alike = list.filter(({ step }) => step.operation === last);
  const again = pick(alike, chance >>> 2);
  if (again === undefined) return;
  const { step, names } = again;
  remind(session, names);
  const others = session.allowed(step).filter((name) => name !== step.as);
  const other = chance % 4 === 0 ? pick(others, chance >>> 8) : undefined;
  if (other !== undefined) {
    await session.play({ ...step, as: other, checks: [] }, names, () => true);
  }
  await session.play(step, names, () => true);
}

/** Scenarios that leave something for good: to those, nothing is new a second time. */
class Lasting extends Set<Scenario> {}

async function playAll(session: Session, scenario: Scenario, player: Player): Promise<void> {
  const lasting = session.beliefs(Lasting);
  if (lasting.has(scenario)) return;
  if (scenario.effect === 'permanent') lasting.add(scenario);
  try {
    for (const [name, value] of Object.entries(scenario.let)) player.define(name, value);
    await player.play(scenario.steps);
    await player.play(scenario.undo);
  } catch (error) {
    // A reference that finds nothing says nothing: the scenario ends where it stands.
    if (!(error instanceof Unresolved)) throw error;
  }
}

/** What others have called by the same names means this again. */
function remind({ scope }: Session, names: Names): void {
  for (const [name, value] of names) {
    const answer = name.startsWith(ofSteps) ? scope.steps.get(String(value)) : undefined;
    if (answer === undefined) scope.set(name, value);
    else scope.steps.set(name.slice(ofSteps.length), answer);
  }
}

/** Stands before the ids of steps, among the names. */
const ofSteps = 'steps.';

class Player {
  readonly #session: Session;
  readonly #between: (() => Promise<boolean>) | undefined;
  readonly #names = new Map<string, unknown>();

  /** `between` may play others after a step; true where it has. */
  constructor(session: Session, between?: () => Promise<boolean>) {
    this.#session = session;
    this.#between = between;
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
      this.#session.beliefs(Reads).add(step, entry.names);
      scope.steps.set(step.id, entry.answer);
      this.#names.set(`${ofSteps}${step.id}`, entry.id);
    }
    if (!expected(entry?.answer)) return false;
    scope.of(entry?.answer, () => {
      for (const [name, value] of Object.entries(step.capture)) this.define(name, value);
    });
    if (await this.#between?.()) remind(this.#session, this.#names);
    return true;
  }

  #set(name: string, value: unknown): void {
    this.#names.set(name, value);
    this.#session.scope.set(name, value);
  }
}
