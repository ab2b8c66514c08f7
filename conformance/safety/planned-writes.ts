/**
 * Every call of one turn of a scenario that is not a read: the calls of its steps, and the engine's calls
 * that read and put back their objects. The list is known before the first call, so it is an upper limit.
 * Two turns may share one look, and an object that nothing has changed is not put back.
 */

import { brief, isObject } from '../../spec/base/json.ts';
import { operation as operationOf } from '../../spec/contract.ts';
import { markOfRun, type PlannedWrite } from '../judge/report.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import { compute, isSo } from '../language/compute.ts';
import { statusFits } from '../language/evaluate.ts';
import {
  allSteps,
  type Conditions,
  isWrite,
  type Scenario,
  type Step,
} from '../language/scenario.ts';
import { missingNames, type RunNames, ScenarioScope } from '../language/scope.ts';
import { attempt, resolve, type Scope, Unresolved } from '../language/template.ts';
import { type Bindings, worst } from '../language/vocabulary.ts';
import type { TenantObject } from '../target/call.ts';
import { type Guard, Unsafe } from '../target/guard.ts';
import { actorOf, callOf, nobody } from '../target/request.ts';
import type { Target } from '../target/target.ts';
import { movable } from '../vary/variation.ts';
import { restoringCredential } from './ask.ts';
import { type BoundObject, boundObjects, unboundName } from './bound-objects.ts';
import { markable, markBody } from './marks.ts';
import { isReading } from './restorer.ts';
import { staying } from './staying.ts';

export interface Planned {
  readonly write: PlannedWrite;
  readonly object: TenantObject;
  /** For a put-back: the state in which all calls of the turn leave the switch, if it is one state. */
  readonly switchedTo?: boolean | undefined;
  /**
   * The write is permitted but not announced: its `require` does not hold, or only a broken promise
   * makes it necessary.
   */
  readonly unlikely?: boolean;
}

/** A call of a step, with the facts that the step gives. */
interface Asked extends Planned {
  /** By the contract, the call only reads. */
  readonly reads: boolean;
  /** The tenant does not have its object. */
  readonly nowhere: boolean;
  /** The call asks for the state that the object has already. */
  readonly keeps: boolean;
  /** The state that the call asks of a switch. */
  readonly turns: boolean | undefined;
}

/** The writes; or the reason if one cannot be foreseen, or would touch a forbidden object. */
export function plannedWrites(
  scenario: Scenario,
  target: Target,
  names: RunNames,
  guard: Guard,
): readonly Planned[] | Circumstance {
  const scope = new ScenarioScope(target, names, 1, scenario.mark);
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  const isNowhere = nowhereOn(target.bindings, names.id);
  const asked: Asked[] = [];
  try {
    for (const steps of [scenario.steps, scenario.undo]) {
      let isOver = false;
      for (const step of writesIn(steps, scope)) {
        isOver ||= step.require.some((one) => attempt(() => isSo(one, scope)) === false);
        const made = isWrite(step) && askedBy(step, scenario, target, scope, isNowhere);
        if (!made) continue;
        mustBeBound(made.object, target, names.id);
        checkPeople(guard, step, scope);
        // An undo step with a condition undoes a change that breaks a promise.
        const unlikely = isOver || (steps === scenario.undo && step.require.length > 0);
        const times = step.mode?.kind === 'repeat' ? step.mode.times : 1;
        for (let time = 0; time < times; time++) asked.push({ ...made, unlikely });
      }
    }
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof Unsafe)) throw error;
    return { rule: 'unforeseen', reason: error.message };
  }
  const objects = Map.groupBy(asked, ({ object }) => object.key);
  return [...asked, ...objects.values().flatMap((calls) => engineWrites(calls, target))];
}

