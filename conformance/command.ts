/**
 * The commands of the runner, without a command line: they take options, return data and an exit
 * code, and print nothing. `bin/` parses, prints and renders.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Effect } from '../spec/contract.ts';
import { contract } from '../spec/contract.ts';
import { authorisationFamily } from './authorisation.ts';
import { Unsafe } from './guard.ts';
import { Ledger, LedgerBusy, LedgerUnfinished } from './ledger.ts';
import { loadSuite, readScenarioFiles } from './load.ts';
import { ControlRefused, findMock, mockTarget } from './mock-target.ts';
import type { Plan } from './plan.ts';
import type { ProgressEvent } from './progress-event.ts';
import { type ExitCode, exitCodes, type Report, type RunOptions } from './report.ts';
import { runSuite, select } from './run.ts';
import type { Scenario, Suite } from './scenario.ts';
import { isLoopback, type Target } from './target.ts';
import { readTenantFile, type TenantFile } from './tenant-file.ts';
import { tenantTarget } from './tenant-target.ts';
import { httpTransport } from './transport.ts';
import { effects } from './vocabulary.ts';
import { LoadError } from './yaml-source.ts';

export { type Undone, undo } from './undo.ts';
export { type Verified, verify } from './verify.ts';

export interface CertifyOptions {
  readonly baseUrl?: string | undefined;
  /** Path of a tenant file. */
  readonly tenant?: string | undefined;
  readonly only?: readonly string[] | undefined;
  /** Default: `none` on a tenant, everything on a mock's own world. */
  readonly allow?: Effect | undefined;
  /** Default 30000. */
  readonly convergenceMs?: number | undefined;
  readonly standards?: 'report' | 'enforce' | undefined;
  readonly complete?: boolean | undefined;
  /** Default 8 on a mock, 4 elsewhere. */
  readonly jobs?: number | undefined;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  readonly dryRun?: boolean | undefined;
  /** Where the report and its evidence go; default `reports/out/<run id>`. */
  readonly out?: string | undefined;
  /** Default `.lockstep/ledger` in the working folder. */
  readonly ledger?: string | undefined;
  /** PEM of a CA to trust, beside the tenant file's. */
  readonly ca?: string | undefined;
  /** Another suite than the one that comes with Lockstep. */
  readonly suite?: Suite | undefined;
}

/** What a command takes from its surroundings. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Version of Lockstep. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** Told the plan before the first call. */
  readonly onPlan?: ((plan: Plan, target: Target) => void) | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

export interface Certified {
  readonly exitCode: ExitCode;
  /** One line that says why, where there is no report. */
  readonly message?: string;
  readonly report?: Report;
  readonly plan?: Plan;
  /** Folder that the report and its evidence should be written to. */
  readonly out?: string;
  readonly evidence?: readonly { readonly file: string; readonly text: string }[];
}

/** The suite that comes with Lockstep. Throws LoadError. */
export function loadOwnSuite(): Suite {
  const { scenarios, digest } = authorisationFamily();
  return loadSuite(readScenarioFiles(), scenarios, digest);
}

/** Runs the scenarios and judges. Writes nothing but a tenant's ledger. */
export async function certify(options: CertifyOptions, io: CommandIo): Promise<Certified> {
  let target: Target | undefined;
  try {
    const suite = options.suite ?? loadOwnSuite();
    const opened = await openTarget(options, io);
    target = opened.target;
    const runId = newRunId();
    const names = { id: runId, startedAt: new Date().toISOString() };
    const run = runOptions(options, target);
    let plan: Plan | undefined;
    if (options.dryRun === true) {
      const { makePlan } = await import('./plan.ts');
      plan = makePlan(select(suite.scenarios, { options: run }), target, run.allow, names);
      io.onPlan?.(plan, target);
      return { exitCode: exitCodes.ok, plan };
    }
    const live = target;
    const output = await runSuite({
      suite,
      target,
      options: run,
      names,
      version: io.version,
      ...(io.signal === undefined ? {} : { signal: io.signal }),
      ...(io.onProgress === undefined ? {} : { onProgress: io.onProgress }),
      onPlan: (made) => {
        plan = made;
        io.onPlan?.(made, live);
      },
      ...(target.kind === 'tenant'
        ? { openLedger: () => openLedger(options, io, live, names) }
        : {}),
    });
    const report = withWarnings(output.report, opened.warnings);
    const out = resolve(io.cwd, options.out ?? join('reports', 'out', runId));
    return {
      exitCode: report.exitCode,
      report,
      out,
      evidence: output.evidence.map(({ about, text }) => ({ file: about.file, text })),
      ...(plan === undefined ? {} : { plan }),
    };
  } catch (error) {
    return refusal(error);
  } finally {
    await target?.close().catch(() => undefined);
  }
}

/** Statement -> the checks of it, for `certify --list`. */
export interface ListedStatement {
  readonly id: string;
  readonly level: string;
  readonly text: string;
  readonly unobservable?: string;
  readonly checks: readonly {
    readonly scenario: string;
    readonly step: string;
    readonly place: string;
  }[];
}

export function list(suite: Suite = loadOwnSuite()): ListedStatement[] {
  const places = new Map<string, { scenario: string; step: string; place: string }[]>();
  const visit = (scenario: Scenario, steps: Scenario['steps']): void => {
    for (const step of steps) {
      for (const item of [...step.checks, ...step.observes]) {
        const { file, line, column } = item.location;
        const known = places.get(item.statement) ?? [];
        known.push({ scenario: scenario.title, step: step.id, place: `${file}:${line}:${column}` });
        places.set(item.statement, known);
      }
      visit(scenario, step.steps);
    }
  };
  for (const scenario of suite.scenarios) {
    visit(scenario, scenario.steps);
    visit(scenario, scenario.undo);
  }
  return [...contract.statements.values()].map(({ id, level, text, unobservable }) => ({
    id,
    level,
    text,
    ...(unobservable === undefined ? {} : { unobservable }),
    checks: places.get(id) ?? [],
  }));
}

