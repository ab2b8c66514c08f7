import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Report } from '../conformance/judge/report.ts';
import { consoleSummary } from './console.ts';
import { readExchanges } from './exchanges.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { passedReport, sampleReport } from './testing/sample-report.ts';

const options = { directory: 'reports/out/r7k2m', tenantFile: 'tenant.yaml' };

test('a violation takes four lines: the promise, the finding, its reason, the place', () => {
  const lines = consoleSummary(sampleReport(), options).split('\n');
  const at = lines.findIndex((line) => line.startsWith('VIOLATED  STAGE-5'));
  expect(lines.slice(at, at + 5)).toEqual([
    'VIOLATED  STAGE-5  The staging environment of a branch is listed with type staging while enabled.',
    '  the value read is empty, and must have length 1',
    '  after 30 s no further environment was listed with type staging',
    '  conformance/scenarios/staging/toggle.yaml:28:7  reports/out/r7k2m/evidence/staging.har#3',
    expect.stringMatching(/^VIOLATED {2}UPD-5/),
  ]);
  expect(lines).toContain(
    'to run one alone: npx --no-install lockstep certify --base-url https://acme.example.com --tenant tenant.yaml --allow reversible --only STAGE-5',
  );
});

test('the command that repeats the failures names the permission that they need', () => {
  const line = (report: Report): string | undefined =>
    consoleSummary(report, options)
      .split('\n')
      .find((text) => text.startsWith('to run all that failed'));
  expect(line(sampleReport())).toBe(
    'to run all that failed: npx --no-install lockstep certify --again reports/out/r7k2m --tenant tenant.yaml --allow reversible',
  );
  // No run can repeat traffic.
  const scenarios = sampleReport().scenarios.map((item) => ({ ...item, file: 'traffic' }));
  const traffic = sampleReport({ scenarios });
  expect(line(traffic)).toBeUndefined();
  expect(consoleSummary(traffic, options)).not.toContain('writes allowed');
});

test('if the exchanges of the run are given, a failure names the call', () => {
  const entry = {
    request: {
      method: 'GET',
      url: 'https://acme.example.com/api/v1/deployments/1/environments?type=staging',
      headers: [{ name: 'authorization', value: 'Bearer {admin}' }],
    },
    _lockstep: { scenario: 'x', step: 'after', kind: 'call' },
  };
  const text = JSON.stringify({ log: { entries: [entry, entry, entry, entry] } });
  const exchanges = readExchanges([{ file: 'evidence/staging.har', text }]);
  expect(consoleSummary(sampleReport(), { ...options, exchanges })).toContain(
    '  GET …/environments?type=staging: the value read is empty, and must have length 1\n',
  );
  expect(consoleSummary(sampleReport(), { ...options, exchanges })).toContain(
    `\n  curl -i -H 'authorization: Bearer '"$ADMIN" '${entry.request.url}'\n`,
  );
});

test('files of the suite have the paths of an installed project', () => {
  const text = consoleSummary(sampleReport(), {
    ...options,
    suiteFolder: 'node_modules/lockstep/dist',
  });
  expect(text).toContain(
    '  node_modules/lockstep/dist/conformance/scenarios/staging/toggle.yaml:28:7',
  );
});

test('a failing run fits on one screen', () => {
  const base = sampleReport();
  const statements = base.statements.map((item) =>
    item.level === 'silent' ? item : { ...item, verdict: 'violated' as const },
  );
  const lines = consoleSummary({ ...base, statements }, options).split('\n');
  expect(lines.length).toBeLessThanOrEqual(45);
  expect(lines.find((line) => line.startsWith('and '))).toMatch(/^and \d+ more: /);
});

test('a quiet run that judged nothing prints the reason', () => {
  const preflight = [
    { name: 'member', kind: 'credential', message: 'it is answered 401 wherever it was tried' },
    { name: 'member', kind: 'credential', message: 'it edits no folder' },
  ] as const;
  const report = passedReport({ preflight: [...preflight], exitCode: 4 });
  const text = consoleSummary(report, { quiet: true });
  expect(text).toContain('member: it edits no folder');
  expect(text).toContain('contradict each other (member), and one of the two is wrong');
});

