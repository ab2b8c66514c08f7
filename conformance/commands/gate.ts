/** The nightly gate: puts back the changes of a killed night, certifies, and compares with the known problems. */

import { resolve } from 'node:path';
import { inWords } from '../../spec/base/refused.ts';
import { readReliance } from '../compare/read-reliance.ts';
import { readBaseline, writeBaseline } from '../gate/baseline.ts';
import { nightOrder, nightsToCover, SMOKE_MS, smokeOrder } from '../gate/budget.ts';
import { checkKey } from '../gate/checks.ts';
import { compareNight, headline, type NightInput, updated } from '../gate/compare.ts';
import { readHistory, writeNight } from '../gate/history.ts';
import { emptyNight } from '../gate/night.ts';
import type { BaselineEntry, Finding, Gate, Night } from '../judge/gate.generated.ts';
import { type ExitCode, exitCodes } from '../judge/report.ts';
import { credentialNames } from '../language/vocabulary.ts';
import { isLoopback } from '../target/target.ts';
import { mayReplace, mustBeOurs, readCertificate, writtenBefore } from './certificate-files.ts';
import { type Certified, certify, failureOf } from './command.ts';
import { mustAgree, mustBeMeant } from './consent.ts';
import { readAddress } from './open-target.ts';
import { type CertifyOptions, type CommandIo, givenSuite, pathIn } from './options.ts';
import { undo } from './undo.ts';

export interface GateOptions extends Omit<CertifyOptions, 'confirm' | 'budget'> {
  /** The file of known problems. It may not exist yet. */
  readonly baseline: string;
  /** The folder of the history. */
  readonly history?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
  readonly budgetMs?: number | undefined;
  /** Calls each operation once, for a pull request. */
  readonly smoke?: boolean | undefined;
  /** Whether a changed answer to a silence fails the night; by default it is only reported. */
  readonly drift?: 'report' | 'fail' | undefined;
  /** Whether a known problem that holds again fails the night (3); the default is true. */
  readonly stale?: 'fail' | 'warn' | undefined;
}

export interface Gated {
  readonly gate: Gate;
  /** Absent if a night gave no report. */
  readonly certified?: Certified;
  /**
   * Adds the night to the history and, if asked, writes the baseline. Call it after the report is
   * written: a failed write is only a warning here. Returns the exit code.
   */
  readonly keep: () => ExitCode;
}

/** Writes nothing until it is asked to keep the night. `run` makes the report of a night. */
export async function gate(
  given: GateOptions,
  io: CommandIo,
  run: (options: CertifyOptions, io: CommandIo) => Promise<Certified> = certify,
): Promise<Gated> {
  const options = withSmoke(given, io.cwd);
  const out = pathIn(io.cwd, options.out);
  // Before any call, because a night may end before its report.
  if (out !== undefined) mustBeOurs(out, options.force);
  const before = readBefore(options, io);
  // The changes of a killed night are put back before the plan is made.
  if (options.tenant !== undefined)
    await mustAgree(options, before.baseUrl, 'the writes of the plan', io);
  const left = await putBackFirst(options, io);
  if (left.exitCode !== exitCodes.ok) {
    return without(before, left.exitCode, left.lines.join('; '), io);
  }
  const suite = givenSuite(options, io);
  const { target, nights, clients } = before;
  const ms = options.budgetMs ?? (options.smoke ? SMOKE_MS : undefined);
  const order = options.titles ?? nightOrder(suite.scenarios, nights);
  const budget = ms === undefined ? undefined : { ms, order };
  let certified: Certified;
  try {
    // Loaded once.
    const once = options.suite === undefined ? { ...io, ownSuite: () => suite } : io;
    certified = await run({ ...options, yes: true, confirm: true, budget }, once);
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    if (exitCode === exitCodes.usage) throw error;
    return without(before, exitCode, message, io);
  }
  const { report } = certified;
  const compared = {
    ...{ report, nights, target, clients, putBack: left.lines, scenarios: suite.scenarios },
    driftFails: options.drift === 'fail',
    staleWarns: options.stale === 'warn',
    nightsToCover: options.budgetMs && nightsToCover(report, nights, options.budgetMs),
  };
  return { certified, ...judged(before, compared, io, options.updateBaseline) };
}

/**
 * The gate on an existing report: it compares the report, and runs nothing. `path` is the report or its
 * folder. With `out` it writes the report there, with the gate's result.
 */
export async function gateReport(
  path: string,
  options: GateOptions,
  io: CommandIo,
): Promise<Gated> {
  const file = resolve(io.cwd, path);
  const files = readCertificate(file);
  const { report } = files;
  const { baseUrl } = report.target;
  const out = pathIn(io.cwd, options.out);
  if (out !== undefined) mayReplace(out, report, options.force);
  const has: Certified = { report, out, evidence: writtenBefore(files), copies: files.custom };
  return gate({ ...options, baseUrl, tenant: undefined }, io, async () => has);
}

