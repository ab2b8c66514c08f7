import { CURRENT_SPEC_VERSION, calculateSummary, validate } from 'ctrf';
import { expect, test } from 'vitest';
import type { Report } from '../conformance/judge/report.ts';
import { ctrf, ctrfVersion } from './ctrf.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';

const reports = [
  ['sample', sampleReport()],
  ['passed', passedReport()],
  ['hostile', hostileReport()],
  ['empty', sampleReport({ statements: [], scenarios: [] })],
] as const;

test.each(reports)('the %s report is valid CTRF', (_name, report) => {
  const written: unknown = JSON.parse(JSON.stringify(ctrf(report)));
  expect(validate(written)).toEqual({ valid: true, errors: [] });
});

test.each(reports)('the sums of the %s report are those of its tests', (_name, report) => {
  const { summary, tests } = ctrf(report).results;
  const { passed, failed, skipped, pending, other } = calculateSummary(tests);
  expect(summary).toMatchObject({ passed, failed, skipped, pending, other, tests: tests.length });
});

test('the CTRF version is the one of the ctrf package', () => {
  expect(ctrfVersion).toBe(CURRENT_SPEC_VERSION);
});

test('a test has its verdict and its status', () => {
  const { tests } = ctrf(sampleReport()).results;
  const of = (id: string): unknown => {
    const found = tests.find(({ tags }) => tags?.[0] === id);
    return [found?.status, found?.rawStatus];
  };
  expect(of('SVC-1')).toEqual(['passed', 'verified']);
  expect(of('STAGE-5')).toEqual(['failed', 'violated']);
  expect(of('HTTP-1')).toEqual(['other', 'deviates']);
  expect(of('AUTH-9')).toEqual(['skipped', 'not-testable']);
  expect(of('STAGE-9')).toEqual(['other', 'observed']);
});

const failedTest = (report: Report) =>
  ctrf(report).results.tests.find(({ tags }) => tags?.[0] === 'STAGE-5');

test('a failed test says what the certificate says, and names its evidence', () => {
  const found = failedTest(sampleReport());
  expect(found?.message).toBe(
    'violated: the value read is empty, and must have length 1; after 30 s no further environment was listed with type staging; evidence/staging.har#3',
  );
  expect(found?.trace).not.toContain('$length');
  expect(found?.attachments).toMatchObject([{ path: 'evidence/staging.har' }]);
});

test('it points at a scenario of the reader, and at no file of ours', () => {
  expect(failedTest(sampleReport())).not.toHaveProperty('filePath');
  const base = sampleReport();
  const statements = base.statements.map((item) => ({
    ...item,
    checks: item.checks.map((check) => ({ ...check, custom: true as const })),
  }));
  expect(failedTest({ ...base, statements })).toMatchObject({
    filePath: 'conformance/scenarios/staging/toggle.yaml',
    line: 28,
  });
});

test('ids are unique and the same in every run', () => {
  const ids = (runId: string): readonly (string | undefined)[] =>
    ctrf(sampleReport({ runId })).results.tests.map(({ id }) => id);
  expect(new Set(ids('a')).size).toBe(ids('a').length);
  expect(ids('a')).toEqual(ids('b'));
});
