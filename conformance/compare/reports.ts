/**
 * What changed from one report to another. A pure function of the two.
 *
 * What only one of the two tried is no change, whatever came of it, with one exception: a promise
 * that is broken now is news, even if nobody tried it before.
 */

import type { Report, StatementResult, StatementVerdict } from '../judge/report.ts';
import { failsRun, isFailure } from '../judge/verdict.ts';
import { compareLatencies } from './latency.ts';
import { compareSilence, inBoth } from './silences.ts';

export interface VerdictChange {
  /**
   * Broken now: `broke` was kept before, `firstSeen` was not tried, `otherwise` was broken in another
   * way, `still` in the same. Not broken now: `mended` was broken, and of the last two only one of the
   * runs tried the statement.
   */
  readonly kind:
    | 'broke'
    | 'firstSeen'
    | 'mended'
    | 'otherwise'
    | 'still'
    | 'noLongerTried'
    | 'newlyTried';
  readonly statement: StatementResult;
  /** Absent where the earlier report does not know the statement. */
  readonly was?: StatementVerdict | undefined;
  readonly now: StatementVerdict;
}

export function byId({ statements }: Report): Map<string, StatementResult> {
  return new Map(statements.map((item) => [item.id, item]));
}

/** How two reports differ. */
export function compareReports(last: Report, now: Report) {
  const [before, after] = [byId(last), byId(now)];
  const fails = ({ statement }: VerdictChange): boolean => failsRun(statement, now.options);
  const verdicts = now.statements
    .flatMap((statement): VerdictChange[] => {
      const was = before.get(statement.id)?.verdict;
      const kind = statement.level === 'silent' ? undefined : kindOf(was, statement.verdict);
      return kind === undefined ? [] : [{ kind, statement, was, now: statement.verdict }];
    })
    .sort((a, b) => Number(fails(b)) - Number(fails(a)));
  return {
    /** Why the two can be compared only in part; a reader must not miss them. */
    warnings: warningsOf(last, now),
    /** Those that fail a run come first. */
    verdicts,
    silences: inBoth(after, before).flatMap(([item, earlier]) => {
      if (item.level !== 'silent' || earlier.level !== 'silent') return [];
      const change = compareSilence(earlier, item);
      return change === undefined || change === 'same' ? [] : [change];
    }),
    latency: compareLatencies(last.latency, now.latency),
    /** Ids that only one of the two knows. */
    onlyBefore: [...before.keys()].filter((id) => !after.has(id)),
    onlyNow: [...after.keys()].filter((id) => !before.has(id)),
    /** Something broke that fails a run. */
    worse: verdicts.some((item) => /broke|firstSeen/.test(item.kind) && fails(item)),
  };
}

function kindOf(
  was: StatementVerdict | undefined,
  now: StatementVerdict,
): VerdictChange['kind'] | undefined {
  const before = was !== undefined && isTried(was);
  if (isFailure(now)) {
    if (!before) return 'firstSeen';
    if (!isFailure(was)) return 'broke';
    return was === now ? 'still' : 'otherwise';
  }
  if (was === undefined || before === isTried(now)) {
    if (was === undefined || !isFailure(was)) return undefined;
    // Where a part was not tried, it may be the part that was broken.
    return now === 'verified' ? 'mended' : 'noLongerTried';
  }
  return before ? 'noLongerTried' : 'newlyTried';
}

const tried: readonly StatementVerdict[] = ['verified', 'verified-in-part'];

/** Whether anything of a promise was seen. */
export function isTried(verdict: StatementVerdict): boolean {
  return tried.includes(verdict) || isFailure(verdict);
}

function warningsOf(last: Report, now: Report): string[] {
  // A mock listens elsewhere each time, and makes a world for each run.
  const mocks = last.target.kind === 'mock' && now.target.kind === 'mock';
  const others = [
    [last.target.baseUrl, now.target.baseUrl, 'another target'],
    [last.suite.contractVersion, now.suite.contractVersion, 'another version of the contract'],
    [last.suite.contractSha256, now.suite.contractSha256, 'another contract'],
    [last.suite.statementsSha256, now.suite.statementsSha256, 'other statements'],
    [last.suite.scenariosSha256, now.suite.scenariosSha256, 'other scenarios'],
    [last.options.allow, now.options.allow, 'other writes allowed'],
    [last.options.standards, now.options.standards, 'another --standards'],
  ] as const;
  return [
    ...others
      .filter(([was, is, what]) => was !== is && !(mocks && what === 'another target'))
      .map(([was, is, what]) => `${what}: ${short(was)} before, ${short(is)} now`),
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

function short(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
