/** Runs one scenario: its steps in order, then whatever puts things back. */

import { type Judged, placeOf } from '../judge/report.ts';
import { isFailure, unstable, withdrawn } from '../judge/verdict.ts';
import { lasts } from '../language/compare.ts';
import { compute, isSo } from '../language/compute.ts';
import { isExpected } from '../language/evaluate.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { attempt } from '../language/template.ts';
import { Protection } from '../safety/protect.ts';
import { CouldNotRun, interruption } from '../target/client.ts';
import { evidenceName } from '../target/evidence.ts';
import { Unsafe } from '../target/guard.ts';
import { type ScenarioOutcome, unreachable } from './collect.ts';
import { judgeChecks, observe, untestedStep } from './judge-step.ts';
import { othersWork } from './others.ts';
import { type RunContext, type Running, Stopped, type Turn, untestable } from './running.ts';
import type { Company } from './schedule.ts';
import { traceStep } from './trace.ts';
import { tryStep } from './wait-step.ts';

/** How many tries of a scenario its names leave room for, within one turn of it. */
const triesInTurn = 10;

/**
 * Runs a scenario, which has a turn for each time that it runs. Where the runner itself fails, it says
 * so: the other scenarios, and the report, are not lost. A failure beside others is not confirmed: it
 * must come again alone. Rejects with Unsafe.
 */
export async function runScenario(
  scenario: Scenario,
  run: RunContext,
  turn = 0,
  company?: Company,
): Promise<ScenarioOutcome> {
  try {
    return await runTurn(scenario, run, turn, company);
  } catch (error) {
    if (error instanceof Unsafe || !(error instanceof Error)) throw error;
    return unreachable(scenario, `the runner failed: ${error.message}`);
  } finally {
    run.client.held.release(scenario.title);
  }
}

/** Where the scenario asks for it, a failure must come again to stand. */
async function runTurn(
  scenario: Scenario,
  run: RunContext,
  turn: number,
  company: Company | undefined,
): Promise<ScenarioOutcome> {
  const start = performance.now();
  const { confirm } = scenario;
  const attempt = (number: number): Promise<Running> =>
    runOnce(scenario, run, turn * triesInTurn + number, number === 1 ? company : undefined);
  const first = await attempt(1);
  const others: Running[] = [];
  // A failure stands where every other try repeats it, or where all of them find its trace.
  let repeated = failuresOf(first);
  let trace = confirm.unless.length > 0 || confirm.lasting !== undefined;
  const failed = repeated.size > 0;
  const beside = failed && company?.isAlone() === false;
  while (failed && !beside && others.length + 1 < confirm.times) {
    const again = await attempt(others.length + 2);
    others.push(again);
    repeated = repeated.intersection(failuresOf(again));
    trace &&= stillThere(first, again);
    if (repeated.size === 0 && !trace) break;
  }
  const judged: Judged[] = [];
  for (const item of first.judged) {
    judged.push(trace ? item : await confirmed(item, first, others, repeated));
  }
  return {
    result: {
      scenario: scenario.title,
      file: scenario.location.file,
      effect: scenario.effect,
      outcome: first.couldNotRun === undefined ? 'ran' : 'could-not-run',
      reason: first.couldNotRun,
      durationMs: Math.round(performance.now() - start),
      requests: [first, ...others].reduce((sum, { requests }) => sum + requests, 0),
      ...(beside && { beside }),
    },
    // An extra scenario that could not try something says nothing of it.
    judged: scenario.extra ? judged.filter(({ verdict }) => verdict !== 'not-testable') : judged,
    observations: first.observations,
    eventually: first.eventually,
  };
}

/**
 * Whether another try could not fail again, as what the first one left is there already. In a list
 * that others change as well, what stays may be theirs: there only a mock's own world proves it.
 */
function stillThere({ run, scenario, scope: firstScope }: Running, { scope }: Running): boolean {
  scope.set('firstTry', { field: (name: string) => firstScope.lookup(name) });
  const { unless, lasting } = scenario.confirm;
  const own = run.client.target.kind === 'mock';
  const found = (): boolean =>
    (lasting === undefined || (own && lasts(lasting, firstScope, scope))) &&
    unless.every((condition) => isSo(condition, scope));
  return attempt(found) === true;
}

