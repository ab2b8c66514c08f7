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
  isObject,
  objectsIn,
  outline,
  parseJson,
} from '../../spec/base/json.ts';
import type { Observation, Report, StatementResult } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { isTried, partial } from './reports.ts';
import { answersTo, compareSilence } from './silences.ts';

/** What a difference says; `decisions/` has the reasons. */
export const differenceKinds = [
  'mock wrong',
  'target violates',
  'silence answered otherwise',
  'cannot be compared',
] as const;

export interface Difference {
  readonly kind: (typeof differenceKinds)[number];
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
  /** Texts of its HAR files. */
  readonly evidence: readonly string[];
}

/** `brokenByBoth`: ids of statements, which are no difference. */
export function compareTargets(a: TargetRun, b: TargetRun) {
  const other = new Map(b.report.statements.map((item) => [item.id, item]));
  const pairs = a.report.statements.flatMap((item) => {
    const match = other.get(item.id);
    return match === undefined ? [] : [[item, match] as const];
  });
  const byStatement = pairs.flatMap(([one, two]) => {
    const found = one.level === 'silent' ? silences(one, two) : promises(one, two, a, b);
    return found === undefined ? [] : [{ difference: found, statements: [one, two] }];
  });
  // What an answer shows besides follows from the promise or the silence that differs there.
  const told = byStatement
    .filter(({ difference }) => difference.kind !== 'cannot be compared')
    .flatMap(({ statements }) => statements.flatMap(({ checks }) => checks));
  const explained = new Set(told.map(({ scenario }) => scenario));
  const differences: Difference[] = [
    ...byStatement.map(({ difference }) => difference),
    ...answers(a, b, explained),
    ...only(a, b, { a: 'yes', b: 'no' }),
    ...only(b, a, { a: 'no', b: 'yes' }),
  ];
  const rank = ({ kind }: Difference): number => differenceKinds.indexOf(kind);
  return {
    differences: differences.sort((x, y) => rank(x) - rank(y)),
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
  const { id: name, text } = one;
  const about = { name, text, a: one.verdict, b: two.verdict };
  const [first, second] = [isFailure(one.verdict), isFailure(two.verdict)];
  if (first && second) return undefined;
  if (first || second) {
    const { target } = (first ? a : b).report;
    const failing = (first ? one : two).checks.find(({ verdict }) => isFailure(verdict));
    const kind = target.kind === 'mock' ? 'mock wrong' : 'target violates';
    return { kind, ...about, detail: placeIn(failing) };
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
  if (canonical(a) === canonical(b)) return undefined;
  const about = { name, text, a: a.join(', ') || one.verdict, b: b.join(', ') || two.verdict };
  const apart = a.length > 0 && b.length > 0;
  const detail = apart ? 'the two were asked at different steps' : whyUntried(one, two);
  return { kind: 'cannot be compared', ...about, detail };
}

function placeIn(
  check: { readonly scenario: string; readonly step: string } | undefined,
): string | undefined {
  return check === undefined ? undefined : `${check.scenario}, step ${check.step}`;
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
  const second = answersOf(b);
  const apart = [...answersOf(a)].flatMap(([place, one]) => {
    const two = second.get(place);
    if (two === undefined) return [];
    const [was, is] = [one, two].map(({ seen }) => [...seen].sort().join(', '));
    return was === is ? [] : [{ ...one, a: was ?? '', b: is ?? '' }];
  });
  const pair = (one: { readonly a: string; readonly b: string }) => `${one.a} / ${one.b}`;
  const known = new Set(apart.filter(({ scenario }) => explained.has(scenario)).map(pair));
  return apart
    .filter((one) => !explained.has(one.scenario) && !known.has(pair(one)))
    .map(({ scenario, step, a: was, b: is }) => ({
      ...{ kind: 'silence answered otherwise', name: scenario, a: was, b: is },
      text: `step ${step} is answered otherwise, and no statement tells the two apart`,
    }));
}

/** By scenario and step; calls that were sent again, or protect the target, do not count. */
function answersOf({ evidence }: TargetRun) {
  const found = new Map<string, { scenario: string; step: string; seen: Set<string> }>();
  for (const entry of evidence.flatMap((text) => [...objectsIn(parseJson(text))])) {
    const { _lockstep: about, response } = entry;
    if (!isObject(about) || about.kind !== 'call' || about.again === true) continue;
    const [scenario, step] = [String(about.scenario), String(about.step)];
    const place = canonical([scenario, step]);
    const answered = found.get(place) ?? { scenario, step, seen: new Set() };
    found.set(place, answered);
    const type = String(atPointer(response, '/content/mimeType')).split(';')[0];
    answered.seen.add(`${atPointer(response, '/status')} ${type}`.trim());
  }
  return found;
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
