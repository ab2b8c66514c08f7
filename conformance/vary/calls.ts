/** Finds the ways in which each call of a scenario can be made on a target, and the promises they test. */

import { isSo } from '../language/compute.ts';
import {
  allSteps,
  type Caller,
  type Check,
  everyStep,
  isWrite,
  type Scenario,
  type Step,
  type Whole,
} from '../language/scenario.ts';
import { type Known, ScenarioScope } from '../language/scope.ts';
import { attempt, referencesIn } from '../language/template.ts';
import { callerOf } from '../language/vocabulary.ts';
import { rewrites } from './rewrites.ts';
import { hasFreeText } from './texts.ts';
import { movable, varied } from './variation.ts';

/** Facts about a target that are known before the first call. */
export interface Place extends Known {
  readonly kind: 'mock' | 'tenant';
}

/** A step that makes an operation's call in the usual way. */
export interface Call {
  readonly step: Step;
  /** The callers that may make it; undefined if the scenario names its caller. */
  readonly callers: readonly Caller[] | undefined;
  /**
   * Whether the answer depends on the caller. Then all calls of the operation need the same caller.
   */
  readonly own: boolean;
  /** Whether the call sends a text that the run may choose freely. */
  readonly free: boolean;
  /** The names of the rewrites that apply to the call. */
  readonly rewritten: readonly string[];
  /**
   * Checks of promises of the operation: those of this answer, here or in a later step. If the step is a
   * write, also all checks up to the next write.
   */
  readonly checks: readonly Check[];
}

export interface Calls {
  readonly scenario: Scenario;
  readonly calls: readonly Call[];
  /** Whether the scenario can also be played in the other deployment. */
  readonly movable: boolean;
  /** The approximate number of requests of one attempt. */
  readonly cost: number;
}

/** The ways in which a scenario can be played on a target. */
export function callsOf(scenario: Scenario, { callers, aboutCallers }: Whole, place: Place): Calls {
  const scope = scopeOf(place);
  const steps = [...allSteps(reachable(scenario, place))];
  const mayCall = ({ credential, require }: Caller): boolean =>
    place.credentials.has(credential) &&
    (require === undefined || attempt(() => isSo(require, scope)) === true);
  const freeText = hasFreeText(scenario);
  const calls = steps.flatMap((step, index): Call[] => {
    const { operation, method, unspecified, plain } = step;
    if (operation === undefined || method !== undefined || unspecified || plain) return [];
    const usual =
      step.as === callerOf(operation) &&
      step.checks.every(({ statement }) => !aboutCallers.has(statement));
    const eligible = (callers.get(operation.id) ?? [])
      .filter((caller) => mayCall(caller) && isInScope(caller, step, place))
      .filter((caller) => caller.edits !== true || mayEdit(caller, step, place))
      .map((caller) => ({ ...caller, here: caller.edits === true || isScoped(caller, place) }));
    return [
      {
        step,
        callers: usual && eligible.length > 1 ? eligible : undefined,
        own: !operation.path.includes('{'),
        free: freeText && isWrite(step),
        rewritten: Object.keys(rewrites).filter((name) => fits(name, step, place)),
        checks: judging(steps, index).filter(
          ({ statement }) =>
            operation.statements.includes(statement) || aboutCallers.has(statement),
        ),
      },
    ];
  });
  return { scenario, calls, movable: isMovable(scenario, steps, place), cost: costOf(scenario) };
}

/** The approximate number of requests that an attempt of a scenario makes. */
export function costOf(scenario: Scenario): number {
  return everyStep(scenario).reduce((sum, step) => sum + costOfStep(step), 0);
}

/** The checks that test a step. */
function judging(steps: readonly Step[], index: number): readonly Check[] {
  const own = steps[index];
  if (own === undefined) return [];
  const next = steps.findIndex((step, at) => at > index && isWrite(step));
  const end = next === -1 ? undefined : next;
  const checks = isWrite(own)
    ? steps.slice(index, end).flatMap((step) => step.checks)
    : own.checks.filter((check) => judged(check, own).has(own.id));
  const later = steps.slice(index + 1).flatMap((step) => {
    return step.checks.filter((check) => judged(check, step).has(own.id));
  });
  return [...new Set([...checks, ...later])];
}

