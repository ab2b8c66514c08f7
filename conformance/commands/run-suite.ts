/**
 * A run: a suite, a target and options in; a report and its evidence out. It is planned, played and
 * recorded, and then judged. Nothing here reads the process, prints, or keeps state between runs, so
 * that hundreds of runs can share a process.
 */

import { contract } from '../../spec/contract.ts';
import { judge } from '../judge/judge.ts';
import { expectedMs, type Pace } from '../judge/progress-event.ts';
import type { RunRecord, ScenarioRecord } from '../judge/record.ts';
import type { LeftBehind, PreflightFinding, Stay, SuiteDigests } from '../judge/report.ts';
import { reasonOf } from '../judge/rules-of-evidence.ts';
import type { Scenario, Suite } from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import { type PlayInput, playAll } from '../run/play.ts';
import { scenarioRecord, untriedIn } from '../run/record-step.ts';
import type { SafetyFacts } from '../safety/areas.ts';
import { ClaimWatch } from '../safety/claim-watch.ts';
import { type Ledger, withLedger } from '../safety/ledger.ts';
import { markable } from '../safety/marks.ts';
import {
  fitting,
  makePlan,
  type Plan,
  type Skipped,
  select,
  withoutContradicted,
} from '../safety/plan.ts';
import { preflight } from '../safety/preflight.ts';
import { RunMark } from '../safety/run-mark.ts';
import { Settling } from '../safety/settling.ts';
import { Client, type ClientOptions, CouldNotRun } from '../target/client.ts';
import { watchCredentials } from '../target/credential-watch.ts';
import { evidenceOfFailures } from '../target/evidence-of-failures.ts';
import { requestsOf } from '../target/limits.ts';
import { aboutTarget, type Target } from '../target/target.ts';
import type { TraceEvent } from '../target/trace-event.ts';

export interface RunInput
  extends Pick<ClientOptions, 'rate' | 'redactor' | 'signal'>,
    Omit<PlayInput, 'turns' | 'soakWrites'> {
  readonly suite: Suite;
  readonly names: RunNames;
  /** The facts of the areas that safety needs. */
  readonly safety: SafetyFacts;
  /** Version of Lockstep, for the report. */
  readonly version: string;
  /** Files of the suite that are not Lockstep's, for the report. */
  readonly custom?: SuiteDigests['custom'];
  /** The result of the suite's exam, for the report. */
  readonly exam?: SuiteDigests['exam'] | undefined;
  /**
   * Whether exchanges are kept as HAR, and secrets are redacted in the report; the default is true.
   * An exam needs neither, because its reports are not read.
   */
  readonly evidence?: boolean;
  /** Opens the ledger of a tenant; without it nothing is written to disk. */
  readonly openLedger?: (() => Ledger) | undefined;
  /** Called with each exchange, and with the result of each step. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Called with the plan before the first call. */
  readonly onPlan?: ((plan: Plan, target: Target, pace: Pace) => void) | undefined;
  /** Rejects if the plan must not be carried out. */
  readonly agree?: ((plan: Plan, target: Target) => Promise<void>) | undefined;
  /** The most writes, including those that put objects back. */
  readonly maxWrites?: number | undefined;
}

/**
 * Rejects with Unsafe if the guard stopped a call, with CouldNotRun if the target never answers, and with
 * the errors of openLedger.
 */
export async function runSuite(input: RunInput) {
  const { record, evidence, redactor } = await recordRun(input);
  const judged = judge(record);
  // Redacts everything in which the target may have put a secret: reasons, bindings, names of
  // headers and fields.
  const report = input.evidence === false ? judged : redactor.value(judged);
  const isWhole = input.options.evidence !== 'failures';
  return isWhole ? { report, evidence } : evidenceOfFailures(report, evidence);
}

