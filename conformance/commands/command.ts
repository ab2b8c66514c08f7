/**
 * The commands of the runner, without a command line: they take options and return data, or throw errors that
 * `failureOf` explains. They print nothing. `bin/` parses, prints and renders.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ControlError } from '../../spec/base/control-client.ts';
import { type Redacted, Redactor } from '../../spec/base/redactor.ts';
import { Incomplete, inWords, inWordsWithPath, Refused } from '../../spec/base/refused.ts';
import { hint } from '../../spec/base/similar.ts';
import { quoted } from '../../spec/base/visible.ts';
import { LoadError } from '../../spec/base/yaml-source.ts';
import { contract, isCustomName } from '../../spec/contract.ts';
import { diagnose } from '../compare/diagnosis.ts';
import { readReliance } from '../compare/read-reliance.ts';
import { reachedClients } from '../compare/reliance.ts';
import {
  type ExitCode,
  exitCodes,
  type RelyingClient,
  type Report,
  type RunOptions,
} from '../judge/report.ts';
import { failsRun, isFailure } from '../judge/verdict.ts';
import type { Suite } from '../language/scenario.ts';
import type { RunNames } from '../language/scope.ts';
import { effects } from '../language/vocabulary.ts';
import { restoringAuthorization } from '../safety/ask.ts';
import { Ledger, type Sealing, sealingWith } from '../safety/ledger.ts';
import { makePlan, type Plan, select } from '../safety/plan.ts';
import { usualMs } from '../safety/settling.ts';
import { lockTarget } from '../safety/target-lock.ts';
import { CouldNotRun } from '../target/client.ts';
import { Unsafe } from '../target/guard.ts';
import { isLoopback, type Target } from '../target/target.ts';
import { withAgain } from './again.ts';
import { holdsWholeReport, mayReplace } from './certificate-files.ts';
import { mustAgree } from './consent.ts';
import { type ChosenFiles, type CustomText, chosenFiles, suiteOf, toldOf } from './custom-files.ts';
import { mustBeNoWord, openTarget } from './open-target.ts';
import {
  type BothOptions,
  type CertifyOptions,
  type CommandIo,
  givenSuite,
  pathIn,
} from './options.ts';
import { runSuite } from './run-suite.ts';

export interface Certified {
  readonly report: Report;
  readonly evidence: readonly { readonly file: string; readonly text: Redacted }[];
  /** The custom scenario files of the run. Their texts are kept with the report. */
  readonly copies?: readonly CustomText[];
  /** The folder for the report and its evidence. */
  readonly out?: string | undefined;
  /** What to do next. */
  readonly message?: string | undefined;
}

/** Runs the scenarios and judges. Writes nothing but a tenant's ledger. */
export async function certify(given: CertifyOptions, io: CommandIo): Promise<Certified> {
  const options = withAgain(given, io.cwd);
  const { chosen, suite } = suiteFor(options, io);
  const reading = readReliance(pathIn(io.cwd, options.reliance));
  await using opened = await openTarget(options, io);
  const { target } = opened;
  refuseSecrets(chosen, suite, target, io.redactor);
  const names = { id: newRunId(), startedAt: new Date().toISOString() };
  const run = runOptions(options, target, chosen, suite);
  const own = resolve(io.cwd, 'reports', 'out', names.id);
  const out = options.out === undefined ? own : resolve(io.cwd, options.out);
  probe(out);
  mayReplace(out, { options: run, target }, options.force);
  const { confirm, budget, maxWrites } = options;
  const { report, evidence } = await runSuite({
    ...io,
    ...{ suite, target, names, confirm, budget, options: run, maxWrites },
    agree: (plan) => mustAllow({ ...options, allow: run.allow }, target, plan, io),
    exam: options.suite === undefined ? io.exam : undefined,
    custom: chosen.custom.map(toldOf),
    rate: rateOf(options, target),
    signal: withDeadline(io.signal, options),
    openLedger: target.kind === 'tenant' ? () => openLedger(options, io, target, names) : undefined,
  });
  const warnings = [...opened.warnings, ...reading.warnings, ...report.warnings];
  const told = { ...report, ...(await aboutFailures(report, reading.clients, options, io)) };
  const message = report.leftBehind.length > 0 ? `to finish: ${undoCommand(options)}` : undefined;
  const keeps = report.interrupted && options.force !== true && holdsWholeReport(out);
  const done = { report: { ...told, warnings }, evidence, copies: chosen.custom, message };
  return { ...done, out: keeps ? own : out };
}

/**
 * For a failed run: the clients whose tests it reaches, and the known deviation that it looks like.
 */
