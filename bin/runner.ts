/** The runner's commands, composed: options in, report files out, words on the terminal. */
import type { KeyObject } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { safetyFacts } from '../conformance/areas/safety.ts';
import {
  attest,
  attestationFile,
  signedFiles,
  signingKey,
  trustedKey,
} from '../conformance/commands/attestation.ts';
import {
  type Certified,
  certify,
  certifyBoth,
  failureOf,
  planOf,
  suiteFor,
} from '../conformance/commands/command.ts';
import { type GateOptions, gate, gateReport, withSmoke } from '../conformance/commands/gate.ts';
import type { BothOptions, CertifyOptions, CommandIo } from '../conformance/commands/options.ts';
import { type UndoOptions, undo } from '../conformance/commands/undo.ts';
import { type Verified, verify } from '../conformance/commands/verify.ts';
import { readReliance } from '../conformance/compare/read-reliance.ts';
import { readHistory } from '../conformance/gate/history.ts';
import type { Pace } from '../conformance/judge/progress-event.ts';
import { exitCodes } from '../conformance/judge/report.ts';
import { reasonOf } from '../conformance/judge/rules-of-evidence.ts';
import { list, loadOwnSuite } from '../conformance/language/own-suite.ts';
import type { Plan, Skipped } from '../conformance/safety/plan.ts';
import type { Target } from '../conformance/target/target.ts';
import { type ConsoleOptions, consoleSummary } from '../reports/console.ts';
import { comparisonMd, comparisonText } from '../reports/diff/comparison.ts';
import { readExchanges } from '../reports/exchanges.ts';
import { githubAnnotations, type PlaceInTenantFile } from '../reports/github-annotations.ts';
import { gateComparison, toldGate } from '../reports/nights/gate.ts';
import { historyComparisons, historyHtml } from '../reports/nights/history.ts';
import { planText } from '../reports/plan.ts';
import { createProgress } from '../reports/progress.ts';
import { summaryMd } from '../reports/summary-md.ts';
import {
  askOnTerminal,
  complain,
  errors,
  print,
  printError,
  redactor,
} from '../reports/terminal.ts';
import { createTrace } from '../reports/trace.ts';
import { json, writeFiles, writeReport } from '../reports/write.ts';
import { ifThere, inWords, Refused, readText } from '../spec/base/refused.ts';
import { version } from '../spec/base/version.ts';
import { visible } from '../spec/base/visible.ts';
import { YamlSource } from '../spec/base/yaml-source.ts';
import { tellTargets } from './compare/diff.ts';
import { withoutNames } from './invented-names.ts';
import { runOnChange } from './listening.ts';
import { certificateFiles, gateFiles, ownExam, reportFiles } from './report-files.ts';

export interface CertifyCommand extends CertifyOptions {
  /** Prints only broken statements and the verdict. */
  readonly quiet?: boolean | undefined;
  /** PEM of a private key to sign the certificate with. */
  readonly signKeyEnv?: string | undefined;
  /** Prints the planned writes; nothing runs. */
  readonly dryRun?: boolean | undefined;
  /** Prints each exchange, one scenario after the other. */
  readonly trace?: boolean | undefined;
  /** Runs again when one of its own files changes. */
  readonly watch?: boolean | undefined;
  /** Writes invented names in place of the tenant's. */
  readonly anonymous?: boolean | undefined;
}

/** Certifies, writes the report and prints its summary; resolves to the exit code. */
export async function runCertify(options: CertifyCommand): Promise<number> {
  const { quiet = false, tenant: tenantFile, scenarios = [], trace, watch } = options;
  const key = signingKeyOf(options);
  if (options.anonymous === true && (scenarios.length > 0 || options.evidence === 'failures'))
    throw new Refused(
      '--anonymous needs the whole evidence, and no files of your own, whose text goes with the certificate: leave out --evidence and --scenarios',
    );
  if (options.dryRun === true) return await tellPlan(options);
  if (watch === true && scenarios.length === 0) throw new Refused('--watch needs --scenarios');
  const io = watched(options);
  // One scenario at a time, because nobody could tell the lines of two scenarios apart.
  const jobs = options.jobs ?? (trace === true ? 1 : undefined);
  const once = async () => {
    const certified = await certify({ ...options, jobs }, io);
    const shown = options.anonymous === true ? await withoutNames(certified) : certified;
    return await finish(shown, { tenantFile, quiet }, key);
  };
  if (watch !== true) return await once();
  const goOn = async (): Promise<number> => {
    const came = await once().catch((error: unknown) => {
      const { exitCode, message } = failureOf(error);
      complain(message);
      return exitCode;
    });
    printError('waiting for a change of these files\n');
    return came;
  };
  return await runOnChange(scenarios, goOn, io.signal);
}

