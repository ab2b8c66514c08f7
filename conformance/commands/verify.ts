/** Re-derives the verdicts of a certificate from its evidence, with the same engine. */

import type { KeyObject } from 'node:crypto';
import { equal, type JsonObject } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { version } from '../../spec/base/version.ts';
import { contract } from '../../spec/contract.ts';
import { judge } from '../judge/judge.ts';
import type { ScenarioRecord, TurnRecord } from '../judge/record.ts';
import {
  type CheckResult,
  type Exam,
  type ExitCode,
  exitCodes,
  isTraffic,
  type Observation,
  type Report,
  type StatementResult,
} from '../judge/report.ts';
import { isFailure } from '../judge/verdict.ts';
import type { Scenario, Suite } from '../language/scenario.ts';
import { scenarioRecord, unreachable } from '../run/record-step.ts';
import { runScenario, runVaried } from '../run/run-scenario.ts';
import { fitting, makePlan, type Plan, select, withoutContradicted } from '../safety/plan.ts';
import { Settling } from '../safety/settling.ts';
import { Client } from '../target/client.ts';
import { entriesOf } from '../target/evidence.ts';
import { plain } from '../vary/variation.ts';
import { attestationFile, checkAttestation, signedFiles } from './attestation.ts';
import { type CertificateFiles, readCertificate } from './certificate-files.ts';
import { suiteOf } from './custom-files.ts';
import { noFurtherAnswer, Replay, replayTarget } from './replay.ts';
import { begun, inReport } from './run-suite.ts';

export interface Verified {
  readonly exitCode: ExitCode;
  /** Errors in a file, a digest, a signature, or the certificate as a whole. */
  readonly problems: readonly string[];
  readonly differences: readonly {
    readonly statement: string;
    readonly reported: string;
    readonly derived: string;
  }[];
  /**
   * The number of statements that were derived with the same verdict, of those that the run tried.
   */
  readonly alike: number;
  /**
   * The number of verdicts that cannot be derived, because the run kept only the evidence of
   * failures.
   */
  readonly notDerived: number;
  /** The public key that signed it, if it is signed. */
  readonly signedBy?: string | undefined;
}

export interface VerifyOptions {
  /** The suite that the certificate must have been made with. */
  readonly suite: Suite;
  /** The result of our suite in its exam. */
  readonly exam?: Exam | undefined;
  /** Makes every file of a report again, by name. Each existing file must be equal. */
  readonly render?: ((files: CertificateFiles) => ReadonlyMap<string, string>) | undefined;
  /** The key that must have signed it. */
  readonly publicKey?: KeyObject | undefined;
}

/**
 * Checks a certificate, and trusts nothing in it. Its files must match their digests, Lockstep must
 * make the same files from the report, and the report must follow from the evidence. Exit code 0:
 * all of it does. 1: a verdict does not follow. 2: the files do not belong together. 4: every
 * verdict follows from the evidence that was kept, but some was not. `path` is the report, or its
 * folder.
 */
export async function verify(path: string, options: VerifyOptions): Promise<Verified> {
  const { suite: ours } = options;
  const refused = { exitCode: exitCodes.usage, differences: [], alike: 0, notDerived: 0 };
  try {
    const files = readCertificate(path);
    const { report, evidence, read } = files;
    if (isTraffic(report))
      throw new Refused('it is a report of traffic; only the certificate of a run can be derived');
    const problems = strangers(report, ours, options.exam);
    if (problems.length > 0) return { ...refused, problems };
    const { files: kept } = report.options;
    const suite = suiteOf(ours, { files: kept, custom: files.custom });
    const rendered = new Map(options.render?.(files));
    for (const { copy, text } of files.custom) rendered.set(copy, text);
    const signed = signedFiles(rendered, evidence);
    if (options.render !== undefined) mustBeMadeOf(files, rendered, signed);
    const signedBy = checkAttestation(read(attestationFile), report, signed, options.publicKey);
    return { ...(await follow(files, suite)), signedBy };
  } catch (error) {
    const { message } = error as Error;
    const problem =
      error instanceof Refused ? message : `nothing can be derived from the report: ${message}`;
    return { ...refused, problems: [problem] };
  }
}

/**
 * The report, judged again from its evidence, for example after names in the evidence were changed. The
 * places in the evidence stay. Throws Refused if a verdict becomes another one.
 */
