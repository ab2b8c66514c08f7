import { expect, test } from 'vitest';
import type { Verdict } from './report.ts';
import { silentVerdict, statementVerdict } from './verdict.ts';

const of = (...verdicts: (Verdict | 'moot')[]): { verdict: Verdict; moot?: true }[] =>
  verdicts.map((item) =>
    item === 'moot' ? { verdict: 'not-testable', moot: true } : { verdict: item },
  );

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
  [of(), undefined],
])('%j is %s', (checks, verdict) => {
  expect(statementVerdict(checks)).toBe(verdict);
});

test('a silence is observed as soon as one observation was made', () => {
  expect(silentVerdict(of('not-testable', 'observed'))).toBe('observed');
  expect(silentVerdict(of('not-testable'))).toBe('not-testable');
  expect(silentVerdict([])).toBeUndefined();
});
