/** The checks of a report under keys that stay the same from night to night. */

import { type Outcome, stateOf } from '../compare/compare.ts';
import type { BaselineEntry } from '../judge/gate.generated.ts';
import {
  type CheckResult,
  type Report,
  type StatementResult,
  writtenStep,
} from '../judge/report.ts';
import { failsRun, isGap, statementVerdict } from '../judge/verdict.ts';

/** Identifies a check by names that a person can find again. A line number would change too often. */
export type Place = Pick<BaselineEntry, 'statement' | 'scenario' | 'step' | 'check'>;

/** The result of a check in one night. All passes of a loop count as one. */
export interface CheckOutcome extends Outcome {
  readonly place: Place;
  /** Whether it makes the run fail. A deviation from a standard may only be reported. */
  readonly fails: boolean;
  /** The reason for its state, if the report has one. */
  readonly reason?: string | undefined;
  /** The reason why its result does not count tonight. */
  readonly doubt?: 'unconfirmed' | 'late';
}

export function checkKey({ statement, scenario, step, check }: Place): string {
  return [statement, scenario, step, check].map((part) => part ?? '').join(' | ');
}

/** The scenarios whose failures do not count, because the target stopped answering during them. */
export function brokenOff({ scenarios, interrupted }: Report): ReadonlySet<string> {
  const off = scenarios.filter(({ outcome }) => interrupted || outcome === 'could-not-run');
  return new Set(off.map(({ scenario }) => scenario));
}

/**
 * Every check of promises and standards, by key. `lost` are statements that earlier nights tried
 * and this night did not.
 */
export function checksOf(
  report: Report,
  lost: ReadonlySet<string>,
  baseline: ReadonlyMap<string, BaselineEntry>,
): Map<string, CheckOutcome> {
  const { statements, scenarios, options } = report;
  const off = brokenOff(report);
  const files = new Map(scenarios.map(({ scenario, file }) => [scenario, file]));
  const all = statements.flatMap((statement) => {
    if (statement.level === 'silent') return [];
    const places = placesOf(statement, files);
    const own = places.map((found) => outcomeOf(statement, options, ...found));
    return [wholeOf(statement, options, lost), ...own];
  });
  const counted = all.map((seen): CheckOutcome => {
    if (!off.has(seen.place.scenario ?? '')) return seen;
    return { ...seen, state: 'untried', ...(seen.state === 'failed' && { doubt: 'unconfirmed' }) };
  });
  const seen = new Map(counted.map((one) => [checkKey(one.place), one]));
  const isAnswered = answeredIn(report, off);
  for (const [key, place] of baseline) {
    // The report records only failed contract checks, so such a check held if its step was
    // answered.
    if (place.check === 'contract' && !seen.has(key) && isAnswered(place))
      seen.set(key, { place, state: 'held', verdict: 'verified', fails: false });
  }
  return seen;
}

type Step = Pick<Place, 'scenario' | 'step'>;
const stepKey = ({ scenario, step = '' }: Step): string => `${scenario} | ${writtenStep(step)}`;

/**
 * Whether a step was answered. It was if it has a result, or if all checks of its scenario were
 * tried.
 */
function answeredIn({ statements, scenarios }: Report, off: ReadonlySet<string>) {
  const checks = statements.flatMap((statement) => statement.checks);
  const left = checks.filter(({ verdict }) => verdict === 'not-testable');
  const untried = new Set(left.map(({ scenario }) => scenario)).union(off);
  const ran = scenarios.filter(
    ({ scenario, outcome }) => outcome === 'ran' && !untried.has(scenario),
  );
  const whole = new Set<string | undefined>(ran.map(({ scenario }) => scenario));
  const made = checks.filter(
    ({ verdict, scenario }) => verdict !== 'not-testable' && !off.has(scenario),
  );
  const steps = new Set(made.map(stepKey));
  return (step: Step): boolean => whole.has(step.scenario) || steps.has(stepKey(step));
}

/**
 * The result of a statement as a whole. It fails if a gap fails the run, or if the statement is
 * lost.
 */
function wholeOf(
  statement: StatementResult,
  options: Report['options'],
  lost: ReadonlySet<string>,
): CheckOutcome {
  const { id, verdict, reason } = statement;
  const fails = (options.complete && isGap(statement)) || lost.has(id);
  const tried = stateOf(verdict) === 'untried' ? 'untried' : 'held';
  return { place: { statement: id }, state: fails ? 'failed' : tried, verdict, fails, reason };
}

function outcomeOf(
  { id, level }: StatementResult,
  options: Report['options'],
  place: Place,
  same: readonly CheckResult[],
): CheckOutcome {
  const verdict = statementVerdict({ id, level }, same, { only: [], leftOut: false });
  const state = stateOf(verdict);
  const shown = same.find((check) =>
    state === 'failed'
      ? check.verdict === verdict
      : check.verdict === 'not-testable' && check.unmet !== true,
  );
  const reason = shown?.reason;
  // If a change showed too late, the reason of the check begins with this word.
  const isLate = state !== 'failed' && reason?.startsWith('late: ');
  const fails = failsRun({ level, verdict }, options);
  return { place, state, verdict, fails, reason, ...(isLate && { doubt: 'late' }) };
}

/** If a step has several checks of a statement, they are numbered in the order of the file. */
function placesOf({ id: statement, checks }: StatementResult, files: ReadonlyMap<string, string>) {
  const placeOf = ({ scenario, step, kind, location: { file } }: CheckResult): Place => {
    // A step in a loop has the number of its pass, and the items of the loop change from day to
    // day.
    const base = { statement, scenario, step: writtenStep(step) };
    if (kind === 'contract') return { ...base, check: 'contract' };
    return file === files.get(scenario) ? base : { ...base, check: 'standing' };
  };
  const groups = [...Map.groupBy(checks, (check) => checkKey(placeOf(check))).values()];
  return groups.flatMap((all): [Place, readonly CheckResult[]][] => {
    const [place] = all.map(placeOf);
    if (place === undefined) return [];
    const written = ({ line, column }: CheckResult['location']): number => line * 1000 + column;
    const byLine = [...Map.groupBy(all, ({ location }) => written(location))];
    if ('check' in place || byLine.length === 1) return [[place, all]];
    const inOrder = byLine.sort(([a], [b]) => a - b);
    return inOrder.map(([, same], index) => [{ ...place, check: index + 1 }, same]);
  });
}
