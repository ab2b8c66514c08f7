/** Validates the JUnit file with another program, by the schema that Jenkins publishes. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasTool } from '../mock/testing/tools.ts';
import { publishedSchema } from '../spec/testing/published-schema.ts';
import { junit } from './junit.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';

const xsd = publishedSchema('junit-10.xsd', 'JUNIT');
const xmllint = hasTool(
  ['xmllint', '--version'],
  /libxml/,
  'THE CHECK OF JUNIT AGAINST ITS SCHEMA',
);
test('the schema of Jenkins and its validator are installed, or .ci says why not', () => {
  expect((xsd !== undefined && xmllint) || process.env.CI !== 'true').toBe(true);
});

test.runIf(xsd !== undefined && xmllint).for([
  ['sample', sampleReport()],
  ['passed', passedReport()],
  ['hostile', hostileReport()],
  ['empty', sampleReport({ statements: [], scenarios: [] })],
] as const)('the %s report is valid by the schema that Jenkins publishes', ([, report]) => {
  const check = (input: string) =>
    spawnSync('xmllint', ['--noout', '--schema', xsd ?? '', '-'], { input, encoding: 'utf8' });
  expect(check(junit(report))).toMatchObject({ status: 0, stderr: '- validates\n' });
  expect(check(junit(report).replace('</testsuites>', '<x/></testsuites>')).status).toBe(3);
});