/** A mistake in how the command was called. */
export class UsageError extends Error {}
/** The target could not be reached, so nothing was tried. */
class Unreachable extends Error {}

/** What an error of a command says, and its exit code; throws what is a defect. */
export function refusal(error: unknown): Certified {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  if (error instanceof LoadError || error instanceof UsageError)
    return { exitCode: exitCodes.usage, message };
  if (error instanceof Unsafe || error instanceof LedgerBusy || error instanceof LedgerUnfinished) {
    return { exitCode: exitCodes.unsafe, message };
  }
  if (error instanceof Unreachable || error instanceof ControlRefused) {
    return { exitCode: exitCodes.couldNotRun, message };
  }
  throw error;
}

export interface Opened {
  readonly target: Target;
  readonly warnings: readonly string[];
}

/** The target of a command; on a mock, a world that is made for it. Throws UsageError and Unsafe. */
export async function openTarget(options: CertifyOptions, io: CommandIo): Promise<Opened> {
  const file =
    options.tenant === undefined ? undefined : readTenant(resolve(io.cwd, options.tenant));
  const baseUrl = chooseBaseUrl(options.baseUrl, file?.baseUrl);
  const caFile =
    file?.ca === undefined
      ? undefined
      : join(dirname(resolve(io.cwd, options.tenant ?? '')), file.ca);
  const ca = options.ca ?? (caFile === undefined ? undefined : readText(caFile));
  const jobs = options.jobs ?? 8;
  const { send, close } = httpTransport({ ca, connections: jobs + 2, env: io.env });
  if (file === undefined) {
    const { origin } = new URL(baseUrl);
    const health = await findMock(origin, send);
    if (health !== undefined) {
      const adminToken = io.env.LOCKSTEP_ADMIN_TOKEN;
      return {
        target: await mockTarget(origin, health, send, { adminToken, close }),
        warnings: [],
      };
    }
  }
  const { target, missing } = tenantTarget(baseUrl, file, io.env, send, close);
  const warnings = missing.map(
    (item) => `${item.name}: the environment variable ${item.env} is not set`,
  );
  if (file === undefined) warnings.push('no tenant file: only what needs no credential was tried');
  return { target, warnings };
}

function chooseBaseUrl(given: string | undefined, filed: string | undefined): string {
  const baseUrl = given ?? filed;
  if (baseUrl === undefined)
    throw new UsageError('--base-url, or baseUrl in the tenant file, is needed');
  if (!URL.canParse(baseUrl)) throw new UsageError(`${baseUrl} is no URL`);
  for (const url of [given, filed]) refuseExtras(url);
  const { protocol, host } = new URL(baseUrl);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new UsageError(`${baseUrl}: only https is accepted`);
  if (protocol === 'http:' && !isLoopback(baseUrl)) {
    throw new Unsafe(
      `${baseUrl}: credentials are never sent over plain HTTP to anything but loopback`,
    );
  }
  if (given !== undefined && filed !== undefined && URL.canParse(filed)) {
    const local = isLoopback(given) && isLoopback(filed);
    if (host !== new URL(filed).host && !local) {
      throw new Unsafe(`--base-url names ${host} and the tenant file ${new URL(filed).host}`);
    }
  }
  return baseUrl;
}

/** A secret in an address would stand in every artefact, and a query on every call. */
function refuseExtras(url: string | undefined): void {
  if (url === undefined || !URL.canParse(url)) return;
  const { username, password, search, hash, origin } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new UsageError(`a base URL has no user, query or fragment: ${origin}/... is expected`);
  }
}

/** Throws LoadError or UsageError. */
export function readTenant(path: string): TenantFile {
  return readTenantFile(path, readText(path));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function runOptions(options: CertifyOptions, target: Target): RunOptions {
  const mock = target.kind === 'mock';
  const only = options.only ?? [];
  for (const id of only) {
    if (!contract.statements.has(id)) throw new UsageError(`--only: there is no statement ${id}`);
  }
  const allow = options.allow ?? (mock ? 'permanent' : 'none');
  if (!effects.includes(allow)) throw new UsageError(`--allow is one of ${effects.join(', ')}`);
  return {
    allow,
    convergenceMs: options.convergenceMs ?? 30_000,
    standards: options.standards ?? 'report',
    complete: options.complete ?? false,
    jobs: options.jobs ?? (mock ? 8 : 4),
    only,
    ...(options.shard === undefined ? {} : { shard: options.shard }),
  };
}

/** The ledger of a tenant, held alone. Throws LedgerBusy and LedgerUnfinished. */
export function openLedger(
  options: CertifyOptions,
  io: CommandIo,
  target: Target,
  names: { readonly id: string; readonly startedAt: string },
): Ledger {
  const folder = resolve(io.cwd, options.ledger ?? join('.lockstep', 'ledger'));
  const tenantFile = options.tenant === undefined ? undefined : resolve(io.cwd, options.tenant);
  return Ledger.open(folder, {
    runId: names.id,
    baseUrl: target.baseUrl,
    tenantFile,
    startedAt: names.startedAt,
  });
}

/** Begins with a letter and holds no punctuation, so that it can stand in any name. */
export function newRunId(): string {
  return `r${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
}

function withWarnings(report: Report, warnings: readonly string[]): Report {
  return { ...report, warnings: [...warnings, ...report.warnings] };
}
