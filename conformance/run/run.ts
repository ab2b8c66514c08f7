/**
 * The core: a suite, a target and options in; a record of what happened and its evidence out. Nothing
 * here judges, reads the process, prints, or keeps state between runs, so that hundreds of runs can
 * share a process.
 */

import { contract } from '../../spec/contract.ts';
import type { RunRecord, ScenarioRecord } from '../judge/record.ts';
import type { LeftBehind, RunOptions, SuiteDigests } from '../judge/report.ts';
import type { Scenario, Suite } from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import type { Ledger } from '../safety/ledger.ts';
import { fitting, makePlan, type Plan, type Skipped } from '../safety/plan.ts';
import { preflight } from '../safety/preflight.ts';
import { Settling } from '../safety/settling.ts';
import { Client, type ClientOptions } from '../target/client.ts';
import { requestsOf } from '../target/limits.ts';
import { aboutTarget, type Target } from '../target/target.ts';
import { playAll } from './play.ts';
import { type RunContext, watchCredentials } from './running.ts';
import { inReport } from './scenario-record.ts';
import type { Listeners } from './turns.ts';

export interface RunInput extends Pick<ClientOptions, 'rate' | 'redactor' | 'signal'>, Listeners {
  readonly suite: Suite;
  readonly target: Target;
  readonly options: RunOptions;
  readonly names: RunNames;
  /** What safety must be told of the areas. */
  readonly safety: SafetyFacts;
  /** Version of Lockstep, for the report. */
  readonly version: string;
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
  /** Told before the first call. */
  readonly onPlan?: ((plan: Plan, target: Target) => void) | undefined;
}

/**
 * Rejects with Unsafe if the guard stopped a call, with CouldNotRun if the target does not answer at
 * all, and with what openLedger throws.
 */
export async function recordRun(input: RunInput) {
  const { suite, target, options, names } = input;
  const start = performance.now();
  const asked = select(suite.scenarios, options);
  const plan = makePlan(asked, target, options.allow, names);
  input.onPlan?.(plan, target);
  const client = clientOf(input, plan);
  const notes: Notes = { warnings: [], leftBehind: new Map() };
  const played = await withLedger(input, notes, (ledger) =>
    play(input, plan, client, notes, ledger),
  );
  const left = leftOut(input, asked, played);
  for (const [id, times] of client.healed)
    notes.warnings.push(`${id} was answered 500 and served when it was sent again: ${times} times`);
  const evidence = client.evidence?.files() ?? [];
  const record: RunRecord = {
    runId: names.id,
    suite: digestsOf(input),
    target: aboutTarget(target),
    startedAt: names.startedAt,
    durationMs: Math.round(performance.now() - start),
    options: left.length === 0 ? options : { ...options, leftOut: left.map(({ title }) => title) },
    plan: plan.writes,
    preflight: played.findings,
    requests: { ...client.counts, throttledMs: Math.round(client.counts.throttledMs) },
    latency: client.latencies.table(),
    evidence: evidence.map(({ file, sha256, entries }) => ({ file, sha256, entries })),
    warnings: notes.warnings,
    leftBehind: [...notes.leftBehind.values()],
    interrupted: input.signal?.aborted === true,
    scenarios: inReport(played.records, played.skipped, asked),
  };
  return { record, evidence, redactor: client.redactor };
}

/** What a run notes beside its scenarios. */
interface Notes {
  readonly warnings: string[];
  /** By the key of the object. */
  readonly leftBehind: Map<string, LeftBehind>;
}

function clientOf(input: RunInput, plan: Plan): Client {
  const { rate, redactor, signal, options } = input;
  const { tries = 1, soakMs = 0 } = options;
  return new Client(input.target, plan.guard, {
    ...{ evidence: input.evidence ?? true, rate, redactor, signal, onWait: waitTold(input) },
    // Without an end only if the run has none but a time.
    budget: soakMs > 0 ? undefined : requestsOf(plan.run.length * tries),
  });
}

const waitTold = ({ onEvent }: RunInput): NonNullable<RunContext['onWait']> => {
  return (reason, milliseconds) => onEvent?.({ type: 'waiting', reason, milliseconds });
};

/** Looks if the target is what its file claims, and plays what fits. */
async function play(
  input: RunInput,
  plan: Plan,
  client: Client,
  { warnings, leftBehind }: Notes,
  ledger: Ledger | undefined,
) {
  const { target, options, names, safety: facts, signal } = input;
  const findings = target.kind === 'tenant' ? await preflight(client, facts) : [];
  const { run, skipped } = fitting(plan, findings);
  const settling = new Settling(options.convergenceMs);
  const warn = (message: string): void => void warnings.push(message);
  const shared = { known: new Map(), inUse: new Map() };
  const records = await playAll(input, run, {
    ...{ client, names, settling, signal, only: options.only, onWait: waitTold(input) },
    protection: { client, ledger, facts, settling, warn, leftBehind, ...shared },
    stoppedWorking: watchCredentials(client),
  });
  return { findings, skipped, records: [...records] };
}

/** What the time was too short for. */
function leftOut(
  { budget }: RunInput,
  asked: readonly Scenario[],
  played: { readonly records: readonly ScenarioRecord[]; readonly skipped: readonly Skipped[] },
): readonly Scenario[] {
  if (budget === undefined) return [];
  const done = new Set([
    ...played.records.map(({ scenario }) => scenario),
    ...played.skipped.map(({ scenario }) => scenario.title),
  ]);
  return asked.filter(({ title }) => !done.has(title));
}

function digestsOf({ version, suite, exam }: RunInput): SuiteDigests {
  const { openapi: contractSha256, statements: statementsSha256 } = contract.sha256;
  return {
    ...{ version, contractVersion: contract.version, contractSha256, statementsSha256 },
    ...{ scenariosSha256: suite.sha256, ...(exam && { exam }) },
  };
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
  { openLedger, onEvent }: RunInput,
  { warnings }: Notes,
  work: (ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  const ledger = openLedger?.();
  try {
    return await work(ledger);
  } finally {
    onEvent?.({ type: 'ended' });
    try {
      ledger?.close();
    } catch (error) {
      // What the run found out is worth more than a ledger that does not go away.
      warnings.push(`the ledger ${ledger?.file} could not be closed: ${(error as Error).message}`);
    }
  }
}
