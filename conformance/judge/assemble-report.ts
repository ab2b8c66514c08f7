/** Makes the report from the records of the scenarios. A pure function of its input. */

import { brief, canonical, equal, isObject } from '../../spec/base/json.ts';
import { contract, type Level, type OperationId, type Statement } from '../../spec/contract.ts';
import { customStatements, hasSay, marked } from './custom.ts';
import {
  type CheckResult,
  type ExitCode,
  exitCodes,
  type Judged,
  type LeftBehind,
  notice,
  type Observation,
  type Report,
  type ScenarioResult,
  type StatementResult,
  type StatementVerdict,
  type Totals,
  type Verdict,
} from './report.ts';
import { judgedIn } from './rules-of-evidence.ts';
import {
  allowedRate,
  failsRun,
  isFailure,
  isGap,
  type Selection,
  statementVerdict,
} from './verdict.ts';

export type Collected = Omit<
  Report,
  'schemaVersion' | 'statements' | 'unobservable' | 'totals' | 'exitCode'
> & {
  /** Every check, also the checks that could not be tried. */
  readonly judged: readonly Judged[];
  /** The statements that the run may try, by `--allow`, the tenant file and its features. */
  readonly mayTry: ReadonlySet<string>;
};

export function assembleReport(collected: Collected): Report {
  const { judged, observations, mayTry, ...rest } = collected;
  const all = marked([...judged, ...collected.leftBehind.flatMap(brokenByPutBack)], rest);
  const byStatement = Map.groupBy(all, (item) => item.statement);
  const { only, files, leftOut = [] } = rest.options;
  const selection = { only, leftOut: leftOut.length > 0 || files !== undefined };
  const known = [...contract.statements.values()];
  const statements = [
    ...known.map((statement) =>
      statementResult(statement, byStatement.get(statement.id) ?? [], selection),
    ),
    ...customStatements(byStatement),
  ];
  const report: Omit<Report, 'exitCode'> = {
    schemaVersion: 1,
    notice,
    ...rest,
    statements,
    observations: merged(observations),
    notApplicable: byFeature(rest.notApplicable),
    unobservable: known.flatMap(({ id, level, unobservable }) =>
      unobservable === undefined || level === 'silent' ? [] : [{ id, reason: unobservable }],
    ),
    totals: totalsOf(statements, rest.scenarios),
  };
  return { ...report, exitCode: exitCodeOf(report, mayTry) };
}

const putBackStep = 'put back';

/** Violations by put-backs that the target accepted, but that had no effect. */
function brokenByPutBack({ operation, was, now, scenario, location }: LeftBehind): Judged[] {
  const { promises = {} } = contract.operations.get(operation as OperationId)?.restore ?? {};
  if (!isObject(was) || !isObject(now)) return [];
  return Object.entries(promises).flatMap(([field, statement]): Judged[] => {
    const [expected, actual] = [was[field], now[field]];
    if (expected === undefined || equal(expected, actual)) return [];
    const check = { statement, scenario, step: putBackStep, kind: 'check', location } as const;
    const read = { expected, actual, pointer: `/${field}`, evidence: [] };
    return [judgedIn({ ...check, ...read, verdict: 'violated' }, { rule: 'put-back-lost' })];
  });
}

/** The worst finding decides: first a changed object, then failures, then doubts. */
function exitCodeOf(report: Omit<Report, 'exitCode'>, mayTry: ReadonlySet<string>): ExitCode {
  const { options, leftBehind, statements } = report;
  if (leftBehind.length > 0) return exitCodes.unsafe;
  if (statements.some((item) => failsRun(item, options))) return exitCodes.violation;
  if (whyCouldNotRun(report).length > 0) return exitCodes.couldNotRun;
  const promises = statements.filter(({ id, level }) => level !== 'silent' && mayTry.has(id));
  const gaps = promises.filter(({ verdict }) => verdict === 'not-testable');
  if (gaps.length > promises.length / 2) return exitCodes.couldNotRun;
  return exitCodes.ok;
}

/** The reasons why a run says too little about the target, one a line. */
export function whyCouldNotRun(report: Omit<Report, 'exitCode'>): string[] {
  const { totals, interrupted, stopped, preflight, scenarios } = report;
  const { verified, violated, deviates, unstable, observed } = totals.checks;
  const { ran, couldNotRun } = totals.scenarios;
  if (interrupted) return ['the run was interrupted'];
  if (stopped !== undefined) return [stopped];
  // Either the tenant file or the target is wrong, so no run passes before that is known.
  if (preflight.length > 0) return preflight.map(({ name, message }) => `${name}: ${message}`);
  // A gateway may break off a few scenarios. If there are more, the target is down.
  if (couldNotRun > (ran + couldNotRun) / 50) {
    return [`${couldNotRun} of the scenarios could not run: ${reasonLost(scenarios)}`];
  }
  const some = verified + violated + deviates + unstable + observed > 0;
  return some ? [] : ['nothing was evaluated'];
}

