/**
 * What a run will do, before it does anything: which scenarios can run on this target, in which order
 * and how often, every write they will make, and the guard that lets through these writes and no others.
 */

import { isObject } from '../../spec/base/json.ts';
import { Random } from '../../spec/base/random.ts';
import type { Effect } from '../../spec/contract.ts';
import type { PlannedWrite, PreflightFinding, RunOptions, Variation } from '../judge/report.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import { compute } from '../language/compute.ts';
import {
  allSteps,
  everyStep,
  isWrite,
  type Scenario,
  type Step,
  type Suite,
  type Whole,
} from '../language/scenario.ts';
import { type RunNames, ScenarioScope } from '../language/scope.ts';
import { attempt, Unresolved } from '../language/template.ts';
import { credentialNames, featureNames, worse, worst } from '../language/vocabulary.ts';
import type { TenantObject } from '../target/call.ts';
import { Guard, Unsafe } from '../target/guard.ts';
import { actorOf, callOf, nobody } from '../target/request.ts';
import type { Target } from '../target/target.ts';
import { type Cover, coverOf } from '../vary/cover.ts';
import { needsOf, plain, varied } from '../vary/variation.ts';

export interface Plan {
  readonly run: readonly Scenario[];
  readonly skipped: readonly Skipped[];
  readonly writes: readonly PlannedWrite[];
  readonly guard: Guard;
  readonly turns: Turns;
}

/** How the turns of a run are varied. */
export interface Turns {
  /** Of each scenario, by its title: the variations of its turns. */
  readonly first: ReadonlyMap<string, readonly Variation[]>;
  /** Absent if nothing is varied. */
  readonly cover?: Cover | undefined;
  /** Whether what a variation needs is as the tenant file says. */
  readonly isFit?: (variation: Variation) => boolean;
  readonly callers?: Whole['callers'] | undefined;
}

export interface Skipped {
  readonly scenario: Scenario;
  readonly why: Circumstance;
}

interface Planned {
  readonly write: PlannedWrite;
  readonly object: TenantObject;
}

export function makePlan(
  { scenarios, whole }: Pick<Suite, 'scenarios' | 'whole'>,
  target: Target,
  { allow, tries = 1, soakMs = 0 }: Pick<RunOptions, 'allow' | 'tries' | 'soakMs'>,
  names: RunNames,
): Plan {
  const guard = new Guard(target.bindings, names.id);
  const cover = whole && coverFor(whole, target, allow);
  const first = new Map<string, readonly Variation[]>();
  const run: Scenario[] = [];
  const skipped: Skipped[] = [];
  const writes: PlannedWrite[] = [];
  for (const scenario of scenarios) {
    const planned =
      whySkipped(scenario, target, allow) ?? plannedWrites(scenario, target, names, guard);
    if ('rule' in planned) {
      skipped.push({ scenario, why: planned });
      continue;
    }
    const effect = worst(planned.map(({ write }) => write.effect));
    if (worse(effect, allow)) {
      skipped.push({ scenario, why: { rule: 'not-allowed', effect } });
      continue;
    }
    run.push(scenario);
    const plans = new Map([[plain, planned]]);
    const planOf = (variation: Variation): readonly Planned[] | undefined => {
      // No variation adds a write to a scenario that has none.
      if (planned.length === 0) return planned;
      const known = plans.get(variation);
      if (known !== undefined) return known;
      const made = plannedWrites(varied(scenario, variation, whole?.callers), target, names, guard);
      if ('rule' in made) return undefined;
      plans.set(variation, made);
      return made;
    };
    const turns = (cover?.turns(scenario) ?? [plain]).map((variation) =>
      planOf(variation) === undefined ? plain : variation,
    );
    first.set(scenario.title, turns);
    writes.push(...turns.flatMap((one) => planOf(one) ?? []).map(({ write }) => write));
    const more = tries > 1 || soakMs > 0 ? cover?.more(scenario) : undefined;
    const apart = turns.flatMap((one) => cover?.apart(scenario, one) ?? []);
    for (const one of [...apart, ...(more ?? [])]) planOf(one);
    for (const { object } of [...plans.values()].flat()) guard.permit(object);
  }
  return { run, skipped, writes, guard, turns: { first, cover, callers: whole?.callers } };
}

