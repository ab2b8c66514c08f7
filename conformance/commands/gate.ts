/** The nightly gate: puts back what a killed night left, certifies, and compares with what is known. */

import { resolve } from 'node:path';
import { readBaseline, writeBaseline } from '../gate/baseline.ts';
import { nightOrder, nightsToCover, SMOKE_MS, smokeOrder } from '../gate/budget.ts';
import { compareNight, headline, type NightInput, updated } from '../gate/compare.ts';
import { readHistory, writeNight } from '../gate/history.ts';
import { emptyNight } from '../gate/night.ts';
import type { Finding, Gate } from '../judge/gate.generated.ts';
import { type ExitCode, exitCodes } from '../judge/report.ts';
import { credentialNames } from '../language/vocabulary.ts';
import { isLoopback } from '../target/target.ts';
import { mayReplace, readCertificate, writtenBefore } from './certificate-files.ts';
import { type Certified, certify, failureOf } from './command.ts';
import { readAddress } from './open-target.ts';
import { type CertifyOptions, type CommandIo, givenSuite } from './options.ts';
import { undo } from './undo.ts';

export interface GateOptions extends Omit<CertifyOptions, 'confirm' | 'budget'> {
  /** File of known problems; it need not exist. */
  readonly baseline: string;
  /** Folder of the nights before. */
  readonly history?: string | undefined;
  /** Writes the baseline anew. */
  readonly updateBaseline?: boolean | undefined;
  readonly budgetMs?: number | undefined;
  /** Calls each operation once, for a pull request. */
  readonly smoke?: boolean | undefined;
  /** Whether a silence that is answered otherwise fails the night; default it is only reported. */
  readonly drift?: 'report' | 'fail' | undefined;
  /** Whether a known problem that holds fails the night (3); default it does. */
  readonly stale?: 'fail' | 'warn' | undefined;
}

export interface Gated {
  readonly gate: Gate;
  /** Absent if a night gave no report. */
  readonly certified?: Certified;
}

/** Writes the history and, if it is asked to, the baseline. `run` makes the report of a night. */
export async function gate(
  options: GateOptions,
  io: CommandIo,
  run: (options: CertifyOptions, io: CommandIo) => Promise<Certified> = certify,
): Promise<Gated> {
  const before = readBefore(options, io);
  const left = await putBackFirst(options, io);
  if (left.exitCode !== exitCodes.ok) {
    return { gate: without(before, left.exitCode, left.lines.join('; '), io) };
  }
  const suite = givenSuite(options, io);
  const { target, nights } = before;
  const ms = options.budgetMs ?? (options.smoke ? SMOKE_MS : undefined);
  const order = options.smoke
    ? smokeOrder(before.credentials)
    : nightOrder(suite.scenarios, nights);
  const budget = ms === undefined ? undefined : { ms, order };
  let certified: Certified;
  try {
    // Loaded once. A suite of the surroundings is the one that the exam speaks of.
    const once = options.suite === undefined ? { ...io, ownSuite: () => suite } : io;
    certified = await run({ ...options, confirm: true, budget }, once);
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    if (exitCode === exitCodes.usage) throw error;
    return { gate: without(before, exitCode, message, io) };
  }
  const { report } = certified;
  const compared = {
    ...{ report, nights, target, putBack: left.lines, scenarios: suite.scenarios },
    driftFails: options.drift === 'fail',
    staleWarns: options.stale === 'warn',
    nightsToCover: options.budgetMs && nightsToCover(report, nights, options.budgetMs),
  };
  return { certified, gate: judged(before, compared, options.updateBaseline) };
}

/**
 * The gate on a report that is there: it is compared, and nothing runs.
 * `path` is the report or its folder. With `out` it is written there, with what the gate says.
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
  const out = options.out === undefined ? undefined : resolve(io.cwd, options.out);
  if (out !== undefined) mayReplace(out, report, options.force);
  const has: Certified = { report, out, evidence: writtenBefore(files), copies: files.custom };
  return gate({ ...options, baseUrl, tenant: undefined }, io, async () => has);
}

/** What is known before a night. */
type Before = ReturnType<typeof readBefore>;

function readBefore(options: GateOptions, { cwd, onWarning }: CommandIo) {
  const file = resolve(cwd, options.baseline);
  const folder = options.history && resolve(cwd, options.history);
  const { nights, warnings } = readHistory(folder);
  for (const text of warnings) onWarning?.(text);
  const { baseUrl, tenant } = readAddress(options, cwd);
  const { host, pathname, href } = new URL(baseUrl);
  // The ports of this machine change from night to night.
  const target = isLoopback(href) ? 'this machine' : `${host}${pathname}`.replace(/\/$/, '');
  const own = nights.filter(({ night }) => night.target === target);
  // A mock's own world has all of them.
  const credentials =
    tenant === undefined ? credentialNames : Object.keys(tenant.credentials ?? {});
  return { file, folder, target, nights: own, credentials, baseline: readBaseline(file) };
}

/** A night that gave no report. */
function without(
  { target, folder, baseline }: Before,
  exitCode: ExitCode,
  text: string,
  { now, redactor }: CommandIo,
): Gate {
  const reason = redactor?.text(text) ?? text;
  const startedAt = (now?.() ?? new Date()).toISOString();
  const night = { startedAt, target, exitCode, headline: headline(exitCode, [reason]) };
  if (folder) writeNight(folder, emptyNight(night));
  const known = [...baseline.values()].map((entry): Finding => ({ ...entry, tonight: 'untried' }));
  const nothing = { news: [], lost: [], stale: [], unknown: [], unconfirmed: [], late: [] };
  const outages = exitCode === exitCodes.couldNotRun ? [reason] : [];
  return { schemaVersion: 1, night, ...nothing, known, silences: [], outages, putBack: [] };
}

function judged(
  { file, folder, baseline }: Before,
  compared: Omit<NightInput, 'baseline'>,
  update = false,
): Gate {
  let { gate, night } = compareNight({ ...compared, baseline });
  if (update) {
    writeBaseline(file, updated(gate, baseline));
    ({ gate, night } = compareNight({ ...compared, baseline: readBaseline(file) }));
  }
  if (folder) writeNight(folder, night);
  return gate;
}

/** What `lockstep undo` does, for the ledger that a killed night left. */
async function putBackFirst(
  { tenant, baseUrl, ledger, convergenceMs, ca }: GateOptions,
  io: CommandIo,
): Promise<{ readonly exitCode: ExitCode; readonly lines: readonly string[] }> {
  // Without a tenant file nothing is ever written to a tenant.
  if (tenant === undefined) return { exitCode: exitCodes.ok, lines: [] };
  const done = await undo({ tenant, baseUrl, ledger, convergenceMs, ca }, io);
  const lines = [
    ...done.problems,
    ...done.failed.map((object) => `${object} could not be put back after a killed run`),
    ...done.refused.map((object) => `${object} has been changed by others since a killed run`),
    ...done.restored.map((object) => `${object} was put back after a killed run`),
  ];
  return { exitCode: done.exitCode, lines };
}
