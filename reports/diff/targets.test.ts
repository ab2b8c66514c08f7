/** The meaning of each difference between two targets. */
import { expect, test } from 'vitest';
import type {
  CheckResult,
  Observation,
  Report,
  StatementResult,
  Verdict,
} from '../../conformance/judge/report.ts';
import { toldReason } from '../findings.ts';
import { passedReport, sampleTarget } from '../testing/sample-report.ts';
import { comparisonText } from './comparison.ts';
import { diffTargets, type TargetRun } from './targets.ts';

const mock = passedReport().target;
const tenant = sampleTarget('https://acme.example.com');
const check = (step: string, verdict: Verdict, actual?: unknown): CheckResult => ({
  ...{ scenario: 'A', step, kind: 'check', verdict, actual, evidence: [] },
  location: { file: 'scenarios/a.yaml', line: 1, column: 1 },
});

interface Shown {
  readonly statement?: Partial<StatementResult>;
  readonly observations?: readonly Observation[];
  /** Step and status. */
  readonly answers?: readonly (readonly [scenario: string, step: string, status: number])[];
}

function run(
  target: Report['target'],
  { statement, observations = [], answers = [] }: Shown,
): TargetRun {
  const about = { id: 'STAGE-1', level: 'documented', section: 'S', text: 'T' } as const;
  const whole: StatementResult = { ...about, verdict: 'verified', checks: [], ...statement };
  const entries = answers.map(([scenario, step, status]) => ({
    _lockstep: { kind: 'call', scenario, step },
    response: { status, content: { mimeType: 'application/json; charset=utf-8' } },
  }));
  return {
    report: passedReport({ target, statements: [whole], observations }),
    evidence: [{ text: JSON.stringify({ log: { entries } }) }],
  };
}

/** Each difference with its section, its name, and the findings of both targets. */
const kinds = (a: TargetRun, b: TargetRun) =>
  diffTargets(a, b).sections.flatMap(({ heading, lines }) =>
    lines.map(({ name, details }) => [heading, name, details?.[0]]),
  );
const broken: Shown = { statement: { verdict: 'violated', checks: [check('on', 'violated')] } };

test('a mock that breaks a promise is wrong; a tenant that breaks one violates it', () => {
  expect(kinds(run(mock, broken), run(tenant, {}))).toEqual([
    ['Mock wrong', 'STAGE-1', 'A: violated; B: verified'],
  ]);
  expect(kinds(run(mock, {}), run(tenant, broken))).toEqual([
    ['Target violates', 'STAGE-1', 'A: verified; B: violated'],
  ]);
});

test('a departure from a standard fails only if the run enforces standards', () => {
  const departs = run(tenant, {
    statement: { level: 'standard', verdict: 'deviates', checks: [check('on', 'deviates')] },
  });
  const enforced = { ...departs.report.options, standards: 'enforce' as const };
  const strict = { ...departs, report: { ...departs.report, options: enforced } };
  expect([departs, strict].map((one) => diffTargets(run(mock, {}), one).tone)).toEqual([
    'changed',
    'worse',
  ]);
  // A standard is not a promise of the description.
  expect(comparisonText(diffTargets(run(mock, {}), departs))).toContain(
    '(a tenant breaks a promise of the description, or of a standard that it uses)',
  );
});

test('a promise that both break is listed, but is not a difference', () => {
  const found = diffTargets(run(mock, broken), run(tenant, broken));
  expect(found.headline).toBe('no difference');
  expect(found.sections.at(-1)).toEqual({
    heading: 'Broken by both',
    uncounted: true,
    lines: [{ name: 'statements', text: 'STAGE-1' }],
  });
});

test('a statement that only one could try cannot be compared, and the reason is said', () => {
  const reason = 'not allowed: needs --allow permanent';
  const untried = run(tenant, { statement: { verdict: 'not-testable', reason } });
  const found = diffTargets(run(mock, {}), untried);
  expect(found.headline).toBe('1 cannot be compared');
  expect(found.sections.flatMap(({ lines }) => lines)[0]?.details?.[1]).toBe(reason);
});

