/**
 * The commands of the runner, without a command line: they take options, return data and an exit
 * code, and print nothing. `bin/` parses, prints and renders.
 */

import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { ControlError } from '../../spec/base/control-client.ts';
import { LoadError } from '../../spec/base/yaml-source.ts';
import { contract } from '../../spec/contract.ts';
import { type ExitCode, exitCodes, type Report, type RunOptions } from '../judge/report.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { effects } from '../language/vocabulary.ts';
import { runSuite, select } from '../run/run.ts';
import { Ledger } from '../safety/ledger.ts';
import { makePlan, type Plan } from '../safety/plan.ts';
import { lockTarget } from '../safety/target-lock.ts';
import { CouldNotRun } from '../target/client.ts';
import { Unsafe } from '../target/guard.ts';
import { isLoopback, type Target } from '../target/target.ts';
import { openTarget, UsageError } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';
import { mustStay } from './replaces.ts';

export interface Certified {
  readonly exitCode: ExitCode;
  /** One line that says why, where there is no report. */
  readonly message?: string;
  readonly report?: Report;
  readonly plan?: Plan | undefined;
  /** Folder that the report and its evidence should be written to. */
  readonly out?: string;
  readonly evidence?: readonly { readonly file: string; readonly text: string }[];
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
      plan = makePlan(select(suite.scenarios, run), target, run.allow, names);
      io.onPlan?.(plan, target);
      return { exitCode: exitCodes.ok, plan };
    }
    const out = resolve(io.cwd, options.out ?? join('reports', 'out', runId));
    const kept = options.force === true ? undefined : mustStay(out, { options: run, target });
    if (kept !== undefined) throw new UsageError(kept);
    const live = target;
    const output = await runSuite({
      suite,
      target,
      options: run,
      names,
      safety: io.safety,
      version: io.version,
      rate: options.rate ?? (isRemote(target) ? 8 : undefined),
      signal: io.signal,
      onProgress: io.onProgress,
      onPlan: (made) => {
        plan = made;
        io.onPlan?.(made, live);
      },
      openLedger: target.kind === 'tenant' ? () => openLedger(options, io, live, names) : undefined,
    });
    const report = withWarnings(output.report, opened.warnings);
    return {
      exitCode: report.exitCode,
      report,
      out,
      evidence: output.evidence.map(({ about, text }) => ({ file: about.file, text })),
      plan,
    };
  } catch (error) {
    return failureOf(error);
  } finally {
    await target?.close().catch(() => undefined);
  }
}

/** A tenant that is not on this machine: its owner pays for what it is asked. */
function isRemote({ kind, baseUrl }: Target): boolean {
  return kind === 'tenant' && !isLoopback(baseUrl);
}

/** What an error of a command says, and its exit code; throws what is a defect. */
export function failureOf(error: unknown): Certified {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  if (error instanceof LoadError || error instanceof UsageError)
    return { exitCode: exitCodes.usage, message };
  if (error instanceof CouldNotRun) {
    return { exitCode: exitCodes.couldNotRun, message: `nothing was tested: ${message}` };
  }
  if (error instanceof Unsafe) return { exitCode: exitCodes.unsafe, message };
  if (error instanceof ControlError) {
    const { status } = error;
    const hint = status === 403 ? '; LOCKSTEP_ADMIN_TOKEN is where its token is looked for' : '';
    return { exitCode: exitCodes.couldNotRun, message: `${message}${hint}` };
  }
  throw error;
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
    shard: options.shard,
    seed: options.seed ?? randomBytes(4).readUInt32BE(),
    tries: options.tries ?? 1,
    soakMs: options.soakMs,
  };
}

/** The ledger of a tenant, held alone. Throws Unsafe. */
export function openLedger(
  options: CertifyOptions,
  io: CommandIo,
  target: Target,
  names: { readonly id: string; readonly startedAt: string },
): Ledger {
  const folder = resolve(io.cwd, options.ledger ?? join('.lockstep', 'ledger'));
  const tenantFile = options.tenant === undefined ? undefined : resolve(io.cwd, options.tenant);
  const { baseUrl } = target;
  const { id: runId, startedAt } = names;
  const release = lockTarget(baseUrl, runId, folder, io.locks);
  try {
    return Ledger.open(folder, { runId, baseUrl, tenantFile, startedAt }, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Begins with a letter and holds no punctuation, so that it can stand in any name. */
export function newRunId(): string {
  return `r${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
}

function withWarnings(report: Report, warnings: readonly string[]): Report {
  return { ...report, warnings: [...warnings, ...report.warnings] };
}