/** The options, narrowed for a smoke test to one scenario for each operation that a credential may call. */
export function withSmoke<Options extends GateOptions>(options: Options, cwd: string): Options {
  if (options.smoke !== true) return options;
  const { tenant } = readAddress(options, cwd);
  // A mock's own world has all credentials.
  const names = tenant === undefined ? credentialNames : Object.keys(tenant.credentials ?? {});
  return { ...options, titles: smokeOrder(names) };
}

/** The facts that are known before a night. */
type Before = ReturnType<typeof readBefore>;

function readBefore(options: GateOptions, { cwd, onWarning, now }: CommandIo) {
  const file = resolve(cwd, options.baseline);
  const folder = pathIn(cwd, options.history);
  const { nights, warnings } = readHistory(folder);
  const reading = readReliance(pathIn(cwd, options.reliance));
  for (const text of [...warnings, ...reading.warnings]) onWarning?.(text);
  const { baseUrl, tenant } = readAddress(options, cwd);
  mustBeMeant(options, tenant);
  const { host, pathname, href } = new URL(baseUrl);
  // The ports of this machine change from night to night.
  const target = isLoopback(href) ? 'this machine' : `${host}${pathname}`.replace(/\/$/, '');
  const all = nights.filter(({ night }) => night.target === target);
  // A night with a date in the future is skipped, because it would stay the newest for years.
  const tonight = (now?.() ?? new Date()).toISOString();
  const own = all.filter(({ night }) => night.startedAt <= tonight);
  const ahead = all.length - own.length;
  if (ahead > 0)
    onWarning?.(`${folder}: ${ahead} of the nights lie in the future, and were skipped`);
  const { clients } = reading;
  return {
    ...{ file, folder, baseUrl, target, nights: own, clients },
    baseline: readBaseline(file),
  };
}

/** A night that gave no report. */
function without(before: Before, exitCode: ExitCode, text: string, io: CommandIo): Gated {
  const { target, baseline } = before;
  const reason = io.redactor?.text(text) ?? text;
  const startedAt = (io.now?.() ?? new Date()).toISOString();
  const night = { startedAt, target, exitCode, headline: headline(exitCode, [reason]) };
  const known = [...baseline.values()].map((entry): Finding => ({ ...entry, tonight: 'untried' }));
  const nothing = { news: [], lost: [], stale: [], unknown: [], unconfirmed: [], late: [] };
  const outages = exitCode === exitCodes.couldNotRun ? [reason] : [];
  const gate: Gate = {
    ...{ schemaVersion: 1, night, ...nothing, known, silences: [], outages, putBack: [] },
  };
  return { gate, keep: () => kept(before, emptyNight(night), io) };
}

function judged(
  before: Before,
  compared: Omit<NightInput, 'baseline'>,
  io: CommandIo,
  update = false,
): Omit<Gated, 'certified'> {
  const first = compareNight({ ...compared, baseline: before.baseline });
  const next = update ? updated(first.gate, before.baseline) : undefined;
  const baseline =
    next && new Map(next.map((entry) => [checkKey(entry), { reason: '', ...entry }]));
  const { gate, night } = baseline === undefined ? first : compareNight({ ...compared, baseline });
  return { gate, keep: () => kept(before, night, io, next) };
}

/** If a file cannot be written, the exit code stays, unless the file is the requested baseline. */
function kept(
  { file, folder }: Before,
  night: Night,
  { onWarning }: CommandIo,
  baseline?: readonly BaselineEntry[],
): ExitCode {
  const couldWrite = (what: string, write: () => void): boolean => {
    try {
      write();
      return true;
    } catch (error) {
      onWarning?.(`${what} cannot be written: ${inWords(error)}`);
      return false;
    }
  };
  if (folder) couldWrite(`the history ${folder}`, () => writeNight(folder, night));
  const { exitCode } = night.night;
  if (baseline === undefined) return exitCode;
  const isWritten = couldWrite(`the baseline ${file}`, () => writeBaseline(file, baseline));
  return isWritten || exitCode === exitCodes.unsafe ? exitCode : exitCodes.usage;
}

/** Does the work of `lockstep undo` for the ledger that a killed night left. */
async function putBackFirst(
  { tenant, allow = 'none', ...options }: GateOptions,
  io: CommandIo,
): Promise<{ readonly exitCode: ExitCode; readonly lines: readonly string[] }> {
  // Without a tenant file nothing is ever written to a tenant.
  if (tenant === undefined) return { exitCode: exitCodes.ok, lines: [] };
  const done = await undo({ ...options, tenant, allow }, io);
  const lines = [
    ...done.problems,
    ...done.failed.map((object) => `could not be put back after a killed run: ${object}`),
    ...done.refused.map(
      (object) =>
        `${object} has been changed by others since a killed run: lockstep undo says what it was`,
    ),
    ...done.restored.map((object) => `${object} was put back after a killed run`),
  ];
  return { exitCode: done.exitCode, lines };
}
