/**
 * The core: a suite, a target and options in; a report and its evidence out. Nothing here reads
 * the process, prints, or keeps state between runs, so that hundreds of runs can share a process.
 */

import { contract } from '../../spec/contract.ts';
import { assembleReport } from '../judge/assemble-report.ts';
import type { ProgressEvent } from '../judge/progress-event.ts';
import type {
  EvidenceFile,
  PreflightFinding,
  Report,
  RunOptions,
  Verdict,
} from '../judge/report.ts';
import type { Scenario, Step, Suite } from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import type { Claims } from '../language/vocabulary.ts';
import type { Ledger } from '../safety/ledger.ts';
import { makePlan, type Plan } from '../safety/plan.ts';
import { preflight } from '../safety/preflight.ts';
import { Client, CouldNotRun } from '../target/client.ts';
import { Evidence } from '../target/evidence.ts';
import { Redactor } from '../target/redact.ts';
import type { Target } from '../target/target.ts';
import { collect, notRun, type ScenarioOutcome, unfitFor, unreachable } from './collect.ts';
import { runScenario } from './run-scenario.ts';
import type { CredentialWatch, RunContext } from './running.ts';
import { runSideBySide } from './schedule.ts';

export interface RunInput {
  readonly suite: Suite;
  readonly target: Target;
  readonly options: RunOptions;
  readonly names: RunNames;
  /** Version of Lockstep, for the report. */
  readonly version: string;
  /** Narrows the suite; the exam runs what could notice a deviation first. */
  readonly filter?: (scenario: Scenario) => boolean;
  /** Keeps exchanges as HAR; an exam needs none. Default true. */
  readonly evidence?: boolean;
  /** Opens the ledger of a tenant; without it nothing is written to disk. */
  readonly openLedger?: () => Ledger;
  readonly signal?: AbortSignal;
  /** Told before the first call. */
  readonly onPlan?: (plan: Plan) => void;
  readonly onProgress?: (event: ProgressEvent) => void;
  readonly patienceMs?: number;
}

export interface RunOutput {
  readonly report: Report;
  readonly evidence: readonly { readonly about: EvidenceFile; readonly text: string }[];
}

/** Rejects with Unsafe where the guard stopped a call, and with what openLedger throws. */
export async function runSuite(input: RunInput): Promise<RunOutput> {
  const { suite, target, options, names } = input;
  const start = performance.now();
  const selected = select(suite.scenarios, input);
  const plan = makePlan(selected, target, options.allow, names);
  input.onPlan?.(plan);
  const redactor = new Redactor();
  for (const { name, secret } of target.credentials.values()) redactor.add(secret, `{${name}}`);
  const evidence = new Evidence(redactor, input.evidence ?? true);
  const onWait = (reason: string, milliseconds: number): void =>
    input.onProgress?.({ type: 'waiting', reason, milliseconds });
  const client = new Client(target, plan.guard, redactor, evidence, {
    patienceMs: input.patienceMs ?? 120_000,
    onWait,
  });
  const warnings: string[] = [];
  const ledger = input.openLedger?.();
  const outcomes: ScenarioOutcome[] = [];
  let owed: ReadonlyMap<string, unknown> = new Map();
  let skipped = [...plan.skipped];
  let findings: PreflightFinding[] = [];
  try {
    let runnable = plan.run;
    try {
      findings = target.kind === 'tenant' ? await preflight(client) : [];
      const unfit = runnable.flatMap((scenario) => unfitFor(scenario, findings));
      skipped = [...skipped, ...unfit];
      runnable = runnable.filter((scenario) => !unfit.some((item) => item.scenario === scenario));
    } catch (error) {
      if (!(error instanceof CouldNotRun)) throw error;
      outcomes.push(...runnable.map((scenario) => unreachable(scenario, error.message)));
      runnable = [];
    }
    const warn = (message: string): void => void warnings.push(message);
    const context = { ...runContext(input, client, ledger, warn), onWait };
    owed = context.owed;
    const breaker = { inRow: 0 };
    input.onProgress?.({
      type: 'started',
      scenarios: runnable.length,
      baseUrl: target.baseUrl,
    });
    await runSideBySide(runnable, options.jobs, async (scenario) => {
      input.onProgress?.({ type: 'scenario-started', scenario: scenario.title });
      const gone = breaker.inRow >= 5 ? 'the target stopped answering' : undefined;
      const outcome =
        gone === undefined ? await runScenario(scenario, context) : unreachable(scenario, gone);
      breaker.inRow = outcome.result.outcome === 'could-not-run' ? breaker.inRow + 1 : 0;
      outcomes.push(outcome);
      input.onProgress?.(ended(outcome));
    });
  } finally {
    input.onProgress?.({ type: 'ended' });
    ledger?.close();
  }
  outcomes.sort((a, b) => (a.result.scenario < b.result.scenario ? -1 : 1));
  const files = evidence.files();
  const report = assembleReport({
    runId: names.id,
    suite: {
      version: input.version,
      contractVersion: contract.version,
      contractSha256: contract.sha256.openapi,
      statementsSha256: contract.sha256.statements,
      scenariosSha256: suite.sha256,
    },
    target: {
      baseUrl: target.baseUrl,
      kind: target.kind,
      ...(target.version === undefined ? {} : { version: target.version }),
      ...(target.world === undefined ? {} : { world: target.world }),
      credentials: Object.fromEntries(
        [...target.credentials.values()].map(({ name, claims }) => [name, claimsOf(claims)]),
      ),
      bindings: target.bindings,
      features: target.features,
      aliases: Object.fromEntries(target.aliases),
    },
    startedAt: names.startedAt,
    durationMs: Math.round(performance.now() - start),
    options,
    plan: plan.writes,
    preflight: findings,
    scenarios: [...outcomes.map((item) => item.result), ...skipped.map(notRun)],
    eventually: outcomes.flatMap((item) => item.eventually),
    requests: { ...client.counts, throttledMs: Math.round(client.counts.throttledMs) },
    evidence: files.map((file) => file.about),
    warnings,
    leftBehind: [...owed.keys()],
    interrupted: input.signal?.aborted === true,
    ...collect(outcomes, skipped, selected),
  });
  return { report, evidence: files };
}

