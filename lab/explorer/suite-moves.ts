/**
 * Scenarios of the suite as moves, judged by their own checks. So an operation is explored as soon
 * as it has scenarios and a row in the table of authorisation.
 */

import { compute, isSo } from '../../conformance/language/compute.ts';
import { isExpected } from '../../conformance/language/evaluate.ts';
import {
  allSteps,
  everyStep,
  type Scenario,
  type Step,
} from '../../conformance/language/scenario.ts';
import { Unresolved } from '../../conformance/language/template.ts';
import { pick } from './pick.ts';
import { isRefusal } from './recall.ts';
import type { Session } from './session.ts';

/** Whether a walk can make the calls of a scenario. */
export function isPlayable(scenario: Scenario): boolean {
  return everyStep(scenario).every(isPlayableStep);
}

/** Whether it only reads, or is refused wherever it writes: it leaves the target as it was. */
export function isCalm({ steps, undo }: Scenario): boolean {
  return undo.length === 0 && [...allSteps(steps)].every(isCalmStep);
}

function isPlayableStep(step: Step): boolean {
  const { request, headers, rawBody, method, plain } = step;
  const special = request ?? rawBody ?? method;
  return special === undefined && !plain && Object.keys(headers).length === 0;
}

function isCalmStep(step: Step): boolean {
  if (step.timing !== undefined) return false;
  return step.operation?.lock?.writes === undefined || isRefusal(step.checks);
}

/**
 * Plays a scenario, and a guest after its first step. Throws Contradiction where a check of one of
 * them fails.
 */
export async function playScenario(
  session: Session,
  scenario: Scenario,
  guest: Scenario | undefined,
): Promise<void> {
  await session.rest();
  await new Player(session, guest).playAll(scenario);
  if (!isCalm(scenario) || (guest !== undefined && !isCalm(guest))) session.unsettled = true;
}

type Names = ReadonlyMap<string, unknown>;

/** Which of the calls that can be made again, and by whom. */
export interface Again {
  readonly cast: number | undefined;
  /** Without a cast: which of those that came least often behind a call like the last. */
  readonly turn: number;
  readonly index: number;
  /** Now and then somebody else makes it, and the table of authorisation judges. */
  readonly by: number;
}

/** Makes an earlier call again, judged as it was. */
export async function callAgain(session: Session, { cast, turn, index, by }: Again): Promise<void> {
  const { recall } = session;
  const found = cast === undefined ? recall.rarest(turn, index) : recall.member(cast, index);
  if (found === undefined) return;
  const { step, names } = found;
  session.scope.set('run', session.scope.run);
  if (step.operation?.lock !== undefined) await session.rest();
  remind(session, names);
  const isRead = step.operation?.lock?.writes === undefined;
  // Everybody can make it, and nobody.
  const actors = ['none', ...session.target.credentials.keys()];
  const as = isRead && by % 4 === 0 ? pick(actors, by >>> 4) : undefined;
  const again = as === undefined ? step : { ...step, as, checks: session.checksFor(step, as) };
  await session.play(again, names);
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
  readonly #names = new Map<string, unknown>();
  /** What is played after the first step. */
  #guest: Scenario | undefined;

  constructor(session: Session, guest?: Scenario) {
    this.#session = session;
    this.#guest = guest;
  }

  async playAll(scenario: Scenario): Promise<void> {
    const session = this.#session;
    session.played += 1;
    this.#define('run', { ...session.scope.run, id: `${session.scope.run.id}p${session.played}` });
    try {
      for (const [name, value] of Object.entries(scenario.let)) this.#define(name, value);
      await this.#play(scenario.steps);
      await this.#play(scenario.undo);
    } catch (error) {
      // A reference that finds nothing says nothing: the scenario ends where it stands.
      if (!(error instanceof Unresolved)) throw error;
    }
  }

  /** False where a step was not answered as the rest needs it. */
  async #play(steps: readonly Step[]): Promise<boolean> {
    for (const step of steps) {
      if (step.forEach === undefined) {
        if (!(await this.#playStep(step))) return false;
        continue;
      }
      const { name, list } = step.forEach;
      for (const item of [compute(list, this.#session.scope)].flat()) {
        this.#set(name, item);
        if (!(await this.#play(step.steps))) return false;
      }
    }
    return true;
  }

  async #playStep(step: Step): Promise<boolean> {
    const { scope } = this.#session;
    if (!step.require.every((condition) => isSo(condition, scope))) return false;
    const entry = await this.#session.play(step, new Map(this.#names));
    if (entry !== undefined) {
      scope.steps.set(step.id, entry.answer);
      this.#names.set(`${ofSteps}${step.id}`, entry.id);
    }
    if (!isExpected(step, entry?.answer, scope)) return false;
    scope.of(entry?.answer, () => {
      for (const [name, value] of Object.entries(step.capture)) this.#define(name, value);
    });
    const guest = this.#guest;
    this.#guest = undefined;
    if (guest !== undefined) {
      await new Player(this.#session).playAll(guest);
      remind(this.#session, this.#names);
    }
    return true;
  }

  #define(name: string, value: unknown): void {
    this.#set(name, compute(value, this.#session.scope));
  }

  #set(name: string, value: unknown): void {
    this.#names.set(name, value);
    this.#session.scope.set(name, value);
  }
}
