/** The changes since the last run, verdict by verdict, and as people read them. */
import { describe, expect, test } from 'vitest';
import { compareStatements } from '../../conformance/compare/compare.ts';
import type {
  CheckResult,
  Report,
  StatementResult,
  StatementVerdict,
} from '../../conformance/judge/report.ts';
import { hostileReport } from '../testing/hostile-report.ts';
import { passedReport, sampleReport } from '../testing/sample-report.ts';
import { comparisonMd, comparisonText } from './comparison.ts';
import { diffReports } from './reports.ts';

/** In the second report three promises are newly broken, and one silence has another answer. */
function worse(): [last: Report, now: Report] {
  const [last, now] = [passedReport(), sampleReport()];
  const answered = (report: Report, choice: string): Report => ({
    ...report,
    statements: report.statements.map((item) =>
      item.id === 'STAGE-9'
        ? { ...item, checks: item.checks.map((check) => ({ ...check, actual: { choice } })) }
        : item,
    ),
  });
  return [answered(last, 'bad-request'), answered(now, 'conflict')];
}

test('the headline says it in one line', () => {
  expect(diffReports(...worse()).headline).toBe('3 broken, 1 silence answered differently');
  const [last, now] = worse();
  expect(diffReports(now, last).headline).toBe('3 mended, 1 silence answered differently');
  expect(diffReports(last, last).headline).toBe('no difference');
});

test('as text: the headline, what was compared, warnings, then lists', () => {
  const text = comparisonText(diffReports(...worse()));
  const [first, ...others] = text.split('\n');
  expect(first).toMatch(/^3 broken/);
  expect(others[0]).toMatch(/^last {2}https:\/\/localhost:4010, a Lockstep mock, 2026/);
  expect(text).toContain('WARNING  another target: https://localhost:4010 before');
  expect(text).toMatch(/\nBroken \(3\)\n {2}STAGE-5 {2}violated, was verified: /);
  expect(text).toMatch(
    /\nSilence answered differently \(1\)\n {2}STAGE-9 {2}conflict, was bad-request: /,
  );
});

test('text of a target cannot take over the Markdown', () => {
  const found = diffReports(passedReport(), hostileReport());
  const md = comparisonMd(found).replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  expect(md).not.toContain('<');
  expect(md).not.toMatch(/(?<!\\)\]\(|@everyone/);
  expect(comparisonText(found)).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
});

const location = { file: 'scenarios/a.yaml', line: 1, column: 1 };
const about = { level: 'documented', section: 'S', text: 'T', checks: [] } as const;

function run(statements: readonly StatementResult[], changes: Partial<Report> = {}): Report {
  return passedReport({ statements, ...changes });
}

function verdict(was: StatementVerdict | undefined, now: StatementVerdict, changes = {}) {
  const of = (one: StatementVerdict | undefined) =>
    one === undefined ? [] : [{ ...about, id: 'STAGE-1', verdict: one, ...changes }];
  const [last, is] = [run(of(was)), run(of(now))];
  const kinds = compareStatements(last, is).map(({ kind }) => kind);
  const worse = diffReports(last, is).tone === 'worse';
  return [...kinds.filter((kind) => kind !== 'same'), ...(worse ? ['worse'] : [])];
}

test.for<[StatementVerdict | undefined, StatementVerdict, readonly string[]]>([
  ['verified', 'verified', []],
  ['verified', 'violated', ['broken', 'worse']],
  ['verified', 'unstable', ['broken', 'worse']],
  ['verified-in-part', 'violated', ['broken', 'worse']],
  ['violated', 'verified', ['mended']],
  ['unstable', 'verified', ['mended']],
  ['violated', 'violated', ['still broken']],
  ['unstable', 'violated', ['broken in another way']],
  // An untried statement is not a change, but a newly broken one is news.
  ['verified', 'not-testable', ['no longer tried']],
  ['verified', 'not-selected', ['no longer tried']],
  ['violated', 'not-testable', ['no longer tried']],
  ['violated', 'verified-in-part', ['no longer tried']],
  ['verified', 'verified-in-part', []],
  ['not-testable', 'verified', ['newly tried']],
  ['not-selected', 'not-testable', []],
  ['not-selected', 'violated', ['first seen broken', 'worse']],
  [undefined, 'violated', ['first seen broken', 'worse']],
  [undefined, 'verified', []],
])('%s, then %s: %s', ([was, now, expected]) => {
  expect(verdict(was, now)).toEqual(expected);
});

