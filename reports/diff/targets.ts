/**
 * The differences between two targets that ran the same scenarios, and the meaning of each. Pure.
 *
 * Ids, times, tokens and data differ between any two targets. So four things are compared: verdicts,
 * observations of silences, statuses and media types step by step, and undeclared parts of answers.
 * Values are not compared, and none is shown.
 */

import { compareStatements, type StatementPair } from '../../conformance/compare/compare.ts';
import type { Clients } from '../../conformance/compare/read-reliance.ts';
import { reachOfDifference } from '../../conformance/compare/reliance.ts';
import { byPlace, compareAnswers } from '../../conformance/compare/silences.ts';
import type { Report } from '../../conformance/judge/report.ts';
import { failsRun, isFailure } from '../../conformance/judge/verdict.ts';
import { entriesOf } from '../../conformance/target/evidence.ts';
import { canonical, outline } from '../../spec/base/json.ts';
import { toldReason } from '../findings.ts';
import { learned } from '../profile-yaml.ts';
import { present, stepWords } from '../text.ts';
import { byKind, type Comparison, type Difference, idsLine } from './comparison.ts';
import { about, whyPartial } from './reports.ts';

/** The meaning of each kind; `decisions/0018` has the reasons. */
const notes = {
  'mock wrong': 'a mock breaks a promise, or answers what the service never does',
  'target violates': 'a tenant breaks a promise of the description, or of a standard that it uses',
  'silence answered differently': 'the description leaves it open; --learn writes what B does',
  'the mock has no choice':
    'a mock cannot act as the tenant does there, or the tenant does not always act alike',
  'cannot be compared': 'only one of the two was tried, or each at another place',
} as const;

type Kind = keyof typeof notes;

/**
 * A difference. Its name is a statement, an operation or a scenario; `a` and `b` are the findings
 * of the two targets.
 */
function difference(
  kind: Kind,
  name: string,
  text: string,
  [a, b]: readonly [a: string, b: string],
  detail?: string,
  fails = kind === 'mock wrong',
): Difference<Kind> {
  return { kind, name, text, fails, details: present(`A: ${a}; B: ${b}`, detail) };
}

/** One target's run. */
export interface TargetRun {
  readonly report: Report;
  /** Its HAR files. */
  readonly evidence: readonly { readonly text: string }[];
}

/** The clients are those of B. */
export function diffTargets(
  a: TargetRun,
  b: TargetRun,
  { clients, warnings }: Clients = { clients: [], warnings: [] },
): Comparison {
  const pairs = compareStatements(a.report, b.report);
  const noChoice = whyNoChoice(a, b);
  const explained = new Set<string>();
  const ofStatements = pairs.flatMap((pair) => {
    const found = statementDifference(pair, a, b, { clients, noChoice });
    if (found === undefined) return [];
    // Other differences of the same answer follow from the promise or the silence that differs there.
    const checks = [pair.was, pair.now].flatMap((one) => one?.checks ?? []);
    if (found.kind !== 'cannot be compared')
      for (const { scenario } of checks) explained.add(scenario);
    return found;
  });
  const differences = [
    ...ofStatements,
    ...answerDifferences(a, b, explained),
    ...undeclared(a, b, ['yes', 'no']),
    ...undeclared(b, a, ['no', 'yes']),
  ];
  const found = byKind(differences, notes);
  const both = pairs.filter(({ was, now }) => was?.state === 'failed' && now?.state === 'failed');
  const ids = both.map(({ key }) => key);
  return {
    ...found,
    title: 'Two targets',
    about: { A: about(a.report), B: about(b.report) },
    warnings: [
      ...warnings,
      ...[a, b].flatMap(({ report }) => whyPartial(report, report.target.baseUrl)),
    ],
    sections: [
      ...found.sections,
      { heading: 'Broken by both', uncounted: true, lines: idsLine('statements', ids) },
    ],
  };
}

/**
 * The side that breaks a promise is wrong: a mock differs from the service, a tenant from its
 * description.
 */
