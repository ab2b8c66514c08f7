/**
 * Judges a check in one attempt. A run also uses it to see whether something has failed, so that it
 * can try again. That is not a verdict yet, because the next attempt may keep the failure from
 * counting.
 */

import type { AttemptRecord, CheckRecord, Reading } from './record.ts';
import { type Judged, placeOf } from './report.ts';
import { judgedIn } from './rules-of-evidence.ts';
import { failed, isFailure } from './verdict.ts';

/** The part of an attempt that shows its failures. */
type Made = Pick<AttemptRecord, 'checks'>;

/** The checks that failed in this attempt, but not in every other attempt. */
export function notRepeated(first: Made, again: readonly Made[]): CheckRecord[] {
  const others = again.map((attempt) => failuresOf(attempt));
  return first.checks.filter((check) => {
    const failure = failureOf(check);
    return failure !== undefined && others.some((places) => !places.has(conditionAt(failure)));
  });
}

/** The places that failed in an attempt, with the condition if a check has several. */
export function failuresOf(
  { checks }: Made,
  isMeant: (failure: Failure) => boolean = () => true,
): Set<string> {
  const failures = checks.flatMap((check) => failureOf(check) ?? []);
  return new Set(failures.filter(isMeant).map(conditionAt));
}

/** A failure and its place. It has no verdict, because a later attempt may keep it from counting. */
export type Failure = Omit<Judged, 'verdict' | 'reason' | 'tries' | 'held'>;

/** The failure of a check as it counts so far; undefined if there is none. */
export function failureOf(check: CheckRecord): Failure | undefined {
  if (check.readings.every(({ result }) => result.kind !== 'fails')) return undefined;
  const judged = judgeCheck(check);
  return isFailure(judged.verdict) ? judged : undefined;
}

/** Whether a check holds so far, or has no result. */
export function isSettled(check: CheckRecord): boolean {
  const { verdict, unmet } = judgeCheck(check);
  return verdict === 'verified' || unmet === true;
}

/** The condition that failed: an added item is not the same failure as a lost item. */
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
        const { reason, unmet } = result;
        const rule = unmet === true ? 'condition-unmet' : 'not-shown';
        return judgedIn({ ...base, verdict: 'not-testable' }, { rule, reason });
      }
      case 'untried':
        return { ...base, verdict: 'not-testable' };
    }
  };
  return circumstances.reduce((item, one) => judgedIn(item, one), judged());
}

/** The number of walks over an unchanged list that prove a violation. */
const provingWalks = 2;
/** If at least a third of the walks fail, changes by other users do not explain it. */
const leastShare = 3;

/**
 * The result of a check over several walks. A walk proves nothing if others change the list meanwhile, so
 * only walks over an unchanged list count.
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
  if (failures.length * leastShare < still.length)
    return judgedIn(failure, { rule: 'walk-once', walks: still.length });
  return judgedIn(failure, { rule: 'walks-differ' }, held.evidence);
}
