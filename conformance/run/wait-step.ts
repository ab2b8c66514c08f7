/** Steps that call again: until something shows, or over a time in which nothing must change. */

import { equal } from '../../spec/base/json.ts';
import type { Judged } from '../judge/report.ts';
import { isFailure, withdrawn } from '../judge/verdict.ts';
import type { Answer } from '../language/answer.ts';
import { conditionsHold } from '../language/evaluate.ts';
import type { Step, Timing } from '../language/scenario.ts';
import { Unresolved } from '../language/template.ts';
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
  for (let poll = 0; ; poll++) {
    const tried = await once(running, step, id);
    const now = pace.elapsed();
    const shows =
      tried.judged.every((item) => settled(item)) && expected(running, step, tried.answer);
    if (run.morePolls === undefined ? shows || now >= within : !run.morePolls(id)) {
      const tookMs = shows ? Math.round(now) : null;
      running.eventually.push({
        scenario: scenario.title,
        step: id,
        tookMs,
        polls: poll + 1,
        withinMs: within,
      });
      if (tookMs !== null && step.operation !== undefined) run.settling.saw(step.operation, tookMs);
      return tried;
    }
    const left = within - now;
    tell('up to', left);
    await pace.wait(nextWait(target, timing.every, poll, left));
  }
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
    if (morePolls === undefined ? tried.judged.some(broken) || now >= span : !morePolls(id)) {
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
 * time between two readings: it stands where the list stood still, and is not-testable where it
 * moved or the failure did not come again.
 */
async function walked(running: Running, step: Step, id: string): Promise<Tried> {
  const first = await once(running, step, id);
  const failing = first.judged.filter(broken);
  if (failing.length === 0 || first.answer.walk === undefined) return first;
  let still = (await unmoved(running, step, id, first)) ? 1 : 0;
  let last = first;
  let repeated = new Set(failing.map(place));
  for (let attempt = 2; attempt <= attempts; attempt++) {
    last = await once(running, step, id);
    repeated = repeated.intersection(new Set(last.judged.filter(broken).map(place)));
    if (last.answer.walk !== undefined && (await unmoved(running, step, id, last))) still++;
  }
  const moved = still < attempts - 1;
  const judged = last.judged.map((item, index): Judged => {
    const failedOnce = failing.some((other) => place(other) === place(item));
    if (!failedOnce && !broken(item)) return item;
    if (repeated.has(place(item)) && !moved) return item;
    const reason = moved
      ? 'the list changed while it was walked, three times'
      : 'it failed in one walk and not in another';
    return withdrawn(first.judged[index] ?? item, reason);
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

export function expected(running: Running, step: Step, answer: Answer | undefined): boolean {
  if (step.expect === undefined) return true;
  running.scope.own = answer;
  try {
    return conditionsHold(step.expect, answer, running.scope);
  } catch (error) {
    if (error instanceof Unresolved) return false;
    throw error;
  } finally {
    running.scope.own = undefined;
  }
}
