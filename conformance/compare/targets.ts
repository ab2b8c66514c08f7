/**
 * How two targets differ that ran the same scenarios, and what each difference says. Pure.
 *
 * Ids, times and tokens differ between any two targets, and so does their data. So verdicts are
 * compared, what was observed of silences, statuses and media types step by step, and what answers
 * have that the contract does not declare; values are not.
 */

import {
  atPointer,
  canonical,
  equal,
  isObject,
  objectsIn,
  outline,
  parseJson,
} from '../../spec/base/json.ts';
import type { CheckResult, Observation, Report, StatementResult } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { byId, isTried, partial } from './reports.ts';
import { answersTo, byPlace, compareSilence, inBoth, type Seen } from './silences.ts';

export interface Difference {
  /** What it says; `decisions/` has the reasons. */
  readonly kind:
    | 'mock wrong'
    | 'target violates'
    | 'silence answered otherwise'
    | 'cannot be compared';
  /** A statement, an operation, or a scenario and its step. */
  readonly name: string;
  readonly text: string;
  /** What the two showed. */
  readonly a: string;
  readonly b: string;
  /** Where it shows, or why the two cannot be compared. */
  readonly detail?: string | undefined;
}

/** One target's run. */
export interface TargetRun {
  readonly report: Report;
  /** Its HAR files. */
  readonly evidence: readonly { readonly text: string }[];
}

/** `brokenByBoth`: ids of statements, which are no difference. */
export function compareTargets(a: TargetRun, b: TargetRun) {
  const pairs = inBoth(byId(a.report), byId(b.report));
  const byStatement = pairs.flatMap(([one, two]) => {
    const found = one.level === 'silent' ? silences(one, two) : promises(one, two, a, b);
    return found === undefined ? [] : [{ difference: found, statements: [one, two] }];
  });
  // What an answer shows besides follows from the promise or the silence that differs there.
  const told = byStatement
    .filter(({ difference }) => difference.kind !== 'cannot be compared')
    .flatMap(({ statements }) => statements.flatMap(({ checks }) => checks));
  const explained = new Set(told.map(({ scenario }) => scenario));
  return {
    differences: [
      ...byStatement.map(({ difference }) => difference),
      ...answers(a, b, explained),
      ...only(a, b, { a: 'yes', b: 'no' }),
      ...only(b, a, { a: 'no', b: 'yes' }),
    ],
    brokenByBoth: pairs
      .filter(([one, two]) => isFailure(one.verdict) && isFailure(two.verdict))
      .map(([{ id }]) => id),
    warnings: [a, b].flatMap(({ report }) => partial(report, report.target.baseUrl)),
  };
}

/** Who breaks a promise is wrong: a mock about the service, a tenant about its description. */
function promises(
  one: StatementResult,
  two: StatementResult,
  a: TargetRun,
  b: TargetRun,
): Difference | undefined {
  const about = { name: one.id, text: one.text, a: one.verdict, b: two.verdict };
  if (isFailure(one.verdict) !== isFailure(two.verdict)) {
    const [broken, { report }] = isFailure(one.verdict) ? [one, a] : [two, b];
    const failing = broken.checks.find(({ verdict }) => isFailure(verdict));
    const kind = report.target.kind === 'mock' ? 'mock wrong' : 'target violates';
    return { kind, ...about, detail: failing && placeIn(failing) };
  }
  if (isTried(one.verdict) === isTried(two.verdict)) return undefined;
  return { kind: 'cannot be compared', ...about, detail: whyUntried(one, two) };
}

function silences(one: StatementResult, two: StatementResult): Difference | undefined {
  const { id: name, text } = one;
  const change = compareSilence(one, two);
  if (change === 'same') return undefined;
  if (change !== undefined) {
    const [a, b] = [change.was.join(', '), change.now.join(', ')];
    return { kind: 'silence answered otherwise', name, text, a, b, detail: placeIn(change) };
  }
  const [a, b] = [answersTo(one), answersTo(two)];
  if (equal(a, b)) return undefined;
  const about = { name, text, a: a.join(', ') || one.verdict, b: b.join(', ') || two.verdict };
  const apart = a.length > 0 && b.length > 0;
  const detail = apart ? 'the two were asked at different steps' : whyUntried(one, two);
  return { kind: 'cannot be compared', ...about, detail };
}