test('a reason that quotes a target is not repeated', () => {
  expect(toldReason('the tenant file binds no lockedFolder')).toBe(
    'the tenant file binds no lockedFolder',
  );
  expect(toldReason('its condition does not hold: /that is "Ana", not "Ben"')).toBe(
    'its condition does not hold',
  );
  expect(toldReason('Ana is not a time')).toBe('it could not be tried; the report says why');
});

function silent(choice: string): Shown {
  const checks = [check('on', 'observed', { choice })];
  return { statement: { id: 'STAGE-9', level: 'silent', verdict: 'observed', checks } };
}

test('a silence that is answered differently makes neither target wrong', () => {
  expect(kinds(run(mock, silent('bad-request')), run(tenant, silent('conflict')))).toEqual([
    ['Silence answered differently', 'STAGE-9', 'A: bad-request; B: conflict'],
  ]);
  expect(kinds(run(mock, silent('conflict')), run(tenant, silent('conflict')))).toEqual([]);
});

test('an answer that a mock has no choice for is counted by itself, with the reason', () => {
  const checks = [check('on', 'observed', { choice: 'other', value: 200 })];
  const other = run(tenant, {
    statement: { id: 'ERR-8', level: 'silent', verdict: 'observed', checks },
  });
  const usual = { choice: 'too-large', value: 413 };
  const own = run(mock, {
    statement: { ...other.report.statements[0], checks: [check('on', 'observed', usual)] },
  });
  const found = diffTargets(own, other);
  expect(found.headline).toBe('1 the mock has no choice');
  expect(found.sections.flatMap(({ lines }) => lines)[0]?.details?.[1]).toBe(
    'A, step on; seen as no known choice: 200',
  );
  // Two tenants have nothing to do with a mock.
  const another = run(tenant, { statement: own.report.statements[0] ?? {} });
  expect(kinds(another, other)[0]?.[0]).toBe('Silence answered differently');
});

test('two targets whose changes show late differ nowhere, wherever a look came too early', () => {
  const late = (...choices: string[]): Shown => {
    const checks = choices.map((choice, at) => check(`look-${at}`, 'observed', { choice }));
    return { statement: { id: 'STAGE-23', level: 'silent', verdict: 'observed', checks } };
  };
  expect(kinds(run(mock, late('later', 'later')), run(tenant, late('later', 'at-once')))).toEqual(
    [],
  );
  expect(kinds(run(mock, late('at-once')), run(tenant, late('later')))).toHaveLength(1);
});

test('another status is reported if no statement explains it', () => {
  const one = run(mock, {
    ...silent('bad-request'),
    answers: [
      ['A', 'on', 400],
      ['B', 'on', 400],
      ['C', 'go', 200],
    ],
  });
  const two = run(tenant, {
    ...silent('conflict'),
    answers: [
      ['A', 'on', 409],
      ['B', 'on', 409],
      ['C', 'go', 204],
    ],
  });
  expect(kinds(one, two)).toEqual([
    ['Silence answered differently', 'STAGE-9', 'A: bad-request; B: conflict'],
    ['Silence answered differently', 'C', 'A: 200 application/json; B: 204 application/json'],
  ]);
});

test('a mock that sends an undeclared field is wrong', () => {
  const field = { kind: 'undeclared-field', operation: 'x', value: '/data/*/region' } as const;
  const has: Shown = { observations: [{ ...field, count: 1, evidence: [] }] };
  expect(kinds(run(mock, has), run(tenant, {}))).toEqual([['Mock wrong', 'x', 'A: yes; B: no']]);
  expect(kinds(run(mock, {}), run(tenant, has))).toEqual([
    ['Silence answered differently', 'x', 'A: no; B: yes'],
  ]);
  expect(kinds(run(mock, has), run(tenant, has))).toEqual([]);
});
