/** Makes the report of what the scenarios gave. A pure function of its input. */

import { canonical } from '../../spec/base/json.ts';
import { contract, type Level } from '../../spec/contract.ts';
import type { Scenario } from '../language/scenario.ts';
import { allSteps } from '../language/scenario.ts';
import type { Judged } from '../run/running.ts';
import type { Skipped } from '../safety/plan.ts';
import {
  type CheckResult,
  type ExitCode,
  exitCodes,
  type Observation,
  type Report,
  type StatementResult,
  type StatementVerdict,
  type Totals,
  type Verdict,
} from './report.ts';
import { silentVerdict, statementVerdict } from './verdict.ts';

export type Collected = Omit<
  Report,
  | 'schemaVersion'
  | 'statements'
  | 'unobservable'
  | 'notApplicable'
  | 'totals'
  | 'exitCode'
  | 'observations'
> & {
  readonly judged: readonly Judged[];
  readonly skipped: readonly Skipped[];
  readonly rawObservations: readonly Observation[];
  /** Every statement that a selected scenario names. */
  readonly named: ReadonlySet<string>;
};

export function assembleReport(collected: Collected): Report {
  const { judged, skipped, rawObservations, named, ...rest } = collected;
  const byStatement = Map.groupBy(
    [...judged, ...skipped.flatMap(untried)],
    (item) => item.statement,
  );
  const statements = [...contract.statements.keys()].map((id) =>
    statementResult(
      id,
      byStatement.get(id) ?? [],
      named,
      rest.options.only,
      rest.options.shard !== undefined,
    ),
  );
  const totals = totalsOf(statements, rest.scenarios);
  const report: Report = {
    schemaVersion: 1,
    ...rest,
    statements,
    observations: merged(rawObservations),
    unobservable: [...contract.statements.values()].flatMap(({ id, unobservable }) =>
      unobservable === undefined ? [] : [{ id, reason: unobservable }],
    ),
    notApplicable: notApplicable(skipped),
    totals,
    exitCode: exitCodes.ok,
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

/** The checks of a scenario that did not run. */
export function untried({ scenario, verdict, reason }: Skipped): Judged[] {
  if (scenario.extra) return [];
  return [...allSteps(scenario.steps), ...allSteps(scenario.undo)].flatMap((step) =>
    [...step.checks, ...step.observes].map((item) => ({
      statement: item.statement,
      scenario: scenario.title,
      step: step.id,
      kind: 'cases' in item ? ('observe' as const) : ('check' as const),
      verdict,
      reason,
      location: item.location,
      evidence: [],
    })),
  );
}

function statementResult(
  id: string,
  judged: readonly Judged[],
  named: ReadonlySet<string>,
  only: readonly string[],
  sharded: boolean,
): StatementResult {
  const source = contract.statements.get(id);
  if (source === undefined) throw new Error(`the contract has no statement ${id}`);
  const { level, text, section, unobservable } = source;
  const base = { id, level, text, section };
  const checks = judged.map(({ statement: _statement, ...check }): CheckResult => check);
  // Only a tenant that lacks a feature can show that it is needed.
  if (unobservable !== undefined && checks.every((check) => check.verdict === 'not-applicable')) {
    return { ...base, verdict: 'unobservable', reason: unobservable, checks };
  }
  if (only.length > 0 && !only.includes(id)) {
    return {
      ...base,
      verdict: 'not-selected',
      reason: 'the run was narrowed to other statements',
      checks: [],
    };
  }
  const verdict = level === 'silent' ? silentVerdict(checks) : statementVerdict(checks);
  if (verdict === undefined) {
    const selected = !sharded && only.length === 0;
    const reason =
      named.has(id) || !selected ? 'no check of it ran' : 'the suite has no check of it';
    return { ...base, verdict: sharded ? 'not-selected' : 'not-testable', reason, checks };
  }
  const reason = reasonFor(verdict, checks);
  return { ...base, verdict, ...(reason === undefined ? {} : { reason }), checks };
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

function notApplicable(skipped: readonly Skipped[]): Report['notApplicable'] {
  const features = new Map<string, Set<string>>();
  for (const { feature, scenario } of skipped) {
    if (feature === undefined) continue;
    const ids = features.get(feature) ?? new Set();
    for (const id of scenario.statements) ids.add(id);
    features.set(feature, ids);
  }
  return [...features].map(([feature, ids]) => ({ feature, statements: [...ids].sort() }));
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

function totalsOf(statements: readonly StatementResult[], scenarios: Report['scenarios']): Totals {
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

export function namedStatements(scenarios: readonly Scenario[]): Set<string> {
  return new Set(scenarios.flatMap((scenario) => [...scenario.statements]));
}