/** Throws Refused before anything runs. */
function signingKeyOf({ signKeyEnv: pem }: CertifyCommand): KeyObject | undefined {
  return pem === undefined ? undefined : signingKey(pem);
}

export async function finish(
  certified: Certified,
  words: Pick<ConsoleOptions, 'tenantFile' | 'quiet'> = {},
  key?: KeyObject,
): Promise<number> {
  const { message, report, out, evidence } = certified;
  const { exitCode } = report;
  complain(message);
  const directory = await write(certified, key);
  const exchanges = readExchanges(evidence);
  const summary = consoleSummary(report, {
    ...(directory === undefined ? {} : { directory: fromHere(directory) }),
    suiteFolder: fromHere(suiteFolder),
    exchanges,
    colour: process.stdout.isTTY,
    ...words,
  });
  print(summary);
  if (process.env.GITHUB_ACTIONS === 'true')
    print(githubAnnotations(report, exchanges, placeIn(words.tenantFile)));
  // If the report is not in its own folder, the run must not look like a success.
  return exitCode === 0 && directory !== out ? exitCodes.couldNotRun : exitCode;
}

/**
 * Writes a report and its further files, signed if there is a key. Resolves to the folder: a temporary
 * one if its own has become unwritable.
 */
async function write(
  { report, out, evidence, copies = [] }: Certified,
  key: KeyObject | undefined,
  more: ReadonlyMap<string, string> = new Map(),
): Promise<string | undefined> {
  if (out === undefined) return undefined;
  for (const folder of [out, join(tmpdir(), `lockstep-report-${report.runId}`)]) {
    try {
      const files = reportFiles(report, evidence);
      for (const { copy, text } of copies) files.set(copy, text);
      for (const [name, text] of more) files.set(name, text);
      if (key !== undefined) {
        files.set(attestationFile, attest(report, signedFiles(files, evidence), key));
      }
      return await writeReport(report, folder, files, evidence, redactor);
    } catch (error) {
      complain(`the report cannot be written to ${folder}: ${inWords(error)}`);
    }
  }
  print(json(report));
  return undefined;
}

/** The folder of `conformance/`: the checkout, or `dist/` of an installed package. */
const suiteFolder = fileURLToPath(new URL('..', import.meta.url));

/** A path, relative to the working directory. */
function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

/** The most lines of each list, so that a night fits on one screen. */
const LINES = 3;

export interface GateCommand extends GateOptions, CertifyCommand {
  /** Compares this report; nothing runs. */
  readonly report?: string | undefined;
}

/** Runs a night, writes its report and prints its outcome; resolves to the exit code. */
export async function runGate({ report: path, ...options }: GateCommand): Promise<number> {
  const key = signingKeyOf(options);
  if (options.dryRun === true) return await tellPlan(withSmoke(options, process.cwd()));
  const io = watched(options);
  if (path !== undefined) {
    const { problems, differences, notDerived } = await verified(path);
    const lines = [...problems, ...differences.map(differenceText)];
    if (notDerived > 0) lines.push(notDerivedText(notDerived));
    if (lines.length > 0) throw new Refused(lines.join('\n'));
  }
  const gated = await (path === undefined ? gate(options, io) : gateReport(path, options, io));
  const { certified, keep } = gated;
  const exchanges = readExchanges(certified?.evidence ?? []);
  const night = certified ? toldGate(gated.gate, certified.report, exchanges) : gated.gate;
  const told = gateComparison(night);
  const own = gateFiles(night);
  const directory = await (certified === undefined
    ? writeAlone(own, options.out)
    : write(certified, key, own));
  const exitCode = keep();
  print(comparisonText(told, LINES));
  const summary = certified === undefined ? [] : [summaryMd(certified.report, exchanges)];
  tellSummary(comparisonMd(told), ...summary);
  if (certified !== undefined && process.env.GITHUB_ACTIONS === 'true') {
    const { report } = certified;
    const isNew = new Set(night.news.map(({ statement }) => statement));
    const statements = report.statements.filter(({ id }) => isNew.has(id));
    print(githubAnnotations({ ...report, statements }, exchanges, placeIn(options.tenant)));
  }
  if (directory !== undefined) print(`\nall of it: ${fromHere(join(directory, 'gate.md'))}\n`);
  return exitCode;
}

