/** Steps that call again: until something shows, or over a time in which nothing must change. */

import { equal } from '../../spec/base/json.ts';
import { type Judged, placeOf } from '../judge/report.ts';
import { isFailure, unstable, withdrawn } from '../judge/verdict.ts';
import type { Answer } from '../language/answer.ts';
import { isExpected } from '../language/evaluate.ts';
import type { Resting, Timing } from '../language/scenario.ts';
import { targetPace } from '../target/pace.ts';
import { headOf } from '../target/step-answer.ts';
import { callOnce, callStep } from './call-step.ts';
import { judgeChecks } from './judge-step.ts';
import type { Turn } from './running.ts';

export interface Tried {
  readonly answer: Answer;
  readonly judged: readonly Judged[];
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
  return { answer, judged: judgeChecks(turn, answer) };
}

async function eventually(
  turn: Turn,
  timing: Extract<Timing, { kind: 'eventually' }>,
): Promise<Tried> {
  const { running, step, id } = turn;
  const { run, scenario } = running;
  const { convergenceMs } = run.settling;
  const within = Math.min(timing.within ?? convergenceMs, convergenceMs);
  const pace = paceOf(turn, timing, 'up to');
  /** What the step came to when its wait was over; from then on it only looks. */
  let missed: Tried | undefined;
  for (let poll = 0; ; poll++) {
    const tried = await once(missed === undefined ? turn : { ...turn, late: true });
    const now = pace.elapsed();
    const shows =
      tried.judged.every((item) => settled(item)) && isExpected(step, tried.answer, running.scope);
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

/** The description gives no bound for a wait: what shows after it breaks no promise. */
function lateOf({ answer, judged }: Tried, tookMs: number, withinMs: number): Tried {
  const [took, waited] = [tookMs, withinMs].map((time) => Math.round(time / 100) / 10);
  const reason = `late: it showed after ${took} s, and the run waits ${waited} s (--convergence)`;
  const late = judged.map((item) => (broken(item) ? withdrawn(item, reason) : item));
  return { answer, judged: late };
}

async function throughout(
  turn: Turn,
  timing: Extract<Timing, { kind: 'throughout' }>,
): Promise<Tried> {
  const { settling, morePolls } = turn.running.run;
  const wanted = spanOf(turn, timing.for);
  const span = Math.max(timing.atLeast, Math.min(wanted, settling.convergenceMs));
  const pace = paceOf(turn, timing, 'for');
  for (;;) {
    const tried = await once(turn);
    const now = pace.elapsed();
    const over = tried.judged.some(broken) || now >= span;
    if (morePolls === undefined ? over : morePolls(turn.id) === 'no') return tried;
    await pace.wait(span - now);
  }
}

/** How long a step must hold. On a mock, where time is moved, what rests is watched as well. */
function spanOf({ running, step }: Turn, wanted: number | Resting | undefined): number {
  const { client, protection, settling } = running.run;
  const { convergenceMs } = settling;
  if (wanted === 'settled') return settling.quietMs(step.operation);
  if (wanted !== 'rested') return wanted ?? convergenceMs;
  if (client.target.kind === 'mock' || protection === undefined) return convergenceMs;
  return protection.rest.left(step.operation?.lock?.reads);
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

const attempts = 3;

/**
 * A walk over a list that others change proves nothing. So a failure is tried three times, each
 * time between two readings of the whole list, and only the walks count over which it stood still.
 * What fails in all of these stands, and in some of them is unstable; where fewer than two are left,
 * it is not-testable.
 */
async function walked(turn: Turn): Promise<Tried> {
  const first = await once(turn);
  if (!first.judged.some(broken) || first.answer.walk === undefined) return first;
  const tries: Tried[] = [];
  const still: Tried[] = [];
  for (let tried = first; ; tried = await once(turn)) {
    tries.push(tried);
    if (tried.answer.walk !== undefined && (await unmoved(turn, tried))) still.push(tried);
    if (tries.length === attempts) break;
  }
  const { answer } = tries.at(-1) ?? first;
  const places = new Map(
    tries.flatMap((tried) => tried.judged.map((item) => [placeOf(item), item])),
  );
  return { answer, judged: [...places.values()].map((item) => overWalks(item, tries, still)) };
}

/** What several walks say of one check; `last` is what the last of them said. */
function overWalks(last: Judged, tries: readonly Tried[], still: readonly Tried[]): Judged {
  const of = (list: readonly Tried[]): Judged[] =>
    list.flatMap(({ judged }) => judged.filter((item) => placeOf(item) === placeOf(last)));
  const failure = of(tries).findLast(broken);
  if (failure === undefined) return last;
  const failures = of(still).filter(broken);
  const held = of(still).find(({ verdict }) => verdict === 'verified');
  if (failures.length === 0 && held !== undefined) return held;
  if (failures.length === 0 || still.length < attempts - 1) {
    return withdrawn(failure, 'the list changed while it was walked, three times');
  }
  if (held === undefined) return failures.at(-1) ?? failure;
  const reason = 'it failed in one walk and held in another, and the list stood still';
  return unstable(failure, reason, held.evidence);
}

/** Whether a big page read after the walk is the one that was read before it. */
async function unmoved(turn: Turn, tried: Tried): Promise<boolean> {
  const before = tried.answer.walk?.head ?? [];
  const after = await headOf(turn.step, turn.running.scope, callOnce(turn));
  // A service that serves no big page cannot be bracketed; then the walks alone must agree.
  if (after === undefined) return true;
  return equal(before, after);
}

function broken({ verdict }: Judged): boolean {
  return isFailure(verdict);
}

/** Holds, or says nothing. */
function settled(item: Judged): boolean {
  return item.verdict === 'verified' || item.moot === true;
}
