/**
 * The core: a suite, a target and options in; a report and its evidence out. Nothing here reads
 * the process, prints, or keeps state between runs, so that hundreds of runs can share a process.
 */

import { contract } from '../../spec/contract.ts';
import { assembleReport } from '../judge/assemble-report.ts';
import type { LeftBehind, ReportTarget, RunOptions, SuiteDigests } from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import { everyStep, type Scenario, type Suite } from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Ledger } from '../safety/ledger.ts';
import { makePlan, type Plan } from '../safety/plan.ts';
import { preflight } from '../safety/preflight.ts';
import { Rest } from '../safety/rest.ts';
import { Client, type ClientOptions } from '../target/client.ts';
import { requestsOf } from '../target/limits.ts';
import { Settling } from '../target/pace.ts';
import type { Target } from '../target/target.ts';
import type { TraceEvent } from '../target/trace-event.ts';
import {
  collect,
  differences,
  fitting,
  mergeTries,
  othersDoing,
  type ScenarioOutcome,
} from './collect.ts';
import { orderOf } from './order.ts';
import { type RunContext, watchCredentials } from './running.ts';
import { runSideBySide } from './schedule.ts';
import { type Listeners, Turns } from './turns.ts';

export interface RunInput extends Pick<ClientOptions, 'rate' | 'redactor' | 'signal'>, Listeners {
  readonly suite: Suite;
  readonly target: Target;
  readonly options: RunOptions;
  readonly names: RunNames;
  /** What safety must be told of the areas. */
  readonly safety: SafetyFacts;
  /** Version of Lockstep, for the report. */
  readonly version: string;
  /** Files of the suite that are not Lockstep's, for the report. */
  readonly custom?: SuiteDigests['custom'];
  /** How the suite did in its exam, for the report. */
  readonly exam?: SuiteDigests['exam'] | undefined;
  /**
   * Keeps exchanges as HAR, and no secret in the report; default true. An exam needs neither: nobody
   * reads its reports.
   */
  readonly evidence?: boolean;
  /** Opens the ledger of a tenant; without it nothing is written to disk. */
  readonly openLedger?: (() => Ledger) | undefined;
  /** What failed runs again alone, where it may: only what fails then as well counts as broken. */
  readonly confirm?: boolean | undefined;
  /** In which order scenarios start, by their titles, as long as the time lasts. */
  readonly budget?: { readonly ms: number; readonly order: readonly string[] } | undefined;
  /** Told of each exchange and of what each step came to. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Told before the first call. */
  readonly onPlan?: ((plan: Plan, target: Target) => void) | undefined;
}

/**
 * Rejects with Unsafe where the guard stopped a call, with CouldNotRun where the target does not
 * answer at all, and with what openLedger throws.
 */
