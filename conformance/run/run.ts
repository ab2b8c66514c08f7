/**
 * The core: a suite, a target and options in; a report and its evidence out. Nothing here reads
 * the process, prints, or keeps state between runs, so that hundreds of runs can share a process.
 */

import { Random } from '../../spec/base/random.ts';
import { contract } from '../../spec/contract.ts';
import { assembleReport } from '../judge/assemble-report.ts';
import type { ProgressEvent } from '../judge/progress-event.ts';
import type {
  EvidenceFile,
  LeftBehind,
  PreflightFinding,
  Report,
  ReportTarget,
  RunOptions,
  Verdict,
} from '../judge/report.ts';
import type { Scenario, Suite } from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import { claimNames } from '../language/vocabulary.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Ledger } from '../safety/ledger.ts';
import { makePlan, type Plan, type Skipped } from '../safety/plan.ts';
import { preflight } from '../safety/preflight.ts';
import { Client } from '../target/client.ts';
import { Settling } from '../target/pace.ts';
import type { Target } from '../target/target.ts';
import { collect, notRun, type ScenarioOutcome, unfitFor, unreachable } from './collect.ts';
import { watchCredentials } from './credentials.ts';
import { runScenario } from './run-scenario.ts';
import type { RunContext } from './running.ts';
import { runSideBySide } from './schedule.ts';
import { mayRepeat, mergeTries } from './tries.ts';

