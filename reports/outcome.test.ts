import { describe, expect, test } from 'vitest';
import { totalsOf } from '../conformance/judge/assemble-report.ts';
import { exitCodes, type Report } from '../conformance/judge/report.ts';
import { failsRun } from '../conformance/judge/verdict.ts';
import { advice, gaps } from './findings.ts';
import { examWords, figures, figureTable, outcome, suiteWords } from './outcome.ts';
import { passedReport, sampleReport, sampleTarget } from './testing/sample-report.ts';

/** The report with some statements' verdicts changed. */
function changed(
  report: Report,
  verdicts: Readonly<Record<string, Report['statements'][number]['verdict']>>,
  changes: Partial<Report> = {},
): Report {
  const statements = report.statements.map((item) => ({
    ...item,
    verdict: verdicts[item.id] ?? item.verdict,
  }));
  return { ...report, statements, totals: totalsOf(statements, report.scenarios), ...changes };
}

describe('the sentence', () => {
  test('of a target that keeps everything', () => {
    expect(outcome(passedReport())).toMatchObject({
      tone: 'passed',
      sentence: expect.stringMatching(
        /^The target keeps all \d+ documented promises that a call can show\.$/,
      ),
      notes: [],
    });
  });

  test('of a target that breaks promises names how many', () => {
    expect(outcome(sampleReport())).toMatchObject({
      tone: 'failed',
      sentence: expect.stringMatching(/^The target breaks 2 of \d+ documented promises\.$/),
      notes: [expect.stringContaining('deviates from 1 statement of standards')],
    });
  });

  test('of a gap says that it is not a pass, and fails under --complete', () => {
    const gap = changed(passedReport(), { 'STAGE-1': 'not-testable' });
    expect(outcome(gap)).toMatchObject({
      tone: 'gaps',
      sentence: expect.stringContaining('1 could not be tried'),
    });
    const complete = { ...gap, exitCode: exitCodes.violation };
    expect(outcome(complete)).toMatchObject({ tone: 'failed', word: 'Incomplete' });
  });

  test('of promises that are kept at times says so, and fails', () => {
    const unstable = changed(passedReport(), { 'STAGE-1': 'unstable' }, { exitCode: 1 });
    expect(outcome(unstable)).toMatchObject({
      tone: 'failed',
      sentence: expect.stringMatching(/keeps 1 of \d+ documented promises only at times\.$/),
    });
  });

  test('of a promise that was verified in part counts it apart', () => {
    const part = changed(passedReport(), { 'STAGE-1': 'verified-in-part' });
    expect(outcome(part)).toMatchObject({
      word: 'Passed with gaps',
      sentence: expect.stringMatching(/verified and 1 verified in part\.$/),
    });
  });

  test('of a target that is left changed is not a pass, whatever was verified', () => {
    const leftBehind = [
      {
        object: 'folder 11 of deployment 1',
        operation: 'updateFolder',
        scenario: 'A folder takes a name',
        was: { name: 'A' },
        reason: 'it still has another value',
        location: { file: 'rename.yaml', line: 1, column: 1 },
      },
    ];
    expect(outcome(passedReport({ leftBehind, exitCode: 5 }))).toMatchObject({
      tone: 'failed',
      word: 'Left changed',
    });
  });

  test('of a tenant file that the target contradicts gives no verdict, and names both', () => {
    const preflight = [
      { name: 'scim', kind: 'credential' as const, message: 'it is answered 401' },
    ];
    expect(outcome(passedReport({ preflight, exitCode: 4 }))).toMatchObject({
      tone: 'not-judged',
      sentence: expect.stringContaining(
        'contradict each other (scim), and one of the two is wrong',
      ),
    });
  });

  test('of a run without promises says that it only observed', () => {
    const all = passedReport();
    const verdicts = all.statements.map(
      ({ id, level }) => [id, level === 'silent' ? 'observed' : 'not-selected'] as const,
    );
    expect(outcome(changed(all, Object.fromEntries(verdicts)))).toMatchObject({
      word: 'Observed only',
    });
  });

  test('of a deviation depends on --standards', () => {
    const deviating = changed(passedReport(), { 'HTTP-1': 'deviates' });
    expect(outcome(deviating).tone).toBe('passed');
    const enforced = {
      ...deviating,
      exitCode: exitCodes.violation,
      options: { ...deviating.options, standards: 'enforce' as const },
    };
    expect(outcome(enforced)).toMatchObject({
      tone: 'failed',
      sentence: expect.stringContaining('deviates from 1 of'),
    });
  });

  test('of a broken inference under --inferred report is a pass that mentions it', () => {
    const { tone, notes } = outcome(changed(passedReport(), { 'FOLDER-12': 'observed' }));
    expect(tone).toBe('passed');
    expect(notes.join()).toMatch(/differs in 1 statement that the description only implies/);
  });

  test.each([exitCodes.couldNotRun, exitCodes.unsafe, exitCodes.usage, exitCodes.stale])(
    'of exit code %d is never a pass',
    (exitCode) => {
      expect(outcome(passedReport({ exitCode })).tone).toBe('not-judged');
    },
  );

  test('of a run of standards alone never says that a standard is kept from which the target deviates', () => {
    const all = passedReport();
    const others = all.statements.map(({ id }) => [id, 'not-selected'] as const);
    const narrowed = { ...Object.fromEntries(others), 'HTTP-1': 'deviates' } as const;
    expect(outcome(changed(all, narrowed))).toMatchObject({
      ...{ tone: 'gaps', word: 'Deviates' },
      sentence:
        'The target deviates from 1 of 1 statement of standards. No promise of the description was judged.',
    });
  });

  test('of a run whose scenarios could not run gives their reason', () => {
    const reason = 'the run may make no more than 100 writes (--max-writes)';
    const [first, ...others] = passedReport().scenarios;
    if (first === undefined) throw new Error('a scenario was expected');
    const scenarios = [{ ...first, outcome: 'could-not-run' as const, reason }, ...others];
    expect(outcome(passedReport({ scenarios, exitCode: 4 })).sentence).toBe(
      `No verdict: 1 scenario could not run (${reason}).`,
    );
  });

  test('of traffic does not say that there were only reads', () => {
    const { options, scenarios } = passedReport();
    const traffic = scenarios.map((item) => ({ ...item, file: 'traffic' }));
    const report = changed(
      passedReport(),
      { 'STAGE-1': 'not-testable' },
      {
        options: { ...options, allow: 'none' },
        scenarios: traffic,
      },
    );
    expect(outcome(report).sentence).toMatch(/ tried \(by the calls of clients\)\. /);
    expect(suiteWords(report)).toBe('the traffic of clients');
  });

  test('of a narrowed run is only about tried statements', () => {
    const base = passedReport();
    const narrowed = changed(
      base,
      { 'SVC-1': 'not-selected' },
      {
        options: { ...base.options, only: ['SVC-2'] },
      },
    );
    const { sentence, notes } = outcome(narrowed);
    expect(sentence).toContain('that were tried');
    expect(notes.join(' ')).toMatch(/1 statement was not in it/);
  });
});

