/**
 * The report as CTRF (Common Test Report Format), whose tests JUnit renders as well.
 *
 * One test is one statement in one scenario: stable from run to run, so that a tool can follow it.
 * A scenario that the target prevented is a separate test, and so is a statement that no scenario
 * tried. An observed silence, and a deviation that is only reported, are `other`: neither passed
 * nor failed. A scenario's duration is shared evenly among its tests, so that sums are right.
 */

import { hash } from 'node:crypto';
import type { CTRFReport, Test, TestStatus } from 'ctrf';
import type {
  CheckResult,
  LeftBehind,
  Report,
  ScenarioResult,
  StatementResult,
  StatementVerdict,
} from '../conformance/judge/report.ts';
import { failsRun, isFailure, isGap, statementVerdict } from '../conformance/judge/verdict.ts';
import { visible } from '../spec/base/visible.ts';
import { type Exchanges, noExchanges } from './exchanges.ts';
import { plainSentence } from './failure-words.ts';
import { factsOf, factWords, givenReason, leftText } from './findings.ts';
import { duration, place, words } from './text.ts';

/** The version of the ctrf package. Loading the package for one word would cost each run 20 ms. */
export const ctrfVersion = '0.0.0';

export function ctrf(report: Report, exchanges = noExchanges): CTRFReport {
  const { runId, suite, target, options, exitCode, startedAt } = report;
  const start = Date.parse(startedAt);
  const stop = start + Math.round(report.durationMs);
  const tests = testsOf(report, exchanges).map((item) => ({
    ...item,
    duration: Math.round(item.duration),
  }));
  const { passed, failed, skipped, other } = Object.groupBy(tests, ({ status }) => status);
  return {
    reportFormat: 'CTRF',
    specVersion: ctrfVersion,
    reportId: uuid(`report ${runId} ${startedAt}`),
    timestamp: new Date(stop).toISOString(),
    generatedBy: 'lockstep',
    results: {
      tool: { name: 'lockstep', version: suite.version },
      summary: {
        tests: tests.length,
        passed: passed?.length ?? 0,
        failed: failed?.length ?? 0,
        skipped: skipped?.length ?? 0,
        pending: 0,
        other: other?.length ?? 0,
        suites: new Set(tests.map((one) => one.suite.join('\n'))).size,
        start,
        stop,
      },
      tests,
      environment: {
        reportName: `Conformance of ${target.baseUrl}`,
        testEnvironment: target.kind,
        extra: { baseUrl: target.baseUrl, runId, suite, options, exitCode },
      },
    },
  };
}

/**
 * A test of a suite. In one suite, which is a scenario, test names are unique. Durations are not
 * rounded yet.
 */
export interface SuiteTest extends Test {
  /** The area is the folder of the scenario: `staging`. */
  suite: [area: string, scenario: string];
  /** The verdict, in the report's own word. */
  rawStatus: string;
}

/** A test before it gets its share of the scenario's time. */
type UntimedTest = Omit<SuiteTest, 'id' | 'duration'>;

export function testsOf(report: Report, exchanges: Exchanges): readonly SuiteTest[] {
  const scenarios = new Map(report.scenarios.map((item) => [item.scenario, item]));
  const found: readonly UntimedTest[] = [
    ...report.leftBehind.map(leftTest),
    ...report.statements.flatMap((item) => statementTests(item, report, scenarios, exchanges)),
    ...report.scenarios.flatMap(scenarioTest),
  ];
  const sharers = Map.groupBy(found, ({ suite: [, scenario] }) => scenario);
  return found.map(({ name, status, rawStatus, ...rest }) => {
    const [area, scenario] = rest.suite;
    const whole = scenarios.get(scenario)?.durationMs ?? 0;
    return {
      id: uuid(`${area}\n${scenario}\n${name.split(' ')[0] ?? ''}`),
      ...{ name, status, rawStatus },
      duration: whole / (sharers.get(scenario)?.length ?? 1),
      ...rest,
    };
  });
}

/** An object that is left changed fails the run, whatever the verdicts are. */
function leftTest(item: LeftBehind): UntimedTest {
  const name = visible(`${item.object} is put back`);
  const suite: SuiteTest['suite'] = ['put back', 'objects that the run changed'];
  const message = leftText(item);
  return { name, status: 'failed', rawStatus: 'left changed', suite, message, trace: message };
}

