/**
 * The plan of a run: the scenarios that can run on this target, their order and number, and every write
 * that they will make. The plan also makes the guard, which lets through these writes and no others.
 */

import { Random } from '../../spec/base/random.ts';
import type { Effect } from '../../spec/contract.ts';
import { inCircumstance, type ScenarioRecord, type TurnRecord } from '../judge/record.ts';
import type { PlannedWrite, PreflightFinding, RunOptions, Variation } from '../judge/report.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import {
  allSteps,
  countsOthers,
  everyStep,
  type Scenario,
  type Suite,
  type Whole,
} from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import { credentialNames, dependsOn, featureNames, worse, worst } from '../language/vocabulary.ts';
import { Guard } from '../target/guard.ts';
import type { Target } from '../target/target.ts';
import { costOf } from '../vary/calls.ts';
import { type Cover, coverOf } from '../vary/cover.ts';
import { movable, needsOf, plain, varied } from '../vary/variation.ts';
import {
  atMost,
  markWrites,
  type Planned,
  plannedWrites,
  preflightLooks,
} from './planned-writes.ts';

export interface Plan {
  readonly run: readonly Scenario[];
  readonly skipped: readonly Skipped[];
  /** Every call that is not a read, also the calls that read and put back objects. */
  readonly writes: readonly PlannedWrite[];
  /** The most writes that each round of a soak adds to them; 0 without a soak. */
  readonly soakWrites: number;
  /** The approximate number of requests. */
  readonly requests: number;
  /** The number of waits, one after the other, that last as long as a change may take to show. */
  readonly waits: number;
  readonly guard: Guard;
  readonly turns: Turns;
}

/** How the turns of a run are varied. */
export interface Turns {
  /** The variations of each scenario's turns, by the scenario's title. */
  readonly first: ReadonlyMap<string, readonly Variation[]>;
  /** Absent if nothing is varied. */
  readonly cover?: Cover | undefined;
  /** Whether those claims of the tenant file hold that a variation needs. */
  readonly isFit?: (variation: Variation) => boolean;
  readonly callers?: Whole['callers'] | undefined;
}

export interface Skipped {
  readonly scenario: Scenario;
  readonly why: Circumstance;
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
  const writes: Planned[] = [];
  let requests = 0;
  let soakWrites = 0;
  /** The most requests that a scenario makes if the others make too few. */
  let atLeast = 0;
  const waits = new Map<string, number>();
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
      // Variations do not add writes to a scenario that has none.
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
    const more = tries > 1 || soakMs > 0 ? (cover?.more(scenario) ?? [plain]) : [];
    const again = mayRepeat(scenario, target) ? Math.max(0, tries - turns.length) : 0;
    if (soakMs > 0 && mayRepeat(scenario, target)) soakWrites += planned.length;
    const all = [
      ...turns,
      ...Array.from({ length: again }, (_, index) => more[index % more.length] ?? plain),
    ];
    if (target.kind === 'tenant' && scenario.steps.some(countsOthers))
      atLeast = Math.max(atLeast, costOf(scenario));
    else requests += all.length * costOf(scenario);
    for (const area of scenario.writes)
      waits.set(area, (waits.get(area) ?? 0) + all.length * waitsOf(scenario));
    writes.push(...all.flatMap((one) => planOf(one) ?? []));
    const apart = turns.flatMap((one) => cover?.apart(scenario, one) ?? []);
    for (const one of [...apart, ...more]) planOf(one);
    for (const { object } of [...plans.values()].flat()) guard.permit(object);
  }
  const mark = markWrites(target, writes, names.id);
  for (const { object } of mark) guard.permit(object);
  writes.unshift(...preflightLooks(target, guard), ...mark);
  const turns = { first, cover, callers: whole?.callers };
  const most = atMost(writes, target);
  return {
    ...{ run, skipped, writes: most, soakWrites, guard, turns },
    // Each write is a request, and those that read and put back objects are not in the cost of a scenario.
    ...{ requests: Math.max(requests, atLeast, most.length) },
    ...{ waits: Math.max(0, ...waits.values()) },
  };
}