export async function judgedAgain(
  files: Pick<CertificateFiles, 'report' | 'evidence'>,
  suite: Suite,
): Promise<Report> {
  const { report } = files;
  const again = await derive(files, suite, [], new Set());
  const was = new Map(report.statements.map((item) => [item.id, item]));
  const other = again.statements.filter(({ id, verdict }) => was.get(id)?.verdict !== verdict);
  if (other.length > 0) {
    const ids = other.map(({ id }) => id).join(', ');
    throw new Refused(`the verdicts of ${ids} do not follow from the evidence with other names`);
  }
  const placed = <Item extends object>(items: readonly Item[], places: readonly Partial<Item>[]) =>
    items.map((item, index) => {
      const { evidence, held }: JsonObject = { ...places[index] };
      return {
        ...item,
        ...(evidence !== undefined && { evidence }),
        ...(held !== undefined && { held }),
      };
    });
  return {
    ...again,
    statements: again.statements.map((item) => ({
      ...item,
      checks: placed(item.checks, was.get(item.id)?.checks ?? []),
    })),
    observations: placed(again.observations, report.observations),
    evidence: report.evidence,
    eventually: report.eventually,
  };
}

/** Whether the report follows from its evidence. */
async function follow(files: CertificateFiles, suite: Suite): Promise<Verified> {
  const { report } = files;
  const problems: string[] = [];
  const told = toldScenarios(files);
  const derived = await derive(files, suite, problems, told);
  problems.push(...withoutEvidence(report, told), ...contradictions(report, derived, told));
  const reported = Map.groupBy(report.statements, ({ id }) => id);
  const again = new Map(derived.statements.map((item) => [item.id, item]));
  const differences = [...new Set([...again.keys(), ...reported.keys()])].flatMap((id) => {
    const [items, made] = [reported.get(id) ?? [], again.get(id)];
    const [item] = items;
    const uncalled =
      made?.checks.map(({ reason }) => reason?.endsWith(noFurtherAnswer) === true) ?? [];
    const outline = (one: StatementResult) => outlineOf(one, told, uncalled);
    const isAlike =
      item &&
      made &&
      (report.interrupted ? holdsTried(made, item) : equal(outline(item), outline(made)));
    if (isAlike === true && items.length === 1) return [];
    const said = items.map(({ verdict }) => verdict).join(' and ');
    return { statement: id, reported: said || 'absent', derived: made?.verdict ?? 'absent' };
  });
  // A broken statement stays broken, even if another of its checks held.
  const isOpen = (item: StatementResult) =>
    (isTold(item, told) || (report.interrupted && isCutShort(item))) && !isFailure(item.verdict);
  const notDerived = report.statements.filter(isOpen).length;
  const good = differences.length === 0 && problems.length === 0;
  const all = told.size > 0 || report.interrupted ? exitCodes.couldNotRun : exitCodes.ok;
  const differing = new Set(differences.map(({ statement }) => statement));
  const alike = derived.statements.filter(
    (item) => !differing.has(item.id) && !isOpen(item) && wasTried(item),
  );
  return {
    exitCode: good ? all : exitCodes.violation,
    ...{ problems, differences, alike: alike.length, notDerived },
  };
}

/** Titles of scenarios that ran, and of which `--evidence failures` has kept nothing. */
type Told = ReadonlySet<string>;

function toldScenarios({ report, evidence }: CertificateFiles): Told {
  if (report.options.evidence !== 'failures') return new Set();
  const entries = evidence.flatMap(({ text }) => entriesOf(text));
  const kept = new Set(entries.map(({ _lockstep }) => _lockstep.scenario));
  const ran = report.scenarios.filter(({ outcome }) => outcome !== 'not-run');
  return new Set(ran.map(({ scenario }) => scenario).filter((title) => !kept.has(title)));
}

const isTold = ({ checks }: StatementResult, told: Told): boolean =>
  checks.some(({ scenario }) => told.has(scenario));

const isCutShort = ({ checks }: StatementResult): boolean =>
  checks.some(({ verdict }) => verdict === 'not-testable');

/**
 * Whether the derived results hold each result of an interrupted run. The evidence does not tell in which
 * step it was interrupted, so more may be derived.
 */
