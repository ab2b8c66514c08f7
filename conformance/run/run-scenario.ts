/** Runs one scenario: its steps in order, then its undo steps. */

import { type Failure, failureOf, failuresOf, notRepeated } from '../judge/check.ts';
import { mayBeGateway } from '../judge/gateway.ts';
import type { AttemptRecord, CheckRecord, Result, TurnRecord } from '../judge/record.ts';
import { type Variation, writtenStep } from '../judge/report.ts';
import { type Circumstance, reasonOf } from '../judge/rules-of-evidence.ts';
import { compute, isSo } from '../language/compute.ts';
import { isExpected, statusFits } from '../language/evaluate.ts';
import { everyStep, isWrite, type Scenario, type Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { attempt } from '../language/template.ts';
import { worse } from '../language/vocabulary.ts';
import type { Turns } from '../safety/plan.ts';
import { Protection } from '../safety/protect.ts';
import { CouldNotRun, interruption } from '../target/client.ts';
import { evidenceName } from '../target/evidence.ts';
import { Unsafe } from '../target/guard.ts';
import { isShared } from '../target/target.ts';
import { lettingIn, varied } from '../vary/variation.ts';
import { othersKeepWorking, othersWork, othersWrote } from './others.ts';
import { observe, readChecks, recordUntried, unreachable } from './record-step.ts';
import { type RunContext, type Running, Stopped, type Turn, whyUntried } from './running.ts';
import type { Company } from './schedule.ts';
import { tryStep } from './wait-step.ts';

/** A gateway may answer a call twice in succession. */
const triesOfGateway = 3;

/**
 * How often a scenario is started if the service does not answer one of its writes. If the effect
 * is worse than reversible, each attempt restarts a deployment or adds a recipient permanently.
 */
const triesBrokenOff = ({ effect }: Scenario): number => (worse(effect, 'reversible') ? 3 : 6);

/** The most attempts in one turn for which there are different names. */
const triesInTurn = 10;

/**
 * Runs a scenario in one turn. If the runner itself fails, the record says so, and the run
 * continues. A failure while other scenarios share the area is not confirmed, because the scenario
 * will run again alone. `before`: its earlier turns. Rejects with Unsafe.
 */
export async function runScenario(
  scenario: Scenario,
  run: RunContext,
  before: readonly TurnRecord[] = [],
  company?: Company,
): Promise<TurnRecord> {
  try {
    return await runTurn(scenario, run, before, company);
  } catch (error) {
    if (error instanceof Unsafe || !(error instanceof Error)) throw error;
    return unreachable(scenario, `the runner failed: ${error.message}`);
  } finally {
    run.client.held.release(scenario.title);
  }
}

/** Runs a scenario in a variation, and records how each step was varied. */
export async function runVaried(
  scenario: Scenario,
  variation: Variation,
  { cover, callers }: Pick<Turns, 'cover' | 'callers'>,
  run: (made: Scenario) => Promise<TurnRecord>,
): Promise<TurnRecord> {
  const turn = await run(varied(scenario, variation, callers));
  const ways = cover?.waysOf(scenario, variation);
  if (ways === undefined) return turn;
  const letIn = lettingIn(scenario, variation, callers);
  return { ...turn, varied: { variation, ways, letIn } };
}

/**
 * A failure must occur again to count, if the scenario demands it and no earlier turn confirmed it.
 */
async function runTurn(
  scenario: Scenario,
  run: RunContext,
  before: readonly TurnRecord[],
  company: Company | undefined,
): Promise<TurnRecord> {
  const start = performance.now();
  // In a mock's world no other user can cause a failure.
  const confirm = isShared(run.client.target) ? scenario.confirm : 1;
  const attempt = (number: number): Promise<Running> =>
    runOnce(
      scenario,
      run,
      before.length * triesInTurn + number,
      number === 1 ? company : undefined,
    );
  let begun = 1;
  let first = await attempt(begun);
  while (first.brokenOff === true && begun < triesBrokenOff(scenario))
    first = await attempt(++begun);
  const again: Running[] = [];
  // A failure counts if it occurs in every other attempt.
  let repeated = failuresOf(first);
  const concurrent = repeated.size > 0 && company?.isAlone() === false;
  const gateway = repeated.size === 0 ? undefined : gatewayIn(first);
  const least = gateway === undefined ? 1 : triesOfGateway;
  const isNew = !repeated.isSubsetOf(confirmedIn(before));
  const tries = isNew && !concurrent ? Math.max(confirm, least) : 1;
  while (again.length + 1 < tries) {
    const next = await attempt(begun + again.length + 1);
    again.push(next);
    repeated = repeated.intersection(failuresOf(next));
    if (repeated.size === 0) break;
  }
  const explained = await explanations(first, again, gateway);
  const durationMs = Math.round(performance.now() - start);
  const records = again.map(recordOf);
  return { first: recordOf(first), again: records, concurrent, gateway, explained, durationMs };
}

/**
 * The failures that occurred in each attempt of an earlier turn, and that no other user can cause:
 * a list that does not show a change of the run. Other users may cause items that come or go in
 * every turn.
 */
function confirmedIn(turns: readonly TurnRecord[]): Set<string> {
  const confirmed = turns.filter(({ again }) => again.length > 0);
  const repeated = confirmed.flatMap(({ first, again }) => [
    ...again.reduce(
      (left, one) => left.intersection(failuresOf(one)),
      failuresOf(first, isAbsence),
    ),
  ]);
  return new Set(repeated);
}

const isAbsence = ({ pointer, actual }: Failure): boolean =>
  pointer?.startsWith('/list/') === true && Array.isArray(actual) && actual.length === 0;

/** How other users or a gateway explain failures. */
async function explanations(
  first: Running,
  again: readonly Running[],
  status: number | undefined,
): Promise<TurnRecord['explained']> {
  const explained = new Map<CheckRecord, Circumstance>();
  const last = again.at(-1);
  if (last === undefined) return explained;
  const once = new Set(notRepeated(first, again));
  for (const check of first.checks) {
    const failure = failureOf(check);
    if (failure === undefined) continue;
    let others = othersWrote(failure, first, again);
    if (others === undefined) {
      if (!once.has(check)) others = await othersKeepWorking(failure, last);
      else if (status === undefined) others = await othersWork(failure, first, again, last);
      else others = { rule: 'gateway-once', status };
    }
    if (others !== undefined) explained.set(check, others);
  }
  return explained;
}

/** The status of a write that a gateway may have answered. Such a write is not sent again. */
function gatewayIn({ answers, scenario }: Running): number | undefined {
  const writes = new Set(everyStep(scenario).flatMap((step) => (isWrite(step) ? step.id : [])));
  return [...answers]
    .filter(([id]) => writes.has(writtenStep(id)))
    .flatMap(([, { answer }]) => answer.answers ?? [answer])
    .find(({ wire }) => mayBeGateway(wire))?.status;
}

/** Drops the parts that only a running scenario needs, because answers are large. */
function recordOf(running: Running): AttemptRecord {
  const { checks, observations, eventually, requests, calls } = running;
  const { couldNotRun, answers, openRefused } = running;
  const answered = new Map([...answers].map(([step, { answer }]) => [step, answer.evidence]));
  return { checks, answered, observations, eventually, requests, calls, couldNotRun, openRefused };
}

async function runOnce(
  scenario: Scenario,
  run: RunContext,
  attempt: number,
  company: Company | undefined,
): Promise<Running> {
  const scope = new ScenarioScope(run.client.target, run.names, attempt, scenario.mark);
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  const file = evidenceName(scenario.location.file);
  const running: Running = {
    ...{ run, scenario, scope, file, loop: {}, answers: new Map(), requests: 0 },
    ...{ checks: [], observations: [], eventually: [], calls: [], openRefused: false },
    protection: run.protection && new Protection(run.protection, file, scenario),
  };
  const { client, settling, onWait, signal } = run;
  await settling.settle(client.target, scenario.reads, onWait, signal);
  try {
    await runSteps(running, scenario.steps.slice(0, scenario.writesUntil), '');
    const shares = scenario.writes.size > 0 && scenario.writesUntil < scenario.steps.length;
    // If something has failed, no other scenario can be the cause, and the step is tried again at once.
    const fails = running.checks.some((check) => failureOf(check) !== undefined);
    if (shares && !fails && running.protection?.isBack === true) company?.share();
    await runSteps(running, scenario.steps.slice(scenario.writesUntil), '');
  } finally {
    running.stopped = undefined;
    try {
      await runSteps(running, scenario.undo, '');
    } finally {
      await running.protection?.restore();
    }
  }
  return running;
}

async function runSteps(running: Running, steps: readonly Step[], suffix: string): Promise<void> {
  for (const step of steps) {
    const turn = { running, step, id: step.id + suffix };
    if (running.run.signal?.aborted === true && steps !== running.scenario.undo)
      running.stopped = interrupted(running.run.signal);
    const before = running.checks.length;
    if (running.stopped !== undefined) recordUntried(turn, running.stopped);
    else await runStep(turn, suffix);
    traceStep(turn, running.checks.slice(before));
  }
}

/** Sends an event with the outcome of a step; a loop sends an event for each of its steps instead. */
function traceStep({ running, step, id }: Turn, checks: readonly CheckRecord[]): void {
  const { run, scenario, scope, stopped } = running;
  if (run.onTrace === undefined || step.forEach !== undefined) return;
  const names = Object.keys(step.capture);
  const captured = Object.fromEntries(
    names.map((name) => [name, attempt(() => scope.lookup(name))]),
  );
  run.onTrace({ type: 'step', scenario: scenario.title, step: id, checks, captured, stopped });
}

async function runEach(
  { running, step }: Turn,
  { name, list }: NonNullable<Step['forEach']>,
  suffix: string,
): Promise<void> {
  const { loop, scope } = running;
  for (const [index, item] of [compute(list, scope)].flat().entries()) {
    scope.set(name, item);
    running.loop = { ...loop, [name]: item };
    await runSteps(running, step.steps, `${suffix}[${index}]`);
  }
  running.loop = loop;
}

/** `suffix`: its position in the loops around it. */
async function runStep(turn: Turn, suffix: string): Promise<void> {
  const { running, step } = turn;
  try {
    if (step.forEach !== undefined) return await runEach(turn, step.forEach, suffix);
    const reason = step.require.find((condition) => !isSo(condition, running.scope))?.else;
    if (reason !== undefined) throw new Stopped({ rule: 'requirement-unmet', reason });
    await makeStep(turn);
  } catch (error) {
    const { signal } = running.run;
    const why = signal?.aborted === true ? interrupted(signal) : whyUntried(error);
    if (why === undefined) throw error;
    recordUntried(turn, why);
    if (error instanceof CouldNotRun) {
      const reason = reasonOf(why);
      running.couldNotRun = reason;
      running.brokenOff = isWrite(step) && signal?.aborted !== true;
      running.stopped = { rule: 'could-not-run', reason };
    }
    if (error instanceof Stopped) running.stopped = why;
  }
}

/** Makes the calls of a step, if it has any, and records its checks of the answer. */
async function makeStep(turn: Turn): Promise<void> {
  const { running, step, id } = turn;
  const calls = step.operation !== undefined || step.request !== undefined;
  const tried = calls ? await tryStep(turn) : undefined;
  const answer = tried?.answer;
  if (answer !== undefined) {
    running.scope.steps.set(step.id, answer);
    running.answers.set(id, { answer, loop: running.loop });
  }
  const checks = tried?.checks ?? readChecks(turn, undefined);
  running.checks.push(...checks);
  observe(turn, answer);
  const expected = isExpected(step, answer, running.scope);
  if (step.open === true && answer !== undefined && statusFits(answer.status, '4xx')) {
    // A step that must be refused must be refused in each variation. No standard demands a refusal.
    const promises = checks.filter(({ level }) => level !== 'standard');
    const came = (kind: Result['kind']): boolean =>
      promises.some(({ readings }) => readings.some(({ result }) => result.kind === kind));
    const isMeant = came('holds') || (step.expect !== undefined && expected);
    running.openRefused ||= came('fails') || !isMeant;
  }
  if (!expected) {
    running.stopped = { rule: 'step-before', step: id, answered: answer?.status ?? 'no call' };
  }
  running.scope.of(answer, () => {
    for (const [name, value] of Object.entries(step.capture)) running.scope.define(name, value);
  });
}

function interrupted(signal: AbortSignal): Circumstance {
  return { rule: 'interrupted', reason: interruption(signal) };
}