/** The steps that write or require something. For a loop, each item's steps, with the item in the scope. */
function* writesIn(steps: readonly Step[], scope: ScenarioScope): Generator<Step> {
  for (const step of steps) {
    const { forEach } = step;
    if (forEach === undefined) {
      if (isWrite(step) || step.require.length > 0) yield step;
      continue;
    }
    // A list of answers can only repeat reads: the loader refuses it around writes.
    if (!step.steps.some(containsWrite)) continue;
    for (const item of [compute(forEach.list, scope)].flat()) {
      scope.set(forEach.name, item);
      yield* writesIn(step.steps, scope);
    }
  }
}

function containsWrite(step: Step): boolean {
  return isWrite(step) || step.steps.some(containsWrite);
}

function askedBy(
  step: Step,
  scenario: Scenario,
  target: Target,
  scope: ScenarioScope,
  isNowhere: (object: TenantObject) => boolean,
): Asked | undefined {
  const object = plannedObject(step, scope);
  if (object === undefined) return undefined;
  const { text, key, operation, effect } = object;
  const statuses = expectedStatuses(step, scope);
  const body = step.body === undefined ? undefined : bodyOf(step.body, scope);
  const answer = answerOf(statuses);
  const nowhere = String(statuses) === '404' || isNowhere(object);
  const stays = answer === 'refused' || nowhere ? [] : staying(object, body);
  // A reference that only the run can resolve means nothing to a reader of the plan.
  const leaves = stays.map((name) => (/^\{[^{}]*\}$/.test(name) ? 'somebody made up' : name));
  return {
    object,
    reads: isReading(object, body),
    nowhere,
    keeps: asksForWhatIs(object, step, scenario),
    turns: switchIn(object, body),
    write: {
      ...{ scenario: scenario.title, step: step.id, operation: operation?.id ?? key, object: text },
      // The address decides the effect of a call, whatever the scenario says.
      effect: worst([step.effect, effect]),
      actor: attempt(() => actorOf(step.as, target.credentials, scope).label) ?? 'header',
      sends: brief(body ?? step.rawBody, 200, 'nothing'),
      ...{ answer, ...(leaves.length > 0 && { leaves }) },
    },
  };
}

/** The object of a write; only the fields of the body that name it are known by now. */
function plannedObject(step: Step, scope: ScenarioScope): TenantObject | undefined {
  const names = step.operation?.object?.fields ?? [];
  const fields = Object.entries(isObject(step.body) ? step.body : {});
  const named = Object.fromEntries(fields.filter(([name]) => names.includes(name)));
  const body = step.rawBody === undefined ? named : undefined;
  const bare = { ...step, query: {}, headers: {}, body };
  return callOf(bare, nobody, scope).object;
}

/** Whether no object in the tenant has this name, or it belongs to another deployment than the path says. */
function nowhereOn(bindings: Bindings, runId: string): (object: TenantObject) => boolean {
  const missing = Object.values(missingNames(runId)).map(String);
  const valuesOf = (names: Iterable<string>): Set<string> =>
    new Set([...names].flatMap((name) => Object.values(bindings[name] ?? {}).map(String)));
  const [own, foreign] = [valuesOf(movable.keys()), valuesOf(movable.values())];
  return ({ parameters, fields }) => {
    const named = new Set(Object.values({ ...parameters, ...fields }).map(String));
    const [here, there] = [named.intersection(own), named.intersection(foreign)];
    return (
      missing.some((name) => named.has(name)) ||
      (!here.isSubsetOf(foreign) && !there.isSubsetOf(own))
    );
  };
}

/** Whether a body holds the state that an earlier step has read, with the contract's way to read it. */
function asksForWhatIs({ operation }: TenantObject, { body }: Step, { steps }: Scenario): boolean {
  const { read, find = {} } = operation?.restore ?? {};
  const filter = Object.entries(find).map(([field, value]) => `[${field}=${String(value)}]`);
  const shown = [...allSteps(steps)].flatMap((one) =>
    one.operation?.id === read?.call
      ? Object.entries(one.capture).filter(([, from]) => String(from).includes(filter.join('')))
      : [],
  );
  const names = shown.map(([name]) => name);
  const sent = isObject(body) ? Object.values(body) : [];
  const isShown = (value: unknown): boolean =>
    typeof value === 'string' && names.includes(/^v?\{([\w-]+)[.\w]*\}$/.exec(value)?.[1] ?? '');
  return filter.length > 0 && sent.length > 0 && sent.every(isShown);
}