function statementTests(
  statement: StatementResult,
  { options }: Report,
  scenarios: ReadonlyMap<string, ScenarioResult>,
  exchanges: Exchanges,
): readonly UntimedTest[] {
  const { id, level, text, checks, verdict: rawStatus } = statement;
  const name = visible(`${id} ${text}`);
  const tags = [id, level];
  if (checks.length === 0) {
    if (!isGap(statement)) return [];
    const status = statusOf(statement, options);
    const message = visible(`not testable: ${givenReason(statement)}`);
    const suite: SuiteTest['suite'] = ['not tried', 'not tried'];
    return [{ name, status, rawStatus, suite, message, trace: message, tags }];
  }
  const byScenario = Map.groupBy(checks, ({ scenario }) => scenario);
  return [...byScenario].map(([scenario, own]): UntimedTest => {
    const verdict = statementVerdict(statement, own, { only: [], leftOut: false });
    const telling = verdict === 'verified-in-part' ? 'not-testable' : verdict;
    const decisive = own.filter((check) => check.verdict === telling);
    const first = decisive[0]?.location;
    const status = statusOf({ level, verdict }, options);
    const said = {
      message: messageOf(verdict, decisive, exchanges),
      trace: decisive.map((check) => checkText(check, exchanges)).join('\n\n'),
    };
    const evidence = decisive.flatMap((check) => check.evidence);
    const files = new Set(evidence.map((item) => visible(item).replace(/#.*/, '')));
    const attachments = [...files].map((path) => {
      return { name: path, contentType: 'application/json', path };
    });
    return {
      ...{ name, status, rawStatus: verdict },
      suite: [scenarioArea(scenarios.get(scenario)?.file ?? first?.file ?? ''), visible(scenario)],
      ...(status !== 'passed' && said),
      // The suite's files are not in the user's repository.
      ...(decisive[0]?.custom && first && { filePath: visible(first.file), line: first.line }),
      tags,
      ...(attachments.length > 0 && { attachments }),
    };
  });
}

function statusOf(
  item: Pick<StatementResult, 'level' | 'verdict'>,
  options: Report['options'],
): TestStatus {
  if (item.level === 'silent' || item.verdict === 'observed') return 'other';
  if (failsRun(item, options)) return 'failed';
  if (item.verdict === 'deviates') return 'other';
  return item.verdict === 'verified' ? 'passed' : 'skipped';
}

function messageOf(
  verdict: StatementVerdict,
  [first]: readonly CheckResult[],
  exchanges: Exchanges,
): string {
  if (first === undefined) return words(verdict);
  const said = isFailure(verdict)
    ? plainSentence(first, exchanges)
    : factWords({ ...first, evidence: [] }).join('; ');
  return `${words(verdict)}: ${said || `step ${visible(first.step)}`}`;
}

/** Several lines with all facts about one check. */
function checkText(check: CheckResult, exchanges: Exchanges): string {
  const failed = isFailure(check.verdict);
  // The sentence has the expectation, in English.
  const facts = factsOf(check, 2000).filter(([name]) => !failed || name === 'actual');
  return [
    `${words(check.verdict)} in step ${visible(check.step)} (${place(check.location)})`,
    ...(failed ? [`  ${plainSentence(check, exchanges)}`] : []),
    ...facts.map(([name, text]) => `  ${name.padEnd(10)}${text}`),
  ].join('\n');
}

/** A scenario that got no answers has no judged checks, so this test reports it. */
function scenarioTest(scenario: ScenarioResult): readonly UntimedTest[] {
  const { outcome, file, requests } = scenario;
  if (outcome === 'ran') return [];
  const message = visible(`${words(outcome)}: ${givenReason(scenario)}`);
  return [
    {
      name: 'the scenario runs',
      status: outcome === 'could-not-run' ? 'failed' : 'skipped',
      rawStatus: outcome,
      suite: [scenarioArea(file), visible(scenario.scenario)],
      message,
      trace: `${message}\n${visible(file)}, ${requests} requests in ${duration(scenario.durationMs)}`,
    },
  ];
}

/** `staging` of `conformance/scenarios/staging/toggle.yaml`. */
function scenarioArea(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const scenarios = folders.lastIndexOf('scenarios');
  return (scenarios < 0 ? folders.at(-1) : folders[scenarios + 1]) ?? 'scenarios';
}

/** A UUID that is the same for the same text, so that tools can follow a test over runs. */
function uuid(text: string): string {
  const hex = hash('sha256', text);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
