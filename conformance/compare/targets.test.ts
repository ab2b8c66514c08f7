/** What a difference between two targets says. */
import { expect, test } from 'vitest';
import { passedReport, sampleTarget } from '../../reports/testing/sample-report.ts';
import type {
  CheckResult,
  Observation,
  Report,
  StatementResult,
  Verdict,
} from '../judge/report.ts';
import { compareTargets, type TargetRun, toldReason } from './targets.ts';

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

const kinds = (a: TargetRun, b: TargetRun) =>
  compareTargets(a, b).differences.map(({ kind, name, a: one, b: two }) => [kind, name, one, two]);
const broken: Shown = { statement: { verdict: 'violated', checks: [check('on', 'violated')] } };

test('who breaks a promise is wrong: a mock about the service, a tenant about its description', () => {
  expect(kinds(run(mock, broken), run(tenant, {}))).toEqual([
    ['mock wrong', 'STAGE-1', 'violated', 'verified'],
  ]);
  expect(kinds(run(mock, {}), run(tenant, broken))).toEqual([
    ['target violates', 'STAGE-1', 'verified', 'violated'],
  ]);
});

test('what both break is no difference, and is named', () => {
  const found = compareTargets(run(mock, broken), run(tenant, broken));
  expect(found.differences).toEqual([]);
  expect(found.brokenByBoth).toEqual(['STAGE-1']);
});

test('what only one of the two could try cannot be compared, and the reason is said', () => {
  const reason = 'not allowed: needs --allow permanent';
  const untried = run(tenant, { statement: { verdict: 'not-testable', reason } });
  const [found] = compareTargets(run(mock, {}), untried).differences;
  expect([found?.kind, found?.detail]).toEqual(['cannot be compared', reason]);
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

test('a silence that is answered otherwise is no fault of anybody', () => {
  expect(kinds(run(mock, silent('bad-request')), run(tenant, silent('conflict')))).toEqual([
    ['silence answered otherwise', 'STAGE-9', 'bad-request', 'conflict'],
  ]);
  expect(kinds(run(mock, silent('conflict')), run(tenant, silent('conflict')))).toEqual([]);
});

test('another status is told where no statement explains it, there or elsewhere', () => {
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
    ['silence answered otherwise', 'STAGE-9', 'bad-request', 'conflict'],
    ['silence answered otherwise', 'C', '200 application/json', '204 application/json'],
  ]);
});

test('a field that the contract does not declare: a mock must not make it up', () => {
  const field = { kind: 'undeclared-field', operation: 'x', value: '/data/*/region' } as const;
  const has: Shown = { observations: [{ ...field, count: 1, evidence: [] }] };
  expect(kinds(run(mock, has), run(tenant, {}))).toEqual([['mock wrong', 'x', 'yes', 'no']]);
  expect(kinds(run(mock, {}), run(tenant, has))).toEqual([
    ['silence answered otherwise', 'x', 'no', 'yes'],
  ]);
  expect(kinds(run(mock, has), run(tenant, has))).toEqual([]);
});