test('a quiet run prints only broken statements and the verdict', () => {
  const blocks = consoleSummary(sampleReport(), { ...options, quiet: true })
    .trimEnd()
    .split('\n\n');
  expect(blocks.map((block) => block.split(' ')[0])).toEqual(['VIOLATED', 'FAILED']);
});

test('a check that fails many times in a loop is printed once', () => {
  const text = consoleSummary(sampleReport(), options);
  expect(text).toContain('and 4 more checks');
  expect(text.match(/UPD-5/g)).toHaveLength(1);
});

test('statements that fail the run come before those that are only reported', () => {
  const text = consoleSummary(sampleReport(), options);
  const order = [
    'VIOLATED  STAGE-5',
    'VIOLATED  UPD-5',
    'DEVIATES  HTTP-1',
    'NOT TESTED',
    'FAILED',
  ];
  const places = order.map((word) => text.indexOf(word));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('a broken statement comes before an unstable one, and both before what was not tested', () => {
  const base = sampleReport();
  const statements = base.statements.map((item) =>
    item.id === 'STAGE-5' ? { ...item, verdict: 'unstable' as const } : item,
  );
  const text = consoleSummary({ ...base, statements }, options);
  const order = ['VIOLATED  UPD-5', 'UNSTABLE  STAGE-5', 'DEVIATES  HTTP-1', 'NOT TESTED'];
  const places = order.map((word) => text.indexOf(word));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('gaps are listed with their reason', () => {
  expect(consoleSummary(sampleReport(), options)).toContain(
    '  the tenant file names no credential `scoped`: AUTH-9',
  );
});

test('the summary has a command that starts a mock with the learned choices', () => {
  const [statement] = sampleReport().statements.filter(({ level }) => level === 'silent');
  if (statement === undefined) throw new Error('the sample has no silence');
  const check = { ...statement.checks[0], verdict: 'observed', actual: { choice: 'conflict' } };
  const learnt = { ...statement, id: 'STAGE-9', checks: [check] } as typeof statement;
  const line =
    '1 silence learned. To start a mock that does the same: npx --no-install lockstep mock --profile reports/out/r7k2m/profile.yaml';
  expect(consoleSummary(sampleReport({ statements: [learnt] }), options)).toContain(line);
  expect(consoleSummary(passedReport({ statements: [learnt] }), options)).not.toContain('learned');
});

describe('the verdict', () => {
  test('is the last line: figures, duration, and the path of the report', () => {
    const lines = consoleSummary(passedReport(), options).trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(
      /^PASSED {2}The target keeps all \d+ documented promises that a call can show\. \(\d+ statements verified, \d+ silences observed, 3 min 04 s, reports\/out\/r7k2m\/certificate\.html\)$/,
    );
  });

  test('names no directory if none was written', () => {
    expect(consoleSummary(passedReport(), { quiet: true })).not.toContain('certificate');
  });

  test('stays one line for any name of the target', () => {
    const text = consoleSummary(hostileReport(), { directory: 'a\nb', quiet: true });
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^FAILED {2}.*a\\nb\/certificate\.html\)$/);
  });
});

test('colours are used only on demand and change no word', () => {
  const plain = consoleSummary(sampleReport(), options);
  const coloured = consoleSummary(sampleReport(), { ...options, colour: true });
  expect(stripVTControlCharacters(plain)).toBe(plain);
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test('text from the target never reaches the terminal as a control sequence', () => {
  const coloured = consoleSummary(hostileReport(), { ...options, colour: true });
  // The test removes only our colours, so that other control characters remain visible.
  const text = coloured.replaceAll(/\p{Cc}\[(1|22|3\d)m/gu, '');
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
});

test('scenarios that could not run are listed with their reason', () => {
  const base = passedReport({ exitCode: 4 });
  const scenarios = base.scenarios.map((item) => ({
    ...item,
    outcome: 'could-not-run' as const,
    reason: 'ECONNREFUSED',
  }));
  const totals = {
    ...base.totals,
    scenarios: { ran: 0, notRun: 0, couldNotRun: scenarios.length },
  };
  const text = consoleSummary({ ...base, scenarios, totals }, options);
  expect(text).toContain(`COULD NOT RUN  ${scenarios.length} scenarios`);
  expect(text).toContain(': ECONNREFUSED');
  expect(text).toContain('NOT JUDGED  No verdict');
});
