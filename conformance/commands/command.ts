/**
 * The commands of the runner, without a command line: they take options, return data and an exit
 * code, and print nothing. `bin/` parses, prints and renders.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ControlError } from '../../spec/base/control-client.ts';
import { type Redacted, Redactor } from '../../spec/base/redactor.ts';
import { Refused } from '../../spec/base/refused.ts';
import { quoted } from '../../spec/base/visible.ts';
import { LoadError } from '../../spec/base/yaml-source.ts';
import { contract } from '../../spec/contract.ts';
import { type ExitCode, exitCodes, type Report, type RunOptions } from '../judge/report.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import type { RunNames } from '../language/scope.ts';
import { effects } from '../language/vocabulary.ts';
import { runSuite, select } from '../run/run.ts';
import { Ledger } from '../safety/ledger.ts';
import { makePlan, type Plan } from '../safety/plan.ts';
import { lockTarget } from '../safety/target-lock.ts';
import { CouldNotRun } from '../target/client.ts';
import { Unsafe } from '../target/guard.ts';
import { isLoopback, type Target } from '../target/target.ts';
import { mayReplace } from './certificate-files.ts';
import { openTarget } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';

export interface Certified {
  readonly exitCode: ExitCode;
  /** One line that says why, where there is no report; or what to do next. */
  readonly message?: string | undefined;
  /** What the target answered instead of serving; 0 is no answer. */
  readonly answered?: number | undefined;
  readonly report?: Report;
  readonly plan?: Plan | undefined;
  /** Folder that the report and its evidence should be written to. */
  readonly out?: string | undefined;
  readonly evidence?: readonly { readonly file: string; readonly text: Redacted }[];
}

/** Runs the scenarios and judges. Writes nothing but a tenant's ledger. */
export async function certify(
  options: CertifyOptions,
  { redactor = new Redactor(), ...rest }: CommandIo,
): Promise<Certified> {
  const io = { ...rest, redactor };
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
    probe(out);
    mayReplace(out, { options: run, target }, options.force);
    const live = target;
    const { confirm, budget } = options;
    const output = await runSuite({
      ...io,
      ...{ suite, target, names, confirm, budget, options: run },
      exam: options.suite === undefined ? io.exam : undefined,
      rate: rateOf(options, target),
      signal: withDeadline(io.signal, options),
      onPlan: (made) => {
        plan = made;
        io.onPlan?.(made, live);
      },
      openLedger: target.kind === 'tenant' ? () => openLedger(options, io, live, names) : undefined,
    });
    const warnings = [...opened.warnings, ...output.report.warnings];
    const report = { ...output.report, warnings };
    const left = report.leftBehind.length > 0;
    const message = left ? redactor.text(`to finish: ${undoCommand(options)}`) : undefined;
    return { exitCode: report.exitCode, message, report, out, evidence: output.evidence, plan };
  } catch (error) {
    const failure = failureOf(error);
    return { ...failure, message: redactor.text(failure.message) };
  } finally {
    await target?.close().catch(() => undefined);
  }
}

/** Requests per second: a shard's part of what all shards may send together. */
function rateOf({ rate, shard }: CertifyOptions, { kind, baseUrl }: Target): number | undefined {
  // A tenant that is not on this machine: its owner pays for what it is asked.
  const all = rate ?? (kind === 'tenant' && !isLoopback(baseUrl) ? 8 : undefined);
  return all === undefined ? undefined : all / (shard?.of ?? 1);
}

/** Throws Refused where nothing can be written to a folder, before a run is made for it. */
function probe(folder: string): void {
  try {
    mkdirSync(dirname(folder), { recursive: true });
    const place = existsSync(folder) ? folder : dirname(folder);
    rmdirSync(mkdtempSync(join(place, '.lockstep-')));
  } catch (error) {
    throw new Refused(`--out ${folder} cannot be written: ${(error as Error).message}`);
  }
}

/** Ends the run when its time is over, as an interruption does. */
function withDeadline(
  signal: AbortSignal | undefined,
  { deadlineMs, tries = 1, soakMs = 0 }: CertifyOptions,
): AbortSignal {
  const ms = deadlineMs ?? tries * 3_600_000 + soakMs;
  const over = new AbortController();
  const end = () => over.abort(new Error(`the run took longer than ${ms / 60_000} min`));
  setTimeout(end, Math.min(ms, 2 ** 31 - 1)).unref();
  return AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
}

/** What an error of a command says, and its exit code; throws what is a defect. */
export function failureOf(error: unknown): Certified & { readonly message: string } {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  if (error instanceof LoadError || error instanceof Refused)
    return { exitCode: exitCodes.usage, message };
  if (error instanceof CouldNotRun) {
    const { couldNotRun: exitCode } = exitCodes;
    return { exitCode, message: `nothing was tested: ${message}`, answered: error.status };
  }
  if (error instanceof Unsafe) return { exitCode: exitCodes.unsafe, message };
  // A disk that is full, a folder that cannot be read: no defect, and no stack.
  if ('syscall' in error) return { exitCode: exitCodes.couldNotRun, message };
  if (error instanceof ControlError) {
    const { status } = error;
    const hint =
      status === 403 ? '; its token is taken from LOCKSTEP_ADMIN_TOKEN, on this machine only' : '';
    return { exitCode: exitCodes.couldNotRun, message: `${message}${hint}` };
  }
  throw error;
}

function runOptions(options: CertifyOptions, target: Target): RunOptions {
  const mock = target.kind === 'mock';
  const only = options.only ?? [];
  for (const id of only) {
    if (!contract.statements.has(id)) throw new Refused(`--only: there is no statement ${id}`);
  }
  const allow = options.allow ?? (mock ? 'permanent' : 'none');
  if (!effects.includes(allow)) throw new Refused(`--allow is one of ${effects.join(', ')}`);
  return {
    allow,
    convergenceMs: options.convergenceMs ?? 30_000,
    standards: options.standards ?? 'report',
    complete: options.complete ?? false,
    jobs: options.jobs ?? 8,
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
  names: RunNames,
): Ledger {
  const folder = ledgerFolder(options, io.cwd);
  const { id: runId, startedAt } = names;
  const header = { runId, startedAt, baseUrl: target.baseUrl, shard: options.shard };
  const release = lockTarget(header, folder, io.locks);
  try {
    return Ledger.open(folder, header, undoCommand(options), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** What a user types to finish the clean-up of a run with these options. */
function undoCommand({ tenant = 'FILE', baseUrl, ledger }: CertifyOptions): string {
  const given = Object.entries({ tenant, 'base-url': baseUrl, ledger });
  const words = given.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['lockstep undo', ...words].join(' ');
}

export function ledgerFolder({ ledger }: Pick<CertifyOptions, 'ledger'>, cwd: string): string {
  return resolve(cwd, ledger ?? join('.lockstep', 'ledger'));
}

/** Begins with a letter and holds no punctuation, so that it can stand in any name. */
export function newRunId(): string {
  return `r${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
}