async function aboutFailures(
  report: Report,
  clients: readonly RelyingClient[],
  { diagnosis: isWanted = true }: CertifyOptions,
  { diagnosing, redactor = new Redactor() }: CommandIo,
): Promise<Pick<Report, 'reliance' | 'diagnosis'>> {
  // A standard that is only reported needs no explanation.
  const isRed = report.statements.some(
    (item) => isFailure(item.verdict) && failsRun(item, report.options),
  );
  const reliance = redactor.value(reachedClients(report, clients));
  const isDiagnosed = isRed && isWanted && !report.interrupted && diagnosing !== undefined;
  const diagnosis = isDiagnosed ? await diagnose(report, await diagnosing()) : undefined;
  return { ...(clients.length > 0 && { reliance }), ...(diagnosis && { diagnosis }) };
}

/** Throws Refused if there are more writes than permitted, or without consent. */
async function mustAllow(
  options: CertifyOptions,
  { kind, baseUrl }: Target,
  { writes: { length: writes }, soakWrites }: Plan,
  io: CommandIo,
): Promise<void> {
  const { maxWrites = Number.POSITIVE_INFINITY } = options;
  if (writes > maxWrites)
    throw new Refused(`the plan has ${writes} writes, and --max-writes is ${maxWrites}`);
  const more = soakWrites > 0 ? `, and ${soakWrites} more in each round of the soak,` : '';
  // A mock's world is made for the run.
  if (kind === 'tenant' && writes > 0)
    await mustAgree(options, baseUrl, `${writes} writes${more}`, io);
}

/** Lists the writes of a run with these options. */
export async function planOf(given: CertifyOptions, io: CommandIo) {
  const options = withAgain(given, io.cwd);
  const { chosen, suite } = suiteFor(options, io);
  // A command that only prints may look at production.
  await using opened = await openTarget({ ...options, allowProduction: true }, io);
  const { target } = opened;
  const run = runOptions(options, target, chosen, suite);
  const names = { id: newRunId(), startedAt: new Date().toISOString() };
  return {
    target,
    pace: {
      ...{ rate: rateOf(options, target), convergenceMs: run.convergenceMs },
      soakMs: run.soakMs,
    },
    plan: makePlan({ ...suite, scenarios: select(suite.scenarios, run) }, target, run, names),
  };
}

/** The suite, limited or extended by the options. Throws LoadError and Refused. */
export function suiteFor(options: CertifyOptions, io: Pick<CommandIo, 'cwd' | 'ownSuite'>) {
  const { alone = false, scenarios = [] } = options;
  const suite = givenSuite(options, io);
  if (alone && scenarios.length === 0) throw new Refused('--no-suite needs --scenarios');
  const chosen = chosenFiles(scenarios, io.cwd, suite, alone);
  return { chosen, suite: suiteOf(suite, chosen) };
}

/** The report contains a copy of each file and texts of the suite, so neither may hold a secret. Throws Refused. */
function refuseSecrets(
  { custom }: ChosenFiles,
  suite: Suite,
  { kind, credentials }: Target,
  redactor: Redactor = new Redactor(),
): void {
  for (const [name, { secret }] of credentials) redactor.add(secret, `{${name}}`);
  const holder = custom.find(({ text }) => redactor.text(text) !== text);
  if (holder !== undefined) throw new Refused(`${holder.file}: it contains a secret`);
  // A mock chooses the words of its own credentials, and they protect nothing.
  if (kind === 'tenant') mustBeNoWord(redactor, JSON.stringify(suite.scenarios));
}

/**
 * Runs the same scenarios on two targets, one after the other. The tenant file describes the target
 * that is not a mock. If there is such a target, `allow` holds for both, so that both get the same calls.
 */
export async function certifyBoth(
  { baseUrl, against, tenant, ...options }: BothOptions,
  io: CommandIo,
) {
  const mocks = [await isMock(baseUrl, io), await isMock(against, io)];
  const allMocks = mocks.every((mock) => mock);
  if (tenant !== undefined && allMocks) {
    throw new Refused('--tenant: both targets are mocks, which need no tenant file');
  }
  const allow = options.allow ?? (allMocks ? 'permanent' : 'none');
  // `diff` reports differences, so it needs no diagnosis.
  const given = { ...options, allow, diagnosis: false };
  const run = async (url: string, mock = false): Promise<Certified> => {
    try {
      return await certify({ ...given, baseUrl: url, tenant: mock ? undefined : tenant }, io);
    } catch (error) {
      if (error instanceof Error) error.message = `${url}: ${error.message}`;
      throw error;
    }
  };
  return { a: await run(baseUrl, mocks[0]), b: await run(against, mocks[1]) };
}

async function isMock(baseUrl: string, io: CommandIo): Promise<boolean> {
  await using opened = await openTarget({ baseUrl }, io);
  return opened.target.kind === 'mock';
}