/** The state that a body asks of a switch, if a single field puts the object back. */
function switchIn({ operation }: TenantObject, body: unknown): boolean | undefined {
  const [field = '', ...others] = Object.keys(operation?.restore?.put ?? {});
  const value = others.length === 0 && isObject(body) ? body[field] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

/** The body of a step. If the value of a field comes from an answer, the field keeps its reference. */
function bodyOf(written: unknown, scope: Scope): unknown {
  const whole = attempt(() => resolve(written, scope));
  if (whole !== undefined || !isObject(written)) return whole ?? written;
  const fields = Object.entries(written);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, attempt(() => resolve(value, scope)) ?? value]),
  );
}

const someStatuses = [200, 201, 202, 204, 400, 401, 403, 404, 409, 422];

/** The statuses that the step's checks, its `expect` and its observed choices permit. */
function expectedStatuses({ checks, expect, observes }: Step, scope: Scope): readonly number[] {
  const all = [expect, ...checks.map(({ conditions }) => conditions)];
  const wanted = all.flatMap((one) => (one === undefined ? [] : wantedIn(one, scope)));
  const choices = observes.map(({ cases }) =>
    Object.values(cases).map((one) => wantedIn(one, scope)[0]),
  );
  // If a choice names no status, any status is possible.
  const told = choices.filter((some) => some.length > 0 && !some.includes(undefined));
  return someStatuses.filter((status) =>
    [...wanted, ...told].every((one) => statusFits(status, one)),
  );
}

/** The statuses that conditions want, as a list; empty if they want none. */
function wantedIn(conditions: Conditions, scope: Scope): readonly unknown[] {
  // A condition on the body means the body of a success.
  if (!('status' in conditions)) return 'body' in conditions ? ['2xx'] : [];
  const status = attempt(() => resolve(conditions.status, scope));
  return status === undefined ? [] : [status];
}

function answerOf(statuses: readonly number[]): PlannedWrite['answer'] {
  const accepted = statuses.filter((status) => status < 400);
  if (statuses.length > 0 && accepted.length === 0) return 'refused';
  return accepted.length > 0 && accepted.length === statuses.length ? 'accepted' : 'open';
}

/** Throws Unsafe for an object of a tenant that the tenant file does not bind. No tenant has a made-up one. */
function mustBeBound(object: TenantObject, { kind, bindings }: Target, runId: string): void {
  const name = kind === 'mock' ? undefined : unboundName(object, bindings);
  if (name === undefined || name.includes(runId)) return;
  if (name === String(missingNames(runId).id)) return;
  throw new Unsafe(`the tenant file does not bind ${name}, the object of a write`);
}

/** Throws Unsafe if a write would reach somebody who has not agreed to it. */
function checkPeople(guard: Guard, step: Step, scope: ScenarioScope): void {
  if (step.operation?.people === undefined) return;
  // A person whom an earlier answer names is checked when the call is sent.
  attempt(() => guard.checkPeople(callOf({ ...step, query: {}, headers: {} }, nobody, scope)));
}

