/** Turns the checks and observations of a step into results. */

import { statement } from '../../spec/contract.ts';
import type { Judged } from '../judge/report.ts';
import { failed } from '../judge/verdict.ts';
import type { Answer } from '../language/answer.ts';
import { compute } from '../language/compute.ts';
import { conditionsHold, evaluate, type Outcome } from '../language/evaluate.ts';
import type { Check, Observe, Scenario, Step } from '../language/scenario.ts';
import { attempt, referencesIn } from '../language/template.ts';
import { inconclusive } from '../safety/entitlement.ts';
import { actorOf } from '../target/actor.ts';
import type { Breach } from '../target/contract-check.ts';
import type { Running, Turn } from './running.ts';

/** Judges all checks of a step on one answer, without recording anything. */
export function judgeChecks(turn: Turn, answer: Answer | undefined): Judged[] {
  const { running, step } = turn;
  const asked = (checks: readonly Check[]): Check[] =>
    checks.filter((check) => wanted(running, check.statement));
  const judge = (check: Check): Outcome =>
    running.scope.of(answer, () => evaluate(check, running.scope));
  const own = asked(step.checks).map((check) =>
    result(turn, check, answer, entitled(turn, answer, judge(check))),
  );
  const standing = asked(answer === undefined ? [] : step.standing).flatMap((check) => {
    const outcome = judge(check);
    // Where its condition does not hold, the answer says nothing of the promise.
    return outcome.kind === 'untestable' ? [] : result(turn, check, answer, outcome);
  });
  return [...own, ...standing];
}

/** An answer proves nothing where the tenant file leaves open what the caller is entitled to. */
function entitled({ running, step }: Turn, answer: Answer | undefined, outcome: Outcome): Outcome {
  if (answer === undefined || step.operation === undefined || outcome.kind === 'untestable') {
    return outcome;
  }
  const { target } = running.run.client;
  const { credential } = actorOf(step.as, target.credentials, running.scope);
  const failure = outcome.kind === 'fails';
  const reason = inconclusive(target, step.operation, credential, answer.status, failure);
  return reason === undefined ? outcome : { kind: 'untestable', reason };
}

/** Records what an answer shows of the silences that the step asks about. */
export function observe(turn: Turn, answer: Answer | undefined): void {
  const { running, step } = turn;
  running.scope.of(answer, () => {
    for (const item of step.observes) {
      if (wanted(running, item.statement)) observeOne(turn, item, answer);
    }
  });
}

/** Every check and observation of a step that could not be tried. */
export function untestedStep({ running, step, id }: Turn, reason: string): void {
  const results = notTried(running.scenario, step, id, { verdict: 'not-testable', reason });
  running.judged.push(...results.filter(({ statement }) => wanted(running, statement)));
  for (const child of step.steps) untestedStep({ running, step: child, id: child.id }, reason);
}

/** The results of a step's own checks and observations, none of which was tried. */
export function notTried(
  { title }: Scenario,
  { checks, observes }: Step,
  id: string,
  outcome: Pick<Judged, 'verdict' | 'reason'>,
): Judged[] {
  const of = (kind: Judged['kind'], items: readonly (Check | Observe)[]): Judged[] =>
    items.map((item) => ({ ...aboutOf(title, id, kind, item), ...outcome }));
  return [...of('check', checks), ...of('observe', observes)];
}

/** What every result of a check or an observation says: of what it is, and where it was made. */
function aboutOf(
  scenario: string,
  step: string,
  kind: Judged['kind'],
  { statement, location }: Pick<Check, 'statement' | 'location'>,
  evidence: readonly string[] = [],
) {
  return { statement, scenario, step, kind, location, evidence };
}

/** A failure of the contract check; one for each statement of a step is enough. */
export function recordBreach(turn: Turn, breach: Breach, evidence: readonly string[]): void {
  const { running, step, id } = turn;
  if (!wanted(running, breach.statement)) return;
  const known = running.judged.some(
    (item) => item.kind === 'contract' && item.step === id && item.statement === breach.statement,
  );
  if (known) return;
  const about = { ...breach, location: step.location };
  running.judged.push({
    ...breach,
    ...aboutOf(running.scenario.title, id, 'contract', about, evidence),
    verdict: failed(statement(breach.statement).level),
    actual: clip(running, breach.actual),
  });
}

function wanted(running: Running, id: string): boolean {
  const { only } = running.run;
  return only.length === 0 || only.includes(id);
}

function result(
  { running, step, id }: Turn,
  check: Check,
  answer: Answer | undefined,
  outcome: Outcome,
): Judged {
  const base = aboutOf(running.scenario.title, id, 'check', check, answer?.evidence);
  if (outcome.kind === 'holds') return { ...base, verdict: 'verified' };
  if (outcome.kind === 'untestable') {
    return { ...base, verdict: 'not-testable', reason: outcome.reason, moot: outcome.moot };
  }
  const reason = [check.because, answer?.status === 404 ? doubt(running, step) : undefined]
    .filter((text) => text !== undefined)
    .join(' ');
  return {
    ...base,
    verdict: failed(check.level),
    reason: reason === '' ? undefined : reason,
    expected: clip(running, outcome.expected),
    actual: clip(running, outcome.actual),
    pointer: outcome.pointer,
  };
}

/** What is not found may be a slip in the tenant file: which of its bindings the path names. */
function doubt(running: Running, step: Step): string | undefined {
  const { bindings } = running.run.client.target;
  const named = Object.values(step.path)
    .flatMap((value) => referencesIn(String(value)))
    .filter((name) => Object.hasOwn(bindings, name.split('.')[0] ?? ''));
  if (named.length === 0) return undefined;
  return `Answered 404: or the tenant file is wrong: ${named.join(', ')}.`;
}

function observeOne({ running, id }: Turn, item: Observe, answer: Answer | undefined): void {
  const base = aboutOf(running.scenario.title, id, 'observe', item, answer?.evidence);
  const names = Object.keys(item.cases);
  const holds = (name: string): boolean => conditionsHold(item.cases[name] ?? {}, running.scope);
  const choice = names.find((name) => attempt(() => holds(name)));
  const value =
    item.value === undefined ? undefined : attempt(() => compute(item.value, running.scope));
  if (names.length === 0 && value === undefined) {
    running.judged.push({ ...base, verdict: 'not-testable', reason: 'there is nothing to record' });
    return;
  }
  const seen = {
    choice: names.length === 0 ? undefined : (choice ?? 'other'),
    value: value === undefined ? undefined : clip(running, value),
  };
  running.judged.push({ ...base, verdict: 'observed', actual: seen });
  running.observations.push({
    kind: 'silence',
    statement: item.statement,
    value: seen.value ?? null,
    count: 1,
    evidence: base.evidence.slice(0, 1),
    choice: seen.choice,
  });
}

const mostCharacters = 2000;

/** Keeps reports readable: what is too long is cut, with its length. */
function clip(running: Running, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return 'absent';
  // A copy, as a part of a text would keep the whole answer in memory.
  if (text.length <= mostCharacters) return JSON.parse(text);
  // Redacted before it is cut: half a secret would not be found again.
  const { redactor } = running.run.client;
  return `${redactor.text(text).slice(0, mostCharacters)}... (${text.length} characters)`;
}
