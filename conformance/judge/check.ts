/**
 * Judges a check in one attempt. Also tells a run if something failed so far, so that it is tried again:
 * no verdict yet, as the next attempt may keep that failure from counting.
 */

import type { AttemptRecord, CheckRecord, Reading } from './record.ts';
import { type Judged, placeOf } from './report.ts';
import { judgedIn } from './rules-of-evidence.ts';
import { failed, isFailure } from './verdict.ts';

/** As much of an attempt as tells what failed in it. */
type Made = Pick<AttemptRecord, 'checks'>;

/** The checks of an attempt that failed, and did not fail again in every other one. */
export function notRepeated(first: Made, again: readonly Made[]): CheckRecord[] {
  if (again.length === 0) return [];
  const others = again.map(failuresOf);
  return first.checks.filter((check) => {
    const failure = failureOf(check);
    return failure !== undefined && !others.every((places) => places.has(conditionAt(failure)));
  });
}

/** The places that failed in an attempt, and again in every other one. */
export const repeatedIn = (first: Made, again: readonly Made[]): Set<string> =>
  again.map(failuresOf).reduce((all, some) => all.intersection(some), failuresOf(first));

/** The places that failed in an attempt; of several conditions which one. */
export function failuresOf({ checks }: Made): Set<string> {
  return new Set(checks.flatMap((check) => failureOf(check) ?? []).map(conditionAt));
}

/** What fails, and where: no verdict, as what happens next may keep it from counting. */
export type Failure = Omit<Judged, 'verdict' | 'reason' | 'tries' | 'held'>;

/** The failure of a check, as far as it counts now; undefined if it has none. */
export function failureOf(check: CheckRecord): Failure | undefined {
  if (check.readings.every(({ result }) => result.kind !== 'fails')) return undefined;
  const judged = judgeCheck(check);
  return isFailure(judged.verdict) ? judged : undefined;
}

/** Whether a check holds so far, or says nothing. */
export function isSettled(check: CheckRecord): boolean {
  const { verdict, moot } = judgeCheck(check);
  return verdict === 'verified' || moot === true;
}

/** That something came is not that something went. */
function conditionAt(failure: Failure): string {
  const condition = /^\/(that\/\d+|list\/\w+)/.exec(failure.pointer ?? '')?.[0] ?? '';
  return `${placeOf(failure)} ${condition}`;
}

/** The result of a check in one attempt. */
export function judgeCheck(check: CheckRecord): Judged {
  const { readings } = check;
  const all = readings.map((reading) => judgeReading(check, reading));
  return all.length === 1 && all[0] !== undefined ? all[0] : ofWalks(readings, all);
}

function judgeReading(check: CheckRecord, { result, evidence, circumstances }: Reading): Judged {
  const { statement, scenario, step, kind, location, level } = check;
  const base = { statement, scenario, step, kind, location, evidence };
  const judged = (): Judged => {
    switch (result.kind) {
      case 'holds':
        return { ...base, verdict: 'verified' };
      case 'fails': {
        const { note: reason, expected, actual, pointer } = result;
        return { ...base, verdict: failed(level), reason, expected, actual, pointer };
      }
      case 'seen':
        return { ...base, verdict: 'observed', actual: result.actual };
      case 'untestable': {
        const { reason, moot } = result;
        const rule = moot === true ? 'condition-unmet' : 'not-shown';
        return judgedIn({ ...base, verdict: 'not-testable' }, { rule, reason });
      }
      case 'untried':
        return { ...base, verdict: 'not-testable' };
    }
  };
  return circumstances.reduce((item, one) => judgedIn(item, one), judged());
}

/** So many walks over a list that stands still prove that it is served wrongly. */
const provingWalks = 2;

/**
 * The result of a check over several walks. A walk over a list that others change proves nothing: only
 * those count over which it stood still.
 */
function ofWalks(readings: readonly Reading[], all: readonly Judged[]): Judged {
  const walks = all.map((judged, index) => ({ judged, reading: readings[index] }));
  const tried = walks.filter(({ reading }) => reading?.result.kind !== 'untried');
  const still = walks.filter(({ reading }) => reading?.moved !== true);
  const failure = tried.findLast(({ judged }) => isFailure(judged.verdict))?.judged;
  const last = tried.at(-1)?.judged ?? all.at(-1);
  if (last === undefined) throw new Error('a check without a reading');
  if (failure === undefined) return last;
  const failures = still.filter(({ judged }) => isFailure(judged.verdict));
  const held = still.find(({ judged }) => judged.verdict === 'verified')?.judged;
  if (failures.length === 0 && held !== undefined)
    return judgedIn(failure, { rule: 'list-moved' }, held.evidence);
  if (failures.length === 0 || still.length < provingWalks)
    return judgedIn(failure, { rule: 'list-moves' });
  if (held === undefined) return failures.at(-1)?.judged ?? failure;
  return judgedIn(failure, { rule: 'walks-differ' }, held.evidence);
}