const covers = new WeakMap<Whole, Map<string, Cover>>();

/** The same target and the same permission give the same cover, however the run is narrowed. */
function coverFor(whole: Whole, target: Target, allow: Effect): Cover {
  const claims = [...target.credentials].map(([name, item]) => [name, item.claims]);
  const key = JSON.stringify([target.kind, allow, claims, target.bindings, target.features]);
  const known = covers.get(whole) ?? new Map<string, Cover>();
  covers.set(whole, known);
  const cover =
    known.get(key) ??
    coverOf(whole, target, {
      mayRun: (scenario) => whySkipped(scenario, target, allow) === undefined,
      mayRepeat: (scenario) => mayRepeat(scenario, target),
    });
  known.set(key, cover);
  return cover;
}

/** The scenarios that a run is narrowed to. */
export function select(
  scenarios: readonly Scenario[],
  { only, leftOut = [] }: Pick<RunOptions, 'only' | 'leftOut'>,
): Scenario[] {
  const wanted = scenarios.filter(
    ({ statements, standing }) =>
      only.length === 0 || only.some((id) => statements.has(id) || standing.has(id)),
  );
  return wanted.filter(({ title }) => !leftOut.includes(title));
}

/** The part of a plan that can run. A scenario is left out if the preflight contradicts one of its needs. */
export function fitting({ run, skipped, turns }: Plan, findings: readonly PreflightFinding[]) {
  const unfit = run.flatMap((scenario): Skipped[] => {
    const found = findings.filter(
      ({ name, judged }) =>
        judged !== true &&
        scenario.needs.some((need) => need === name || need.startsWith(`${name}.`)),
    );
    if (found.length === 0) return [];
    const reason = found.map((item) => `${item.name}: ${item.message}`).join('; ');
    return [{ scenario, why: { rule: 'contradiction', reason } }];
  });
  const left = new Set(unfit.map(({ scenario }) => scenario));
  const wrong = new Set(findings.map(({ name }) => name.split('.')[0] ?? ''));
  const isFit = (variation: Variation): boolean =>
    needsOf(variation, turns.callers ?? new Map()).isDisjointFrom(wrong);
  const first = new Map(
    [...turns.first].map(([title, all]) => [title, all.map((one) => (isFit(one) ? one : plain))]),
  );
  return {
    run: run.filter((scenario) => !left.has(scenario)),
    skipped: [...skipped, ...unfit],
    turns: { ...turns, first, isFit },
  };
}

function whySkipped(
  { needs, effect }: Scenario,
  target: Target,
  allow: Effect,
): Circumstance | undefined {
  for (const feature of needs) {
    const says = target.features[feature];
    if (featureNames.includes(feature) && (says === false || says === 'absent'))
      return { rule: 'feature-off', feature, says: String(says) };
  }
  for (const need of needs) {
    const feature = need.slice(1);
    if (need.startsWith('!') && target.features[feature] !== 'absent')
      return { rule: 'feature-there', feature };
  }
  const lacking = needs.flatMap((need) => missingFor(need, target) ?? []);
  if (lacking.length > 0) return { rule: 'need-missing', reason: lacking.join('; ') };
  return worse(effect, allow) ? { rule: 'not-allowed', effect } : undefined;
}

/** What of a need a target does not have. */
export function missingFor(need: string, target: Target): string | undefined {
  if (need === 'https') {
    return target.baseUrl.startsWith('https:') ? undefined : 'the target is plain HTTP';
  }
  if (featureNames.includes(need) || need.startsWith('!')) return undefined;
  if (credentialNames.includes(need)) {
    return target.credentials.has(need) ? undefined : `there is no credential ${need}`;
  }
  const [name = '', field] = need.split('.');
  const binding = target.bindings[name];
  if (binding === undefined) return `the tenant file binds no ${name}`;
  if (field !== undefined && (binding[field] === undefined || binding[field] === null)) {
    return `the binding ${name} has no ${field}`;
  }
  return undefined;
}

