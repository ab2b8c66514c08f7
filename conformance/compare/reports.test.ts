/** What counts as a change between two runs, verdict by verdict. */
import { describe, expect, test } from 'vitest';
import { passedReport } from '../../reports/testing/sample-report.ts';
import type { CheckResult, Report, StatementResult, StatementVerdict } from '../judge/report.ts';
import { compareReports } from './reports.ts';

const location = { file: 'scenarios/a.yaml', line: 1, column: 1 };
const about = { level: 'documented', section: 'S', text: 'T', checks: [] } as const;

function run(statements: readonly StatementResult[], changes: Partial<Report> = {}): Report {
  return passedReport({ statements, ...changes });
}

function verdict(was: StatementVerdict | undefined, now: StatementVerdict, changes = {}) {
  const of = (one: StatementVerdict | undefined) =>
    one === undefined ? [] : [{ ...about, id: 'STAGE-1', verdict: one, ...changes }];
  const { worse, verdicts } = compareReports(run(of(was)), run(of(now)));
  return [...verdicts.map(({ kind }) => kind), ...(worse ? ['worse'] : [])];
}

test.for<[StatementVerdict | undefined, StatementVerdict, readonly string[]]>([
  ['verified', 'verified', []],
  ['verified', 'violated', ['broke', 'worse']],
  ['verified', 'unstable', ['broke', 'worse']],
  ['verified-in-part', 'violated', ['broke', 'worse']],
  ['violated', 'verified', ['mended']],
  ['unstable', 'verified', ['mended']],
  ['violated', 'violated', ['still']],
  ['unstable', 'violated', ['otherwise']],
  // What was not tried is no change, but what is broken now is news.
  ['verified', 'not-testable', ['noLongerTried']],
  ['verified', 'not-selected', ['noLongerTried']],
  ['violated', 'not-testable', ['noLongerTried']],
  ['violated', 'verified-in-part', ['noLongerTried']],
  ['verified', 'verified-in-part', []],
  ['not-testable', 'verified', ['newlyTried']],
  ['not-selected', 'not-testable', []],
  ['not-selected', 'violated', ['firstSeen', 'worse']],
  [undefined, 'violated', ['firstSeen', 'worse']],
  [undefined, 'verified', []],
])('%s, then %s: %s', ([was, now, expected]) => {
  expect(verdict(was, now)).toEqual(expected);
});

test('a departure from a standard is worse only if the run enforces standards', () => {
  expect(verdict('verified', 'deviates', { level: 'standard' })).toEqual(['broke']);
  const of = (one: StatementVerdict, standards: 'enforce' | 'report') =>
    run([{ ...about, id: 'HTTP-1', level: 'standard', verdict: one }], {
      options: { ...passedReport().options, standards },
    });
  expect(compareReports(of('verified', 'enforce'), of('deviates', 'enforce')).worse).toBe(true);
});

describe('a silence', () => {
  const seen = (step: string, actual: unknown): CheckResult => ({
    ...{ scenario: 'A', step, kind: 'observe', verdict: 'observed', actual, location },
    evidence: [],
  });
  const silent = (...checks: readonly CheckResult[]): Report =>
    run([{ ...about, id: 'STAGE-9', level: 'silent', verdict: 'observed', checks }]);
  const changed = (was: readonly CheckResult[], now: readonly CheckResult[]) =>
    compareReports(silent(...was), silent(...now)).silences.map((item) => [item.was, item.now]);

  test('is answered otherwise if another choice shows at the same place', () => {
    const conflict = seen('on', { choice: 'conflict', value: 409 });
    const refused = seen('on', { choice: 'bad-request', value: 400 });
    expect(changed([conflict], [refused])).toEqual([[['conflict'], ['bad-request']]]);
    expect(changed([conflict], [conflict])).toEqual([]);
  });

  test('is compared only where both runs asked', () => {
    const other = seen('off', { choice: 'conflict', value: 409 });
    expect(changed([seen('on', { choice: 'bad-request' })], [other])).toEqual([]);
  });

  test('is compared by its choice; what came besides may differ', () => {
    const was = seen('on', { choice: 'six-columns', value: ['time', 'name'] });
    expect(changed([was], [seen('on', { choice: 'six-columns', value: ['when'] })])).toEqual([]);
  });

  test('without a known choice is compared by what came, without any data', () => {
    const was = seen('on', { choice: 'other', value: { name: 'Ana', 'ana@example.com': 1 } });
    const now = seen('on', { choice: 'other', value: { name: 17 } });
    expect(changed([was], [now])).toEqual([
      [['{"*":"integer","name":"string"}'], ['{"name":"integer"}']],
    ]);
    const same = seen('on', { choice: 'other', value: { name: 'Ben', 'ben@example.com': 2 } });
    expect(changed([was], [same])).toEqual([]);
  });
});

test('what makes two runs hard to compare is said', () => {
  const report = passedReport();
  const warnings = (changes: Partial<Report>) =>
    compareReports(report, passedReport(changes)).warnings;
  expect(warnings({})).toEqual([]);
  expect(warnings({ target: { ...report.target, baseUrl: 'https://localhost:9' } })).toEqual([]);
  expect(
    warnings({ target: { ...report.target, kind: 'tenant', baseUrl: 'https://b.example' } }),
  ).toEqual(['another target: https://localhost:4010 before, https://b.example now']);
  expect(warnings({ suite: { ...report.suite, scenariosSha256: '0'.repeat(64) } })).toEqual([
    expect.stringMatching(/^other scenarios: [0-9a-f]{12} before, 000000000000 now$/),
  ]);
  expect(
    warnings({ options: { ...report.options, only: ['STAGE-1'] }, interrupted: true }),
  ).toEqual(['this run was narrowed to STAGE-1', 'this run was interrupted']);
});

test('a statement that only one of the reports knows is named', () => {
  const [a, b] = ['STAGE-1', 'STAGE-2'].map((id) => ({
    ...about,
    id,
    verdict: 'verified' as const,
  }));
  if (a === undefined || b === undefined) throw new Error('two statements were expected');
  const changes = compareReports(run([a]), run([b]));
  expect([changes.onlyBefore, changes.onlyNow]).toEqual([['STAGE-1'], ['STAGE-2']]);
});
