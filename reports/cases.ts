/**
 * The report as test cases, for formats that know tests only (JUnit, CTRF).
 *
 * One case is one statement in one scenario: stable from run to run, so that a tool can follow it.
 * A scenario that the target did not let run is a case of its own, and so is a statement that no
 * scenario tried. A scenario's duration is shared evenly among its cases, so that sums are right.
 */

import type {
  CheckResult,
  LeftBehind,
  Report,
  ScenarioResult,
  StatementResult,
  StatementVerdict,
} from '../conformance/judge/report.ts';
import { failsRun, isGap, statementVerdict } from '../conformance/judge/verdict.ts';
import { visible } from '../spec/base/visible.ts';
import { factsOf, leftText, reasonOf } from './findings.ts';
import { duration, place, present, show, words } from './text.ts';

export interface Case {
  /** Folder of the scenario: `staging`. */
  readonly area: string;
  readonly scenario: string;
  /** Of one scenario no two cases have one name. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'error' | 'observed';
  /** What it came to, in the report's own words. */
  readonly verdict: string;
  readonly statement?: StatementResult;
  /** One line; empty where the case passed. */
  readonly message: string;
  /** The same with expected, actual, pointer, place and evidence of each check. */
  readonly details: string;
  readonly file?: string;
  readonly line?: number;
  readonly durationMs: number;
  readonly evidence: readonly string[];
}

/** A case before the time of its scenario is shared out. */
type UntimedCase = Omit<Case, 'durationMs'>;

const untriedArea = 'not tried';

export function cases(report: Report): readonly Case[] {
  const scenarios = new Map(report.scenarios.map((item) => [item.scenario, item]));
  const found: readonly UntimedCase[] = [
    ...report.leftBehind.map(leftCase),
    ...report.statements.flatMap((item) => statementCases(item, report, scenarios)),
    ...report.scenarios.flatMap(scenarioCase),
  ];
  const sharers = Map.groupBy(found, ({ scenario }) => scenario);
  return found.map((item) => ({
    ...item,
    durationMs:
      (scenarios.get(item.scenario)?.durationMs ?? 0) / (sharers.get(item.scenario)?.length ?? 1),
  }));
}

/** Something left changed fails the run, whatever the verdicts are. */
function leftCase(item: LeftBehind): UntimedCase {
  const place = { area: 'put back', scenario: 'what the run changed' };
  const name = visible(`${item.object} is put back`);
  return { ...place, name, status: 'failed', verdict: 'left changed', ...saying(leftText(item)) };
}

/** Of a case that no check of a scenario stands behind. */
function saying(message: string): Pick<Case, 'message' | 'details' | 'evidence'> {
  return { message, details: message, evidence: [] };
}

function statementCases(
  statement: StatementResult,
  { options }: Report,
  scenarios: ReadonlyMap<string, ScenarioResult>,
): readonly UntimedCase[] {
  const { level, checks } = statement;
  const about = { name: visible(`${statement.id} ${statement.text}`), statement };
  if (checks.length === 0) {
    if (!isGap(statement)) return [];
    const status = failsRun(statement, options) ? 'failed' : 'skipped';
    const message = visible(`not testable: ${reasonOf(statement)}`);
    const untried = { area: untriedArea, scenario: untriedArea, verdict: statement.verdict };
    return [{ ...about, ...untried, status, ...saying(message) }];
  }
  const byScenario = Map.groupBy(checks, ({ scenario }) => scenario);
  return [...byScenario].map(([scenario, own]): UntimedCase => {
    const verdict = statementVerdict(statement, own, { only: [], sharded: false });
    const telling = verdict === 'verified-in-part' ? 'not-testable' : verdict;
    const decisive = own.filter((check) => check.verdict === telling);
    const first = decisive[0]?.location;
    const status = caseStatus({ level, verdict }, options);
    const evidence = decisive.flatMap((check) => check.evidence.map((item) => visible(item)));
    return {
      ...about,
      area: scenarioArea(scenarios.get(scenario)?.file ?? first?.file ?? ''),
      scenario: visible(scenario),
      verdict,
      status,
      message: status === 'passed' ? '' : messageOf(verdict, decisive),
      details: status === 'passed' ? '' : decisive.map(checkText).join('\n\n'),
      ...(first && { file: visible(first.file), line: first.line }),
      evidence: [...new Set(evidence)],
    };
  });
}

function caseStatus(
  item: Pick<StatementResult, 'level' | 'verdict'>,
  options: Report['options'],
): Case['status'] {
  if (item.level === 'silent' || item.verdict === 'observed') return 'observed';
  if (failsRun(item, options)) return 'failed';
  return item.verdict === 'verified' ? 'passed' : 'skipped';
}

function messageOf(verdict: StatementVerdict, checks: readonly CheckResult[]): string {
  const [first] = checks;
  if (first === undefined) return words(verdict);
  const compared = 'expected' in first || 'actual' in first;
  const parts = present(
    first.reason !== undefined && visible(first.reason),
    compared &&
      first.verdict !== 'not-testable' &&
      `expected ${show(first.expected)}, got ${show(first.actual)}`,
    first.pointer !== undefined && `at ${visible(first.pointer)}`,
  );
  return `${words(verdict)}: ${parts.join('; ') || `step ${visible(first.step)}`}`;
}

/** Several lines that say all about one check. */
function checkText(check: CheckResult): string {
  return [
    `${words(check.verdict)} in step ${visible(check.step)} (${place(check.location)})`,
    ...factsOf(check, 2000).map(([name, text]) => `  ${name.padEnd(10)}${text}`),
  ].join('\n');
}

/** Checks judge the answers that came; a scenario that lacked them says so here. */
function scenarioCase(scenario: ScenarioResult): readonly UntimedCase[] {
  if (scenario.outcome === 'ran') return [];
  const failed = scenario.outcome === 'could-not-run';
  const words = failed ? 'could not run' : 'not run';
  const message = visible(`${words}: ${scenario.reason ?? 'no reason was given'}`);
  return [
    {
      area: scenarioArea(scenario.file),
      scenario: visible(scenario.scenario),
      name: 'the scenario runs',
      status: failed ? 'error' : 'skipped',
      verdict: scenario.outcome,
      ...saying(message),
      details: `${message}\n${visible(scenario.file)}, ${scenario.requests} requests in ${duration(scenario.durationMs)}`,
      file: visible(scenario.file),
    },
  ];
}

/** `staging` of `conformance/scenarios/staging/toggle.yaml`. */
function scenarioArea(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const scenarios = folders.lastIndexOf('scenarios');
  return (scenarios < 0 ? folders.at(-1) : folders[scenarios + 1]) ?? 'scenarios';
}
