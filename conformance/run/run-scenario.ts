/** Runs one scenario: its steps in order, then whatever puts things back. */

import type { Judged } from '../judge/report.ts';
import { isFailure, withdrawn } from '../judge/verdict.ts';
import { lasts } from '../language/compare.ts';
import { compute } from '../language/compute.ts';
import { match } from '../language/matcher.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import { ScenarioScope } from '../language/scope.ts';
import { resolve, Unresolved } from '../language/template.ts';
import { Protection } from '../safety/protect.ts';
import { CouldNotRun } from '../target/client.ts';
import { evidenceName } from '../target/evidence.ts';
import type { ScenarioOutcome } from './collect.ts';
import { judgeChecks, observe, untestedStep } from './judge-step.ts';
import { type RunContext, type Running, Stopped } from './running.ts';
import { expected, tryStep } from './wait-step.ts';

/** Runs a scenario; where it asks for it, a failure must come again to stand. */
export async function runScenario(scenario: Scenario, run: RunContext): Promise<ScenarioOutcome> {
  const start = performance.now();
  const first = await runOnce(scenario, run, 1);
  let { requests } = first;
  // A failure stands where every other try repeats it, or where all of them find its trace.
  let repeated = failuresOf(first);
  const { confirm } = scenario;
  let trace = confirm.unless.length > 0 || confirm.lasting !== undefined;
  const failed = repeated.size > 0;
  for (let attempt = 2; failed && attempt <= confirm.times; attempt++) {
    const again = await runOnce(scenario, run, attempt);
    requests += again.requests;
    repeated = repeated.intersection(failuresOf(again));
    trace &&= stillThere(first, again);
    if (repeated.size === 0 && !trace) break;
  }
  const outcome = { ...first, requests, judged: trace ? first.judged : confirmed(first, repeated) };
  return {
    result: {
      scenario: scenario.title,
      file: scenario.location.file,
      effect: scenario.effect,
      outcome: outcome.couldNotRun === undefined ? 'ran' : 'could-not-run',
      reason: outcome.couldNotRun,
      durationMs: Math.round(performance.now() - start),
      requests: outcome.requests,
    },
    // An extra scenario that could not try something says nothing of it.
    judged: scenario.extra
      ? outcome.judged.filter(({ verdict }) => verdict !== 'not-testable')
      : outcome.judged,
    observations: outcome.observations,
    eventually: outcome.eventually,
  };
}

/** Whether another try could not fail again, as what the first one left is there already. */
function stillThere({ scenario, scope: firstScope }: Running, { scope }: Running): boolean {
  scope.set('firstTry', { field: (name: string) => firstScope.lookup(name) });
  const { unless, lasting } = scenario.confirm;
  try {
    if (lasting !== undefined && !lasts(lasting, firstScope, scope)) return false;
    return unless.every(
      ({ value, is }) => match(compute(value, scope), resolve(is, scope)) === undefined,
    );
  } catch (error) {
    if (error instanceof Unresolved) return false;
    throw error;
  }
}

/** What did not fail again is not-testable. */
function confirmed({ judged }: Running, repeated: ReadonlySet<string>): Judged[] {
  return judged.map((item): Judged => {
    if (!isFailure(item.verdict) || repeated.has(place(item))) return item;
    return withdrawn(item, 'it failed once, and not when it was tried again');
  });
}

function failuresOf({ judged }: Running): Set<string> {
  return new Set(judged.filter(({ verdict }) => isFailure(verdict)).map(place));
}

/** What failed; of several conditions which one: that something came is not that something went. */
function place(item: Judged): string {
  const { line, column } = item.location;
  const condition = /^\/(that\/\d+|list\/\w+)/.exec(item.pointer ?? '')?.[0] ?? '';
  return `${item.statement} ${item.step} ${line}:${column} ${item.kind} ${condition}`;
}

async function runOnce(scenario: Scenario, run: RunContext, attempt: number): Promise<Running> {
  const scope = new ScenarioScope(run.client.target, run.names, attempt);
  for (const [name, value] of Object.entries(scenario.let)) scope.define(name, value);
  const file = evidenceName(scenario.location.file);
  const running: Running = {
    run,
    scenario,
    scope,
    file,
    protection: run.protection && new Protection(run.protection, file, scenario.title),
    judged: [],
    observations: [],
    eventually: [],
    stopped: undefined,
    couldNotRun: undefined,
    requests: 0,
  };
  try {
    await runSteps(running, scenario.steps, '');
  } finally {
    running.stopped = undefined;
    await runSteps(running, scenario.undo, '');
    await running.protection?.restore();
  }
  return running;
}

async function runSteps(running: Running, steps: readonly Step[], suffix: string): Promise<void> {
  for (const step of steps) {
    const id = step.id + suffix;
    if (running.run.signal?.aborted === true && steps !== running.scenario.undo)
      running.stopped = 'the run was interrupted';
    if (running.stopped !== undefined) untestedStep(running, step, id, running.stopped);
    else if (step.forEach !== undefined) await runEach(running, step, step.forEach, suffix);
    else await runStep(running, step, id);
  }
}

async function runEach(
  running: Running,
  step: Step,
  { name, list }: { readonly name: string; readonly list: unknown },
  suffix: string,
): Promise<void> {
  let items: unknown;
  try {
    items = compute(list, running.scope);
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error;
    untestedStep(running, step, step.id, error.message);
    return;
  }
  for (const [index, item] of (Array.isArray(items) ? items : [items]).entries()) {
    running.scope.set(name, item);
    await runSteps(running, step.steps, `${suffix}[${index}]`);
  }
}

async function runStep(running: Running, step: Step, id: string): Promise<void> {
  try {
    const unmet = unmetCondition(running, step);
    if (unmet !== undefined) {
      running.stopped = unmet;
      untestedStep(running, step, id, unmet);
      return;
    }
    const calls = step.operation !== undefined || step.request !== undefined;
    const tried = calls ? await tryStep(running, step, id) : undefined;
    const answer = tried?.answer;
    if (answer !== undefined) running.scope.steps.set(step.id, answer);
    running.judged.push(...(tried?.judged ?? judgeChecks(running, step, id, undefined)));
    observe(running, step, id, answer);
    if (!expected(running, step, answer)) {
      running.stopped = `step ${id} was not answered as the rest needs it (${answer?.status ?? 'no call'})`;
    }
    running.scope.own = answer;
    for (const [name, value] of Object.entries(step.capture)) running.scope.define(name, value);
    running.scope.own = undefined;
  } catch (error) {
    const interrupted = running.run.signal?.aborted === true;
    const reason = interrupted ? 'the run was interrupted' : untestable(error);
    if (reason === undefined) throw error;
    untestedStep(running, step, id, reason);
    if (error instanceof CouldNotRun) {
      running.couldNotRun = reason;
      running.stopped = `could not run: ${reason}`;
    }
    if (error instanceof Stopped) running.stopped = reason;
  }
}

function untestable(error: unknown): string | undefined {
  const expected = [Unresolved, CouldNotRun, Stopped].some((kind) => error instanceof kind);
  return expected && error instanceof Error ? error.message : undefined;
}

function unmetCondition(running: Running, step: Step): string | undefined {
  for (const condition of step.require) {
    const value = compute(condition.value, running.scope);
    if (match(value, resolve(condition.is, running.scope)) !== undefined) return condition.else;
  }
  return undefined;
}