async function recordRun(input: RunInput) {
  const { suite, target, options, names, onProgress } = input;
  const start = performance.now();
  const asked = select(suite.scenarios, options);
  const plan = makePlan({ ...suite, scenarios: asked }, target, options, names);
  const { convergenceMs, soakMs } = options;
  const pace = { rate: input.rate, convergenceMs, budgetMs: input.budget?.ms, soakMs };
  input.onPlan?.(plan, target, pace);
  await input.agree?.(plan, target);
  const { least, most } = expectedMs(plan, pace);
  onProgress?.({ type: 'planned', milliseconds: (least + most) / 2 });
  const client = clientOf(input, plan);
  const notes: Notes = { warnings: [], leftBehind: new Map(), stays: new Map() };
  const warn = (message: string): void => void notes.warnings.push(message);
  const played = await withLedger(input.openLedger, warn, (ledger) =>
    play(input, plan, client, notes, ledger),
  ).finally(() => onProgress?.({ type: 'ended' }));
  const left = leftOut(input, asked, played).map(({ title }) => title);
  const { leftOut: narrowed = [] } = options;
  for (const [id, times] of client.healed)
    warn(`${id} was answered 500 and served when it was sent again: ${times} times`);
  const evidence = client.evidence?.files() ?? [];
  const record: RunRecord = {
    runId: names.id,
    suite: digestsOf(input),
    target: aboutTarget(target),
    startedAt: names.startedAt,
    durationMs: Math.round(performance.now() - start),
    options:
      left.length === 0
        ? options
        : { ...options, leftOut: [...narrowed, ...left], outOfTime: left },
    plan: begun(plan, left),
    preflight: played.findings,
    requests: { ...client.counts, throttledMs: Math.round(client.counts.throttledMs) },
    latency: client.latencies.table(),
    evidence: evidence.map(({ file, sha256, entries }) => ({ file, sha256, entries })),
    warnings: notes.warnings,
    leftBehind: [...notes.leftBehind.values()],
    stays: [...notes.stays.values()],
    stopped: client.stopped,
    interrupted: input.signal?.aborted === true,
    scenarios: inReport(played.records.values(), played.skipped, asked),
  };
  return { record, evidence, redactor: client.redactor };
}

/** The notes of a run next to its scenarios. */
interface Notes {
  readonly warnings: string[];
  readonly leftBehind: Map<string, LeftBehind>;
  readonly stays: Map<string, Stay>;
}

function clientOf(input: RunInput, plan: Plan): Client {
  const { rate, redactor, signal, options } = input;
  const { tries = 1, soakMs = 0 } = options;
  return new Client(input.target, plan.guard, {
    runId: input.names.id,
    ...{ evidence: input.evidence ?? true, rate, redactor, signal, onWait: waitTold(input) },
    ...{ maxWrites: input.maxWrites, convergenceMs: options.convergenceMs },
    onExchange: input.onTrace && ((exchange) => input.onTrace?.({ type: 'exchange', ...exchange })),
    // It has no end only if the run is limited by time.
    budget: soakMs > 0 ? undefined : requestsOf(plan.run.length * tries),
  });
}

const waitTold = ({ onProgress }: RunInput) => {
  return (reason: string, milliseconds: number): void =>
    onProgress?.({ type: 'waiting', reason, milliseconds });
};

type Played = Awaited<ReturnType<typeof play>>;