/** The writes; or that one cannot be foreseen, or would touch what the run must not touch. */
function plannedWrites(
  scenario: Scenario,
  target: Target,
  names: RunNames,
  guard: Guard,
): readonly Planned[] | Circumstance {
  const scope = new ScenarioScope(target, names);
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  const found: Planned[] = [];
  try {
    for (const step of writesIn([...scenario.steps, ...scenario.undo], scope)) {
      const object = plannedObject(step, scope);
      if (object === undefined) continue;
      checkPeople(guard, step, scope);
      const { text, key, operation, effect } = object;
      const write = {
        ...{ scenario: scenario.title, step: step.id, operation: operation?.id ?? key },
        // The address itself says what a call does, however a scenario puts it together.
        ...{
          object: text,
          effect: worst([step.effect, effect]),
          actor: attempt(() => actorOf(step.as, target.credentials, scope).label) ?? 'header',
        },
      };
      found.push({ object, write });
    }
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof Unsafe)) throw error;
    return { rule: 'unforeseen', reason: error.message };
  }
  return found;
}

/** The steps that write; those of a loop for each item, which the scope names meanwhile. */
function* writesIn(steps: readonly Step[], scope: ScenarioScope): Generator<Step> {
  for (const step of steps) {
    const { forEach } = step;
    if (forEach === undefined) {
      if (isWrite(step)) yield step;
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

/** The object of a write; not all of its body is known by now, only the fields that name it. */
function plannedObject(step: Step, scope: ScenarioScope): TenantObject | undefined {
  const names = step.operation?.object?.fields ?? [];
  const fields = Object.entries(isObject(step.body) ? step.body : {});
  const named = Object.fromEntries(fields.filter(([name]) => names.includes(name)));
  const body = step.rawBody === undefined ? named : undefined;
  const bare = { ...step, query: {}, headers: {}, body };
  return callOf(bare, nobody, scope).object;
}

/** Throws Unsafe where a write would reach somebody who has not agreed to it. */
function checkPeople(guard: Guard, step: Step, scope: ScenarioScope): void {
  if (step.operation?.people === undefined) return;
  // A person that an earlier answer names is looked at when the call is sent.
  attempt(() => guard.checkPeople(callOf({ ...step, query: {}, headers: {} }, nobody, scope)));
}

/**
 * Whether a scenario may run again: on a mock's own world any, on a tenant what is idempotent. A
 * promise that is broken now and then shows only in many tries.
 */
export function mayRepeat(scenario: Scenario, { kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'mock' || (scenario.effect !== 'disruptive' && isIdempotent(scenario));
}

/** Whether a scenario may run once more, if that makes sure who has done something. */
export function isIdempotent(scenario: Scenario): boolean {
  if (scenario.effect === 'permanent') return false;
  return everyStep(scenario).every(
    ({ operation, request }) => request === undefined && operation?.idempotent !== false,
  );
}

type Order = (turns: readonly Scenario[]) => Scenario[];

/** By title, where titles are given; else mixed by a seed; else the same each time, what writes most first. */
export function orderOf(seed: number | undefined, titles: readonly string[] | undefined): Order {
  if (titles !== undefined) {
    const places = new Map(titles.map((title, index) => [title, index]));
    const placeOf = ({ title }: Scenario): number => places.get(title) ?? Infinity;
    return (turns) => turns.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
  if (seed === undefined) {
    return (turns) => turns.toSorted((a, b) => b.writes.size - a.writes.size);
  }
  const random = new Random(seed);
  // What waits while it has an area for itself is the longest chain, so it begins at once.
  return (turns) => random.shuffled(turns).toSorted((a, b) => weight(b) - weight(a));
}

/**
 * The more a scenario watches an area that it has for itself, the sooner it begins. Who wants several
 * would keep all of them waiting until the last is free, so it comes late; who only reads is last.
 */
function weight({ steps, writes }: Scenario): number {
  if (writes.size !== 1) return writes.size === 0 ? 0 : 0.5;
  const watches = [...allSteps(steps)].filter(({ timing }) => timing?.kind === 'throughout');
  return 1 + watches.length;
}
