/** Steps that call again: until something shows, or over a time in which nothing must change. */

import { equal } from '../../spec/base/json.ts';
import type { Judged } from '../judge/report.ts';
import { isFailure, unstable, withdrawn } from '../judge/verdict.ts';
import type { Answer } from '../language/answer.ts';
import { isExpected } from '../language/evaluate.ts';
import type { Step, Timing } from '../language/scenario.ts';
import { nextWait, targetPace } from '../target/pace.ts';
import { callStep, headOf } from './call-step.ts';
import { judgeChecks } from './judge-step.ts';
import type { Running } from './running.ts';

export interface Tried {
  readonly answer: Answer;
  readonly judged: readonly Judged[];
}

export async function tryStep(running: Running, step: Step, id: string): Promise<Tried> {
  const { timing } = step;
  if (timing?.kind === 'eventually') return eventually(running, step, id, timing);
  if (timing?.kind === 'throughout') return throughout(running, step, id, timing);
  if (step.mode?.kind === 'walkPages' || step.mode?.kind === 'scimList')
    return walked(running, step, id);
  return once(running, step, id);
}

async function once(running: Running, step: Step, id: string): Promise<Tried> {
  const answer = await callStep(running, step, id);
  return { answer, judged: judgeChecks(running, step, id, answer) };
}

async function eventually(
  running: Running,
  step: Step,
  id: string,
  timing: Extract<Timing, { kind: 'eventually' }>,
): Promise<Tried> {
  const { run, scenario } = running;
  const { target } = run.client;
  const { convergenceMs } = run.settling;
  const within = Math.min(timing.within ?? convergenceMs, convergenceMs);
  const pace = targetPace(target, run.signal);
  const tell = waitNotice(running, step);
  /** What the step came to when its wait was over; from then on it only looks. */
  let missed: Tried | undefined;
  for (let poll = 0; ; poll++) {
    if (missed !== undefined) running.late = true;
    const tried = await once(running, step, id).finally(() => {
      running.late = undefined;
    });
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
    const left = (missed === undefined ? within : 2 * within) - now;
    tell('up to', left);
    await pace.wait(nextWait(target, timing.every, poll, left));
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
  running: Running,
  step: Step,
  id: string,
  timing: Extract<Timing, { kind: 'throughout' }>,
): Promise<Tried> {
  const { settling, signal, client, morePolls } = running.run;
  const { convergenceMs } = settling;
  const tell = waitNotice(running, step);
  const wanted =
    timing.for === 'settled' ? settling.quietMs(step.operation) : (timing.for ?? convergenceMs);
  const span = Math.max(timing.atLeast, Math.min(wanted, convergenceMs));
  const pace = targetPace(client.target, signal);
  for (let poll = 0; ; poll++) {
    const tried = await once(running, step, id);
    const now = pace.elapsed();
    if (
      morePolls === undefined ? tried.judged.some(broken) || now >= span : morePolls(id) === 'no'
    ) {
      return tried;
    }
    tell('for', span - now);
    await pace.wait(nextWait(client.target, timing.every, poll, span - now));
  }
}

/** Tells once that a step waits. A mock's clock is moved, so nobody waits there. */
function waitNotice({ run, scenario }: Running, step: Step): (how: string, left: number) => void {
  let told = run.client.target.kind === 'mock';
  return (how, left) => {
    if (told) return;
    told = true;
    const reads = step.operation?.id ?? step.id;
    run.onWait?.(`${reads} is watched ${how} that long by: ${scenario.title}`, left);
  };
}

const attempts = 3;

/**
 * A walk over a list that others change proves nothing. So a failure is tried three times, each
 * time between two readings. Where the list stood still it stands, and is unstable if it did not
 * come again; where the list moved it is not-testable.
 */
async function walked(running: Running, step: Step, id: string): Promise<Tried> {
  const first = await once(running, step, id);
  const failing = first.judged.filter(broken);
  if (failing.length === 0 || first.answer.walk === undefined) return first;
  let still = (await unmoved(running, step, id, first)) ? 1 : 0;
  let last = first;
  const tries = [first];
  let repeated = new Set(failing.map(place));
  for (let attempt = 2; attempt <= attempts; attempt++) {
    last = await once(running, step, id);
    tries.push(last);
    repeated = repeated.intersection(new Set(last.judged.filter(broken).map(place)));
    if (last.answer.walk !== undefined && (await unmoved(running, step, id, last))) still++;
  }
  const moved = still < attempts - 1;
  const judged = last.judged.map((item, index): Judged => {
    const failedOnce = failing.some((other) => place(other) === place(item));
    if (!failedOnce && !broken(item)) return item;
    if (repeated.has(place(item)) && !moved) return item;
    const failure = broken(item) ? item : (first.judged[index] ?? item);
    if (moved) return withdrawn(failure, 'the list changed while it was walked, three times');
    const held = tries.find(({ judged }) => judged[index]?.verdict === 'verified');
    const reason = 'it failed in one walk and held in another, and the list stood still';
    return unstable(failure, reason, held?.answer.evidence ?? []);
  });
  return { answer: last.answer, judged };
}

/** Whether a big page read after the walk is the one that was read before it. */
async function unmoved(running: Running, step: Step, id: string, tried: Tried): Promise<boolean> {
  const before = tried.answer.walk?.head ?? [];
  const after = await headOf(running, step, id);
  // A service that serves no big page cannot be bracketed; then the walks alone must agree.
  if (after === undefined) return true;
  return equal(before, after.ids);
}

function place(item: Judged): string {
  const { line, column } = item.location;
  return `${item.statement} ${line}:${column} ${item.kind}`;
}

function broken({ verdict }: Judged): boolean {
  return isFailure(verdict);
}

/** Holds, or says nothing. */
function settled(item: Judged): boolean {
  return item.verdict === 'verified' || item.moot === true;
}
