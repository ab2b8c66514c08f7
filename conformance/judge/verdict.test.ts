import { expect, test } from 'vitest';
import type { Verdict } from './report.ts';
import { allowedRate, failsRun, statementVerdict } from './verdict.ts';

const of = (...verdicts: (Verdict | 'unmet')[]): { verdict: Verdict; unmet?: true }[] =>
  verdicts.map((item) =>
    item === 'unmet' ? { verdict: 'not-testable', unmet: true } : { verdict: item },
  );
const promise = { id: 'STAGE-1', level: 'documented' } as const;
const silence = { id: 'STAGE-9', level: 'silent' } as const;
const whole = { only: [], leftOut: false };

test.each([
  [of('verified', 'verified'), 'verified'],
  [of('verified', 'not-testable'), 'verified-in-part'],
  [of('not-testable', 'deviates', 'verified'), 'deviates'],
  [of('violated', 'deviates', 'not-testable'), 'violated'],
  [of('verified', 'unstable', 'not-testable'), 'unstable'],
  [of('unstable', 'violated'), 'violated'],
  [of('verified', 'not-applicable'), 'verified'],
  [of('not-applicable'), 'not-applicable'],
  [of('not-applicable', 'not-testable'), 'not-testable'],
  [of('verified', 'unmet'), 'verified'],
  [of('verified', 'unmet', 'not-testable'), 'verified-in-part'],
  [of('unmet'), 'not-testable'],
  [of('unmet', 'not-testable'), 'not-testable'],
  [of(), 'not-testable'],
])('%j is %s', (checks, verdict) => {
  expect(statementVerdict(promise, checks, whole)).toBe(verdict);
});

test('a silence is observed as soon as one observation was made', () => {
  expect(statementVerdict(silence, of('not-testable', 'observed'), whole)).toBe('observed');
  expect(statementVerdict(silence, of('not-testable'), whole)).toBe('not-testable');
  expect(statementVerdict(silence, [], whole)).toBe('not-testable');
});

test('a statement that a run left out is not selected', () => {
  const narrowed = { only: ['FOLDER-1'], leftOut: false };
  expect(statementVerdict(promise, of('violated'), narrowed)).toBe('not-selected');
  expect(statementVerdict(promise, [], { only: [], leftOut: true })).toBe('not-selected');
});

test('a statement that no call can show is unobservable, unless a missing feature shows it', () => {
  const hidden = { ...promise, unobservable: 'only a basic plan shows it' };
  expect(statementVerdict(hidden, of('not-applicable'), whole)).toBe('unobservable');
  expect(statementVerdict(hidden, of('verified'), whole)).toBe('verified');
});

test.each([
  ['documented', 'violated', 'report', true],
  ['documented', 'unstable', 'report', true],
  ['standard', 'deviates', 'report', false],
  ['standard', 'unstable', 'report', false],
  ['standard', 'unstable', 'enforce', true],
  ['documented', 'verified-in-part', 'report', false],
  ['silent', 'not-testable', 'enforce', false],
] as const)(
  'a %s statement that is %s, standards: %s: fails the run: %s',
  (level, verdict, standards, fails) => {
    expect(failsRun({ level, verdict }, { standards, complete: false })).toBe(fails);
  },
);

test('a run that must be complete fails if it left a part untried', () => {
  const complete = { standards: 'report', complete: true } as const;
  expect(failsRun({ level: 'documented', verdict: 'verified-in-part' }, complete)).toBe(true);
  expect(failsRun({ level: 'standard', verdict: 'not-testable' }, complete)).toBe(true);
});

test('the more tries held, the lower the rate of failures that they allow', () => {
  expect(allowedRate(0)).toBe(1);
  expect(allowedRate(1)).toBeCloseTo(0.95);
  expect(allowedRate(12)).toBeCloseTo(0.22, 2);
  expect(allowedRate(300)).toBeCloseTo(0.01, 3);
});
