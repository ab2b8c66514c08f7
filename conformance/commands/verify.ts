/** Re-derives the verdicts of a certificate from its evidence, with the same engine. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { equal } from '../../spec/base/json.ts';
import { contract } from '../../spec/contract.ts';
import { assembleReport } from '../judge/assemble-report.ts';
import { type ExitCode, exitCodes, type Report, type StatementResult } from '../judge/report.ts';
import { loadOwnSuite } from '../language/own-suite.ts';
import type { Suite } from '../language/scenario.ts';
import { collect, type ScenarioOutcome, unfitFor } from '../run/collect.ts';
import { Replay, replayTarget } from '../run/replay.ts';
import { select } from '../run/run.ts';
import { runScenario } from '../run/run-scenario.ts';
import { mergeTries } from '../run/tries.ts';
import { makePlan } from '../safety/plan.ts';
import { Client } from '../target/client.ts';
import type { EvidenceEntry } from '../target/evidence.ts';
import { Settling } from '../target/pace.ts';

export interface Verified {
  readonly exitCode: ExitCode;
  /** What is wrong with the files: a digest, another suite or contract. */
  readonly problems: readonly string[];
  readonly differences: readonly {
    readonly statement: string;
    readonly reported: string;
    readonly derived: string;
  }[];
  /** How many statements were re-derived alike. */
  readonly alike: number;
  readonly message?: string;
}

/** 0 where every verdict is re-derived, 1 where one is not, 2 where the files do not belong together. */
export async function verify(file: string, suite: Suite = loadOwnSuite()): Promise<Verified> {
  const unusable = (problems: readonly string[], message?: string): Verified => ({
    ...{ exitCode: exitCodes.usage, problems, differences: [], alike: 0 },
    ...(message === undefined ? {} : { message }),
  });
  let report: Report;
  let entries: Map<string, EvidenceEntry[]>;
  const problems: string[] = [];
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    entries = readEvidence(dirname(file), report, problems);
  } catch (error) {
    return unusable(problems, (error as Error).message);
  }
  problems.push(...strangers(report, suite));
  if (problems.length > 0) return unusable(problems);
  const derived = await derive(report, suite, entries, problems);
  problems.push(...contradictions(report, derived));
  const differences = derived.statements.flatMap((again) => {
    const item = report.statements.find((other) => other.id === again.id);
    if (item !== undefined && equal(outlineOf(item), outlineOf(again))) return [];
    return { statement: again.id, reported: item?.verdict ?? 'absent', derived: again.verdict };
  });
  const good = differences.length === 0 && problems.length === 0;
  return {
    exitCode: good ? exitCodes.ok : exitCodes.violation,
    problems,
    differences,
    alike: derived.statements.length - differences.length,
  };
}

/** Why a certificate does not belong to this Lockstep. */
function strangers({ suite }: Report, own: Suite): string[] {
  const { openapi, statements } = contract.sha256;
  const sameContract = suite.contractSha256 === openapi && suite.statementsSha256 === statements;
  const other = [
    ...(sameContract ? [] : ['another contract']),
    ...(suite.scenariosSha256 === own.sha256 ? [] : ['other scenarios']),
  ];
  return other.map((what) => `the certificate was made with ${what} than this Lockstep has`);
}

/** What a certificate says as a whole, and its evidence does not. */
function contradictions(report: Report, derived: Report): string[] {
  const problems: string[] = [];
  if (!equal(report.totals, derived.totals)) {
    problems.push("the certificate's totals are not those of its evidence");
  }
  if (!equal(report.unobservable, derived.unobservable)) {
    problems.push("the certificate's list of what no call can show is not the contract's");
  }
  if (derived.exitCode !== report.exitCode) {
    problems.push(
      `the certificate's exit code is ${report.exitCode}, and its evidence gives ${derived.exitCode}`,
    );
  }
  return problems;
}

/** What a statement says of itself and of its checks, without times and places. */
function outlineOf({ id, level, text, verdict, checks }: StatementResult): unknown {
  const outlines = checks.map(({ scenario, step, kind, verdict: own }) =>
    [scenario, step, kind, own].join(' | '),
  );
  return { id, level, text, verdict, checks: outlines.sort() };
}

/** Entries by scenario, in the order in which they were made. */
function readEvidence(
  folder: string,
  report: Report,
  problems: string[],
): Map<string, EvidenceEntry[]> {
  const found = new Map<string, EvidenceEntry[]>();
  for (const { file, sha256 } of report.evidence) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (createHash('sha256').update(text).digest('hex') !== sha256)
      problems.push(`${file} is not what the report digested`);
    const { log } = JSON.parse(text) as { log: { entries: EvidenceEntry[] } };
    for (const entry of log.entries) {
      const known = found.get(entry._lockstep.scenario) ?? [];
      known.push(entry);
      found.set(entry._lockstep.scenario, known);
    }
  }
  return found;
}

async function derive(
  report: Report,
  suite: Suite,
  entries: ReadonlyMap<string, readonly EvidenceEntry[]>,
  problems: string[],
): Promise<Report> {
  const names = { id: report.runId, startedAt: report.startedAt };
  const selected = select(suite.scenarios, report.options);
  const nowhere = replayTarget(report, async () => ({ status: 0, headers: {}, text: '' }));
  const plan = makePlan(selected, nowhere, report.options.allow, names);
  const unfit = plan.run.flatMap((scenario) => unfitFor(scenario, report.preflight));
  const outcomes: ScenarioOutcome[] = [];
  for (const scenario of plan.run) {
    if (unfit.some((item) => item.scenario === scenario)) continue;
    const replay = new Replay(entries.get(scenario.title) ?? []);
    const context = {
      client: new Client(replayTarget(report, replay.send), plan.guard),
      names,
      settling: new Settling(report.options.convergenceMs),
      protection: undefined,
      signal: undefined,
      only: report.options.only,
      credentials: replay.credentials,
      morePolls: replay.morePolls,
    };
    const { tries = 1 } = report.scenarios.find((item) => item.scenario === scenario.title) ?? {};
    const all: ScenarioOutcome[] = [];
    while (all.length < tries) all.push(await runScenario(scenario, context, all.length));
    const outcome = mergeTries(all);
    if (outcome !== undefined) outcomes.push(outcome);
    problems.push(...replay.mismatches.slice(0, 1).map((text) => `${scenario.title}: ${text}`));
    if (replay.left > 0)
      problems.push(
        `${scenario.title}: ${replay.left} exchanges of the evidence were not asked for`,
      );
  }
  const {
    statements: _s,
    totals: _t,
    exitCode: _e,
    unobservable: _u,
    schemaVersion: _v,
    ...rest
  } = report;
  return assembleReport({ ...rest, ...collect(outcomes, [...plan.skipped, ...unfit], selected) });
}