test('a statement is mended if its failed checks hold, although another was not tried', () => {
  const check = (step: string, is: CheckResult['verdict']): CheckResult => ({
    ...{ scenario: 'A', step, kind: 'check', verdict: is, location, evidence: [] },
  });
  const of = (one: StatementVerdict, ...checks: readonly CheckResult[]): Report =>
    run([{ ...about, id: 'STAGE-1', verdict: one, checks }]);
  const kind = (now: Report) =>
    compareStatements(of('violated', check('on', 'violated')), now).map((pair) => pair.kind);
  const other = check('off', 'not-testable');
  expect(kind(of('verified-in-part', check('on', 'verified'), other))).toEqual(['mended']);
  expect(kind(of('verified-in-part', check('off', 'verified')))).toEqual(['no longer tried']);
  expect(kind(of('not-testable', check('on', 'not-testable')))).toEqual(['no longer tried']);
});

test('a departure from a standard is worse only if the run enforces standards', () => {
  expect(verdict('verified', 'deviates', { level: 'standard' })).toEqual(['broken']);
  const of = (one: StatementVerdict, standards: 'enforce' | 'report') =>
    run([{ ...about, id: 'HTTP-1', level: 'standard', verdict: one }], {
      options: { ...passedReport().options, standards },
    });
  expect(diffReports(of('verified', 'enforce'), of('deviates', 'enforce')).tone).toBe('worse');
});

describe('a silence', () => {
  const seen = (step: string, actual: unknown): CheckResult => ({
    ...{ scenario: 'A', step, kind: 'observe', verdict: 'observed', actual, location },
    evidence: [],
  });
  const silent = (...checks: readonly CheckResult[]): Report =>
    run([{ ...about, id: 'STAGE-9', level: 'silent', verdict: 'observed', checks }]);
  const changed = (was: readonly CheckResult[], now: readonly CheckResult[]) =>
    compareStatements(silent(...was), silent(...now)).flatMap(({ kind, answers }) =>
      kind === 'silence answered differently' ? [[answers?.was, answers?.now]] : [],
    );

  test('is answered differently if another choice shows at the same place', () => {
    const conflict = seen('on', { choice: 'conflict', value: 409 });
    const refused = seen('on', { choice: 'bad-request', value: 400 });
    expect(changed([conflict], [refused])).toEqual([[['conflict'], ['bad-request']]]);
    expect(changed([conflict], [conflict])).toEqual([]);
  });

  test('is compared only at steps that both runs made', () => {
    const other = seen('off', { choice: 'conflict', value: 409 });
    expect(changed([seen('on', { choice: 'bad-request' })], [other])).toEqual([]);
  });

  test('is compared by its choice; the rest of the value may differ', () => {
    const was = seen('on', { choice: 'six-columns', value: ['time', 'name'] });
    expect(changed([was], [seen('on', { choice: 'six-columns', value: ['when'] })])).toEqual([]);
  });

  test('without a known choice is compared by the shape of the answer', () => {
    const was = seen('on', { choice: 'other', value: { name: 'Ana', 'ana@example.com': 1 } });
    const now = seen('on', { choice: 'other', value: { name: 17 } });
    expect(changed([was], [now])).toEqual([
      [['{"*":"integer","name":"string"}'], ['{"name":"integer"}']],
    ]);
    const same = seen('on', { choice: 'other', value: { name: 'Ben', 'ben@example.com': 2 } });
    expect(changed([was], [same])).toEqual([]);
  });
});

test('a warning says why two runs are hard to compare', () => {
  const report = passedReport();
  const warnings = (changes: Partial<Report>) =>
    diffReports(report, passedReport(changes)).warnings;
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

test('a statement that is in only one of the reports is named', () => {
  const [a, b] = ['STAGE-1', 'STAGE-2'].map((id) => ({
    ...about,
    id,
    verdict: 'verified' as const,
  }));
  if (a === undefined || b === undefined) throw new Error('two statements were expected');
  expect(diffReports(run([a]), run([b])).sections.at(-1)?.lines).toEqual([
    { name: 'known only to the earlier report', text: 'STAGE-1' },
    { name: 'known only to this report', text: 'STAGE-2' },
  ]);
});
