/** Turns the outcome of a step, or of a scenario as a whole, into records. Nothing is judged here. */

import { statement } from '../../spec/contract.ts';
import type { CheckRecord, Reading, Result, ScenarioRecord, TurnRecord } from '../judge/record.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import type { Answer } from '../language/answer.ts';
import { compute } from '../language/compute.ts';
import { conditionsHold, evaluate, type Outcome } from '../language/evaluate.ts';
import {
  type Check,
  everyStep,
  type Observe,
  type Scenario,
  type Step,
} from '../language/scenario.ts';
import { attempt, referencesIn } from '../language/template.ts';
import { entitlementOpen } from '../safety/entitlement.ts';
import type { Breach } from '../target/contract-check.ts';
import type { Running, Turn } from './running.ts';

/** Reads all checks of a step on one answer, without recording anything. */
export function readChecks(turn: Turn, answer: Answer | undefined): CheckRecord[] {
  const { running, step } = turn;
  const asked = (checks: readonly Check[]): Check[] =>
    checks.filter((check) => wanted(running, check.statement));
  const read = (check: Check): Outcome =>
    running.scope.of(answer, () => evaluate(check, running.scope));
  const { target } = running.run.client;
  const own = asked(step.checks).map((check) => {
    const outcome = read(check);
    const open = entitlementOpen(target, step, running.scope, answer?.status, outcome.kind);
    return recorded(turn, check, answer, outcome, open);
  });
  const standing = asked(answer === undefined || step.unspecified ? [] : step.standing).flatMap(
    (check) => {
      const outcome = read(check);
      // If the condition does not hold, the answer shows nothing about the promise.
      return outcome.kind === 'untestable' ? [] : recorded(turn, check, answer, outcome);
    },
  );
  return [...own, ...standing];
}

/** Records the choices that an answer shows at the silences of the step. */
export function observe(turn: Turn, answer: Answer | undefined): void {
  const { running, step } = turn;
  running.scope.of(answer, () => {
    for (const item of step.observes) {
      if (wanted(running, item.statement)) observeOne(turn, item, answer);
    }
  });
}

/** Every check and observation of a step that could not be tried. */
export function recordUntried({ running, step, id }: Turn, why: Circumstance): void {
  const checks = untried(running.scenario, step, id, why);
  running.checks.push(...checks.filter((check) => wanted(running, check.statement)));
  for (const child of step.steps) recordUntried({ running, step: child, id: child.id }, why);
}

/** Every check and observation of a scenario that has no turn. */
export function untriedIn(scenario: Scenario, why: Circumstance): CheckRecord[] {
  return everyStep(scenario).flatMap((step) => untried(scenario, step, step.id, why));
}

/** A step's own checks and observations, recorded as untried. */
function untried(
  { title }: Pick<Scenario, 'title'>,
  { checks, observes }: Step,
  id: string,
  why: Circumstance,
): CheckRecord[] {
  const readings = [{ result: { kind: 'untried' }, evidence: [], circumstances: [why] }] as const;
  const of = (kind: CheckRecord['kind'], items: readonly (Check | Observe)[]): CheckRecord[] =>
    items.map((item) => ({ ...aboutOf(title, id, kind, item), readings }));
  return [...of('check', checks), ...of('observe', observes)];
}

export function scenarioRecord(
  { title, location, effect, extra }: Scenario,
  turns: readonly TurnRecord[],
): ScenarioRecord {
  return { scenario: title, file: location.file, effect, extra, turns };
}

/** The record of a scenario that was not begun, because the target does not answer. */
export function unreachable(scenario: Scenario, reason: string): TurnRecord {
  const why = { rule: 'could-not-run', reason } as const;
  const checks = untriedIn(scenario, why);
  const nothing = { observations: [], eventually: [], calls: [], answered: new Map() };
  const first = { checks, ...nothing, requests: 0, couldNotRun: reason };
  return { first, again: [], concurrent: false, explained: new Map(), durationMs: 0 };
}

