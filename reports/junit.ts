/**
 * The report as JUnit XML: one suite per area of scenarios, one case per statement and scenario.
 *
 * Keeps to the strictest schema in use (Jenkins' `junit-10.xsd`), so there is no `file` or `line`
 * attribute; both stand in the text. JUnit has no word for an observed silence or for a deviation
 * that is reported only: the first stands in `system-out`, the second is skipped with its reason,
 * because neither must read as a passed test.
 */

import type { Report } from '../conformance/judge/report.ts';
import { visible } from '../spec/base/visible.ts';
import { type Case, cases } from './cases.ts';
import { present } from './text.ts';

export function junit(report: Report): string {
  const all = cases(report);
  const suites = Map.groupBy(all, ({ area }) => area);
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

function suite(area: string, members: readonly Case[], report: Report): string {
  const { observed = [], skipped = [] } = Object.groupBy(members, ({ status }) => status);
  const own = attributes({
    name: area,
    ...counts(members),
    skipped: skipped.length,
    time: seconds(members.reduce((sum, { durationMs }) => sum + durationMs, 0)),
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
  const said = observed.map((item) => `${item.scenario}: ${item.name}\n${item.details}`);
  return present(
    `  <testsuite${own}>`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    '    </properties>',
    // All but observations: a silence can be neither passed nor failed.
    ...members.filter(({ status }) => status !== 'observed').map(testcase),
    said.length > 0 && `    <system-out>${text(said.join('\n\n'))}</system-out>`,
    '  </testsuite>',
  ).join('\n');
}

const elements: Readonly<Partial<Record<Case['status'], string>>> = {
  failed: 'failure',
  error: 'error',
  skipped: 'skipped',
};

function testcase(item: Case): string {
  const own = attributes({
    name: item.name,
    classname: `${item.area}.${item.scenario.replaceAll('.', ' ')}`,
    time: seconds(item.durationMs),
  });
  const element = elements[item.status];
  if (element === undefined) return `    <testcase${own}/>`;
  const type = item.verdict;
  return [
    `    <testcase${own}>`,
    `      <${element}${attributes({ type, message: item.message })}>${text(item.details)}</${element}>`,
    '    </testcase>',
  ].join('\n');
}

function counts(all: readonly Case[]) {
  const { observed = [], failed = [], error = [] } = Object.groupBy(all, ({ status }) => status);
  return { tests: all.length - observed.length, failures: failed.length, errors: error.length };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(visible(String(value)))}"`)
    .join('');
}

function text(value: string): string {
  return xml(visible(value, 'lines'));
}

/** `>` too, since `]]>` must not stand in text. */
function xml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
