/** The checks of a report under keys that stay the same from night to night. */

import type { BaselineEntry, FailedVerdict } from '../judge/gate.generated.ts';
import {
  type CheckResult,
  type Report,
  type StatementResult,
  writtenStep,
} from '../judge/report.ts';
import { failsRun, isFailure, isGap } from '../judge/verdict.ts';

/** Which check: what a person can find again, and no line number, as lines move. */
export type Place = Pick<BaselineEntry, 'statement' | 'scenario' | 'step' | 'check'>;

/** A check as it came out in one night, all turns of a loop together. */
export interface Seen {
  readonly place: Place;
  readonly tonight: 'failed' | 'held' | 'untried';
  readonly verdict?: FailedVerdict;
  /** Whether it makes the run fail; a departure from a standard may only be reported. */
  readonly fails: boolean;
  /** What came, in a line. */
  readonly detail: string;
}

export function keyOf({ statement, scenario, step, check }: Place): string {
  return [statement, scenario, step, check].map((part) => part ?? '').join(' | ');
}

/** Every check of promises and standards, by key. */
export function checksOf({ statements, scenarios, options }: Report): Map<string, Seen> {
  const files = new Map(scenarios.map(({ scenario, file }) => [scenario, file]));
  const all = statements.flatMap((statement): Seen[] => {
    if (statement.level === 'silent') return [];
    const places = Map.groupBy(numbered(statement, files), ({ place }) => keyOf(place));
    const checks = [...places.values()].map((same) => together(statement, same, options));
    return [wholeOf(statement, options.complete), ...checks];
  });
  return new Map(all.map((seen) => [keyOf(seen.place), seen]));
}

/** A statement as a whole: whether something of it could not be tried, where that fails. */
function wholeOf(statement: StatementResult, complete: boolean): Seen {
  const { id, verdict, reason: detail = '' } = statement;
  const base = { place: { statement: id }, fails: complete && isGap(statement), detail };
  if (base.fails) return { ...base, tonight: 'failed', verdict: verdict as FailedVerdict };
  return { ...base, tonight: verdict === 'verified' ? 'held' : 'untried' };
}

type Placed = ReturnType<typeof numbered>[number];

function together(
  { level }: StatementResult,
  same: readonly Placed[],
  options: Report['options'],
): Seen {
  const of = (wanted: (check: CheckResult) => boolean) => same.find(({ check }) => wanted(check));
  // That it fails always says more than that it fails at times.
  const always = of(({ verdict }) => isFailure(verdict) && verdict !== 'unstable');
  const failed = always ?? of(({ verdict }) => isFailure(verdict));
  const untried = of(({ verdict, moot }) => verdict === 'not-testable' && moot !== true);
  const held = !untried && of(({ verdict }) => verdict === 'verified');
  const shown = failed ?? untried ?? same[0];
  if (shown === undefined) throw new Error('a group has a check');
  const base = { place: shown.place, detail: detailOf(shown.check) };
  if (failed === undefined) return { ...base, tonight: held ? 'held' : 'untried', fails: false };
  const verdict = failed.check.verdict as FailedVerdict;
  return { ...base, tonight: 'failed', verdict, fails: failsRun({ level, verdict }, options) };
}

function detailOf({ reason, expected, actual, pointer }: CheckResult): string {
  const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
  const compared = expected !== undefined && `expected ${show(expected)}, came ${show(actual)}`;
  return [compared, pointer && `at ${pointer}`, reason].filter(Boolean).join('; ');
}

/** Where a step has several checks of a statement, they are numbered in the order of the file. */
function numbered({ id, checks }: StatementResult, files: ReadonlyMap<string, string>) {
  const placed = checks.map((check): { readonly check: CheckResult; readonly place: Place } => {
    const { scenario, location, kind } = check;
    // Steps of a loop are numbered by its turns, and what it goes through changes from day to day.
    const base = { statement: id, scenario, step: writtenStep(check.step) };
    if (kind === 'contract') return { check, place: { ...base, check: 'contract' } };
    const own = location.file === files.get(scenario);
    return { check, place: own ? base : { ...base, check: 'standing' } };
  });
  const at = ({ check: { location } }: (typeof placed)[number]): number =>
    location.line * 1000 + location.column;
  const groups = Map.groupBy(placed, ({ place }) => keyOf(place));
  const order = new Map(
    [...groups].map(([key, all]) => [key, [...new Set(all.map(at))].sort((a, b) => a - b)]),
  );
  return placed.map((item) => {
    const { place, check } = item;
    const places = order.get(keyOf(place)) ?? [];
    const alone = 'check' in place || places.length === 1;
    return { check, place: alone ? place : { ...place, check: places.indexOf(at(item)) + 1 } };
  });
}