test('figures leave out statements that were not selected', () => {
  const { documented, notApplicable, unobservable } = figures(sampleReport());
  expect(documented.of).toBe(documented.verified + documented.broken + documented.gaps);
  expect(documented.broken).toBe(2);
  expect(notApplicable).toBeGreaterThan(0);
  expect(unobservable).toBe(sampleReport().unobservable.length);
});

test('the table says how many promises and silences it leaves out', () => {
  const { documented, silent } = passedReport().totals.statements;
  expect(figureTable(passedReport()).notCounted).toContain(
    `Not counted: ${documented.unobservable} promises and ${silent.unobservable} silences that no call can show`,
  );
});

test('the figures of the exam are those of the whole suite: a run of a part says so', () => {
  const sha256 = '0'.repeat(64);
  const honest = { sha256, services: 5, refused: 0 };
  const exam = { sha256, deviations: 10, refused: 9, honest };
  const whole = passedReport();
  const tested = { ...whole, suite: { ...whole.suite, exam } };
  const part = 'This run tried only a part of the suite, so it detects fewer.';
  expect(examWords(tested)).not.toContain(part);
  expect(examWords(changed(tested, { 'STAGE-1': 'not-testable' }))).toContain(part);
});

test('gaps are grouped by reason, the biggest first', () => {
  const found = gaps(sampleReport());
  expect(found.map(({ reason }) => reason)).toEqual([
    'not allowed: permanent (raise --allow)',
    'the tenant file names no credential `scoped`',
    'no check of it ran',
  ]);
});

test('a silence never fails', () => {
  const { options } = sampleReport();
  expect(failsRun({ level: 'silent', verdict: 'violated' }, { ...options, complete: true })).toBe(
    false,
  );
});

test('the advice can be pasted into a shell', () => {
  const report = sampleReport({ target: sampleTarget("https://x/'; rm -rf ~") });
  const [statement] = report.statements;
  if (statement === undefined) throw new Error('no statement');
  expect(advice(statement, report).command).toBe(
    `npx --no-install lockstep certify --base-url 'https://x/'\\''; rm -rf ~' --tenant FILE --allow reversible --only SVC-1`,
  );
});

test('a run of custom files says that they verify nothing, and which of them failed', () => {
  const own = { file: 'mine.yaml', copy: 'evidence/scenarios/1-mine.yaml', sha256: '0'.repeat(64) };
  const alone = passedReport();
  const report = {
    ...alone,
    suite: { ...alone.suite, custom: [own] },
    options: { ...alone.options, files: [] },
    statements: [],
  };
  expect(suiteWords(report)).toBe('1 file of yours');
  expect(outcome(report).sentence).toBe(
    '1 file of yours ran, and broke nothing. Such files verify no promise.',
  );
  expect(suiteWords({ ...report, options: alone.options })).toBe('our suite, and 1 file of yours');
  const one = { ...alone.statements[0], id: 'X-A', level: 'custom', verdict: 'violated' } as const;
  const broken = { ...report, statements: [one] } as Report;
  expect(outcome(broken).sentence).toContain('breaks 1 of 1 statement of your own files');
});
