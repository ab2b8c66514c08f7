/** The algebra of verdicts. */

import type { Level, Statement } from '../../spec/contract.ts';
import type { CheckResult, Judged, StatementVerdict, Verdict } from './report.ts';

/** What a failed check of a level is called. */
export function failed(level: Level): 'violated' | 'deviates' {
  return level === 'standard' ? 'deviates' : 'violated';
}

/** Whether a verdict says that something is broken, a promise or a standard. */
export function isFailure(verdict: StatementVerdict): boolean {
  return verdict === 'violated' || verdict === 'deviates';
}

/** A failure that must not stand: what it expected and what came says nothing any more. */
export function withdrawn(failure: Judged, reason: string): Judged {
  const { expected: _e, actual: _a, pointer: _p, ...rest } = failure;
  return { ...rest, verdict: 'not-testable', reason };
}

/** Which statements a run was to look at. */
export interface Selection {
  /** Statement ids that the run was narrowed to; empty for all. */
  readonly only: readonly string[];
  /** The run is one of several: what it did not try, another may have. */
  readonly sharded: boolean;
}

/** From bad to good. */
const order: readonly Verdict[] = [
  'violated',
  'deviates',
  'not-testable',
  'verified',
  'observed',
  'not-applicable',
];

/**
 * A statement's verdict from those of its checks: violated > deviates > not-testable > verified;
 * it is verified only if all of its checks are. A check whose own condition did not hold says
 * nothing, unless nothing else was said. A silence is observed as soon as one observation of it was
 * made; nobody fails on it.
 */
export function statementVerdict(
  { id, level, unobservable }: Pick<Statement, 'id' | 'level' | 'unobservable'>,
  checks: readonly Pick<CheckResult, 'verdict' | 'moot'>[],
  { only, sharded }: Selection,
): StatementVerdict {
  // Only a tenant that lacks a feature can show that it is needed.
  if (unobservable !== undefined && checks.every(({ verdict }) => verdict === 'not-applicable')) {
    return 'unobservable';
  }
  if (only.length > 0 && !only.includes(id)) return 'not-selected';
  const [first] = checks;
  if (first === undefined) return sharded ? 'not-selected' : 'not-testable';
  if (level === 'silent') {
    return checks.some(({ verdict }) => verdict === 'observed') ? 'observed' : first.verdict;
  }
  const speaking = checks.filter((check) => check.moot !== true);
  const said = speaking.some(({ verdict }) =>
    ['verified', 'violated', 'deviates', 'observed'].includes(verdict),
  );
  const counted = said ? speaking : checks;
  return worst(counted.map(({ verdict }) => verdict)) ?? 'not-testable';
}

/** The verdict that stands for several: the first of them in the order above. */
export function worst(verdicts: readonly Verdict[]): Verdict | undefined {
  return order.find((verdict) => verdicts.includes(verdict));
}