function holdsTried(derived: StatementResult, { checks }: StatementResult): boolean {
  const made = derived.checks.map(withoutPlaces);
  return checks
    .filter(({ verdict }) => verdict !== 'not-testable')
    .every((check) => made.some((one) => equal(one, withoutPlaces(check))));
}

const wasTried = ({ checks }: StatementResult): boolean =>
  checks.some(({ verdict }) => verdict !== 'not-testable' && verdict !== 'not-applicable');

/** Broken statements without evidence: a run keeps the evidence of each broken statement. */
function withoutEvidence({ statements }: Report, told: Told): string[] {
  const failed = statements.filter(({ checks }) =>
    checks.some(({ scenario, verdict }) => told.has(scenario) && isFailure(verdict)),
  );
  return failed.map(({ id }) => `${id} is reported as broken, but its evidence is missing`);
}

/** Why a certificate does not belong to this Lockstep. */
export function strangers({ suite }: Report, own: Suite, exam?: Exam): string[] {
  const { openapi, statements } = contract.sha256;
  const sameContract = suite.contractSha256 === openapi && suite.statementsSha256 === statements;
  const otherExam = exam !== undefined && !equal(suite.exam, exam);
  const other = [
    !sameContract && 'another contract',
    suite.scenariosSha256 !== own.sha256 && 'other scenarios',
    otherExam && 'another exam',
  ].filter((what) => what !== false);
  return other.map((what) => `the certificate was made with ${what} than this Lockstep has`);
}

/**
 * Throws Refused if a file differs from the one that Lockstep makes of the report, or does not belong to
 * it. A file that is not there is an error only if it was signed.
 */
function mustBeMadeOf(
  { read, names }: CertificateFiles,
  rendered: ReadonlyMap<string, string>,
  all: ReadonlyMap<string, string>,
): void {
  const extra = names.find((name) => !all.has(name) && name !== attestationFile);
  if (extra !== undefined) throw new Refused(`${extra} is not a file of this certificate`);
  const isSigned = names.includes(attestationFile);
  for (const [name, text] of rendered) {
    const found = read(name);
    if (found === text || (found === undefined && !isSigned)) continue;
    if (found === undefined) throw new Refused(`${name} was signed, and is not there`);
    throw new Refused(`${name} is not what Lockstep ${version} makes of this report`);
  }
}

function contradictions(report: Report, derived: Report, told: Told): string[] {
  const parts = ['exitCode', 'unobservable', 'notApplicable', 'plan'] as const;
  const ran = (of: Report): unknown =>
    of.scenarios.map(({ scenario, file, outcome }) => [scenario, file, outcome]);
  const seen = (of: Report): unknown => of.observations.map(withoutPlaces);
  const waited = (of: Report): unknown =>
    of.eventually.map(({ scenario, step, tookMs }) => [scenario, step, tookMs !== null]);
  const totals = (of: Report): unknown => of.totals;
  // The report does not name the scenario of an observation or a wait.
  const whole = { totals, scenarios: ran, observations: seen, eventually: waited };
  const more = report.interrupted ? {} : told.size > 0 ? { totals, scenarios: ran } : whole;
  const differing = [
    ...parts.filter((part) => !equal(report[part], derived[part])),
    ...Object.entries(more).flatMap(([part, of]) => (equal(of(report), of(derived)) ? [] : part)),
  ];
  return differing.map((part) => `the report's ${part} does not follow from the evidence`);
}

/**
 * The parts of a statement that its checks imply. They do not imply the ways in which it held. Of a call
 * that the run did not make, the evidence does not tell the reason.
 */
function outlineOf(
  { heldIn, ...item }: StatementResult,
  told: Told,
  uncalled: readonly boolean[],
): unknown {
  const ways = isTold(item, told) ? {} : { heldIn };
  const checks = item.checks.map(({ reason, ...check }, index) =>
    withoutPlaces({ ...check, ...(uncalled[index] !== true && { reason }) }),
  );
  const { reason: _reason, untried: _untried, ...bare } = item;
  return { ...timeless(uncalled.includes(true) ? bare : { ...item }), ...ways, checks };
}

/** The places of entries in a file change if the engine's own calls are left out. */
function withoutPlaces(item: CheckResult | Observation): unknown {
  const { evidence: _evidence, held: _held, ...rest }: JsonObject = { ...item };
  return timeless(rest);
}

