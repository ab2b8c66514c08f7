import { expect, test } from 'vitest';
import type { Verdict } from './report.ts';
import { statementVerdict, worst } from './verdict.ts';

const of = (...verdicts: (Verdict | 'moot')[]): { verdict: Verdict; moot?: true }[] =>
  verdicts.map((item) =>
    item === 'moot' ? { verdict: 'not-testable', moot: true } : { verdict: item },
  );
const promise = { id: 'STAGE-1', level: 'documented' } as const;
const silence = { id: 'STAGE-9', level: 'silent' } as const;
const whole = { only: [], sharded: false };

test.each([
  [of('verified', 'verified'), 'verified'],
  [of('verified', 'not-testable'), 'not-testable'],
  [of('not-testable', 'deviates', 'verified'), 'deviates'],
  [of('violated', 'deviates', 'not-testable'), 'violated'],
  [of('verified', 'not-applicable'), 'verified'],
  [of('not-applicable'), 'not-applicable'],
  [of('verified', 'moot'), 'verified'],
  [of('moot'), 'not-testable'],
  [of('moot', 'not-testable'), 'not-testable'],
  [of(), 'not-testable'],
])('%j is %s', (checks, verdict) => {
  expect(statementVerdict(promise, checks, whole)).toBe(verdict);
});

test('a silence is observed as soon as one observation was made', () => {
  expect(statementVerdict(silence, of('not-testable', 'observed'), whole)).toBe('observed');
  expect(statementVerdict(silence, of('not-testable'), whole)).toBe('not-testable');
  expect(statementVerdict(silence, [], whole)).toBe('not-testable');
});

test('what a run did not look at is not selected', () => {
  const narrowed = { only: ['FOLDER-1'], sharded: false };
  expect(statementVerdict(promise, of('violated'), narrowed)).toBe('not-selected');
  expect(statementVerdict(promise, [], { only: [], sharded: true })).toBe('not-selected');
});

test('what no call can show is unobservable, unless a tenant that lacks a feature shows it', () => {
  const hidden = { ...promise, unobservable: 'only a basic plan shows it' };
  expect(statementVerdict(hidden, of('not-applicable'), whole)).toBe('unobservable');
  expect(statementVerdict(hidden, of('verified'), whole)).toBe('verified');
});

test('the worst verdict stands for several', () => {
  expect(worst(['verified', 'not-testable'])).toBe('not-testable');
  expect(worst(['not-testable', 'deviates', 'violated'])).toBe('violated');
  expect(worst([])).toBeUndefined();
});