/** The number of times that a scenario waits for something that must not show, or for a restart. */
function waitsOf({ steps, effect }: Scenario): number {
  const waits = [...allSteps(steps)].filter(({ timing }) =>
    timing?.kind === 'throughout'
      ? timing.for === undefined
      : timing !== undefined && effect === 'disruptive',
  );
  return waits.length;
}

const covers = new WeakMap<Whole, Map<string, Cover>>();

/** The same target and permission give the same cover, also if the run is narrowed. */
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

/** The scenarios of a narrowed run. */
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
    const why = contradictionIn(scenario.needs, findings);
    return why === undefined ? [] : [{ scenario, why }];
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

function contradictionIn(
  needs: readonly string[],
  findings: readonly PreflightFinding[],
): Circumstance | undefined {
  const found = findings.filter(({ name, judged }) => judged !== true && dependsOn(needs, name));
  if (found.length === 0) return undefined;
  const reason = found.map((item) => `${item.name}: ${item.message}`).join('; ');
  return { rule: 'contradiction', reason };
}

/**
 * A claim of the tenant file may prove wrong during the run. Then the turns whose variation needs it say
 * nothing about the target.
 */
export function withoutContradicted(
  record: ScenarioRecord,
  { needs }: Pick<Scenario, 'needs'>,
  findings: readonly PreflightFinding[],
  { callers = new Map() }: Turns,
): ScenarioRecord {
  const elsewhere = new Set(movable.values());
  const moved = new Set(needs.map((need) => movable.get(need.split('.')[0] ?? '')));
  const turns = record.turns.map((turn): TurnRecord => {
    const all = turn.varied === undefined ? [] : [...needsOf(turn.varied.variation, callers)];
    const own = all.filter((name) => !elsewhere.has(name) || moved.has(name));
    const why = contradictionIn(own, findings);
    if (why === undefined) return turn;
    const checks = turn.first.checks.map((check) => inCircumstance(check, why));
    const first = { ...turn.first, checks, observations: [], eventually: [] };
    return { ...turn, first, explained: new Map() };
  });
  return { ...record, turns };
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
  if (lacking.length > 0) return { rule: 'need-missing', reason: [...new Set(lacking)].join('; ') };
  return worse(effect, allow) ? { rule: 'not-allowed', effect } : undefined;
}

/** The part of a need that a target does not have. */
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

/**
 * Whether a scenario may run again. On a mock's own world every scenario may; on a tenant only an idempotent
 * one. Repetition finds a promise that is broken now and then.
 */
export function mayRepeat(scenario: Scenario, { kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'mock' || (scenario.effect !== 'disruptive' && isIdempotent(scenario));
}

/** Whether a scenario may run once more, to find out who made a change. */
export function isIdempotent(scenario: Scenario): boolean {
  if (scenario.effect === 'permanent') return false;
  return everyStep(scenario).every(
    ({ operation, request }) => request === undefined && operation?.idempotent !== false,
  );
}

type Order = (turns: readonly Scenario[]) => Scenario[];

/** Order by title, if titles are given; else shuffled by a seed; else fixed, with the most writes first. */
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
  // A scenario that waits while it locks an area makes the longest chain, so it begins at once.
  return (turns) => random.shuffled(turns).toSorted((a, b) => weight(b) - weight(a));
}

/**
 * The more a scenario watches an area that it locks, the sooner it begins. If it locks several areas, it
 * begins late, because it blocks all of them until the last is free. If it only reads, it begins last,
 * and after the scenarios whose calls it counts.
 */
function weight({ steps, writes }: Scenario): number {
  if (steps.some(countsOthers)) return -1;
  if (writes.size !== 1) return writes.size === 0 ? 0 : 0.5;
  const watches = [...allSteps(steps)].filter(({ timing }) => timing?.kind === 'throughout');
  return 1 + watches.length;
}