/** Checks the target against its file, and plays the scenarios that fit. */
async function play(
  input: RunInput,
  plan: Plan,
  client: Client,
  { warnings, leftBehind, stays }: Notes,
  ledger: Ledger | undefined,
) {
  const { target, options, names, safety: facts, signal } = input;
  const isTenant = target.kind === 'tenant';
  const proven = new Set<string>();
  const warn = (message: string): void => {
    if (!warnings.includes(message)) warnings.push(message);
  };
  const findings = isTenant ? await preflight(client, facts, names.id, proven, warn) : [];
  const claimWatch = isTenant ? new ClaimWatch(target.bindings, proven, findings) : undefined;
  if (isTenant && client.served === 0) throw new CouldNotRun(reasonOf({ rule: 'page' }));
  const { watch, stopped } = watchCredentials(client);
  const { run, skipped, turns } = fitting(plan, findings);
  const settling = new Settling(options.convergenceMs);
  const shared = { known: new Map(), inUse: new Map() };
  const { order } = input.budget ?? {};
  const chosen = run.filter(({ title }) => order?.includes(title) ?? true);
  const protection = {
    ...{ client, runId: names.id, ledger, facts, settling, warn, leftBehind, stays },
    ...shared,
  };
  const carrier = isTenant ? markable(target.bindings)?.object : undefined;
  const mark = carrier && new RunMark(protection, carrier, signal);
  const records = await playAll({ ...input, turns, soakWrites: plan.soakWrites }, chosen, {
    ...{ client, names, settling, signal, only: options.only, onWait: waitTold(input) },
    ...{ protection: { ...protection, mark }, stoppedWorking: watch, claimWatch },
    onTrace: input.onTrace,
  }).finally(() => mark?.remove());
  // Their scenarios have run already, so these findings leave no scenario out.
  const dead = [...stopped].map((name): PreflightFinding => {
    return { name, kind: 'credential', message: 'it stopped working during the run', judged: true };
  });
  const late = claimWatch?.findings() ?? [];
  const all = [...findings, ...late, ...dead];
  if (late.length === 0) return { findings: all, skipped, records };
  // If a binding proves to be wrong during the run, the scenarios that need it do not count, as after a
  // preflight that finds it.
  const left = fitting(plan, all);
  const fit = new Set(left.run);
  const counted = new Map(
    [...records].flatMap(([scenario, record]) =>
      fit.has(scenario)
        ? [[scenario, withoutContradicted(record, scenario, all, plan.turns)] as const]
        : [],
    ),
  );
  return { findings: all, skipped: left.skipped, records: counted };
}

/** The scenarios for which there was no time. */
function leftOut({ budget }: RunInput, asked: readonly Scenario[], { records, skipped }: Played) {
  if (budget === undefined) return [];
  const done = new Set([...records.keys(), ...skipped.map(({ scenario }) => scenario)]);
  return asked.filter((scenario) => !done.has(scenario));
}

/** The planned writes of the scenarios that were not left out. */
export const begun = ({ writes }: Plan, left: readonly string[]): Plan['writes'] =>
  writes.filter(({ scenario }) => !left.includes(scenario));

function digestsOf({ version, suite, exam, custom }: RunInput): SuiteDigests {
  const { openapi: contractSha256, statements: statementsSha256 } = contract.sha256;
  return {
    ...{ version, contractVersion: contract.version, contractSha256, statementsSha256 },
    ...{ scenariosSha256: suite.sha256, ...(exam && { exam }) },
    ...(custom?.length && { custom }),
  };
}

/**
 * The scenarios that ran, in the order of their titles, because the order of the run is random.
 * Then those that did not run.
 */
export function inReport(
  ran: Iterable<ScenarioRecord>,
  skipped: readonly Skipped[],
  selected: readonly Scenario[],
): ScenarioRecord[] {
  const left = new Map(skipped.map((item) => [item.scenario, item]));
  return [
    ...[...ran].sort((a, b) => (a.scenario < b.scenario ? -1 : 1)),
    ...selected.flatMap((scenario) => left.get(scenario) ?? []).map(skippedRecord),
  ];
}

/** A scenario that the plan, or the preflight, left out. */
function skippedRecord({ scenario, why }: Skipped): ScenarioRecord {
  const lacks = why.rule === 'feature-off';
  return {
    ...scenarioRecord(scenario, []),
    notRun: {
      why,
      checks: untriedIn(scenario, why),
      feature: lacks
        ? { name: String(why.feature), statements: [...scenario.statements] }
        : undefined,
    },
  };
}
