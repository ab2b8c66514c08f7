/** The changes from one run to the next, in words. No value of a target's data is shown. */

import { compareStatements, type StatementPair } from '../../conformance/compare/compare.ts';
import type { Clients } from '../../conformance/compare/read-reliance.ts';
import { reachOfDifference } from '../../conformance/compare/reliance.ts';
import type { Report, StatementResult } from '../../conformance/judge/report.ts';
import { failsRun } from '../../conformance/judge/verdict.ts';
import { failedLines } from '../findings.ts';
import { atMost, count, list, place, present, stepWords, words } from '../text.ts';
import { byKind, type Comparison, type Difference, idsLine } from './comparison.ts';

/** The kinds of differences. A statement that only one of the two runs tried is not a difference. */
const kinds = {
  broken: undefined,
  'first seen broken': undefined,
  mended: undefined,
  'broken in another way': undefined,
  'still broken': undefined,
  'silence answered differently': undefined,
};

export function diffReports(
  last: Report,
  now: Report,
  { clients, warnings }: Clients = { clients: [], warnings: [] },
): Comparison {
  const pairs = compareStatements(last, now);
  const differences = pairs
    .flatMap((pair) => differenceIn(pair, now, clients) ?? [])
    .sort((a, b) => Number(b.fails) - Number(a.fails));
  const found = byKind(differences, kinds, 'still broken');
  const promised = pairs.filter(({ now: is }) => is !== undefined && is.level !== 'silent');
  const ids = (some: readonly StatementPair[]) => some.map(({ key }) => key);
  const triedOnly = (kind: StatementPair['kind']) => promised.filter((one) => one.kind === kind);
  const lines = [
    ...idsLine('tried only before', ids(triedOnly('no longer tried'))),
    ...idsLine('tried only now', ids(triedOnly('newly tried'))),
    ...idsLine('known only to the earlier report', ids(pairs.filter((pair) => !pair.now))),
    ...idsLine('known only to this report', ids(pairs.filter((pair) => !pair.was))),
  ];
  return {
    ...{ ...found, title: 'Since the last run', warnings: [...warnings, ...warningsOf(last, now)] },
    about: { last: about(last), now: about(now) },
    sections: [...found.sections, { heading: 'Not compared', uncounted: true, lines }],
  };
}

function differenceIn(
  { key: name, kind, was, now, answers }: StatementPair,
  { options }: Report,
  clients: Clients['clients'],
): Difference<keyof typeof kinds> | undefined {
  if (now === undefined) return undefined;
  const { level, verdict } = now;
  if (kind === 'silence answered differently') {
    const text = `${list(answers?.now ?? [])}, was ${list(answers?.was ?? [])}: ${now.text}`;
    const [first] = answers?.changed ?? [];
    const reached = reachOfDifference(name, answers?.now, clients);
    const details = first && [stepWords(first.now), ...reached];
    return { kind, name, text, details, fails: false };
  }
  const isTried = kind !== 'same' && kind !== 'no longer tried' && kind !== 'newly tried';
  if (level === 'silent' || !isTried) return undefined;
  const before = was === undefined || was.verdict === verdict ? '' : `, was ${words(was.verdict)}`;
  const text = `${words(verdict)}${before}: ${now.text}`;
  const isBroken = kind === 'broken' || kind === 'first seen broken';
  const reached = kind === 'mended' ? [] : reachOfDifference(name, undefined, clients);
  const details = [...(kind === 'still broken' ? [] : placesOf(now)), ...reached];
  return { kind, name, text, details, fails: isBroken && failsRun(now, options) };
}

/** The places of a failure; only the report has the values themselves. */
function placesOf(statement: StatementResult): string[] {
  const places = failedLines(statement).map(({ first, all }) => {
    const more = all.length > 1 && `${all.length - 1} more like it`;
    return present(stepWords(first), place(first.location), first.evidence[0], more).join('; ');
  });
  return atMost(3, places, (left) => `and ${count(left, 'more place')}`);
}

export function about({ target, startedAt, runId, suite }: Report): string {
  const kind = target.kind === 'mock' ? 'a Lockstep mock' : 'a tenant';
  return `${target.baseUrl}, ${kind}, ${startedAt}, run ${runId}, Lockstep ${suite.version}`;
}

/** Why the two can be compared only in part. */
function warningsOf(last: Report, now: Report): string[] {
  // A mock has another port each time, and makes a world for each run.
  const mocks = last.target.kind === 'mock' && now.target.kind === 'mock';
  const factsOf = ({ target, suite, options }: Report): Record<string, string> => ({
    ...(!mocks && { 'another target': target.baseUrl }),
    'another version of the contract': suite.contractVersion,
    'another contract': suite.contractSha256,
    'other statements': suite.statementsSha256,
    'other scenarios': suite.scenariosSha256,
    'other writes allowed': options.allow,
    'another --standards': options.standards,
  });
  const before = factsOf(last);
  return [
    ...Object.entries(factsOf(now))
      .filter(([what, is]) => is !== before[what])
      .map(([what, is]) => `${what}: ${short(before[what])} before, ${short(is)} now`),
    ...whyPartial(last, 'the earlier run'),
    ...whyPartial(now, 'this run'),
  ];
}

/** Why a report does not cover everything. */
export function whyPartial({ options: { only }, interrupted }: Report, run: string): string[] {
  return present(
    only.length > 0 && `${run} was narrowed to ${only.join(', ')}`,
    interrupted && `${run} was interrupted`,
  );
}

/** The beginning of a digest, which is enough to distinguish two. */
function short(text = ''): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
