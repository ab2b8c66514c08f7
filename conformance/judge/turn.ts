/** Judges the checks of one turn of a scenario, once all of its attempts are made. */

import { failureOf, judgeCheck, notRepeated } from './check.ts';
import type { AttemptRecord, CheckRecord, ScenarioRecord, TurnRecord } from './record.ts';
import type { Judged, Variation } from './report.ts';
import { judgedIn } from './rules-of-evidence.ts';
import { isFailure } from './verdict.ts';

/** The checks of a turn, by default the last. Failures that others may have caused are among them. */
export function judgeTurn({ extra, turns }: ScenarioRecord, turn = turns.at(-1)): Judged[] {
  if (turn === undefined) return [];
  const doubtful = new Set(turn.trace ? [] : notRepeated(turn.first, turn.again));
  const judged = turn.first.checks.map((check) =>
    doubtful.has(check) ? unconfirmed(check, turn) : judgeCheck(check),
  );
  // An extra scenario that could not try something says nothing of it.
  return extra ? judged.filter(({ verdict }) => verdict !== 'not-testable') : judged;
}

/** A failure that did not come again is somebody else's work if that explains it, or unstable. */
function unconfirmed(check: CheckRecord, { again, explained }: TurnRecord): Judged {
  const failure = judgeCheck(check);
  const others = explained.get(check);
  if (others !== undefined) return judgedIn(failure, others);
  const held = again.find((attempt) => holdsIn(check, attempt));
  // A promise may fail before the step at which it failed at first.
  const failedToo = again.every(({ checks }) =>
    checks.some((one) => one.statement === check.statement && failureOf(one) !== undefined),
  );
  if (held === undefined)
    return failedToo ? failure : judgedIn(failure, { rule: 'not-tried-again' });
  return judgedIn(failure, { rule: 'held-again' }, held.answered.get(check.step));
}

/** Whether what failed held in another attempt. Of the contract's checks only breaches are recorded. */
function holdsIn({ statement, step, kind, location }: CheckRecord, other: AttemptRecord): boolean {
  const same = other.checks.filter(
    (one) => one.statement === statement && one.step === step && one.location === location,
  );
  if (kind === 'contract')
    return other.answered.has(step) && same.every((one) => one.kind !== kind);
  return same.some((one) => judgeCheck(one).verdict === 'verified');
}

/** Whether something failed in a turn of a scenario, others' doing or not. */
export function hasFailed(record: ScenarioRecord): boolean {
  return record.turns.some((turn) => failuresIn(record, turn).size > 0);
}

/** How the last turn was varied in which something failed. */
export function lastFailed(record: ScenarioRecord): Variation | undefined {
  return record.turns.findLast((turn) => failuresIn(record, turn).size > 0)?.varied?.variation;
}

/** Whether something failed in a mixed variation alone, so far: a part of it may tell why. */
export function isOpen(record: ScenarioRecord, variation: Variation): boolean {
  const { turns } = record;
  // Refused as it may be, it says nothing of the promise: that takes another try.
  const failed = turns.filter((turn) => failuresIn(record, turn).size > 0);
  if (failed.length > 0 && turns.every(({ first }) => first.openRefused === true)) return true;
  const isPlain = ({ varied }: TurnRecord): boolean =>
    varied === undefined || Object.keys(varied.variation).length === 0;
  if (!turns.some(isPlain) && turns.some(leavesUntried)) return true;
  const [mixed, alone] = [true, false].map((wanted) =>
    turns
      .filter((turn) => (turn.varied?.variation === variation) === wanted && !turn.beside)
      .filter((turn) => !wanted || turn.first.openRefused !== true)
      .map((turn) => failuresIn(record, turn))
      .reduce((all, some) => all.union(some), new Set<string>()),
  );
  return mixed !== undefined && alone !== undefined && !mixed.isSubsetOf(alone);
}

/** Whether a caller or a spelling may have kept a check from being made. */
function leavesUntried({ first }: TurnRecord): boolean {
  return first.checks.some(({ readings }) =>
    readings.some(({ circumstances }) => circumstances.some(({ rule }) => rule === 'step-before')),
  );
}

/** The statements that failed in a turn. */
function failuresIn(record: ScenarioRecord, turn: TurnRecord): Set<string> {
  return new Set(
    judgeTurn(record, turn).flatMap(({ verdict, statement }) =>
      isFailure(verdict) ? statement : [],
    ),
  );
}

/** Whether something failed beside others that share an area, and may be of their doing or a gateway's. */
export function hasFailedBeside(record: ScenarioRecord): boolean {
  return record.turns.some(
    (turn) => turn.beside && judgeTurn(record, turn).some((item) => isDoubtful(record, turn, item)),
  );
}

/** Whether a comparison failed in a turn: the status and the shape of an answer are its own. */
export function comparesWrong(record: ScenarioRecord, turn?: TurnRecord): boolean {
  return judgeTurn(record, turn).some((item) => isComparison(record, item));
}

function isComparison({ file }: ScenarioRecord, item: Judged): boolean {
  const { kind, location, pointer, verdict } = item;
  const own = kind === 'check' && location.file === file;
  return own && isFailure(verdict) && pointer !== '/status';
}

/** Of a turn beside others. If a gateway may have answered, no failure is the service's own yet. */
function isDoubtful(record: ScenarioRecord, { gateway }: TurnRecord, item: Judged): boolean {
  return gateway === undefined ? isComparison(record, item) : isFailure(item.verdict);
}

export function withoutOthersDoing(record: ScenarioRecord, turn: TurnRecord): Judged[] {
  const judged = judgeTurn(record, turn);
  if (!turn.beside) return judged;
  return judged.map((item) =>
    isDoubtful(record, turn, item) ? judgedIn(item, { rule: 'beside-others' }) : item,
  );
}