function statementDifference(
  { kind, was, now, answers }: StatementPair,
  a: TargetRun,
  b: TargetRun,
  {
    clients,
    noChoice,
  }: Pick<Clients, 'clients'> & { readonly noChoice: ReadonlyMap<string, string> },
): Difference<Kind> | undefined {
  if (was === undefined || now === undefined) return undefined;
  const [one = '', two = ''] = [answers?.was, answers?.now].map((seen) => seen?.join(', '));
  const tell = (what: Kind, detail: string | undefined, fails = false) =>
    difference(what, now.id, now.text, [one || was.verdict, two || now.verdict], detail, fails);
  const [first] = answers?.changed ?? [];
  if (first !== undefined) {
    const reached = reachOfDifference(now.id, answers?.now, clients);
    const open = noChoice.get(now.id);
    const kind = open === undefined ? 'silence answered differently' : 'the mock has no choice';
    return tell(kind, present(stepWords(first.now), open, ...reached).join('; '));
  }
  if (was.state !== 'failed' && now.state !== 'failed') {
    if (kind === 'same') return undefined;
    if (one && two) return tell('cannot be compared', 'the two were asked at different steps');
    // The reason, unless it quotes somebody's data.
    const { reason } = was.state === 'untried' ? was : now;
    return tell('cannot be compared', toldReason(reason));
  }
  if (was.state === now.state) return undefined;
  const [broken, { report }] = was.state === 'failed' ? [was, a] : [now, b];
  const failing = broken.checks.find(({ verdict }) => isFailure(verdict));
  const wrong = report.target.kind === 'mock' ? 'mock wrong' : 'target violates';
  // A deviation from a standard that certify only reports does not fail here either.
  const reached = broken === now ? reachOfDifference(now.id, undefined, clients) : [];
  const detail = present(failing && stepWords(failing), ...reached).join('; ');
  return tell(wrong, detail || undefined, failsRun(broken, report.options));
}

/** Why a mock cannot learn some silences of a tenant, by silence; empty if both runs are of one kind. */
function whyNoChoice(...runs: readonly TargetRun[]): ReadonlyMap<string, string> {
  const tenants = runs.filter(({ report }) => report.target.kind !== 'mock');
  const [tenant] = tenants.length < runs.length ? tenants : [];
  return tenant ? learned(tenant.report).open : new Map();
}

/** Different statuses and media types, step by step, unless another difference explains them. */
function answerDifferences(
  a: TargetRun,
  b: TargetRun,
  explained: ReadonlySet<string>,
): Difference<Kind>[] {
  const changed = compareAnswers(answersOf(a), answersOf(b)).changed.map(({ was, now }) => {
    const both = [was.seen.join(', '), now.seen.join(', ')] as const;
    return { ...now, both, isExplained: explained.has(now.scenario) };
  });
  const known = new Set(
    changed.flatMap(({ both, isExplained }) => (isExplained ? both.join(' / ') : [])),
  );
  return changed
    .filter(({ both, isExplained }) => !isExplained && !known.has(both.join(' / ')))
    .map(({ scenario, step, both }) => {
      const text = `step ${step} is answered differently, and no statement explains why`;
      return difference('silence answered differently', scenario, text, both);
    });
}

/** The answers by place, without repeated calls and calls that protect the target. */
function answersOf({ evidence }: TargetRun) {
  const entries = evidence.flatMap(({ text }) => entriesOf(text));
  const calls = entries.filter(({ _lockstep: { kind, again } }) => kind === 'call' && !again);
  return byPlace(
    calls.map(({ _lockstep: { scenario, step }, response: { status, content } }) => {
      const answer = `${status} ${content.mimeType.split(';')[0]}`.trim();
      return { scenario, step, answer };
    }),
  );
}

/** Undeclared parts of answers that only one of the two targets sends. */
function undeclared(
  { report: { observations, target } }: TargetRun,
  other: TargetRun,
  has: readonly [a: string, b: string],
): Difference<Kind>[] {
  const key = ({ kind, operation = '', value }: (typeof observations)[number]): string =>
    canonical([kind, operation, value]);
  const known = new Set(other.report.observations.map(key));
  // A mock must not invent parts of an answer.
  const isWrong = target.kind === 'mock' && other.report.target.kind !== 'mock';
  const kind = isWrong ? 'mock wrong' : 'silence answered differently';
  return observations
    .filter((item) => item.kind !== 'silence' && !known.has(key(item)))
    .map(({ kind: what, operation = 'any operation', value }) =>
      difference(kind, operation, `${what.replaceAll('-', ' ')}: ${withoutData(value)}`, has),
    );
}

/** Names of fields and headers, statuses and media types. */
function withoutData(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(outline(value)) ?? '';
  return value
    .split('/')
    .map((part) => (/^[\w*+. :-]{0,60}$/.test(part) ? part : '*'))
    .join('/');
}
