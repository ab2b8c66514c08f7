/**
 * Finds out whether other users explain a failure. A mock's world has no other users. On a tenant
 * they switch branches and create environments during a run, and this must not fail the run.
 */

import { canonical } from '../../spec/base/json.ts';
import { pagingOf } from '../answers/paging.ts';
import { type Failure, failureOf } from '../judge/check.ts';
import { writtenStep } from '../judge/report.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import type { Answer } from '../language/answer.ts';
import { identitiesOf } from '../language/compare.ts';
import { evaluate } from '../language/evaluate.ts';
import { allSteps, everyStep, isWrite } from '../language/scenario.ts';
import { isMarkedBy } from '../safety/marks.ts';
import { callTo } from '../target/call.ts';
import { isShared } from '../target/target.ts';
import { callStep } from './call-step.ts';
import { type Running, type Turn, whyUntried } from './running.ts';

/** How often a list is read again to see whether it changes without a write of the run. */
const looks = 36;
/** The longest time for all looks, in milliseconds. */
const longestWatch = 12_000;
/** A loss within this time around a write of the run is hardly somebody else's, in milliseconds. */
const closeMs = 5000;

/**
 * Whether another user wrote a text in an object of the run. Such a text has no mark of the run,
 * and no earlier answer of the attempt shows it. A service that loses or cuts a write would show
 * the old text or a part of the run's text. If a failure occurs again with the same text, the
 * service may have made it.
 */
export function othersWrote(
  failure: Failure,
  first: Running,
  again: readonly Running[],
): Circumstance | undefined {
  const { step, pointer = '', actual, location } = failure;
  const fields = Object.values(stepOf(step, first)?.operation?.restore?.put ?? {});
  if (!fields.includes(pointer.split('/').at(-1) ?? '') || typeof actual !== 'string')
    return undefined;
  const { answer } = first.answers.get(step) ?? {};
  const seen = [...first.answers].slice(0, [...first.answers.keys()].indexOf(step));
  const isOwn = isMarkedBy(first.run.names.id, actual);
  if (isOwn || seen.some((one) => one[1].answer.wire.text.includes(actual))) return undefined;
  const isSame = again.some(({ checks }) =>
    checks.some((check) => check.location === location && failureOf(check)?.actual === actual),
  );
  if (answer === undefined || isSame) return undefined;
  const { method, target } = answer.request;
  const { object } = callTo(method, target.split('?')[0] ?? '');
  return object && { rule: 'object-changed', object: object.text };
}

const stepOf = (id: string, { scenario }: Running) =>
  [...allSteps(scenario.steps)].find((step) => step.id === writtenStep(id));

/** How other users explain a failure that did not occur again; undefined if nothing shows it. */
export async function othersWork(
  item: Failure,
  first: Running,
  others: readonly Running[],
  last: Running,
): Promise<Circumstance | undefined> {
  const tries = [first, ...others];
  // It cannot come again, since the item is gone. Only another move of the item shows somebody else at work.
  const isOwn = wentWithWrite(item, first);
  if (!isOwn && others.some((other) => explains(item, first, other)))
    return { rule: 'changed-by-others' };
  if (isOwn ? movesTwice(item, tries) : movedElsewhere(item, tries))
    return { rule: 'moved-by-others' };
  if (isOwn) return othersKeepWorking(item, last);
  const moving = await movingItems(item, last, ({ size }) => size > 0);
  return moving.size > 0 ? { rule: 'moves-by-itself' } : undefined;
}

/**
 * The same for a failure in each attempt. A busy user can cause that. The proof is that the failed
 * items also come or go while the run writes nothing. An item that the run's own write removes does
 * not do that.
 */
export async function othersKeepWorking(
  item: Failure,
  last: Running,
): Promise<Circumstance | undefined> {
  const { pointer, actual } = item;
  if (!isShared(last.run.client.target) || pointer?.startsWith('/list/') !== true) return undefined;
  if (!Array.isArray(actual) || actual.length === 0) return undefined;
  const failed = new Set(actual.map(canonical));
  const moving = await movingItems(item, last, (moved) => failed.isSubsetOf(moved));
  return failed.isSubsetOf(moving) ? { rule: 'moves-by-itself' } : undefined;
}

/**
 * If the next attempt starts with the state that the first attempt saw, the service made no error.
 * So the check is repeated on the first attempt's answer with the values of the other attempt.
 */
function explains(item: Failure, first: Running, { scope }: Running): boolean {
  const answered = first.answers.get(item.step);
  const check = allSteps(first.scenario.steps)
    .flatMap((step) => [...step.checks, ...step.standing])
    .find(({ statement, location }) => statement === item.statement && location === item.location);
  if (check === undefined || answered === undefined) return false;
  for (const [name, value] of Object.entries(answered.loop)) scope.set(name, value);
  return scope.of(answered.answer, () => evaluate(check, scope).kind === 'holds');
}