export async function runSuite(input: RunInput) {
  const { suite, target, options, names } = input;
  const { tries = 1, soakMs = 0 } = options;
  const start = performance.now();
  const asked = select(suite.scenarios, options);
  const plan = makePlan(asked, target, options.allow, names);
  input.onPlan?.(plan, target);
  const onWait: RunContext['onWait'] = (reason, milliseconds) =>
    input.onProgress?.({ type: 'waiting', reason, milliseconds });
  const client = new Client(target, plan.guard, {
    ...{ evidence: input.evidence ?? true, rate: input.rate, redactor: input.redactor, onWait },
    signal: input.signal,
    onExchange: input.onTrace && ((exchange) => input.onTrace?.({ type: 'exchange', ...exchange })),
    // Without an end only where the run has none but a time.
    budget: soakMs > 0 ? undefined : requestsOf(plan.run.length * tries),
  });
  const warnings: string[] = [];
  const leftBehind = new Map<string, LeftBehind>();
  const warn = (message: string): void => void warnings.push(message);
  const played = await withLedger(input, warn, async (ledger) => {
    const findings = target.kind === 'tenant' ? await preflight(client, input.safety) : [];
    const { run, skipped } = fitting(plan, findings);
    const settling = new Settling(options.convergenceMs);
    const known = new Map<string, { readonly was: unknown }>();
    const outcomes = await runAll(input, run, {
      client,
      names,
      settling,
      protection: {
        ...{ client, ledger, facts: input.safety, settling, warn, known, leftBehind },
        inUse: new Map(),
        rest: new Rest(target, settling),
      },
      signal: input.signal,
      only: options.only,
      stoppedWorking: watchCredentials(client),
      onWait,
      onTrace: input.onTrace,
    });
    return { findings, skipped, outcomes };
  });
  const { findings, skipped, outcomes } = played;
  const done = new Set([
    ...outcomes.map(({ result }) => result.scenario),
    ...skipped.map(({ scenario }) => scenario.title),
  ]);
  // What the time was too short for.
  const left = input.budget === undefined ? [] : asked.filter(({ title }) => !done.has(title));
  const selected = asked.filter((scenario) => !left.includes(scenario));
  for (const [id, times] of client.healed) {
    warn(`${id} was answered 500 and served when it was sent again: ${times} times`);
  }
  const evidence = client.evidence?.files() ?? [];
  const { eventually, ...collected } = collect(outcomes, skipped, selected);
  const report = assembleReport({
    runId: names.id,
    suite: {
      version: input.version,
      contractVersion: contract.version,
      contractSha256: contract.sha256.openapi,
      statementsSha256: contract.sha256.statements,
      scenariosSha256: suite.sha256,
      ...(input.exam && { exam: input.exam }),
      ...(input.custom?.length && { custom: input.custom }),
    },
    target: aboutTarget(target),
    startedAt: names.startedAt,
    durationMs: Math.round(performance.now() - start),
    options: left.length === 0 ? options : { ...options, leftOut: left.map(({ title }) => title) },
    plan: plan.writes,
    preflight: findings,
    eventually,
    requests: { ...client.counts, throttledMs: Math.round(client.counts.throttledMs) },
    latency: client.latencies.table(),
    evidence: evidence.map(({ file, sha256, entries }) => ({ file, sha256, entries })),
    warnings,
    leftBehind: [...leftBehind.values()],
    interrupted: input.signal?.aborted === true,
    ...collected,
  });
  // Reasons, names of headers and fields, bindings: wherever the target may have put a secret.
  return { report: input.evidence === false ? report : client.redactor.value(report), evidence };
}

/** The scenarios that a run is narrowed to. */
export function select(
  scenarios: readonly Scenario[],
  { only, leftOut = [] }: Pick<RunOptions, 'only' | 'leftOut'>,
): Scenario[] {
  const wanted = scenarios.filter(
    ({ statements, standing }) =>
      only.length === 0 || only.some((id) => statements.has(id) || standing.has(id)),
  );
  return wanted.filter(({ title }) => !leftOut.includes(title));
}

