/**
 * The report as JUnit XML: one suite per area of scenarios, one case per statement and scenario.
 *
 * It keeps to the strictest schema in use (Jenkins' `junit-10.xsd`). That has no `file` or `line`
 * attribute, so both are in the text. JUnit has no status for an observed silence, or for a
 * deviation that is only reported. Neither may look like a passed test. So the first is in
 * `system-out`, and the second is skipped with its reason.
 */

import type { Report } from '../conformance/judge/report.ts';
import { type Html, when, html as xml } from '../spec/base/html.ts';
import { visible } from '../spec/base/visible.ts';
import { type SuiteTest, testsOf } from './ctrf.ts';
import { noExchanges } from './exchanges.ts';

type Attributes = Readonly<Record<string, string | number>>;

/** The attributes of a test, and its result: `word` is `failure`, for example. */
export interface JunitCase {
  readonly about: Attributes;
  readonly came?: { readonly word: string; readonly about: Attributes; readonly text: string };
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  readonly about?: Attributes;
  readonly properties?: Attributes;
  readonly output?: string;
}

export function junit(report: Report, exchanges = noExchanges): string {
  const areas = Map.groupBy(testsOf(report, exchanges), ({ suite: [area] }) => area);
  const suites = [...areas].map(([name, members]) => suiteOf(name, members, report));
  const about = { time: seconds(report.durationMs) };
  return junitXml(`lockstep ${report.target.baseUrl}`, suites, about);
}

function suiteOf(name: string, members: readonly SuiteTest[], report: Report): JunitSuite {
  const said = members.filter((item) => wordOf(item) === 'observed');
  const texts = said.map(
    ({ suite: [, scenario], name: test, trace = '' }) => `${scenario}: ${test}\n${trace}`,
  );
  return {
    name,
    about: {
      time: seconds(members.reduce((sum, { duration }) => sum + duration, 0)),
      timestamp: report.startedAt.replace(/(\.\d+)?Z$/, ''),
    },
    properties: {
      'lockstep.run': report.runId,
      'lockstep.version': report.suite.version,
      'lockstep.target': report.target.baseUrl,
      'lockstep.contract': report.suite.contractSha256,
      'lockstep.allow': report.options.allow,
      'lockstep.exitCode': report.exitCode,
    },
    cases: members.flatMap(caseOf),
    output: texts.join('\n\n'),
  };
}

function caseOf(item: SuiteTest): JunitCase[] {
  const { name, suite, duration, rawStatus, message = '', trace: text = '' } = item;
  const classname = `${suite[0]}.${suite[1].replaceAll('.', ' ')}`;
  const about = { name, classname, time: seconds(duration) };
  const word = wordOf(item);
  if (word === 'observed') return [];
  if (word === 'passed') return [{ about }];
  return [{ about, came: { word, about: { type: rawStatus, message }, text } }];
}

/**
 * JUnit's word for the result of a test. `observed` has none, because a silence can neither pass
 * nor fail.
 */
function wordOf({ status, rawStatus }: SuiteTest) {
  if (rawStatus === 'could-not-run') return 'error';
  if (status === 'failed') return 'failure';
  if (status === 'passed') return 'passed';
  return status === 'skipped' || rawStatus === 'deviates' ? 'skipped' : 'observed';
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Suites as a JUnit file, with counts of the cases by result. */
export function junitXml(name: string, suites: readonly JunitSuite[], about: Attributes = {}) {
  const { skipped: _skipped, ...sums } = counts(suites.flatMap(({ cases }) => cases));
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name, ...sums, ...about })}>
${suites.map(suiteXml)}</testsuites>
`.html;
}

function suiteXml({ name, about, properties = {}, cases, output = '' }: JunitSuite): Html {
  const named = Object.entries(properties).map(
    ([key, value]) => xml`      <property${attributes({ name: key, value })}/>\n`,
  );
  return xml`  <testsuite${attributes({ name, ...counts(cases), ...about })}>
${when(named.length > 0, () => xml`    <properties>\n${named}    </properties>\n`)}${cases.map(caseXml)}${when(output !== '', () => xml`    <system-out>${output}</system-out>\n`)}  </testsuite>
`;
}

function caseXml({ about, came }: JunitCase): Html {
  if (came === undefined) return xml`    <testcase${attributes(about)}/>\n`;
  const word = { html: came.word };
  return xml`    <testcase${attributes(about)}>
      <${word}${attributes(came.about)}>${came.text}</${word}>
    </testcase>
`;
}

function counts(cases: readonly JunitCase[]) {
  const of = (word: string) => cases.filter(({ came }) => came?.word === word).length;
  const [failures, errors, skipped] = [of('failure'), of('error'), of('skipped')];
  return { tests: cases.length, failures, errors, skipped };
}

/** Each with a space before it, and in one line. */
function attributes(values: Attributes): Html {
  const all = Object.entries(values);
  return xml`${all.map(([name, value]) => xml` ${name}="${visible(String(value))}"`)}`;
}