export interface RunInput {
  readonly suite: Suite;
  readonly target: Target;
  readonly options: RunOptions;
  readonly names: RunNames;
  /** What safety must be told of the areas. */
  readonly safety: SafetyFacts;
  /** Version of Lockstep, for the report. */
  readonly version: string;
  /** Requests per second at most; undefined for no limit. */
  readonly rate?: number | undefined;
  /** Keeps exchanges as HAR; an exam needs none. Default true. */
  readonly evidence?: boolean;
  /** Opens the ledger of a tenant; without it nothing is written to disk. */
  readonly openLedger?: (() => Ledger) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends the tries of an exam once a scenario has shown what they are for. */
  readonly enough?: ((outcome: ScenarioOutcome) => boolean) | undefined;
  /** Told before the first call. */
  readonly onPlan?: ((plan: Plan) => void) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

export interface RunOutput {
  readonly report: Report;
  readonly evidence: readonly { readonly about: EvidenceFile; readonly text: string }[];
}

/**
 * Rejects with Unsafe where the guard stopped a call, with CouldNotRun where the target does not
 * answer at all, and with what openLedger throws.
 */
export async function runSuite(input: RunInput): Promise<RunOutput> {
  const { suite, target, options, names } = input;
  const start = performance.now();
  const selected = select(suite.scenarios, options);
  const plan = makePlan(selected, target, options.allow, names);
  input.onPlan?.(plan);
  const onWait: RunContext['onWait'] = (reason, milliseconds) =>
    input.onProgress?.({ type: 'waiting', reason, milliseconds });
  const client = new Client(target, plan.guard, {
    ...{ evidence: input.evidence ?? true, rate: input.rate, onWait },
  });
  const warnings: string[] = [];
  const leftBehind = new Map<string, LeftBehind>();
  const played = await withLedger(input, (ledger) => {
    const settling = new Settling(options.convergenceMs);
    const warn = (message: string): void => void warnings.push(message);
    const known = new Map<string, unknown>();
    return play(input, plan, {
      client,
      names,
      settling,
      protection: { client, ledger, facts: input.safety, settling, warn, known, leftBehind },
      signal: input.signal,
      only: options.only,
      credentials: watchCredentials(client),
      onWait,
    });
  });
  const { findings, unfit, outcomes } = played;
  const skipped = [...plan.skipped, ...unfit];
  const evidence = client.evidence.files();
  const report = assembleReport({
    runId: names.id,
    suite: {
      version: input.version,
      contractVersion: contract.version,
      contractSha256: contract.sha256.openapi,
      statementsSha256: contract.sha256.statements,
      scenariosSha256: suite.sha256,
    },
    target: aboutTarget(target),
    startedAt: names.startedAt,
    durationMs: Math.round(performance.now() - start),
    options,
    plan: plan.writes,
    preflight: findings,
    scenarios: [...outcomes.map((item) => item.result), ...skipped.map(notRun)],
    eventually: outcomes.flatMap((item) => item.eventually),
    requests: { ...client.counts, throttledMs: Math.round(client.counts.throttledMs) },
    evidence: evidence.map(({ about }) => about),
    warnings,
    leftBehind: [...leftBehind.values()],
    interrupted: input.signal?.aborted === true,
    ...collect(outcomes, skipped, selected),
  });
  return { report, evidence };
}

/** The scenarios that a run is narrowed to. */
export function select(
  scenarios: readonly Scenario[],
  { only, shard }: Pick<RunOptions, 'only' | 'shard'>,
): Scenario[] {
  return scenarios
    .filter(
      ({ statements, standing }) =>
        only.length === 0 || only.some((id) => statements.has(id) || standing.has(id)),
    )
    .filter((_scenario, index) => shard === undefined || index % shard.of === shard.index - 1);
}

async function withLedger<T>(
  { openLedger, onProgress }: RunInput,
  work: (ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  const ledger = openLedger?.();
  try {
    return await work(ledger);
  } finally {
    onProgress?.({ type: 'ended' });
    ledger?.close();
  }
}

interface Played {
  readonly findings: readonly PreflightFinding[];
  /** Scenarios that need what the preflight found not to be so. */
  readonly unfit: readonly Skipped[];
  /** In the order of their titles. */
  readonly outcomes: readonly ScenarioOutcome[];
}

async function play(input: RunInput, plan: Plan, context: RunContext): Promise<Played> {
  const { target, safety } = input;
  const findings = target.kind === 'tenant' ? await preflight(context.client, safety) : [];
  const unfit = plan.run.flatMap((scenario) => unfitFor(scenario, findings));
  const left = new Set(unfit.map(({ scenario }) => scenario));
  const runnable = plan.run.filter((scenario) => !left.has(scenario));
  return { findings, unfit, outcomes: inOrder(await runAll(input, runnable, context)) };
}

async function runAll(
  { options, target, onProgress, enough }: RunInput,
  scenarios: readonly Scenario[],
  context: RunContext,
  start = performance.now(),
): Promise<ScenarioOutcome[]> {
  const { seed, tries = 1, soakMs = 0, jobs } = options;
  const random = seed === undefined ? undefined : new Random(seed);
  // Without a seed the order is the same each time, and what writes most comes first.
  const mixed = (turns: readonly Scenario[]): Scenario[] =>
    random?.shuffled(turns) ?? turns.toSorted((a, b) => b.writes.size - a.writes.size);
  const outcomes = new Map<Scenario, ScenarioOutcome[]>();
  let failuresInRow = 0;
  let over = false;
  const turn = async (scenario: Scenario): Promise<void> => {
    if (over) return;
    onProgress?.({ type: 'scenario-started', scenario: scenario.title });
    const earlier = outcomes.get(scenario) ?? [];
    const outcome =
      failuresInRow >= 5
        ? unreachable(scenario, 'the target stopped answering')
        : await runScenario(scenario, context, earlier.length);
    failuresInRow = outcome.result.outcome === 'could-not-run' ? failuresInRow + 1 : 0;
    outcomes.set(scenario, [...earlier, outcome]);
    over ||= enough?.(outcome) === true;
    onProgress?.(ended(outcome));
  };
  const repeated = scenarios.filter((scenario) => mayRepeat(scenario, target));
  const more = Array.from({ length: tries - 1 }, () => repeated).flat();
  const turns = mixed([...scenarios, ...more]);
  onProgress?.({ type: 'started', scenarios: turns.length, baseUrl: target.baseUrl });
  await runSideBySide(turns, jobs, turn);
  const until = start + soakMs;
  while (performance.now() < until && repeated.length > 0 && failuresInRow < 5) {
    const inTime = async (scenario: Scenario): Promise<void> => {
      if (performance.now() < until && context.signal?.aborted !== true) await turn(scenario);
    };
    await runSideBySide(mixed(repeated), jobs, inTime);
  }
  return [...outcomes.values()].flatMap((all) => mergeTries(all) ?? []);
}

function inOrder(outcomes: readonly ScenarioOutcome[]): ScenarioOutcome[] {
  return outcomes.toSorted((a, b) => (a.result.scenario < b.result.scenario ? -1 : 1));
}

function aboutTarget(target: Target): ReportTarget {
  const { kind, baseUrl, version, world, credentials, bindings, features, aliases } = target;
  return {
    baseUrl,
    kind,
    version,
    world,
    // Without the names of environment variables.
    credentials: Object.fromEntries(
      [...credentials.values()].map(({ name, claims = {} }) => [
        name,
        Object.fromEntries(
          claimNames.flatMap((key) => (claims[key] === undefined ? [] : [[key, claims[key]]])),
        ),
      ]),
    ),
    bindings,
    features,
    aliases: Object.fromEntries(aliases),
  };
}

function ended({ result, judged }: ScenarioOutcome): ProgressEvent {
  const verdicts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const { scenario, outcome, durationMs, reason } = result;
  return { type: 'scenario-ended', scenario, outcome, durationMs, verdicts, reason };
}
