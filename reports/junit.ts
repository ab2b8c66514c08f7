/**
 * The report as JUnit XML: one suite per area of scenarios, one case per statement and scenario.
 *
 * It keeps to the strictest schema in use (Jenkins' `junit-10.xsd`). That has no `file` or `line`
 * attribute, so both are in the text. JUnit has no word for an observed silence or for a deviation
 * that is reported only. The first is in `system-out`, the second is skipped with its reason,
 * because neither must read as a passed test.
 */

import type { Report } from '../conformance/judge/report.ts';
import { visible } from '../spec/base/visible.ts';
import { type SuiteTest, testsOf } from './ctrf.ts';
import { noExchanges } from './exchanges.ts';
import { present } from './text.ts';

export function junit(report: Report, exchanges = noExchanges): string {
  const all = testsOf(report, exchanges);
  const suites = Map.groupBy(all, ({ suite: [area] }) => area);
  const root = {
    name: `lockstep ${report.target.baseUrl}`,
    ...counts(all),
    time: seconds(report.durationMs),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(root)}>`,
    ...[...suites].map(([area, members]) => suite(area, members, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(area: string, members: readonly SuiteTest[], report: Report): string {
  const { observed = [], skipped = [] } = Object.groupBy(members, wordOf);
  const own = attributes({
    name: area,
    ...counts(members),
    skipped: skipped.length,
    time: seconds(members.reduce((sum, { duration }) => sum + duration, 0)),
    timestamp: report.startedAt.replace(/(\.\d+)?Z$/, ''),
  });
  const properties = {
    'lockstep.run': report.runId,
    'lockstep.version': report.suite.version,
    'lockstep.target': report.target.baseUrl,
    'lockstep.contract': report.suite.contractSha256,
    'lockstep.allow': report.options.allow,
    'lockstep.exitCode': report.exitCode,
  };
  const said = observed.map(
    ({ suite: [, scenario], name, trace = '' }) => `${scenario}: ${name}\n${trace}`,
  );
  return present(
    `  <testsuite${own}>`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    '    </properties>',
    ...members.filter((item) => wordOf(item) !== 'observed').map(testcase),
    said.length > 0 && `    <system-out>${xmlText(said.join('\n\n'))}</system-out>`,
    '  </testsuite>',
  ).join('\n');
}

/** JUnit's word for what a test came to; `observed` is none: a silence can neither pass nor fail. */
function wordOf({ status, rawStatus }: SuiteTest) {
  if (rawStatus === 'could-not-run') return 'error';
  if (status === 'failed') return 'failure';
  if (status === 'passed') return 'passed';
  return status === 'skipped' || rawStatus === 'deviates' ? 'skipped' : 'observed';
}

function testcase(item: SuiteTest): string {
  const { name, suite, duration, rawStatus, message = '', trace = '' } = item;
  const classname = `${suite[0]}.${suite[1].replaceAll('.', ' ')}`;
  const own = attributes({ name, classname, time: seconds(duration) });
  const word = wordOf(item);
  if (word === 'passed') return `    <testcase${own}/>`;
  return [
    `    <testcase${own}>`,
    `      <${word}${attributes({ type: rawStatus, message })}>${xmlText(trace)}</${word}>`,
    '    </testcase>',
  ].join('\n');
}

function counts(all: readonly SuiteTest[]) {
  const { observed = [], failure = [], error = [] } = Object.groupBy(all, wordOf);
  return { tests: all.length - observed.length, failures: failure.length, errors: error.length };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Each with a space before it. */
export function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(visible(String(value)))}"`)
    .join('');
}

export function xmlText(value: string): string {
  return escaped(visible(value, 'lines'));
}

/** `>` too: text must not hold `]]>`. */
function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