/** A failure that did not come again is somebody else's work where that explains it, or unstable. */
async function confirmed(
  item: Judged,
  first: Running,
  others: readonly Running[],
  repeated: ReadonlySet<string>,
): Promise<Judged> {
  if (!isFailure(item.verdict) || repeated.has(place(item))) return item;
  const reason = await othersWork(item, first, others);
  if (reason !== undefined) return withdrawn(item, reason);
  const held = others.find((other) => holdsIn(item, other));
  if (held === undefined) return withdrawn(item, 'it failed once, and could not be tried again');
  const evidence = held.answers.get(item.step)?.answer.evidence ?? [];
  return unstable(item, 'it failed in one try and held in another', evidence);
}

/** Whether what failed held in another try. Of the contract's checks only failures are recorded. */
function holdsIn(
  { statement, step, kind, location }: Judged,
  { judged, answers }: Running,
): boolean {
  const same = judged.filter(
    (other) => other.statement === statement && other.step === step && other.location === location,
  );
  if (kind === 'contract') return answers.has(step) && same.every((other) => other.kind !== kind);
  return same.some(({ verdict }) => verdict === 'verified');
}

function failuresOf({ judged }: Running): Set<string> {
  return new Set(judged.filter(({ verdict }) => isFailure(verdict)).map(place));
}

/** What failed; of several conditions which one: that something came is not that something went. */
function place(item: Judged): string {
  const condition = /^\/(that\/\d+|list\/\w+)/.exec(item.pointer ?? '')?.[0] ?? '';
  return `${placeOf(item)} ${condition}`;
}

async function runOnce(
  scenario: Scenario,
  run: RunContext,
  attempt: number,
  company: Company | undefined,
): Promise<Running> {
  const scope = new ScenarioScope(run.client.target, run.names, attempt);
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  const file = evidenceName(scenario.location.file);
  const running: Running = {
    run,
    scenario,
    scope,
    file,
    protection: run.protection && new Protection(run.protection, file, scenario),
    judged: [],
    observations: [],
    eventually: [],
    answers: new Map(),
    loop: {},
    requests: 0,
  };
  await run.protection?.rest.settle(scenario.reads, run.onWait, run.signal);
  try {
    await runSteps(running, scenario.steps.slice(0, scenario.writesUntil), '');
    const { steps, writes, writesUntil } = scenario;
    const shares = writes.size > 0 && writesUntil < steps.length;
    if (shares && running.protection?.isBack === true) company?.share();
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
      running.stopped = interruption(running.run.signal);
    const before = running.judged.length;
    if (running.stopped !== undefined) untestedStep(turn, running.stopped);
    else await runStep(turn, suffix);
    traceStep(turn, running.judged.slice(before));
  }
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

/** `suffix`: its place in the loops around it. */
async function runStep(turn: Turn, suffix: string): Promise<void> {
  const { running, step, id } = turn;
  try {
    if (step.forEach !== undefined) return await runEach(turn, step.forEach, suffix);
    const unmet = step.require.find((condition) => !isSo(condition, running.scope))?.else;
    if (unmet !== undefined) {
      running.stopped = unmet;
      untestedStep(turn, unmet);
      return;
    }
    const calls = step.operation !== undefined || step.request !== undefined;
    const tried = calls ? await tryStep(turn) : undefined;
    const answer = tried?.answer;
    if (answer !== undefined) {
      running.scope.steps.set(step.id, answer);
      running.answers.set(id, { answer, loop: running.loop });
    }
    running.judged.push(...(tried?.judged ?? judgeChecks(turn, undefined)));
    observe(turn, answer);
    if (!isExpected(step, answer, running.scope)) {
      running.stopped = `step ${id} was not answered as the rest needs it (${answer?.status ?? 'no call'})`;
    }
    running.scope.of(answer, () => {
      for (const [name, value] of Object.entries(step.capture)) running.scope.define(name, value);
    });
  } catch (error) {
    const { signal } = running.run;
    const reason = signal?.aborted === true ? interruption(signal) : untestable(error);
    if (reason === undefined) throw error;
    untestedStep(turn, reason);
    if (error instanceof CouldNotRun) {
      running.couldNotRun = reason;
      running.stopped = `could not run: ${reason}`;
    }
    if (error instanceof Stopped) running.stopped = reason;
  }
}
