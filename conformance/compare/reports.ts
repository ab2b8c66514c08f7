/** What changed from one report to another. A pure function of the two. */

import type { Report } from '../judge/report.ts';
import { failsRun } from '../judge/verdict.ts';
import { compareStatements } from './compare.ts';
import { compareLatencies } from './latency.ts';

/** How two reports differ. */
export function compareReports(last: Report, now: Report) {
  const all = compareStatements(last, now);
  const known = all.flatMap(({ now: is, ...change }) =>
    is === undefined ? [] : [{ ...change, now: is, fails: failsRun(is, now.options) }],
  );
  const changes = known
    .filter(({ kind }) => kind !== 'same')
    .sort((a, b) => Number(b.fails) - Number(a.fails));
  const broken = changes.filter(({ kind }) => kind === 'broke' || kind === 'firstSeen');
  return {
    /** Why the two can be compared only in part; a reader must not miss them. */
    warnings: warningsOf(last, now),
    /** Of promises and of standards; those that fail a run come first. */
    verdicts: changes.filter((change) => change.now.level !== 'silent'),
    silences: changes.flatMap(({ kind, now: is, answers }) =>
      answers === undefined || kind !== 'otherwise' ? [] : [{ statement: is, ...answers }],
    ),
    latency: compareLatencies(last.latency, now.latency),
    /** Ids that only one of the two knows. */
    onlyBefore: all.flatMap(({ key, now: is }) => (is === undefined ? [key] : [])),
    onlyNow: all.flatMap(({ key, was }) => (was === undefined ? [key] : [])),
    /** Something broke that fails a run. */
    worse: broken.some(({ fails }) => fails),
  };
}

function warningsOf(last: Report, now: Report): string[] {
  // A mock listens elsewhere each time, and makes a world for each run.
  const mocks = last.target.kind === 'mock' && now.target.kind === 'mock';
  const facts = ({ target, suite, options }: Report): Record<string, string> => ({
    ...(!mocks && { 'another target': target.baseUrl }),
    'another version of the contract': suite.contractVersion,
    'another contract': suite.contractSha256,
    'other statements': suite.statementsSha256,
    'other scenarios': suite.scenariosSha256,
    'other writes allowed': options.allow,
    'another --standards': options.standards,
  });
  const [before, after] = [facts(last), facts(now)];
  return [
    ...Object.entries(after)
      .filter(([what, is]) => is !== before[what])
      .map(([what, is]) => `${what}: ${short(before[what])} before, ${short(is)} now`),
    ...partial(last, 'the earlier run'),
    ...partial(now, 'this run'),
  ];
}

/** Why a report does not cover everything. */
export function partial({ options: { only }, interrupted }: Report, who: string): string[] {
  return [
    ...(only.length > 0 ? [`${who} was narrowed to ${only.join(', ')}`] : []),
    ...(interrupted ? [`${who} was interrupted`] : []),
  ];
}

/** A digest is told by its beginning. */
function short(text = ''): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
