/**
 * Steps that repeat their call: until a change shows, or for a time in which nothing may change.
 */

import { type Bracketed, movedIn } from '../answers/walk.ts';
import { failureOf, isSettled } from '../judge/check.ts';
import { type CheckRecord, inCircumstance, overWalks } from '../judge/record.ts';
import type { Answer } from '../language/answer.ts';
import { isExpected } from '../language/evaluate.ts';
import type { Timing } from '../language/scenario.ts';
import { CouldNotRun } from '../target/client.ts';
import { targetPace } from '../target/pace.ts';
import { headAfter } from '../target/step-answer.ts';
import { isShared } from '../target/target.ts';
import { asksAccess, patienceMs, withAccess } from './access.ts';
import { callOnce, callStep, readsHead } from './call-step.ts';
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
  const answer = asksAccess(turn.step) ? await accessOf(turn) : await callStep(turn);
  return { answer, checks: readChecks(turn, answer) };
}

/** If an answer may come from a gateway, it counts only if no other caller gets it. */
async function accessOf(turn: Turn): Promise<Answer> {
  try {
    return await withAccess(turn, await callStep({ ...turn, patienceMs }));
  } catch (error) {
    if (!(error instanceof CouldNotRun) || error.answer === undefined) throw error;
    const compared = await withAccess(turn, error.answer);
    return compared.access === 'alone refused' ? compared : callStep(turn);
  }
}

async function eventually(
  turn: Turn,
  timing: Extract<Timing, { kind: 'eventually' }>,
): Promise<Tried> {
  const { running, step, id } = turn;
  const { run, scenario } = running;
  const { operation } = step;
  const { settling } = run;
  const within = settling.withinMs(timing, operation);
  const pace = paceOf(turn, timing, 'up to');
  /** The outcome of the step at the end of its wait. Later calls only look for a late change. */
  let missed: Tried | undefined;
  let sinceMs = 0;
  for (let poll = 0; ; poll++) {
    const tried = await once(missed === undefined ? turn : { ...turn, late: true });
    const now = pace.elapsed();
    const shows = tried.checks.every(isSettled) && isExpected(step, tried.answer, running.scope);
    // The step looks for a late change only after a failure, because nothing else breaks a promise.
    const fails = (missed ?? tried).checks.some(hasFailed);
    const until = settling.untilMs(within, operation, fails);
    const over = shows || now >= until;
    const next = run.morePolls?.(id) ?? (over ? 'no' : now < within ? 'in time' : 'late');
    if (next === 'no') {
      const tookMs = shows ? Math.round(now) : null;
      running.eventually.push({
        ...{ scenario: scenario.title, step: id, tookMs, polls: poll + 1, withinMs: within },
      });
      if (operation !== undefined && tookMs !== null) settling.saw(operation, tookMs, sinceMs);
      else if (operation !== undefined && fails) settling.sawNothing(operation);
      if (missed === undefined) return tried;
      return shows ? lateOf(missed, now, within) : missed;
    }
    sinceMs = now;
    if (next === 'late') missed ??= tried;
    if (missed === undefined) await pace.wait(within - now);
    // The calls become rarer with time, because a late change needs a less precise time.
    else await pace.wait(until - now, now / 10);
  }
}

/** The checks at the end of the wait, with a note that the change showed later. */
function lateOf({ answer, checks }: Tried, tookMs: number, withinMs: number): Tried {
  const [took = 0, waits = 0] = [tookMs, withinMs].map((time) => Math.round(time / 100) / 10);
  const late = { rule: 'late', took, waits } as const;
  return { answer, checks: checks.map((check) => inCircumstance(check, late)) };
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

function paceOf({ running, step }: Turn, { every }: Timing, how: 'up to' | 'for') {
  const { client, signal, onWait } = running.run;
  const what = `${step.operation?.id ?? step.id} is watched ${how} that long by`;
  return targetPace(client.target, every, signal, (left) =>
    onWait?.(`${what}: ${running.scenario.title}`, left),
  );
}

const walks = 3;
/** The most walks on a tenant if one walk failed and the next ones held. */
const mostWalks = 6;

/**
 * A walk over a list that others change proves nothing. So a failed walk is made three times, each
 * time between two reads of the whole list. These reads miss a change that is undone between them.
 * So if only one of the three walks failed, three more follow.
 */
async function walked(turn: Turn): Promise<Tried> {
  const { step, running } = turn;
  const first = await once(turn);
  if (!first.checks.some(hasFailed) || first.answer.walk === undefined) return first;
  const shared = isShared(running.run.client.target);
  const tries: (Tried & Bracketed)[] = [];
  for (let tried = first; ; tried = await once({ ...turn, bracketed: true })) {
    const after = await headAfter(step, running.scope, callOnce(turn));
    const { walk } = tried.answer;
    // Without a big page before it, only the items and totals of a walk show that the list changed.
    const head = tried === first && !readsHead(turn) ? (after ?? []) : walk?.head;
    tries.push({ ...tried, walk: walk && { ...walk, head: head ?? [] }, after });
    const moved = movedIn(tries, shared);
    const all = tries.map(({ checks }, index) => ({ checks, moved: moved[index] === true }));
    const failed = all.filter((one) => !one.moved && one.checks.some(hasFailed));
    if (tries.length >= (shared && failed.length === 1 ? mostWalks : walks))
      return { answer: tried.answer, checks: overWalks(all) };
  }
}

const hasFailed = (check: CheckRecord): boolean => failureOf(check) !== undefined;