/** The scenarios that a run is narrowed to. */
export function select(
  scenarios: readonly Scenario[],
  input: Pick<RunInput, 'options' | 'filter'>,
): Scenario[] {
  const { only, shard } = input.options;
  return scenarios
    .filter((scenario) => input.filter?.(scenario) ?? true)
    .filter(
      ({ statements, standing }) =>
        only.length === 0 || only.some((id) => statements.has(id) || standing.has(id)),
    )
    .filter((_scenario, index) => shard === undefined || index % shard.of === shard.index - 1);
}

function runContext(
  input: RunInput,
  client: Client,
  ledger: Ledger | undefined,
  warn: (message: string) => void,
): RunContext {
  const { options, target } = input;
  const keeper = ['admin', 'oauth'].find((name) => target.credentials.has(name));
  const secret = keeper === undefined ? undefined : target.credentials.get(keeper)?.secret;
  return {
    client,
    ledger,
    authorization: secret === undefined ? undefined : `Bearer ${secret}`,
    convergenceMs: options.convergenceMs,
    known: new Map(),
    owed: new Map(),
    settling: { longestMs: 0 },
    warn,
    names: input.names,
    signal: input.signal,
    only: options.only.length === 0 ? undefined : new Set(options.only),
    credentials: watchCredentials(client),
  };
}

function watchCredentials(client: Client): CredentialWatch {
  const opened = new Map<string, string>();
  return {
    worked: (credential, _step: Step, path) => {
      if (!opened.has(credential)) opened.set(credential, path);
    },
    stillWorks: async (credential, file, scenario) => {
      const path = opened.get(credential);
      if (path === undefined) return true;
      const authorization = `Bearer ${client.target.credentials.get(credential)?.secret ?? ''}`;
      const request = {
        method: 'GET',
        path,
        query: [],
        headers: {},
        authorization,
        text: undefined,
        body: undefined,
        plain: false,
      };
      const answer = await client.call(request, file, { scenario, step: 'probe', kind: 'probe' });
      return answer.status !== 401;
    },
  };
}

/** What is said of a credential, without the name of its environment variable. */
function claimsOf(claims: Claims | undefined): Claims {
  const { role, auditLogManage, edits, deployments } = claims ?? {};
  return {
    ...(role === undefined ? {} : { role }),
    ...(auditLogManage === undefined ? {} : { auditLogManage }),
    ...(edits === undefined ? {} : { edits }),
    ...(deployments === undefined ? {} : { deployments }),
  };
}

function ended({ result, judged }: ScenarioOutcome): ProgressEvent {
  const verdicts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const { scenario, outcome, durationMs, reason } = result;
  const event = { type: 'scenario-ended' as const, scenario, outcome, durationMs, verdicts };
  return reason === undefined ? event : { ...event, reason };
}
