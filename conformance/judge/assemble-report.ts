/** Makes the report of what the scenarios gave. A pure function of its input. */

import { canonical } from '../../spec/base/json.ts';
import { contract, type Level, type Statement } from '../../spec/contract.ts';
import {
  type CheckResult,
  type ExitCode,
  exitCodes,
  type Judged,
  type Observation,
  type Report,
  type StatementResult,
  type StatementVerdict,
  type Totals,
  type Verdict,
} from './report.ts';
import { type Selection, statementVerdict } from './verdict.ts';

export type Collected = Omit<
  Report,
  'schemaVersion' | 'statements' | 'unobservable' | 'totals' | 'exitCode'
> & {
  /** Every check, those that could not be tried included. */
  readonly judged: readonly Judged[];
  /** Every statement that a selected scenario names. */
  readonly named: ReadonlySet<string>;
};

export function assembleReport(collected: Collected): Report {
  const { judged, named, observations, ...rest } = collected;
  const byStatement = Map.groupBy(judged, (item) => item.statement);
  const { only, shard } = rest.options;
  const selection = { only, sharded: shard !== undefined };
  const all = [...contract.statements.values()];
  const statements = all.map((statement) =>
    statementResult(statement, byStatement.get(statement.id) ?? [], named, selection),
  );
  const report: Omit<Report, 'exitCode'> = {
    schemaVersion: 1,
    ...rest,
    statements,
    observations: merged(observations),
    unobservable: all.flatMap(({ id, unobservable }) =>
      unobservable === undefined ? [] : [{ id, reason: unobservable }],
    ),
    totals: totalsOf(statements, rest.scenarios),
  };
  return { ...report, exitCode: exitCodeOf(report) };
}

/** Violations first, then what a stale baseline would say, then what could not run. */
export function exitCodeOf(report: Omit<Report, 'exitCode'>): ExitCode {
  const { checks, gaps, scenarios } = report.totals;
  const { standards, complete } = report.options;
  if (checks.violated > 0) return exitCodes.violation;
  if (standards === 'enforce' && checks.deviates > 0) return exitCodes.violation;
  if (complete && gaps > 0) return exitCodes.violation;
  const evaluated = checks.verified + checks.deviates + checks.observed;
  if (scenarios.couldNotRun > 0 || evaluated === 0) return exitCodes.couldNotRun;
  if (report.leftBehind.length > 0 || report.interrupted) return exitCodes.couldNotRun;
  return exitCodes.ok;
}

function statementResult(
  statement: Statement,
  judged: readonly Judged[],
  named: ReadonlySet<string>,
  selection: Selection,
): StatementResult {
  const checks = judged.map(({ statement: _statement, ...check }): CheckResult => check);
  const { id, level, text, section, unobservable, inferred } = statement;
  const verdict = statementVerdict(statement, checks, selection);
  const base = { id, level, text, section, verdict, ...(inferred && { inferred }) };
  if (verdict === 'unobservable') return { ...base, reason: unobservable, checks };
  const { only, sharded } = selection;
  if (only.length > 0 && !only.includes(id)) {
    return { ...base, reason: 'the run was narrowed to other statements', checks: [] };
  }
  if (checks.length > 0) return { ...base, reason: reasonFor(verdict, checks), checks };
  const selected = !sharded && only.length === 0;
  const reason = named.has(id) || !selected ? 'no check of it ran' : 'the suite has no check of it';
  return { ...base, reason, checks };
}

function reasonFor(verdict: StatementVerdict, checks: readonly CheckResult[]): string | undefined {
  if (verdict === 'verified' || verdict === 'observed') return undefined;
  const first = checks.find((check) => check.verdict === verdict && check.moot !== true);
  const check = first ?? checks.find((item) => item.verdict === verdict);
  if (check?.reason !== undefined) return check.reason;
  if (check === undefined) return undefined;
  const place = `${check.location.file}:${check.location.line}:${check.location.column}`;
  return `${check.pointer ?? ''}: expected ${brief(check.expected)}, came ${brief(check.actual)} (${place})`;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}

function merged(observations: readonly Observation[]): Observation[] {
  const found = new Map<string, Observation>();
  for (const item of observations) {
    const { kind, statement, operation, choice, value } = item;
    const key = canonical([kind, statement ?? '', operation ?? '', choice ?? '', value]);
    const known = found.get(key);
    found.set(key, known === undefined ? item : { ...known, count: known.count + item.count });
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

const verdicts: readonly Verdict[] = [
  'verified',
  'violated',
  'deviates',
  'not-testable',
  'not-applicable',
  'observed',
];
const statementVerdicts: readonly StatementVerdict[] = [
  ...verdicts,
  'unobservable',
  'not-selected',
];
const levels: readonly Level[] = ['documented', 'standard', 'silent'];

/** How many statements, checks and scenarios came to each verdict. */
export function totalsOf(
  statements: readonly StatementResult[],
  scenarios: Report['scenarios'],
): Totals {
  const count = (level: Level, verdict: StatementVerdict): number =>
    statements.filter((item) => item.level === level && item.verdict === verdict).length;
  const checks = statements.flatMap((item) => item.checks);
  const byVerdict = Map.groupBy(checks, (check) => check.verdict);
  return {
    statements: table(levels, (level) =>
      table(statementVerdicts, (verdict) => count(level, verdict)),
    ),
    checks: table(verdicts, (verdict) => byVerdict.get(verdict)?.length ?? 0),
    scenarios: {
      ran: scenarios.filter((item) => item.outcome === 'ran').length,
      notRun: scenarios.filter((item) => item.outcome === 'not-run').length,
      couldNotRun: scenarios.filter((item) => item.outcome === 'could-not-run').length,
    },
    gaps: statements.filter((item) => item.level !== 'silent' && item.verdict === 'not-testable')
      .length,
  };
}

function table<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}