/** Requests per second; undefined for no limit. */
export function rateOf({ rate }: CertifyOptions, { kind, baseUrl }: Target): number | undefined {
  // The rate is limited only for a tenant on another machine, because requests cost its owner
  // money.
  return rate ?? (kind === 'tenant' && !isLoopback(baseUrl) ? 8 : undefined);
}

/** Throws Refused before the run if its folder is not writable. */
function probe(folder: string): void {
  try {
    mkdirSync(dirname(folder), { recursive: true });
    const place = existsSync(folder) ? folder : dirname(folder);
    rmdirSync(mkdtempSync(join(place, '.lockstep-')));
  } catch (error) {
    throw new Refused(`--out ${folder} cannot be written: ${inWords(error)}`);
  }
}

/** When the time of the run is over, ends the run as an interruption does. */
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

export interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
}

/** The message and the exit code for an error of a command. Rethrows an error that is a defect of Lockstep. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  if (error instanceof LoadError || error instanceof Refused)
    return { exitCode: exitCodes.usage, message };
  if (error instanceof Incomplete) return { exitCode: exitCodes.couldNotRun, message };
  if (error instanceof CouldNotRun) {
    return { exitCode: exitCodes.couldNotRun, message: `nothing was tested: ${message}` };
  }
  if (error instanceof Unsafe) return { exitCode: exitCodes.unsafe, message };
  // An error of the file system, such as a full disk, is not a defect, so it has no stack.
  if ('syscall' in error)
    return { exitCode: exitCodes.couldNotRun, message: inWordsWithPath(error) };
  if (error instanceof ControlError) {
    const { status } = error;
    const hint =
      status === 403 ? '; its token is taken from LOCKSTEP_ADMIN_TOKEN, on this machine only' : '';
    return { exitCode: exitCodes.couldNotRun, message: `${message}${hint}` };
  }
  throw error;
}

export function runOptions(
  options: CertifyOptions,
  target: Target,
  { custom, files }: ChosenFiles,
  { scenarios }: Suite,
): RunOptions {
  const { titles } = options;
  const all = scenarios.map(({ title }) => title);
  const mock = target.kind === 'mock';
  const only = options.only ?? [];
  for (const id of only) {
    const known = contract.statements.has(id) || (isCustomName(id) && custom.length > 0);
    if (!known) {
      const near = hint(id, contract.statements.keys());
      throw new Refused(`--only: there is no statement ${id}${near}`);
    }
  }
  const allow = options.allow ?? (mock ? 'permanent' : 'none');
  if (!effects.includes(allow)) throw new Refused(`--allow is one of ${effects.join(', ')}`);
  return {
    allow,
    convergenceMs: options.convergenceMs ?? usualMs,
    standards: options.standards ?? 'report',
    inferred: options.inferred,
    evidence: options.evidence,
    complete: options.complete ?? false,
    jobs: options.jobs ?? 8,
    only,
    seed: options.seed ?? randomBytes(4).readUInt32BE(),
    tries: options.tries ?? 1,
    soakMs: options.soakMs,
    files,
    leftOut: titles && all.filter((title) => !titles.includes(title)),
  };
}

/** Opens the ledger of a tenant for this run only. Throws Unsafe. */
export function openLedger(
  options: CertifyOptions,
  io: CommandIo,
  target: Target,
  names: RunNames,
): Ledger {
  const folder = ledgerFolder(options, io.cwd);
  const { id: runId, startedAt } = names;
  const header = { runId, startedAt, baseUrl: target.baseUrl };
  let release = (): void => {};
  try {
    release = lockTarget(header, folder, io.locks);
    const seal = sealingOf(options, target, io);
    return Ledger.open(folder, header, seal, undoCommand(options), release);
  } catch (error) {
    release();
    if (error instanceof Error && 'syscall' in error)
      error.message = `the ledger ${folder}, or its lock, cannot be written: ${inWords(error)}`;
    throw error;
  }
}

/** The ledger is sealed by the credential that can restore objects, or by `--ledger-key-env`. */
export function sealingOf(
  { ledgerKeyEnv }: Pick<CertifyOptions, 'ledgerKeyEnv'>,
  target: Target,
  { redactor }: Pick<CommandIo, 'redactor'>,
): Sealing {
  if (ledgerKeyEnv !== undefined) redactor?.add(ledgerKeyEnv, '{ledgerKey}');
  return sealingWith(ledgerKeyEnv ?? restoringAuthorization(target) ?? '');
}

/** The command line that finishes the clean-up of a run with these options. */
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

/** Begins with a letter and holds no punctuation, so that it can be part of any name. */
export function newRunId(): string {
  return `r${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
}
