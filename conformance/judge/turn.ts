/** Judges the checks of one turn of a scenario, after all its attempts. */

import { failureOf, judgeCheck, notRepeated } from './check.ts';
import type { AttemptRecord, CheckRecord, ScenarioRecord, TurnRecord } from './record.ts';
import type { Judged, RunOptions, Variation } from './report.ts';
import { judgedIn } from './rules-of-evidence.ts';
import { isFailure, mayFailRun } from './verdict.ts';

/** The judged checks of a turn, by default the last, with failures that others may have caused. */
export function judgeTurn({ extra, turns }: ScenarioRecord, turn = turns.at(-1)): Judged[] {
  if (turn === undefined) return [];
  const doubtful = new Set(notRepeated(turn.first, turn.again));
  const judged = turn.first.checks.map((check) =>
    doubtful.has(check) || turn.explained.has(check) ? unconfirmed(check, turn) : judgeCheck(check),
  );
  // An extra scenario leaves out the checks that it could not try.
  return extra ? judged.filter(({ verdict }) => verdict !== 'not-testable') : judged;
}

/** Judges a failure that others explain, or that did not come again and so is unstable. */
function unconfirmed(check: CheckRecord, { again, explained }: TurnRecord): Judged {
  const failure = judgeCheck(check);
  const others = explained.get(check);
  if (others !== undefined) return judgedIn(failure, others);
  const held = again.find((attempt) => holdsIn(check, attempt));
  // In another attempt a promise may fail at an earlier step.
  const failedToo = again.every(({ checks }) =>
    checks.some((one) => one.statement === check.statement && failureOf(one) !== undefined),
  );
  if (held === undefined)
    return failedToo ? failure : judgedIn(failure, { rule: 'not-tried-again' });
  return judgedIn(failure, { rule: 'held-again' }, held.answered.get(check.step));
}

/** Whether a failed check held in another attempt. For checks of the contract only breaches are recorded. */
function holdsIn({ statement, step, kind, location }: CheckRecord, other: AttemptRecord): boolean {
  const same = other.checks.filter(
    (one) => one.statement === statement && one.step === step && one.location === location,
  );
  if (kind === 'contract')
    return other.answered.has(step) && same.every((one) => one.kind !== kind);
  return same.some((one) => judgeCheck(one).verdict === 'verified');
}

/** The last turn in which something failed that may fail the run, also if others may have caused it. */
export function lastFailed(record: ScenarioRecord, options: Standards): TurnRecord | undefined {
  return record.turns.findLast((turn) => failuresIn(record, turn, options).size > 0);
}

/** Whether a check has failed only in a turn with several changes: one of them may be the cause. */
export function isOpen(record: ScenarioRecord, variation: Variation, options: Standards): boolean {
  const { turns } = record;
  // An allowed refusal says nothing about the promise, so another turn is needed.
  const failed = turns.filter((turn) => failuresIn(record, turn, options).size > 0);
  if (failed.length > 0 && turns.every(({ first }) => first.openRefused === true)) return true;
  const isPlain = ({ varied }: TurnRecord): boolean =>
    varied === undefined || Object.keys(varied.variation).length === 0;
  if (!turns.some(isPlain) && turns.some(leavesUntried)) return true;
  const [mixed, alone] = [true, false].map((wanted) =>
    turns
      .filter((turn) => (turn.varied?.variation === variation) === wanted && !turn.concurrent)
      .filter((turn) => !wanted || turn.first.openRefused !== true)
      .map((turn) => failuresIn(record, turn, options))
      .reduce((all, some) => all.union(some), new Set<string>()),
  );
  return mixed !== undefined && alone !== undefined && !mixed.isSubsetOf(alone);
}

/** Whether a caller or a spelling may have kept a check from being tried. */
function leavesUntried({ first }: TurnRecord): boolean {
  return first.checks.some(({ readings }) =>
    readings.some(({ circumstances }) => circumstances.some(({ rule }) => rule === 'step-before')),
  );
}

type Standards = Pick<RunOptions, 'standards'>;

/** The statements that failed in a turn. A standard that is only reported is worth no further turn. */
function failuresIn(
  record: ScenarioRecord,
  turn: TurnRecord,
  { standards }: Standards,
): Set<string> {
  return new Set(
    judgeTurn(record, turn).flatMap(({ verdict, statement }) =>
      mayFailRun(verdict, standards) ? statement : [],
    ),
  );
}

/** Whether something failed while others shared an area, so that they or a gateway may be the cause. */
export function hasFailedBeside(record: ScenarioRecord): boolean {
  return record.turns.some(
    (turn) =>
      turn.concurrent && judgeTurn(record, turn).some((item) => isDoubtful(record, turn, item)),
  );
}

/**
 * Whether a comparison failed in a turn. Other failures, such as a wrong status, cannot be caused
 * by other users.
 */
export function comparesWrong(record: ScenarioRecord, turn?: TurnRecord): boolean {
  return judgeTurn(record, turn).some((item) => isComparison(record, item));
}

function isComparison({ file }: ScenarioRecord, item: Judged): boolean {
  const { kind, location, pointer, verdict } = item;
  const own = kind === 'check' && location.file === file;
  return own && isFailure(verdict) && pointer !== '/status';
}

/**
 * For a turn that shared its areas with other scenarios. If a gateway may have answered, no failure
 * counts as the service's yet.
 */
function isDoubtful(record: ScenarioRecord, { gateway }: TurnRecord, item: Judged): boolean {
  return gateway === undefined ? isComparison(record, item) : isFailure(item.verdict);
}

export function withoutOthersDoing(record: ScenarioRecord, turn: TurnRecord): Judged[] {
  const judged = judgeTurn(record, turn);
  if (!turn.concurrent) return judged;
  return judged.map((item) =>
    isDoubtful(record, turn, item) ? judgedIn(item, { rule: 'ran-concurrently' }) : item,
  );
}
