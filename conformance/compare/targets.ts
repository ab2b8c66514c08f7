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
import type { CheckResult, Observation, Report } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { compareStatements, type StatementChange } from './compare.ts';
import { partial } from './reports.ts';
import { byPlace, compareAnswers, type Seen } from './silences.ts';

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
  const changes = compareStatements(a.report, b.report);
  const byStatement = changes.flatMap((change) => differenceIn(change, a, b));
  // What an answer shows besides follows from the promise or the silence that differs there.
  const told = byStatement.filter(({ kind }) => kind !== 'cannot be compared');
  const explained = new Set(told.flatMap(({ checks }) => checks.map((one) => one.scenario)));
  return {
    differences: [
      ...byStatement.map(({ checks: _, ...difference }): Difference => difference),
      ...answers(a, b, explained),
      ...only(a, b, { a: 'yes', b: 'no' }),
      ...only(b, a, { a: 'no', b: 'yes' }),
    ],
    brokenByBoth: changes.flatMap(({ key, was, now }) =>
      was?.state === 'failed' && now?.state === 'failed' ? [key] : [],
    ),
    warnings: [a, b].flatMap(({ report }) => partial(report, report.target.baseUrl)),
  };
}

/** Who breaks a promise is wrong: a mock about the service, a tenant about its description. */
function differenceIn({ kind, was, now, answers }: StatementChange, a: TargetRun, b: TargetRun) {
  if (was === undefined || now === undefined) return [];
  const about = { name: now.id, text: now.text, checks: [...was.checks, ...now.checks] };
  const [one, two] = [answers?.was.join(', '), answers?.now.join(', ')];
  const tell = (what: Difference['kind'], detail: string | undefined) => [
    { kind: what, ...about, a: one || was.verdict, b: two || now.verdict, detail },
  ];
  const [first] = answers?.changed ?? [];
  if (first !== undefined) return tell('silence answered otherwise', placeIn(first.now));
  if (was.state !== 'failed' && now.state !== 'failed') {
    if (kind === 'same' || kind === 'otherwise') return [];
    // Of the statement that was not tried: why, as far as that is nobody's data.
    const untried = toldReason((was.state === 'untried' ? was : now).reason);
    return tell(
      'cannot be compared',
      one && two ? 'the two were asked at different steps' : untried,
    );
  }
  if (was.state === now.state) return [];
  const [broken, { report }] = was.state === 'failed' ? [was, a] : [now, b];
  const failing = broken.checks.find(({ verdict }) => isFailure(verdict));
  const wrong = report.target.kind === 'mock' ? 'mock wrong' : 'target violates';
  return tell(wrong, failing && placeIn(failing));
}

function placeIn({ scenario, step }: Pick<CheckResult, 'scenario' | 'step'>): string {
  return `${scenario}, step ${step}`;
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
function answers(one: TargetRun, two: TargetRun, explained: ReadonlySet<string>): Difference[] {
  const apart = compareAnswers(answersOf(one), answersOf(two)).changed.map(({ was, now }) => {
    const [a, b] = [was, now].map(({ seen }) => seen.join(', '));
    return { ...now, a: a ?? '', b: b ?? '' };
  });
  const pair = ({ a, b }: (typeof apart)[number]) => `${a} / ${b}`;
  const known = new Set(apart.filter(({ scenario }) => explained.has(scenario)).map(pair));
  return apart
    .filter((item) => !explained.has(item.scenario) && !known.has(pair(item)))
    .map(({ scenario: name, step, a, b }) => ({
      ...{ kind: 'silence answered otherwise', name, a, b },
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