async function withLedger<T>(
  { openLedger, onProgress }: RunInput,
  warn: (message: string) => void,
  work: (ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  const ledger = openLedger?.();
  try {
    return await work(ledger);
  } finally {
    onProgress?.({ type: 'ended' });
    try {
      ledger?.close();
    } catch (error) {
      // What the run found out is worth more than a ledger that does not go away.
      warn(`the ledger ${ledger?.file} could not be closed: ${(error as Error).message}`);
    }
  }
}

async function runAll(
  input: RunInput,
  scenarios: readonly Scenario[],
  context: RunContext,
): Promise<ScenarioOutcome[]> {
  const { options, target, onProgress, confirm, budget } = input;
  const { tries = 1, soakMs = 0, jobs } = options;
  const until = performance.now() + soakMs;
  const deadline = budget === undefined ? Infinity : performance.now() + budget.ms;
  const inOrder = orderOf(options.seed, budget?.order);
  const turns = new Turns(input, context);
  const repeated = scenarios.filter((scenario) => mayRepeat(scenario, target));
  // A mock has no time to save, and its order of calls stays the same.
  const sharing = target.kind === 'tenant' && tries === 1 && soakMs === 0 ? scenarios : [];
  const sharers = new Set(sharing.filter(isIdempotent));
  const more = Array.from({ length: tries - 1 }, () => repeated).flat();
  const queue = inOrder([...scenarios, ...more]);
  const read = new Set(scenarios.flatMap(({ reads }) => [...reads]));
  for (const { title, writes } of scenarios)
    if (!writes.isDisjointFrom(read)) context.client.urgent.add(title);
  const { baseUrl } = target;
  onProgress?.({ type: 'started', scenarios: queue.length, baseUrl });
  const playAlone = async (list: readonly Scenario[]): Promise<void> => {
    if (list.length === 0 || context.signal?.aborted === true) return;
    onProgress?.({ type: 'started', scenarios: queue.length + list.length, baseUrl });
    await runSideBySide(list, 1, (scenario) => turns.play(scenario));
  };
  await runSideBySide(
    queue,
    jobs,
    async (scenario, company) => {
      // However short the time is, each run brings the rotation forward.
      if (turns.begun && performance.now() >= deadline) return;
      await turns.play(scenario, sharers.has(scenario) ? company : undefined);
    },
    (scenario) => scenario.writesUntil === 0 && sharers.has(scenario),
  );
  const again = [...sharers].filter((scenario) =>
    turns.outcomes.get(scenario)?.some((outcome) => othersDoing(outcome).length > 0),
  );
  await playAlone(again);
  const last = again.flatMap((scenario) => turns.outcomes.get(scenario)?.at(-1) ?? []);
  if (last.length > 0 && last.flatMap(differences).length === 0) {
    const titles = again.map(({ title }) => title).join('; ');
    const why = 'somebody else changed something meanwhile, or what is refused is done at times';
    context.protection?.warn(`what failed side by side, and held alone: ${titles}. Either ${why}`);
  }
  while (performance.now() < until && repeated.length > 0 && !turns.unanswered) {
    const inTime = async (scenario: Scenario): Promise<void> => {
      if (performance.now() < until && context.signal?.aborted !== true) await turns.play(scenario);
    };
    await runSideBySide(inOrder(repeated), jobs, inTime);
  }
  const failed = repeated.filter((scenario) => turns.outcomes.get(scenario)?.some(hasFailed));
  if (confirm === true) await playAlone(failed);
  return [...turns.outcomes.values()].flatMap((all) => mergeTries(all) ?? []);
}

/**
 * Whether a scenario may run again: on a mock's own world any, on a tenant what is idempotent. A
 * promise that is broken now and then shows only in many tries.
 */
function mayRepeat(scenario: Scenario, { kind }: Pick<Target, 'kind'>): boolean {
  return kind === 'mock' || (scenario.effect !== 'disruptive' && isIdempotent(scenario));
}

/** Whether a scenario may run once more, where that makes sure who has done something. */
function isIdempotent(scenario: Scenario): boolean {
  if (scenario.effect === 'permanent') return false;
  return everyStep(scenario).every(
    ({ operation, request }) => request === undefined && operation?.idempotent !== false,
  );
}

function hasFailed({ judged }: ScenarioOutcome): boolean {
  return judged.some(({ verdict }) => isFailure(verdict));
}

function aboutTarget(target: Target): ReportTarget {
  const { kind, baseUrl, name, version, world, credentials, bindings, features, aliases } = target;
  return {
    baseUrl,
    name,
    kind,
    version,
    world,
    credentials: Object.fromEntries(
      [...credentials].map(([name, { claims = {} }]) => [name, claims]),
    ),
    bindings,
    features,
    aliases: Object.fromEntries(aliases),
  };
}