/** The reason why scenarios could not run. If one was not begun, its reason is only that others could not run. */
export function reasonLost(scenarios: Report['scenarios']): string {
  const lost = scenarios.filter(({ outcome }) => outcome === 'could-not-run');
  const { reason = 'no reason was given' } =
    lost.find(({ requests }) => requests > 0) ?? lost[0] ?? {};
  return reason;
}

function statementResult(
  statement: Statement,
  judged: readonly Judged[],
  selection: Selection,
): StatementResult {
  const checks = judged.map(
    ({ statement: _statement, ways: _ways, ...check }): CheckResult => check,
  );
  const held = judged.filter(({ verdict }) => verdict === 'verified');
  const heldIn = [...new Set(held.flatMap(({ ways = [] }) => ways))].sort();
  const { id, level, text, section, unobservable, inferred } = statement;
  const counted = checks.filter(hasSay);
  const verdict = statementVerdict(statement, counted, selection);
  const base = {
    ...{ id, level, text, section, verdict, ...(inferred && { inferred }) },
    ...(heldIn.length > 0 && { heldIn }),
  };
  if (verdict === 'unobservable') return { ...base, reason: unobservable, checks };
  const { only } = selection;
  if (only.length > 0 && !only.includes(id)) {
    return { ...base, reason: 'the run was narrowed to other statements', checks: [] };
  }
  if (counted.length > 0) {
    return { ...base, reason: reasonFor(verdict, counted), ...effort(verdict, counted), checks };
  }
  return { ...base, reason: 'no check of it ran', checks };
}

/** How often a statement was tried, and which part of it was not. */
function effort(
  verdict: StatementVerdict,
  checks: readonly CheckResult[],
): Pick<StatementResult, 'tries' | 'failureRate' | 'untried'> {
  const tried = checks.map(({ tries, verdict: own }) => tries ?? once(own));
  const sum = (key: 'held' | 'failed'): number => tried.reduce((all, one) => all + one[key], 0);
  const tries = { held: sum('held'), failed: sum('failed') };
  if (tries.held + tries.failed === 0) return {};
  if (verdict === 'verified') return { tries, failureRate: allowedRate(tries.held) };
  if (verdict !== 'verified-in-part') return { tries };
  const left = checks.filter((check) => check.verdict === 'not-testable' && check.unmet !== true);
  return { tries, untried: [...new Set(left.map(partOf))] };
}

function partOf({ scenario, step, reason }: CheckResult): string {
  return `${scenario}, step ${step}${reason === undefined ? '' : `: ${reason}`}`;
}

/** The tries of a check that has no turns of its own. */
function once(verdict: Verdict): NonNullable<CheckResult['tries']> {
  const held = verdict === 'verified' || verdict === 'unstable';
  return { held: Number(held), failed: Number(isFailure(verdict)) };
}

function reasonFor(verdict: StatementVerdict, checks: readonly CheckResult[]): string | undefined {
  if (verdict === 'verified') return undefined;
  const wanted = verdict === 'verified-in-part' ? 'not-testable' : verdict;
  const first = checks.find((check) => check.verdict === wanted && check.unmet !== true);
  const check = first ?? checks.find((item) => item.verdict === wanted);
  if (check?.reason !== undefined || verdict === 'observed') return check?.reason;
  if (check === undefined) return undefined;
  const only = check.only === undefined ? '' : `${check.only}: `;
  const place = `${check.location.file}:${check.location.line}:${check.location.column}`;
  return `${only}${check.pointer ?? ''}: expected ${brief(check.expected, 160, 'nothing')}, came ${brief(check.actual, 160, 'nothing')} (${place})`;
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

function byFeature(found: Report['notApplicable']): Report['notApplicable'] {
  return [...Map.groupBy(found, ({ feature }) => feature)].map(([feature, all]) => ({
    feature,
    statements: [...new Set(all.flatMap(({ statements }) => statements))].sort(),
  }));
}

const verdicts: readonly Verdict[] = [
  'verified',
  'violated',
  'deviates',
  'unstable',
  'not-testable',
  'not-applicable',
  'observed',
];
const statementVerdicts: readonly StatementVerdict[] = [
  ...verdicts,
  'verified-in-part',
  'unobservable',
  'not-selected',
];
const levels: readonly Level[] = ['documented', 'standard', 'silent'];

/** How many statements, checks and scenarios got each verdict. */
export function totalsOf(
  statements: readonly StatementResult[],
  scenarios: Report['scenarios'],
): Totals {
  const of = (level: Level) => statements.filter((item) => item.level === level);
  const checks = statements.flatMap((item) => item.checks);
  const came = (wanted: ScenarioResult['outcome']): number =>
    scenarios.filter(({ outcome }) => outcome === wanted).length;
  return {
    statements: table(levels, (level) => counts(statementVerdicts, of(level))),
    checks: counts(verdicts, checks),
    scenarios: { ran: came('ran'), notRun: came('not-run'), couldNotRun: came('could-not-run') },
    gaps: statements.filter(isGap).length,
  };
}

function counts<V extends string>(verdicts: readonly V[], items: readonly { verdict: V }[]) {
  return table(verdicts, (wanted) => items.filter(({ verdict }) => verdict === wanted).length);
}

function table<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}
