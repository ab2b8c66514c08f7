/** Decides verdicts; the reports only render them. */

import type { Level, Statement } from '../../spec/contract.ts';
import type {
  CheckResult,
  RunOptions,
  StatementResult,
  StatementVerdict,
  Verdict,
} from './report.ts';

/** The verdict of a failed check, by level. */
export function failed(level: Level): 'violated' | 'deviates' {
  return level === 'standard' ? 'deviates' : 'violated';
}

/** Whether a verdict says that a promise or a standard is broken, always or at times. */
export function isFailure(verdict: StatementVerdict): boolean {
  return failures.includes(verdict);
}

/** Whether a failure may fail the run: a deviation from a standard may be only reported. */
export function mayFailRun(verdict: StatementVerdict, standards: RunOptions['standards']): boolean {
  return isFailure(verdict) && (verdict !== 'deviates' || standards === 'enforce');
}

/** Whether a verdict leaves a part of a promise or a standard untried. */
export function isGap({ level, verdict }: Pick<StatementResult, 'level' | 'verdict'>): boolean {
  return (
    (level === 'documented' || level === 'standard') &&
    ['not-testable', 'verified-in-part'].includes(verdict)
  );
}

/** Whether a statement's verdict makes the run fail. */
export function failsRun(
  item: Pick<StatementResult, 'level' | 'verdict'>,
  { standards, complete }: { readonly standards: 'report' | 'enforce'; readonly complete: boolean },
): boolean {
  if (isGap(item)) return complete;
  if (item.level === 'silent' || !isFailure(item.verdict)) return false;
  return item.level !== 'standard' || standards === 'enforce';
}

/** The statements that a run was to try. */
export interface Selection {
  /** Statement ids that the run was narrowed to; empty for all. */
  readonly only: readonly string[];
  /** A budget of time, or the choice of files, left scenarios out. */
  readonly leftOut: boolean;
}

/** In order, the worst first. */
const failures: readonly StatementVerdict[] = ['violated', 'deviates', 'unstable'];

/**
 * The verdict of a statement from the verdicts of its checks, all of them or those of one scenario:
 * violated > deviates > unstable > observed > verified in part > verified. A check whose own condition
 * did not hold says nothing, unless no other check says anything. A silence is observed after one
 * observation. A silence never makes a run fail, and neither does a failure that is only reported.
 */
export function statementVerdict(
  {
    id,
    level,
    unobservable,
  }: Pick<Statement, 'id' | 'unobservable'> & Pick<StatementResult, 'level'>,
  checks: readonly Pick<CheckResult, 'verdict' | 'unmet'>[],
  { only, leftOut }: Selection,
): StatementVerdict {
  // Only a tenant that lacks a feature can show that it is needed.
  if (unobservable !== undefined && checks.every(({ verdict }) => verdict === 'not-applicable')) {
    return 'unobservable';
  }
  if (only.length > 0 && !only.includes(id)) return 'not-selected';
  const [first] = checks;
  if (first === undefined) return leftOut ? 'not-selected' : 'not-testable';
  const came = (wanted: Verdict): boolean => checks.some(({ verdict }) => verdict === wanted);
  if (level === 'silent') return came('observed') ? 'observed' : first.verdict;
  const failure = failures.find((verdict) => checks.some((check) => check.verdict === verdict));
  if (failure !== undefined) return failure;
  if (came('observed')) return 'observed';
  const untried = checks.some(({ verdict, unmet }) => verdict === 'not-testable' && unmet !== true);
  if (came('verified')) return untried ? 'verified-in-part' : 'verified';
  return came('not-testable') ? 'not-testable' : first.verdict;
}

/**
 * The highest rate of failures that is still possible, with a confidence of 95 %, after so many tries
 * without a failure: about three in that many (the rule of three).
 */
export function allowedRate(held: number): number {
  return held === 0 ? 1 : 1 - 0.05 ** (1 / held);
}
