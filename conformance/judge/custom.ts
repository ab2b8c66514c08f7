/** Custom scenario files can break a promise of the contract, but never verify one. */

import { isCustomName } from '../../spec/contract.ts';
import type { CheckResult, Judged, Report, StatementResult } from './report.ts';
import { isFailure, statementVerdict } from './verdict.ts';

/** Marks the results of custom files. */
export function marked(
  judged: readonly Judged[],
  { suite: { custom = [] }, scenarios }: Pick<Report, 'suite' | 'scenarios'>,
): readonly Judged[] {
  const files = new Set(custom.map(({ file }) => file));
  const titles = new Set(
    scenarios.filter(({ file }) => files.has(file)).map(({ scenario }) => scenario),
  );
  if (titles.size === 0) return judged;
  return judged.map((item) => (titles.has(item.scenario) ? { ...item, custom: true } : item));
}

/** Whether a check counts for the verdict of a statement of the contract. */
export function hasSay({ custom, verdict }: Pick<CheckResult, 'custom' | 'verdict'>): boolean {
  return custom !== true || isFailure(verdict) || verdict === 'observed';
}

/** The statements that only custom files make, in the order of their names. */
export function customStatements(
  byStatement: ReadonlyMap<string, readonly Judged[]>,
): StatementResult[] {
  const own = [...byStatement].filter(([id]) => isCustomName(id));
  return own.sort().map(([id, judged]) => {
    const checks = judged.map(({ statement: _statement, ...check }): CheckResult => check);
    const selection = { only: [], leftOut: false };
    const verdict = statementVerdict({ id, level: 'documented' }, checks, selection);
    const { reason } = checks.find((check) => check.verdict === verdict) ?? {};
    const text = `as ${judged[0]?.scenario} has it`;
    return { id, level: 'custom', text, section: 'a file of yours', verdict, reason, checks };
  });
}
