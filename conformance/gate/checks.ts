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

/** Which check: what a person can find again, and no line number, as lines move. */
export type Place = Pick<BaselineEntry, 'statement' | 'scenario' | 'step' | 'check'>;

/** A check as it came out in one night, all turns of a loop together. */
export interface CheckOutcome extends Outcome {
  readonly place: Place;
  /** Whether it makes the run fail; a departure from a standard may only be reported. */
  readonly fails: boolean;
  /** What came, in a line. */
  readonly detail: string;
  /** Why it says nothing tonight, though something came. */
  readonly doubt?: 'unconfirmed' | 'late';
}

export function checkKey({ statement, scenario, step, check }: Place): string {
  return [statement, scenario, step, check].map((part) => part ?? '').join(' | ');
}

/** Every check of promises and standards, by key; what `isOut` says nothing tonight. */
export function checksOf(
  { statements, scenarios, options }: Report,
  isOut: (place: Place) => boolean,
): Map<string, CheckOutcome> {
  const files = new Map(scenarios.map(({ scenario, file }) => [scenario, file]));
  const promised = statements.filter(({ level }) => level !== 'silent');
  const all = promised.flatMap((statement) => [
    wholeOf(statement, options),
    ...placesOf(statement, files).map((found) => outcomeOf(statement, options, ...found)),
  ]);
  const counted = all.map((seen): CheckOutcome => {
    if (!isOut(seen.place)) return seen;
    return { ...seen, state: 'untried', ...(seen.state === 'failed' && { doubt: 'unconfirmed' }) };
  });
  return new Map(counted.map((seen) => [checkKey(seen.place), seen]));
}

/** A statement as a whole: whether something of it could not be tried, if that fails. */
function wholeOf(statement: StatementResult, options: Report['options']): CheckOutcome {
  const { id, verdict, reason: detail = '' } = statement;
  const fails = options.complete && isGap(statement);
  const state = fails ? 'failed' : verdict === 'verified' ? 'held' : 'untried';
  return { place: { statement: id }, state, verdict, fails, detail };
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
      : check.verdict === 'not-testable' && check.moot !== true,
  );
  const fails = failsRun({ level, verdict }, options);
  const detail = shown === undefined ? '' : detailOf(shown);
  // What showed too late is withdrawn with a reason that begins so.
  const late = state !== 'failed' && detail.startsWith('late: ');
  return { place, state, verdict, fails, detail, ...(late && { doubt: 'late' }) };
}

function detailOf({ reason, expected, actual, pointer }: CheckResult): string {
  const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
  const compared = expected !== undefined && `expected ${show(expected)}, came ${show(actual)}`;
  return [compared, pointer && `at ${pointer}`, reason].filter(Boolean).join('; ');
}

/** If a step has several checks of a statement, they are numbered in the order of the file. */
function placesOf({ id: statement, checks }: StatementResult, files: ReadonlyMap<string, string>) {
  const placeOf = ({ scenario, step, kind, location: { file } }: CheckResult): Place => {
    // Steps of a loop are numbered by its turns, and what it goes through changes from day to day.
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