/**
 * Whether the failed items were in the list right before a write of the run, and right after it they were gone.
 * Others add something all the time, but seldom take something away just then.
 */
function wentWithWrite(
  { step, pointer, actual }: Failure,
  { answers, scenario }: Running,
): boolean {
  if (pointer !== '/list/lost' || !Array.isArray(actual)) return false;
  const writes = new Set(everyStep(scenario).flatMap((one) => (isWrite(one) ? one.id : [])));
  const earlier = [...answers].slice(0, [...answers.keys()].indexOf(step));
  const before = earlier.findLastIndex(([id]) => !writes.has(writtenStep(id)));
  const [now, then] = [answers.get(step)?.answer, earlier[before]?.[1].answer];
  if (now === undefined || then === undefined || before === earlier.length - 1) return false;
  const had = idsOf(then) ?? new Set();
  const isClose = now.wire.sentAt - then.wire.sentAt <= closeMs;
  return isClose && actual.every((one) => had.has(canonical(one)));
}

/** Whether an item that failed came or went more than once in the lists of all attempts. */
function movesTwice({ step: failed, actual }: Failure, tries: readonly Running[]): boolean {
  const lists = tries.flatMap((running) => {
    const { operation } = stepOf(failed, running) ?? {};
    return [...running.answers].flatMap(([step, { answer }]) =>
      stepOf(step, running)?.operation === operation ? (idsOf(answer) ?? []) : [],
    );
  });
  return [actual].flat().some((item) => {
    const shown = lists.map((ids) => ids.has(canonical(item)));
    return shown.filter((is, at) => at > 0 && is !== shown[at - 1]).length > 1;
  });
}

/** Whether the failed items are in the list of one attempt but not of another, at another step. */
function movedElsewhere(
  { step: failed, pointer, actual }: Failure,
  tries: readonly Running[],
): boolean {
  if (pointer?.startsWith('/list/') !== true || !Array.isArray(actual)) return false;
  const steps = [...new Set(tries.flatMap(({ answers }) => [...answers.keys()]))];
  return steps.some((step) => {
    const lists = tries.flatMap(({ answers }) => idsOf(answers.get(step)?.answer) ?? []);
    return (
      step !== failed &&
      actual.map(canonical).some((id) => new Set(lists.map((ids) => ids.has(id))).size > 1)
    );
  });
}

/**
 * The step whose list is read: the failed step, or the last step with a list if the failed step
 * makes no call.
 */
function listStep(
  failed: string,
  { scenario, answers }: Running,
): Omit<Turn, 'running'> | undefined {
  const steps = new Map(allSteps(scenario.steps).map((step) => [step.id, step]));
  const callsItself = steps.get(writtenStep(failed))?.operation !== undefined;
  const [last] = [...answers].findLast(([, { answer }]) => answer.list !== undefined) ?? [];
  const id = callsItself ? failed : last;
  const step = id === undefined ? undefined : steps.get(writtenStep(id));
  if (id === undefined || step?.operation?.effect !== 'none') return undefined;
  return { id, step };
}

/** Reads the list of a step repeatedly, until `enough` says that its items came or went. */
async function movingItems(
  { step: failed }: Failure,
  last: Running,
  enough: (moved: ReadonlySet<string>) => boolean,
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  const at = listStep(failed, last);
  if (at === undefined) return moved;
  const { loop } = last.answers.get(at.id) ?? {};
  for (const [name, value] of Object.entries(loop ?? {})) last.scope.set(name, value);
  const { client, settling, signal } = last.run;
  const { target } = client;
  const every = Math.min(longestWatch, settling.convergenceMs) / looks;
  let known: ReadonlySet<string> | undefined;
  for (let look = 0; look < looks; look++) {
    // A breach in one of these extra answers does not belong to the attempt.
    const aside: Running = { ...last, checks: [], observations: [], requests: 0 };
    const ids = await read({ running: aside, ...at });
    last.requests += aside.requests;
    if (ids === undefined) return moved;
    for (const id of ids.symmetricDifference(known ?? ids)) moved.add(id);
    if (enough(moved)) return moved;
    known = ids;
    await target.wait(every, signal);
  }
  return moved;
}

async function read(turn: Turn): Promise<ReadonlySet<string> | undefined> {
  try {
    return shownIn(await callStep(turn), turn);
  } catch (error) {
    if (whyUntried(error) === undefined) throw error;
    return undefined;
  }
}

/** The items of a list. A list that a service cuts shows only by its total that others come and go. */
function shownIn(answer: Answer, { step }: Turn): ReadonlySet<string> | undefined {
  const ids = idsOf(answer);
  const total = pagingOf(step.operation?.parameters ?? [])?.about(answer.body).total ?? 0;
  return ids !== undefined && total > ids.size ? ids.union(new Set([`total ${total}`])) : ids;
}

function idsOf(answer: Answer | undefined): ReadonlySet<string> | undefined {
  return answer?.list === undefined ? undefined : new Set(identitiesOf(answer.list).keys());
}
