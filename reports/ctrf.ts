/**
 * The report as CTRF (Common Test Report Format): one test per statement and scenario.
 *
 * An observed silence and a deviation that is reported only are `other`: neither passed nor failed.
 */

import { hash } from 'node:crypto';
import type { CTRFReport, Test, TestStatus } from 'ctrf';
import type { Report } from '../conformance/judge/report.ts';
import { type Case, cases } from './cases.ts';

/** As the package says; loading it for one word would cost each run 20 ms. */
export const ctrfVersion = '0.0.0';

export function ctrf(report: Report): CTRFReport {
  const { runId, suite, target, options, exitCode, startedAt } = report;
  const start = Date.parse(startedAt);
  const stop = start + Math.round(report.durationMs);
  const tests = cases(report).map(test);
  const withStatus = (status: TestStatus): number =>
    tests.filter((item) => item.status === status).length;
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
        passed: withStatus('passed'),
        failed: withStatus('failed'),
        skipped: withStatus('skipped'),
        pending: 0,
        other: withStatus('other'),
        suites: new Set(tests.map((one) => one.suite?.join('\n'))).size,
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

function test(item: Case): Test {
  const files = [...new Set(item.evidence.map((path) => path.split('#')[0] ?? path))];
  const attachment = (path: string) => ({ name: path, contentType: 'application/json', path });
  return {
    id: uuid(`${item.area}\n${item.scenario}\n${item.name.split(' ')[0] ?? ''}`),
    name: item.name,
    status: statusOf(item),
    rawStatus: item.verdict,
    duration: Math.round(item.durationMs),
    suite: [item.area, item.scenario],
    ...(item.message === '' ? {} : { message: item.message }),
    ...(item.details === '' ? {} : { trace: item.details }),
    ...(item.file === undefined ? {} : { filePath: item.file }),
    ...(item.line === undefined ? {} : { line: item.line }),
    ...(item.statement === undefined ? {} : { tags: [item.statement.id, item.statement.level] }),
    ...(files.length === 0 ? {} : { attachments: files.map(attachment) }),
  };
}

function statusOf({ status, verdict }: Case): TestStatus {
  if (status === 'error') return 'failed';
  if (status === 'observed' || (status === 'skipped' && verdict === 'deviates')) return 'other';
  return status;
}

/** A UUID that is the same for the same text, so that tools can follow a test over runs. */
function uuid(text: string): string {
  const hex = hash('sha256', text);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
