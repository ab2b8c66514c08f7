import { expect, test } from 'vitest';
import type { Report } from '../conformance/judge/report.ts';
import { readExchanges } from './exchanges.ts';
import { githubAnnotations } from './github-annotations.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';

const told = (report: Report): string => githubAnnotations(report, readExchanges([]));

test('a violation is a sentence, and points only at files of the reader', () => {
  const [, first] = told(sampleReport()).split('\n');
  expect(first).toBe(
    '::error title=STAGE-5 violated%3A The staging environment of a branch is listed with type staging while enabled.::Enabling and disabling a shared branch’s staging environment, step after%0Athe value read is empty, and must have length 1; after 30 s no further environment was listed with type staging; evidence/staging.har#3',
  );
});

test('a contradiction points at the line of the tenant file that claims it', () => {
  const at = { file: 'ci/tenant.yaml', line: 4, column: 11 };
  const [first] = githubAnnotations(sampleReport(), readExchanges([]), () => at).split('\n');
  expect(first).toBe(
    '::error file=ci/tenant.yaml,line=4,col=11,title=The tenant file or the target is wrong%3A embed::is refused with 401; promises that only an embed JWT can show are not testable',
  );
});

test('an annotation points at a scenario of the reader', () => {
  const base = sampleReport();
  const statements = base.statements.map((item) => ({
    ...item,
    checks: item.checks.map((check) => ({ ...check, custom: true as const })),
  }));
  expect(told({ ...base, statements })).toContain('::error file=conformance/scenarios/staging/');
});

test('deviations are warnings and gaps are notices; flags turn them into errors', () => {
  const severities = (changes: object): readonly string[] =>
    told({ ...sampleReport(), options: { ...sampleReport().options, ...changes } })
      .trimEnd()
      .split('\n')
      .map((line) => /^::(\w+) /.exec(line)?.[1] ?? line);
  expect(severities({})).toEqual(['error', 'error', 'error', 'warning', 'notice']);
  expect(severities({ standards: 'enforce', complete: true })).toEqual(Array(5).fill('error'));
});

test('a report without findings gives no annotation', () => {
  expect(told(passedReport())).toBe('');
});

test('the last annotation counts those that GitHub would drop', () => {
  const base = sampleReport();
  const [example] = base.statements.filter(({ id }) => id === 'STAGE-5');
  if (example === undefined) throw new Error('no STAGE-5');
  const statements = Array.from({ length: 30 }, (_, index) => ({ ...example, id: `X-${index}` }));
  const lines = told({ ...base, statements })
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toContain('title=22 more::');
});

test('GitHub reads back the text as written, with line breaks and its own signs', () => {
  const base = sampleReport();
  const [example] = base.statements.filter(({ id }) => id === 'STAGE-5');
  const [check] = example?.checks.filter(({ verdict }) => verdict === 'violated') ?? [];
  if (example === undefined || check === undefined) throw new Error('no STAGE-5');
  const reason = '100 % of it:\na ::error::forged, %0A and %25';
  const statements = [{ ...example, checks: [{ ...check, reason }] }];
  const lines = told({ ...base, statements, leftBehind: [], preflight: [] }).split('\n');
  const [, written = ''] = /^::error [^:]*::(.*)$/.exec(lines[0] ?? '') ?? [];
  const read = written.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  // A line break from the target is escaped, so the remaining line breaks are ours.
  expect(read.split('\n')[1]).toContain(reason.replace('\n', '\\n'));
  expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(1);
});

test('a step prints no more errors, warnings or notices than GitHub shows', () => {
  const base = sampleReport();
  const statements = base.statements.flatMap((item) =>
    Array.from({ length: 30 }, (_, at) => ({ ...item, id: `${item.id}-${at}` })),
  );
  const lines = told({ ...base, statements })
    .trimEnd()
    .split('\n');
  const kinds = Map.groupBy(lines, (line) => /^::(\w+) /.exec(line)?.[1] ?? line);
  expect([...kinds].map(([kind, all]) => [kind, all.length])).toEqual([
    ['error', 10],
    ['warning', 10],
    ['notice', 1],
  ]);
});

test('text from the target cannot forge a workflow command', () => {
  const lines = told(hostileReport()).trimEnd().split('\n');
  for (const line of lines) {
    expect(line).toMatch(
      /^::(error|warning|notice) (file=[^,:]*,line=\d+,col=\d+,)?title=[^,:]*::[^\r]*$/,
    );
  }
});
