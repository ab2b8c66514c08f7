/** Steps that call again: until something shows, or over a time in which nothing must change. */

import { equal } from '../../spec/base/json.ts';
import { failureOf, isSettled } from '../judge/judge.ts';
import type { CheckRecord, Reading } from '../judge/record.ts';
import { placeOf } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import { isExpected } from '../language/evaluate.ts';
import type { Timing } from '../language/scenario.ts';
import { targetPace } from '../target/pace.ts';
import { headOf } from '../target/step-answer.ts';
import { callOnce, callStep } from './call-step.ts';
import { readChecks } from './record-step.ts';
import type { Turn } from './running.ts';

export interface Tried {
  readonly answer: Answer;
  readonly checks: readonly CheckRecord[];
}

export async function tryStep(turn: Turn): Promise<Tried> {
  const { timing, mode } = turn.step;
  if (timing?.kind === 'eventually') return eventually(turn, timing);
  if (timing?.kind === 'throughout') return throughout(turn, timing);
  if (mode?.kind === 'walkPages' || mode?.kind === 'scimList') return walked(turn);
  return once(turn);
}

async function once(turn: Turn): Promise<Tried> {
  const answer = await callStep(turn);
  return { answer, checks: readChecks(turn, answer) };
}

async function eventually(
  turn: Turn,
  timing: Extract<Timing, { kind: 'eventually' }>,
): Promise<Tried> {
  const { running, step, id } = turn;
  const { run, scenario } = running;
  const within = run.settling.withinMs(timing);
  const pace = paceOf(turn, timing, 'up to');
  /** What the step came to when its wait was over; from then on it only looks. */
  let missed: Tried | undefined;
  for (let poll = 0; ; poll++) {
    const tried = await once(missed === undefined ? turn : { ...turn, late: true });
    const now = pace.elapsed();
    const shows = tried.checks.every(isSettled) && isExpected(step, tried.answer, running.scope);
    const over = shows || now >= 2 * within;
    const next = run.morePolls?.(id) ?? (over ? 'no' : now < within ? 'in time' : 'late');
    if (next === 'no') {
      const tookMs = shows ? Math.round(now) : null;
      running.eventually.push({
        ...{ scenario: scenario.title, step: id, tookMs, polls: poll + 1, withinMs: within },
      });
      if (tookMs !== null && step.operation !== undefined) run.settling.saw(step.operation, tookMs);
      if (missed === undefined) return tried;
      return shows ? lateOf(missed, now, within) : missed;
    }
    if (next === 'late') missed ??= tried;
    await pace.wait((missed === undefined ? within : 2 * within) - now);
  }
}

/** What the step came to when its wait was over, and that it showed after all. */
function lateOf({ answer, checks }: Tried, tookMs: number, withinMs: number): Tried {
  const [took = 0, waits = 0] = [tookMs, withinMs].map((time) => Math.round(time / 100) / 10);
  const late = { rule: 'late', took, waits } as const;
  const isLate = (reading: Reading): Reading => {
    return { ...reading, circumstances: [...reading.circumstances, late] };
  };
  return {
    answer,
    checks: checks.map((check) => ({ ...check, readings: check.readings.map(isLate) })),
  };
}

async function throughout(
  turn: Turn,
  timing: Extract<Timing, { kind: 'throughout' }>,
): Promise<Tried> {
  const { settling, morePolls, client } = turn.running.run;
  const span = settling.spanMs(timing, turn.step.operation, client.target);
  const pace = paceOf(turn, timing, 'for');
  for (;;) {
    const tried = await once(turn);
    const now = pace.elapsed();
    const over = tried.checks.some(hasFailed) || now >= span;
    if (morePolls === undefined ? over : morePolls(turn.id) === 'no') return tried;
    await pace.wait(span - now);
  }
}

/** Tells once that a step waits. A mock's clock is moved, so nobody waits there. */
function paceOf({ running, step }: Turn, { every }: Timing, how: 'up to' | 'for') {
  const { run, scenario } = running;
  const { target } = run.client;
  const { elapsed, wait } = targetPace(target, every, run.signal);
  let told = target.kind === 'mock';
  return {
    elapsed,
    wait: async (left: number) => {
      const reads = step.operation?.id ?? step.id;
      if (!told) run.onWait?.(`${reads} is watched ${how} that long by: ${scenario.title}`, left);
      told = true;
      await wait(left);
    },
  };
}

const walks = 3;

/**
 * A walk over a list that others change proves nothing. So a failure is tried three times, each time
 * between two readings of the whole list.
 */
async function walked(turn: Turn): Promise<Tried> {
  const first = await once(turn);
  if (!first.checks.some(hasFailed) || first.answer.walk === undefined) return first;
  const tries: (Tried & { readonly moved: boolean })[] = [];
  let last = first;
  for (let tried = first; ; tried = await once(turn)) {
    last = tried;
    tries.push({ ...tried, moved: await hasMoved(turn, tried) });
    if (tries.length === walks) break;
  }
  const places = new Map(tries.flatMap(({ checks }) => checks.map((one) => [placeOf(one), one])));
  const checks = [...places].map(([place, check]) => ({
    ...check,
    readings: tries.flatMap(({ checks, moved }) => {
      const { readings = [notRead] } = checks.find((one) => placeOf(one) === place) ?? {};
      return readings.map((reading) => ({ ...reading, moved: moved || undefined }));
    }),
  }));
  return { answer: last.answer, checks };
}

/** A check that says nothing of one of several walks. */
const notRead: Reading = { result: { kind: 'untried' }, evidence: [], circumstances: [] };

/** Whether a big page read after the walk is another than the one that was read before it. */
async function hasMoved(turn: Turn, { answer: { walk } }: Tried): Promise<boolean> {
  if (walk === undefined) return true;
  const after = await headOf(turn.step, turn.running.scope, callOnce(turn));
  // A service that serves no big page cannot be bracketed; then the walks alone must agree.
  return after !== undefined && !equal(walk.head ?? [], after);
}

const hasFailed = (check: CheckRecord): boolean => failureOf(check) !== undefined;
