/** The algebra of verdicts. */

import type { Level } from '../../spec/contract.ts';
import type { Judged } from '../run/running.ts';
import type { CheckResult, StatementVerdict, Verdict } from './report.ts';

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
 * nothing, unless nothing else was said.
 */
export function statementVerdict(
  checks: readonly Pick<CheckResult, 'verdict' | 'moot'>[],
): StatementVerdict | undefined {
  const speaking = checks.filter((check) => check.moot !== true);
  const said = speaking.some((check) =>
    ['verified', 'violated', 'deviates', 'observed'].includes(check.verdict),
  );
  const counted = said ? speaking : checks;
  return order.find((verdict) => counted.some((check) => check.verdict === verdict));
}

/** A silence is observed as soon as one observation of it was made; nobody fails on it. */
export function silentVerdict(
  checks: readonly Pick<CheckResult, 'verdict'>[],
): StatementVerdict | undefined {
  if (checks.some((check) => check.verdict === 'observed')) return 'observed';
  return checks.length === 0 ? undefined : (checks[0]?.verdict ?? undefined);
}