/** The head of every record of a check or an observation: its statement and its place. */
function aboutOf(
  scenario: string,
  step: string,
  kind: CheckRecord['kind'],
  about: Pick<Check, 'statement' | 'location'> & { readonly level?: Check['level'] },
) {
  const { statement: id, location, level = statement(id).level } = about;
  return { statement: id, scenario, step, kind, location, level };
}

/** The result of one check on one answer. */
function reading(
  answer: Answer | undefined,
  result: Result,
  circumstances: readonly Circumstance[] = [],
): readonly Reading[] {
  return [{ result, evidence: answer?.evidence ?? [], circumstances }];
}

/** Records a breach of the contract, once for each statement of a step. */
export function recordBreach(turn: Turn, breach: Breach, answer: Answer): void {
  const { running, step, id } = turn;
  if (!wanted(running, breach.statement)) return;
  const known = running.checks.some(
    (item) => item.kind === 'contract' && item.step === id && item.statement === breach.statement,
  );
  if (known) return;
  const about = { statement: breach.statement, location: step.location };
  const actual = running.run.client.redactor.shown(breach.actual);
  const readings = reading(answer, { kind: 'fails', ...breach, actual });
  running.checks.push({ ...aboutOf(running.scenario.title, id, 'contract', about), readings });
}

function wanted(running: Running, id: string): boolean {
  const { only } = running.run;
  return only.length === 0 || only.includes(id);
}

function recorded(
  { running, step, id }: Turn,
  check: Check,
  answer: Answer | undefined,
  outcome: Outcome,
  circumstances?: readonly Circumstance[],
): CheckRecord {
  const about = aboutOf(running.scenario.title, id, 'check', check);
  if (outcome.kind !== 'fails')
    return { ...about, readings: reading(answer, outcome, circumstances) };
  const note = [check.because, answer?.status === 404 ? doubt(running, step) : undefined]
    .filter((text) => text !== undefined)
    .join(' ');
  const { pointer } = outcome;
  const [expected, actual] = [outcome.expected, outcome.actual].map((one) =>
    running.run.client.redactor.shown(one),
  );
  const result = { kind: 'fails', expected, actual, pointer, note: note || undefined } as const;
  return { ...about, readings: reading(answer, result, circumstances) };
}

/** A 404 may come from a mistake in the tenant file, so the note names the bindings in the path. */
function doubt(running: Running, step: Step): string | undefined {
  const { bindings } = running.run.client.target;
  const references = Object.values(step.path).flatMap((value) => referencesIn(String(value)));
  const roots = new Set(references.map((name) => name.split('.')[0] ?? ''));
  const named = [...roots].filter((name) => Object.hasOwn(bindings, name));
  if (named.length === 0) return undefined;
  const keys = named.map((name) => `bindings.${name}`).join(', ');
  return `Answered 404. The tenant file may be wrong: ${keys}.`;
}

function observeOne({ running, id, step }: Turn, item: Observe, answer: Answer | undefined): void {
  const about = aboutOf(running.scenario.title, id, 'observe', item);
  const names = Object.keys(item.cases);
  const holds = (name: string): boolean => conditionsHold(item.cases[name] ?? {}, running.scope);
  const choice = names.find((name) => attempt(() => holds(name)));
  const value =
    item.value === undefined ? undefined : attempt(() => compute(item.value, running.scope));
  if (names.length === 0 && value === undefined) {
    const nothing = { kind: 'untestable', reason: 'there is nothing to record' } as const;
    running.checks.push({ ...about, readings: reading(answer, nothing) });
    return;
  }
  const seen = {
    choice: names.length === 0 ? undefined : (choice ?? 'other'),
    value: value === undefined ? undefined : running.run.client.redactor.shown(value),
  };
  running.checks.push({ ...about, readings: reading(answer, { kind: 'seen', actual: seen }) });
  running.observations.push({
    kind: 'silence',
    statement: item.statement,
    ...(step.operation && { operation: step.operation.id }),
    value: seen.value ?? null,
    count: 1,
    evidence: answer?.evidence.slice(0, 1) ?? [],
    choice: seen.choice,
  });
}