/** The engine's own writes for one object of a turn (`protect.ts`, `put-back.ts`). */
function engineWrites(calls: readonly Asked[], target: Target): readonly Planned[] {
  const writing = calls.filter(({ reads, unlikely }) => !reads && unlikely !== true);
  const [first] = writing;
  const restore = first?.object.operation?.restore;
  if (first === undefined || restore === undefined) return [];
  const { object, write } = first;
  const made = (kind: PlannedWrite['kind'], step: string, sends: string): Planned => {
    const actor = restoringCredential(target) ?? 'none';
    return { object, write: { ...write, step, kind, sends, actor, answer: 'accepted' } };
  };
  const looks = operationOf(restore.read.call).effect !== 'none';
  const look = (step: 'protect' | 'restore'): Planned[] =>
    looks ? [made('look', step, brief(restore.read.body))] : [];
  if (writing.every(({ nowhere }) => nowhere)) return look('protect');
  const after = target.kind === 'mock' ? [] : look('restore');
  // In a mock's own world everything that was written is put back.
  const changing = writing.filter(
    ({ keeps, write: { answer } }) => (!keeps || target.kind === 'mock') && answer !== 'refused',
  );
  if (changing.length === 0) return [...look('protect'), ...after];
  const states = new Set(changing.map(({ turns }) => turns));
  const last = changing.at(-1);
  const switchedTo =
    states.size === 1 || last?.write.answer === 'accepted' ? last?.turns : undefined;
  const back = { ...made('put-back', 'restore', 'its earlier state'), switchedTo };
  return [...look('protect'), ...after, back, ...after];
}

/** Reads the objects before the run, some of them by an update that changes nothing (`preflight.ts`). */
export function preflightLooks(target: Target, guard: Guard): readonly Planned[] {
  const seen = new Set<string>();
  return boundObjects(target.bindings).flatMap((bound) => {
    const { object } = bound;
    const body = object.operation?.restore?.read.body;
    if (seen.has(object.key) || !guard.isPermitted(object) || !isReading(object, body)) return [];
    seen.add(object.key);
    return [engineWrite('preflight', bound, target, brief(body), 'look')];
  });
}

/** The engine's calls that write the mark of the run, look for it, and take it away (`run-mark.ts`). */
export function markWrites(
  target: Target,
  planned: readonly Planned[],
  runId: string,
): readonly Planned[] {
  const bound = markable(target.bindings);
  if (target.kind === 'mock' || planned.length === 0 || bound === undefined) return [];
  const made = (sends: string, kind?: PlannedWrite['kind']): Planned =>
    engineWrite(markOfRun, bound, target, sends, kind);
  const look = made(brief(bound.object.operation?.restore?.read.body), 'look');
  const put = made(brief(markBody(bound.object, runId)));
  return [look, put, look, look, made('its earlier state', 'put-back'), look];
}

function engineWrite(
  scenario: string,
  { binding: step, object }: BoundObject,
  target: Target,
  sends: string,
  kind?: PlannedWrite['kind'],
): Planned {
  const { operation, key, text, effect } = object;
  const actor = restoringCredential(target) ?? 'none';
  const what = { operation: operation?.id ?? key, object: text, effect, actor, sends };
  return { object, write: { scenario, step, ...what, answer: 'accepted', ...(kind && { kind }) } };
}

/**
 * The writes of all turns: the most that can happen. A switch was either on or off before, so only turns
 * that leave it in the other state are put back. A mock's world is the run's own: each object is read once.
 */
export function atMost(all: readonly Planned[], { kind }: Target): PlannedWrite[] {
  const switched = Map.groupBy(
    all,
    ({ object, switchedTo }) => switchedTo !== undefined && object.key,
  );
  switched.delete(false);
  const unneeded = [...switched.values()].flatMap((backs) => {
    const [on, off] = [true, false].map((state) =>
      backs.filter(({ switchedTo }) => switchedTo === state),
    );
    return (on ?? []).length < (off ?? []).length ? on : off;
  });
  const never = new Set(unneeded);
  const seen = new Set<string>();
  return all.flatMap((planned) => {
    const { write, object } = planned;
    const again = kind === 'mock' && write.kind === 'look' && seen.has(object.key);
    if (write.kind === 'look') seen.add(object.key);
    return again || planned.unlikely || never.has(planned) ? [] : [write];
  });
}
