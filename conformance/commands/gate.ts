/** The nightly gate: puts back what a killed night left, certifies, and compares with what is known. */

import { resolve } from 'node:path';
import { Refused } from '../../spec/base/refused.ts';
import { readBaseline, writeBaseline } from '../gate/baseline.ts';
import { nightOrder, nightsToCover } from '../gate/budget.ts';
import { type Compared, compare, headline, updated } from '../gate/compare.ts';
import { readHistory, writeNight } from '../gate/history.ts';
import { emptyNight, nightOf, openedBefore } from '../gate/night.ts';
import { healthOf, sicknessOf } from '../gate/outage.ts';
import type { Finding, Gate } from '../judge/gate.generated.ts';
import { type ExitCode, exitCodes } from '../judge/report.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import { isLoopback } from '../target/target.ts';
import { mayReplace, readCertificate, writtenBefore } from './certificate-files.ts';
import { type Certified, certify, failureOf } from './command.ts';
import { readAddress } from './open-target.ts';
import type { CertifyOptions, CommandIo } from './options.ts';
import { undo } from './undo.ts';

export interface GateOptions extends Omit<CertifyOptions, 'confirm' | 'budget'> {
  /** File of known problems; it need not exist. */
  readonly baseline: string;
  /** Folder of the nights before. */
  readonly history?: string | undefined;
  /** Writes the baseline anew. */
  readonly updateBaseline?: boolean | undefined;
  readonly budgetMs?: number | undefined;
  /** Whether a silence that is answered otherwise fails the night; default it is only reported. */
  readonly drift?: 'report' | 'fail' | undefined;
}

export interface Gated extends Certified {
  /** Absent where the command was wrong, or with `dryRun`. */
  readonly gate?: Gate;
  readonly warnings: readonly string[];
}

/** Writes the history and, where it is asked to, the baseline. `run` makes the report of a night. */
export async function gate(
  options: GateOptions,
  io: CommandIo,
  run: (options: CertifyOptions, io: CommandIo) => Promise<Certified> = certify,
): Promise<Gated> {
  const warnings: string[] = [];
  try {
    if (options.dryRun === true) return { ...(await run(options, io)), warnings };
    const before = readBefore(options, io);
    warnings.push(...before.warnings);
    const left = await putBackFirst(options, io);
    if (left.exitCode !== exitCodes.ok) {
      return { ...without(before, left.exitCode, left.lines.join('; '), io), warnings };
    }
    const suite = options.suite ?? loadOwnSuite();
    const { budgetMs: ms } = options;
    const order = ms === undefined ? [] : nightOrder(suite.scenarios, before.nights);
    const budget = ms === undefined ? undefined : { ms, order };
    const certified = await run({ ...options, suite, confirm: true, budget }, io);
    const { report, exitCode, answered, message = '' } = certified;
    if (exitCode === exitCodes.usage) return { ...certified, warnings };
    if (report === undefined) {
      const sickness = answered === undefined ? undefined : sicknessOf(answered);
      const reason = sickness === undefined ? message : `the target is ${sickness}: ${message}`;
      return { ...certified, ...without(before, exitCode, reason, io), warnings };
    }
    const { target, nights } = before;
    const { evidence = [] } = certified;
    const health = healthOf(evidence, report.target.baseUrl, openedBefore(nights));
    const compared = {
      ...{ report, health, nights, target, putBack: left.lines },
      titles: new Set(suite.scenarios.map(({ title }) => title)),
      driftFails: options.drift === 'fail',
      nightsToCover: ms === undefined ? undefined : nightsToCover(report, before.nights, ms),
    };
    const night = judged(before, compared, options.updateBaseline);
    return { ...certified, exitCode: night.night.exitCode, gate: night, warnings };
  } catch (error) {
    return { ...failureOf(error), warnings };
  }
}

/**
 * The gate on a report that is there, such as that of merged shards: it is compared, and nothing runs.
 * `path` is the report or its folder. With `out` it is written there, with what the gate says.
 */
export async function gateReport(
  path: string,
  options: GateOptions,
  io: CommandIo,
): Promise<Gated> {
  try {
    const file = resolve(io.cwd, path);
    const files = readCertificate(file);
    const { report } = files;
    const { baseUrl } = report.target;
    const { shard } = report.options;
    if (shard !== undefined) {
      throw new Refused(
        `${file} holds shard ${shard.index}/${shard.of} of a run: give --report what lockstep merge makes of all shards`,
      );
    }
    const out = options.out === undefined ? undefined : resolve(io.cwd, options.out);
    if (out !== undefined) mayReplace(out, report, options.force);
    const evidence = writtenBefore(files);
    const has: Certified = { exitCode: report.exitCode, report, out, evidence };
    return await gate({ ...options, baseUrl, tenant: undefined }, io, async () => has);
  } catch (error) {
    return { ...failureOf(error), warnings: [] };
  }
}

/** What is known before a night. */
type Before = ReturnType<typeof readBefore>;

function readBefore(options: GateOptions, { cwd }: CommandIo) {
  const file = resolve(cwd, options.baseline);
  const folder = options.history && resolve(cwd, options.history);
  const { nights, warnings } = readHistory(folder);
  const { host, pathname, href } = new URL(readAddress(options, cwd).baseUrl);
  // The ports of this machine change from night to night.
  const target = isLoopback(href) ? 'this machine' : `${host}${pathname}`.replace(/\/$/, '');
  const own = nights.filter(({ night }) => night.target === target);
  return { file, folder, target, warnings, nights: own, baseline: readBaseline(file) };
}

/** A night that gave no report. */
function without(before: Before, exitCode: ExitCode, reason: string, { now }: CommandIo) {
  const { target, folder, baseline } = before;
  const startedAt = (now?.() ?? new Date()).toISOString();
  const night = { startedAt, target, exitCode, headline: headline(exitCode, [reason]) };
  if (folder) writeNight(folder, emptyNight(night));
  const known = [...baseline.values()].map((entry): Finding => ({ ...entry, tonight: 'untried' }));
  const nothing = { news: [], stale: [], unknown: [], unconfirmed: [], late: [], silences: [] };
  const outages = exitCode === exitCodes.couldNotRun ? [reason] : [];
  const gate: Gate = { schemaVersion: 1, night, ...nothing, known, outages, putBack: [] };
  return { exitCode, gate };
}

function judged(
  { file, folder, baseline }: Before,
  compared: Omit<Compared, 'baseline'>,
  update = false,
): Gate {
  const { report, health } = compared;
  let gate = compare({ ...compared, baseline });
  if (update) {
    writeBaseline(file, updated(gate, baseline));
    gate = compare({ ...compared, baseline: readBaseline(file) });
  }
  if (folder) writeNight(folder, nightOf(gate, report, health));
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