/** Writes the gate's files of a night without a report; returns the folder, if it could be written. */
async function writeAlone(
  own: ReadonlyMap<string, string>,
  folder?: string,
): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  try {
    return await writeFiles(folder, own, [], redactor);
  } catch (error) {
    complain(`${folder} cannot be written: ${inWords(error)}`);
    return undefined;
  }
}

/** Adds to the summary of a GitHub job. Only texts of this run may be added. */
function tellSummary(...texts: readonly string[]): void {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, redactor.text(`${texts.join('\n')}\n`));
  } catch (error) {
    complain(`the summary of the job cannot be written: ${inWords(error)}`);
  }
}

/** Prints the nights of a folder, and writes them to a page if a file is given; returns the exit code. */
export function runHistory(folder: string, page: string | undefined): number {
  const { nights, warnings } = readHistory(folder);
  for (const text of warnings) complain(text);
  if (nights.length === 0) {
    complain(`there is no night in ${folder}; lockstep gate --history ${folder} adds one`);
    return exitCodes.usage;
  }
  const targets = historyComparisons(nights);
  const text = targets.map((one) => comparisonText(one)).join('\n');
  print(text);
  if (page !== undefined) writeFileSync(page, redactor.text(historyHtml(targets)));
  return exitCodes.ok;
}

/** The surroundings of a run that tells its plan and progress, unless it is to be quiet. */
function watched({ tenant, quiet = false, trace = false, standards }: CertifyCommand) {
  // An endless answer makes so much garbage that V8 would double its memory.
  if (tenant !== undefined) setFlagsFromString('--semi-space-growth-factor=1');
  return {
    ...surroundings(),
    onWarning: complain,
    onPlan: quiet
      ? undefined
      : (plan: Plan, target: Target, pace: Pace) => {
          printError(planText(plan, target, pace));
          if (trace) printError(plan.skipped.map(skippedText).join(''));
        },
    onProgress: quiet || trace ? undefined : createProgress(errors, undefined, standards),
    onTrace: trace ? createTrace(errors, redactor) : undefined,
  } satisfies CommandIo;
}

/** Prints the planned writes of a run; resolves to the exit code. */
async function tellPlan(options: CertifyOptions): Promise<number> {
  const { plan, target, pace } = await planOf(options, surroundings());
  // A mock's writes are listed as well: the user asked to see each.
  printError(planText(plan, { ...target, kind: 'tenant' }, pace));
  return exitCodes.ok;
}

/** Prints statement -> checks; of all statements, or of those that `--only` names. */
export function runList(options: CertifyOptions = {}): number {
  const { suite } = suiteFor(options, { cwd: process.cwd(), ownSuite: loadOwnSuite });
  for (const { id, level, text, unobservable, checks } of list(suite, options.only)) {
    print(`${id} (${level}) ${text}\n`);
    if (unobservable !== undefined) print(`  unobservable: ${unobservable}\n`);
    for (const { place, scenario, step } of checks) {
      print(`  ${place}  ${scenario} / ${step}\n`);
    }
  }
  return 0;
}

