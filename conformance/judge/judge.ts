/**
 * Makes the report of the record of a run. A pure function: what happened goes in, and each check, each
 * statement and the run come out with a verdict. `run/` asks it only if a failure counts so far.
 */

import { canonical } from '../../spec/base/json.ts';
import { assembleReport } from './assemble-report.ts';
import type {
  AttemptRecord,
  CheckRecord,
  Reading,
  RunRecord,
  ScenarioRecord,
  TurnRecord,
} from './record.ts';
import { type Judged, placeOf, type Report, type ScenarioResult } from './report.ts';
import { judgedIn, reasonOf } from './rules-of-evidence.ts';
import { failed, isFailure } from './verdict.ts';

export function judge({ scenarios, ...said }: RunRecord): Report {
  const all = scenarios.map(judgeScenario);
  return assembleReport({
    ...said,
    scenarios: all.map(({ result }) => result),
    judged: all.flatMap(({ judged }) => judged),
    // Those of an attempt that was to confirm a failure say the same once more.
    observations: scenarios.flatMap(({ turns }) =>
      turns.flatMap(({ first }) => first.observations),
    ),
    eventually: scenarios.flatMap(({ turns }) => turns.flatMap(({ first }) => first.eventually)),
    notApplicable: scenarios.flatMap(({ notRun }) => {
      const { feature } = notRun ?? {};
      return feature ? [{ feature: feature.name, statements: [...feature.statements] }] : [];
    }),
  });
}

/** What a scenario came to in all of its turns. */
function judgeScenario(record: ScenarioRecord): {
  readonly result: ScenarioResult;
  readonly judged: readonly Judged[];
} {
  const { notRun, turns, extra } = record;
  if (notRun !== undefined) {
    const { why, checks } = notRun;
    const none = { reason: reasonOf(why), durationMs: 0, requests: 0 };
    return {
      result: { ...about(record), outcome: 'not-run', ...none },
      judged: extra ? [] : checks.map(judgeCheck),
    };
  }
  const judged = turns.map((turn) => withoutOthersDoing(record, turn));
  const [only, ...more] = turns.map((turn) => turnResult(record, turn));
  if (only === undefined) throw new Error(`${record.scenario} had no turn`);
  if (more.length === 0) return { result: only, judged: judged.flat() };
  const results = [only, ...more];
  const { outcome, reason } = results.find((one) => one.outcome !== 'ran') ?? only;
  const sum = (key: 'durationMs' | 'requests'): number =>
    results.reduce((total, one) => total + one[key], 0);
  return {
    result: {
      ...only,
      ...{ outcome, reason, tries: results.length },
      ...{ durationMs: sum('durationMs'), requests: sum('requests') },
    },
    judged: [...Map.groupBy(judged.flat(), seenAt).values()].flatMap((same) =>
      ofTurns(same, results.length),
    ),
  };
}

function about({ scenario, file, effect }: ScenarioRecord) {
  return { scenario, file, effect };
}

function turnResult(record: ScenarioRecord, turn: TurnRecord): ScenarioResult {
  const { first, again, beside, durationMs } = turn;
  return {
    ...about(record),
    outcome: first.couldNotRun === undefined ? 'ran' : 'could-not-run',
    reason: first.couldNotRun,
    durationMs,
    requests: [first, ...again].reduce((sum, { requests }) => sum + requests, 0),
    ...(beside && { beside }),
  };
}

/** What the checks of one turn came to, the last of a scenario; what others may have done is among it. */
export function judgeTurn({ extra, turns }: ScenarioRecord, turn = turns.at(-1)): Judged[] {
  if (turn === undefined) return [];
  const doubtful = new Set(turn.trace ? [] : notRepeated(turn.first, turn.again));
  const judged = turn.first.checks.map((check) =>
    doubtful.has(check) ? unconfirmed(check, turn) : judgeCheck(check),
  );
  // An extra scenario that could not try something says nothing of it.
  return extra ? judged.filter(({ verdict }) => verdict !== 'not-testable') : judged;
}

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

/** What failed in an attempt; of several conditions which one. */
export function failuresOf({ checks }: Made): Set<string> {
  return new Set(checks.flatMap((check) => failureOf(check) ?? []).map(conditionAt));
}

/** What fails, and where: no verdict, as what happens next may keep it from counting. */
export type Failure = Omit<Judged, 'verdict' | 'reason' | 'tries' | 'held'>;

/** What counts as failed of a check, so far; undefined if nothing does. */
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

/** A failure that did not come again is somebody else's work if that explains it, or unstable. */
function unconfirmed(check: CheckRecord, { again, explained }: TurnRecord): Judged {
  const failure = judgeCheck(check);
  const others = explained.get(check);
  if (others !== undefined) return judgedIn(failure, others);
  const held = again.find((attempt) => holdsIn(check, attempt));
  if (held === undefined) return judgedIn(failure, { rule: 'not-tried-again' });
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

/** What a check came to in one attempt. */
function judgeCheck(check: CheckRecord): Judged {
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
 * What several walks say of one check. A walk over a list that others change proves nothing: only
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

/** Whether something failed in a turn of a scenario, others' doing or not. */
export function hasFailed(record: ScenarioRecord): boolean {
  return record.turns.some((turn) =>
    judgeTurn(record, turn).some(({ verdict }) => isFailure(verdict)),
  );
}

/** Whether a comparison failed beside others that share an area, and may be of their doing. */
export function hasFailedBeside(record: ScenarioRecord): boolean {
  return record.turns.some((turn) => turn.beside && comparesWrong(record, turn));
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

function withoutOthersDoing(record: ScenarioRecord, turn: TurnRecord): Judged[] {
  const judged = judgeTurn(record, turn);
  if (!turn.beside) return judged;
  return judged.map((item) =>
    isComparison(record, item) ? judgedIn(item, { rule: 'beside-others' }) : item,
  );
}

/** A check, or one thing that was observed of a silence: each is worth knowing. */
function seenAt(item: Judged): string {
  return item.kind === 'observe' ? `${placeOf(item)} ${canonical(item.actual)}` : placeOf(item);
}

/** What the turns of a scenario say of one check. */
function ofTurns(same: readonly Judged[], turns: number): Judged[] {
  const failures = same.filter(({ verdict }) => isFailure(verdict));
  const verified = same.filter(({ verdict }) => verdict === 'verified');
  const [failure, held] = [failures[0], verified[0]];
  const tries = {
    // Of the contract's checks only breaches are recorded.
    held: same[0]?.kind === 'contract' ? turns - failures.length : verified.length,
    failed: failures.length,
  };
  if (failure === undefined) return held === undefined ? same.slice(0, 1) : [{ ...held, tries }];
  if (failure.verdict !== 'unstable' && tries.held === 0) return [{ ...failure, tries }];
  const atTimes = {
    rule: 'at-times',
    failed: tries.failed,
    tries: tries.held + tries.failed,
  } as const;
  return [{ ...judgedIn(failure, atTimes, failure.held ?? held?.evidence), tries }];
}