function placeIn({ scenario, step }: Pick<CheckResult, 'scenario' | 'step'>): string {
  return `${scenario}, step ${step}`;
}

/** Of the statement that was not tried: why, as far as that is nobody's data. */
function whyUntried(one: StatementResult, two: StatementResult): string {
  const untried = isTried(one.verdict) || one.verdict === 'observed' ? two : one;
  return toldReason(untried.reason);
}

const plainReasons =
  /^(there is no credential \w+|the tenant file (binds|names) no [\w.]+|the tenant file (says|does not say) [\w.]+: \w+|not allowed: needs --allow \w+|the call was answered \d{3})$/;

/** A reason that says nothing of anybody's data; the report has it in full. */
export function toldReason(reason: string | undefined): string {
  if (reason === undefined) return 'no check of it ran';
  if (plainReasons.test(reason)) return reason;
  const condition = 'its condition does not hold';
  return reason.startsWith(condition) ? condition : 'it could not be tried; the report says why';
}

/** Statuses and media types, step by step, where nothing else says why they differ. */
function answers(a: TargetRun, b: TargetRun, explained: ReadonlySet<string>): Difference[] {
  const apart = inBoth(answersOf(a), answersOf(b))
    .map(([{ scenario, step, seen }, other]) => ({
      ...{ scenario, step, a: seen.join(', '), b: other.seen.join(', ') },
    }))
    .filter((one) => one.a !== one.b);
  const pair = (one: { readonly a: string; readonly b: string }) => `${one.a} / ${one.b}`;
  const known = new Set(apart.filter(({ scenario }) => explained.has(scenario)).map(pair));
  return apart
    .filter((one) => !explained.has(one.scenario) && !known.has(pair(one)))
    .map(({ scenario, step, a: was, b: is }) => ({
      ...{ kind: 'silence answered otherwise', name: scenario, a: was, b: is },
      text: `step ${step} is answered otherwise, and no statement tells the two apart`,
    }));
}

/** By place; calls that were sent again, or protect the target, do not count. */
function answersOf({ evidence }: TargetRun): Map<string, Seen> {
  const entries = evidence.flatMap(({ text }) => [...objectsIn(parseJson(text))]);
  return byPlace(
    entries.flatMap(({ _lockstep: about, response }) => {
      if (!isObject(about) || about.kind !== 'call' || about.again === true) return [];
      const type = String(atPointer(response, '/content/mimeType')).split(';')[0];
      const answer = `${atPointer(response, '/status')} ${type}`.trim();
      return [{ scenario: String(about.scenario), step: String(about.step), answer }];
    }),
  );
}

/** What the answers of only one of the two have, and the contract does not declare. */
function only(run: TargetRun, other: TargetRun, has: { a: string; b: string }): Difference[] {
  const known = new Set(other.report.observations.map(keyOf));
  const mock = run.report.target.kind === 'mock' && other.report.target.kind !== 'mock';
  return run.report.observations
    .filter((item) => item.kind !== 'silence' && !known.has(keyOf(item)))
    .map((item) => ({
      // A mock must not make up what the service never answers.
      kind: mock ? 'mock wrong' : 'silence answered otherwise',
      name: item.operation ?? 'any operation',
      text: `${item.kind.replaceAll('-', ' ')}: ${shown(item)}`,
      ...has,
    }));
}

const keyOf = ({ kind, operation, value }: Observation): string =>
  canonical([kind, operation ?? '', value]);

/** Names of fields and headers, statuses and media types. */
function shown({ value }: Observation): string {
  if (typeof value !== 'string') return JSON.stringify(outline(value)) ?? '';
  return value
    .split('/')
    .map((part) => (/^[\w*+. :-]{0,60}$/.test(part) ? part : '*'))
    .join('/');
}