/** Finds the place in the tenant file that a finding of the preflight is about. */
function placeIn(tenantFile: string | undefined): PlaceInTenantFile | undefined {
  const text = tenantFile && ifThere(() => readFileSync(tenantFile, 'utf8'));
  if (!text) return undefined;
  const source = new YamlSource(fromHere(resolve(tenantFile)), text, { isPrivate: true });
  return ({ kind, name }) => source.find([`${kind}s`, ...name.split('.')]);
}

export async function runUndo(options: UndoOptions): Promise<number> {
  const done = await undo(options, surroundings());
  const lines = [
    ...done.restored.map((text) => `restored: ${text}`),
    ...done.untouched.map((text) => `as it was: ${text}`),
    ...done.permanent.map((text) => `cannot be taken back: ${text}`),
    ...done.refused.map((text) => `left alone, somebody else has changed it since: ${text}`),
    ...done.hints,
    ...done.failed.map((text) => `could not be restored: ${text}`),
  ];
  for (const problem of done.problems) complain(visible(problem));
  const told = lines.map((line) => `${visible(line)}\n`).join('');
  print(lines.length > 0 || done.problems.length > 0 ? told : 'nothing to undo\n');
  return done.exitCode;
}

export async function runVerify(
  file: string,
  { publicKey }: { readonly publicKey?: string | undefined },
): Promise<number> {
  const done = await verified(file, publicKey);
  const lines = [...done.problems, ...done.differences.map(differenceText)];
  for (const line of lines) print(`${visible(line)}\n`);
  if (lines.length === 0) {
    const all = done.notDerived > 0 ? '' : 'all ';
    print(`${all}${done.alike} verdicts of what was tried follow from the evidence\n`);
    if (done.notDerived > 0) print(`${notDerivedText(done.notDerived)}\n`);
    const whose = publicKey === undefined ? ' (to check whose key that is: --public-key)' : '';
    if (done.signedBy !== undefined) print(`signed with the key ${done.signedBy}${whose}\n`);
  }
  return done.exitCode;
}

const notDerivedText = (many: number): string =>
  `${many} verdicts cannot be derived: the run was interrupted, or kept only the evidence of failed scenarios (--evidence failures)`;

async function verified(file: string, publicKey?: string): Promise<Verified> {
  return await verify(file, {
    suite: loadOwnSuite(),
    publicKey: publicKey === undefined ? undefined : trustedKey(readText(publicKey)),
    exam: ownExam(),
    render: certificateFiles,
  });
}

function differenceText({ statement, reported, derived }: Verified['differences'][number]): string {
  if (reported === derived)
    return `${statement}: the evidence gives ${derived} as well, but other results of its checks`;
  return `${statement}: the certificate says ${reported}, its evidence says ${derived}`;
}

/** The same scenarios on two targets, compared; `learn` is the file for a profile of the second. */
export async function runDiffTargets({
  learn,
  out,
  reliance,
  ...options
}: BothOptions & {
  learn?: string | undefined;
  out: readonly string[];
  reliance?: string | undefined;
}): Promise<number> {
  const clients = readReliance(reliance);
  return tellTargets(await certifyBoth(options, surroundings()), learn, out, clients);
}

/** Starts a mock over HTTPS in this process and certifies it. */
export async function runSelfCertify(options: CertifyCommand): Promise<number> {
  const { startMock } = await import('../mock/kits/index.ts');
  const { certificateFor } = await import('../mock/transport/certificate.ts');
  const tls = certificateFor('127.0.0.1');
  await using mock = await startMock({ tls });
  // The result is awaited here, because the mock closes when this function returns.
  return await runCertify({ ...options, baseUrl: mock.baseUrl, ca: tls.ca });
}

export function surroundings(): CommandIo & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new Error('the run was interrupted')));
  }
  return {
    env: process.env,
    cwd: process.cwd(),
    safety: safetyFacts,
    version,
    redactor,
    ask: askOnTerminal,
    exam: ownExam(),
    diagnosing: async () => (await import('./diagnosing.ts')).diagnosing(),
    ownSuite: loadOwnSuite,
    signal: stop.signal,
  };
}

const skippedText = ({ scenario: { title }, why }: Skipped): string =>
  `${visible(`not run: ${title}: ${reasonOf(why)}`)}\n`;