/** A reason may contain a duration, which cannot be derived again. */
function timeless({ reason, untried, ...rest }: JsonObject): JsonObject {
  const reasons = [reason, untried].flat().filter((text) => typeof text === 'string');
  return { ...rest, reasons: reasons.map((text) => text.replaceAll(secondsIn, '… s')) };
}

const secondsIn = /(?<![\d.])\d[\d.]* s\b/g;

/** The report that the suite makes from the evidence, and the parts of the evidence that do not fit it. */
async function derive(
  { report, evidence }: Pick<CertificateFiles, 'report' | 'evidence'>,
  suite: Suite,
  problems: string[],
  told: Told,
): Promise<Report> {
  const entries = Map.groupBy(
    evidence.flatMap(({ text }) => entriesOf(text)),
    ({ _lockstep: { scenario } }) => scenario,
  );
  const { leftOut = [], outOfTime = [] } = report.options;
  const chosen = { ...report.options, leftOut: leftOut.filter((one) => !outOfTime.includes(one)) };
  const selected = select(suite.scenarios, chosen);
  const nowhere = replayTarget(report, async () => ({ status: 0, headers: {}, text: '' }));
  const names = { id: report.runId, startedAt: report.startedAt };
  const plan = makePlan({ ...suite, scenarios: selected }, nowhere, report.options, names);
  const { run, skipped } = fitting(plan, report.preflight);
  const records: ScenarioRecord[] = [];
  for (const scenario of run) {
    if (outOfTime.includes(scenario.title)) continue;
    if (told.has(scenario.title)) {
      records.push({ ...scenarioRecord(scenario, []), told: toldOf(report, scenario.title) });
      continue;
    }
    const found = report.scenarios.find((item) => item.scenario === scenario.title);
    const isWhole = found?.outcome === 'ran' && !report.interrupted;
    const replay = new Replay(entries.get(scenario.title) ?? [], isWhole);
    const turns =
      found?.outcome === 'could-not-run' && replay.left === 0
        ? [unreachable(scenario, noFurtherAnswer)]
        : await replayTurns(report, scenario, found, replay, plan);
    const played = scenarioRecord(scenario, turns);
    records.push(withoutContradicted(played, scenario, report.preflight, plan.turns));
    const odd = replay.mismatches.slice(0, 1);
    if (replay.left > 0)
      odd.push(`the scenario makes no call for ${replay.left} exchanges of the evidence`);
    problems.push(...odd.map((text) => `${scenario.title}: ${text}`));
  }
  const scenarios = inReport(records, skipped, selected);
  const again = judge({ ...report, plan: begun(plan, outOfTime), scenarios });
  // As in a file: JSON has no undefined.
  return JSON.parse(JSON.stringify(again)) as Report;
}

/** The report's own words about a scenario. */
function toldOf({ scenarios, statements }: Report, title: string): ScenarioRecord['told'] {
  const result = scenarios.find(({ scenario }) => scenario === title);
  const judged = statements.flatMap(({ id, checks }) =>
    checks.filter(({ scenario }) => scenario === title).map((one) => ({ ...one, statement: id })),
  );
  return result && { result, judged };
}

/** The turns that a scenario had in a run, played again from its evidence. */
async function replayTurns(
  report: Report,
  scenario: Scenario,
  played: Report['scenarios'][number] | undefined,
  replay: Replay,
  { guard, turns: planned }: Plan,
): Promise<readonly TurnRecord[]> {
  const client = new Client(replayTarget(report, replay.send), guard);
  const context = {
    client,
    names: { id: report.runId, startedAt: report.startedAt },
    settling: new Settling(report.options.convergenceMs),
    only: report.options.only,
    stoppedWorking: replay.watch(client),
    morePolls: replay.morePolls,
    moreCalls: replay.moreCalls,
    // An interrupted run does not begin a scenario again.
    signal: report.interrupted ? replay.signal : undefined,
  };
  const { tries = 1, concurrent: first, turns: told = [{ concurrent: first }] } = played ?? {};
  const turns: TurnRecord[] = [];
  while (turns.length < tries) {
    const { concurrent, ...variation } = told[turns.length] ?? plain;
    const company = { share: () => {}, isAlone: () => concurrent !== true };
    const turn = runVaried(scenario, variation, planned, (made) =>
      runScenario(made, context, turns, company),
    );
    turns.push(await turn);
  }
  return turns;
}