const ownAnswer = /\{(?:status|headers|media|body|text|csv|walk|list|answers|shape)\b/;

/** The steps whose answers a check is about: its own, unless it only looks at values of others (`that`). */
function judged({ conditions }: Check, step: Step): ReadonlySet<string> {
  const { that, ...others } = conditions;
  const text = JSON.stringify(that ?? {});
  const named = [...text.matchAll(/\{steps\.([\w-]+)/g)].map(([, id = '']) => id);
  const isOwn = named.length === 0 || Object.keys(others).length > 0 || ownAnswer.test(text);
  return new Set(isOwn ? [...named, step.id] : named);
}

/** Whether the tenant file says that a caller may edit the object of a call. */
function mayEdit({ credential }: Caller, { operation, path }: Step, place: Place): boolean {
  const { bindings, credentials } = place;
  const named = String(path[operation?.requires.edit ?? ''] ?? '');
  const { id, numericId } = bindings[named.slice(1).split('.')[0] ?? ''] ?? {};
  const ids = [id, numericId].map(String);
  const { edits = [] } = credentials.get(credential)?.claims ?? {};
  return edits.some((one) => ids.includes(String(one)));
}

const isScoped = ({ credential }: Pick<Caller, 'credential'>, { credentials }: Place): boolean =>
  credentials.get(credential)?.claims?.deployments !== undefined;

/** Whether the caller's key opens only some deployments. */
const isOfScope = ({ as }: Step, place: Place): boolean =>
  [...place.credentials.keys()].some(
    (credential) =>
      isScoped({ credential }, place) &&
      (as === credential || String(JSON.stringify(as)).includes(`{credentials.${credential}`)),
  );

/**
 * Whether a key has access: a scoped key opens only its deployments, and is not known to open a
 * missing one.
 */
function isInScope({ credential }: Caller, { path }: Step, { bindings, credentials }: Place) {
  const { deployments } = credentials.get(credential)?.claims ?? {};
  if (deployments === undefined) return true;
  const { id, numericId } = bindings.deployment ?? {};
  const named = deployments.some((one) => [id, numericId].map(String).includes(String(one)));
  const own = Object.values(path).some((value) => String(value).startsWith('{deployment.'));
  return named && own;
}

/** Whether a rewrite changes a step, and the target has the objects that it then names. */
function fits(name: string, step: Step, { bindings }: Place): boolean {
  const made = rewrites[name]?.of(step);
  if (made === undefined) return false;
  return Object.values(Object(made.body) as object)
    .flatMap((value) => (typeof value === 'string' ? referencesIn(value) : []))
    .every((text) => {
      const [root = '', field = ''] = text.split('.');
      return bindings[root] === undefined || bindings[root][field] !== undefined;
    });
}

const names = /\{(\w+)(?:\.(?:id|numericId|name))?\}/g;

/** Whether the other deployment has everything that a scenario names of the deployment. */
function isMovable(scenario: Scenario, steps: readonly Step[], place: Place): boolean {
  const { bindings } = place;
  const own = steps.map(({ path, query, body, checks, capture }) => [
    path,
    query,
    body,
    checks,
    capture,
  ]);
  const text = JSON.stringify([scenario.let, own]);
  const named = new Set([...text.matchAll(names)].map(([, name = '']) => name));
  const bound = [...named].filter((name) => name in bindings);
  return (
    named.has('deployment') &&
    bound.every((name) => bindings[movable.get(name) ?? ''] !== undefined) &&
    // A scoped key has no promise in another deployment.
    !steps.some((step) => isOfScope(step, place)) &&
    // A user who may edit here has no promise there either.
    isReachableElsewhere(scenario, place) &&
    // The tenant file permits a restart only of the one deployment.
    scenario.effect !== 'disruptive'
  );
}

/** Whether the tenant file says that the other deployment meets each `require`. */
function isReachableElsewhere(scenario: Scenario, place: Place): boolean {
  const { steps } = varied(scenario, { elsewhere: true }, undefined);
  return reachable({ steps }, place).length === steps.length;
}

/**
 * The steps before the first step with a `require` that certainly does not hold on the target, such as
 * one that asks for a mock.
 */
function reachable({ steps }: Pick<Scenario, 'steps'>, place: Place): readonly Step[] {
  const scope = scopeOf(place);
  const isUnmet = ({ require }: Step): boolean =>
    require.some((one) => attempt(() => isSo(one, scope)) === false);
  const end = steps.findIndex((step) => [...allSteps([step])].some(isUnmet));
  return end === -1 ? steps : steps.slice(0, end);
}

const scopeOf = (place: Place): ScenarioScope =>
  new ScenarioScope(place, { id: '', startedAt: '' });

const pagesOfAWalk = 4;
const itemsOfAList = 8;
const pollsOfAWait = 5;

/** The approximate number of requests that a step makes. */
function costOfStep({ operation, request, mode, timing, forEach, steps }: Step): number {
  if (forEach !== undefined) {
    const times = Array.isArray(forEach.list) ? forEach.list.length : itemsOfAList;
    return (times - 1) * steps.reduce((sum, step) => sum + costOfStep(step), 0);
  }
  if (operation === undefined && request === undefined) return 0;
  const calls = mode?.kind === 'repeat' ? mode.times : mode === undefined ? 1 : pagesOfAWalk;
  return calls * (timing === undefined ? 1 : pollsOfAWait);
}
