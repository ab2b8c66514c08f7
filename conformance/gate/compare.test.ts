/** New, known and stale failures, by examples. */
import { describe, expect, test } from 'vitest';
import type { BaselineEntry, Night } from '../judge/gate.generated.ts';
import type { CheckResult, Report } from '../judge/report.ts';
import { checkKey } from './checks.ts';
import { compareNight, type NightInput, updated } from './compare.ts';
import { changedSilences } from './night.ts';

interface Given {
  readonly checks: readonly Partial<CheckResult>[];
  readonly baseline?: readonly BaselineEntry[];
  readonly nights?: readonly Night[];
  readonly report?: object;
  readonly options?: object;
  readonly verdict?: string;
}

const file = 'conformance/scenarios/folders/rename.yaml';

/** A night with one promise, FOLDER-2, and these checks of it. */
function night({
  checks,
  baseline = [],
  nights = [],
  report = {},
  options = {},
  verdict = 'violated',
}: Given) {
  const made = checks.map((check) => ({
    ...{ scenario: 'Rename', step: 'renamed', kind: 'check', verdict: 'violated', evidence: [] },
    ...{ location: { file, line: 10, column: 5 } },
    ...check,
  }));
  const scenarios = [{ scenario: 'Rename', file, outcome: 'ran' }];
  const all = { scenarios, ...report };
  const couldNotRun = all.scenarios.filter(({ outcome }) => outcome === 'could-not-run').length;
  const compared = {
    report: {
      ...{ startedAt: '2026-03-10T02:00:00.000Z', runId: 'r1', durationMs: 1, interrupted: false },
      ...{ preflight: [], leftBehind: [], requests: { total: 1 }, eventually: [] },
      suite: { version: '1', contractSha256: 'a', scenariosSha256: 'b' },
      options: { standards: 'report', complete: false, allow: 'none', ...options },
      statements: [
        { id: 'FOLDER-2', level: 'documented', verdict, checks: made, reason: 'it says why' },
      ],
      totals: {
        checks: { verified: 1, violated: 0, deviates: 0, unstable: 0, observed: 0 },
        scenarios: { ran: 1, couldNotRun },
      },
      ...all,
    } as unknown as Report,
    baseline: new Map(baseline.map((entry) => [checkKey(entry), entry])),
    scenarios: [{ title: 'Rename', statements: new Set(['FOLDER-2']) }],
    ...{
      nights,
      target: 'acme.example.com',
      driftFails: false,
      staleWarns: false,
      putBack: [],
      nightsToCover: undefined,
    },
  } satisfies NightInput;
  const { gate } = compareNight(compared);
  return { gate, says: `${gate.night.exitCode} ${gate.night.headline}`, compared };
}

const entry: BaselineEntry = {
  ...{ statement: 'FOLDER-2', scenario: 'Rename', step: 'renamed' },
  ...{ verdict: 'violated', since: '2026-03-01', reason: 'ticket 4711' },
};
const ran = (day: number, verdict?: 'violated' | 'unstable'): Night => ({
  night: {
    startedAt: `2026-03-${String(day).padStart(2, '0')}T02:00:00Z`,
    target: 'acme.example.com',
    exitCode: 0,
    headline: '',
  },
  ...{ verdicts: {}, skipped: [], silences: {}, latency: {}, convergence: {} },
  scenarios: { Rename: 10 },
  failures: verdict === undefined ? [] : [{ key: checkKey(entry), verdict }],
});

test('a failure that is not in the baseline is new', () => {
  expect(night({ checks: [{}] }).says).toBe('1 GATE FAILED  1 new: FOLDER-2 violated');
});

test('two checks of a new statement are one piece of news', () => {
  const second = { location: { file, line: 11, column: 5 } };
  const { says, gate } = night({ checks: [{}, second] });
  expect(says).toBe('1 GATE FAILED  1 new: FOLDER-2 violated');
  expect(gate.news).toHaveLength(2);
});

test('a failure in the baseline is known, even if its line has moved', () => {
  const moved = { location: { file, line: 99, column: 5 } };
  expect(night({ checks: [moved], baseline: [entry] }).says).toBe('0 GATE PASSED  1 known');
});

test('another check of the same statement in the same step is new', () => {
  const second = { location: { file, line: 11, column: 5 } };
  const { gate } = night({ checks: [{}, second], baseline: [{ ...entry, check: 1 }] });
  expect(gate.known.map(({ check }) => check)).toEqual([1]);
  expect(gate.news.map(({ check }) => check)).toEqual([2]);
});

test('the turns of a loop are one check, and a standing promise is another', () => {
  const turns = [{ step: 'renamed[0]' }, { step: 'renamed[7]' }];
  const standing = { location: { file: 'conformance/standing.yaml', line: 3, column: 1 } };
  const { gate } = night({ checks: [...turns, standing, { kind: 'contract' }], baseline: [entry] });
  expect(gate.known).toHaveLength(1);
  expect(gate.news.map(({ check }) => check)).toEqual(['standing', 'contract']);
});

describe('an entry', () => {
  const held = [{ verdict: 'verified' }] as const;

  test('whose check holds is stale, until an update takes it out', () => {
    const { gate, says, compared } = night({ checks: held, baseline: [entry] });
    expect(says).toBe('3 GATE STALE  1 known to fail, and held: FOLDER-2');
    expect(updated(gate, compared.baseline)).toEqual([]);
  });

  test.for([
    ['was left out', { checks: [] }],
    ['could not be tried', { checks: [{ verdict: 'not-testable', reason: 'no binding' }] }],
    [
      'held while the target was out of order',
      { checks: held, report: { scenarios: [{ scenario: 'Rename', outcome: 'could-not-run' }] } },
    ],
  ] as const)('whose check %s is never stale', ([, given]) => {
    const { gate } = night({ ...given, baseline: [entry] });
    expect(gate.stale).toEqual([]);
    expect(gate.known).toMatchObject([{ tonight: 'untried' }]);
  });

  test('about an answer and its schema is stale if its step was answered correctly', () => {
    const baseline = [{ ...entry, check: 'contract' as const }];
    const staleIf = (...checks: Given['checks']) => night({ checks, baseline }).gate.stale.length;
    expect(staleIf({ step: 'other', verdict: 'not-testable' })).toBe(0);
    expect(staleIf({ step: 'other', verdict: 'not-testable' }, { verdict: 'verified' })).toBe(1);
    expect(staleIf({ step: 'other', verdict: 'verified' })).toBe(1);
  });

  test('excuses on its last day, and not on the next', () => {
    const until = (day: string) => night({ checks: [{}], baseline: [{ ...entry, until: day }] });
    expect(until('2026-03-10').gate.night.exitCode).toBe(0);
    const { gate, compared } = until('2026-03-09');
    expect(gate.news).toMatchObject([{ note: 'accepted until 2026-03-09', reason: 'ticket 4711' }]);
    expect(updated(gate, compared.baseline)).toEqual([{ ...entry, until: '2026-03-09' }]);
  });

  test('that names no scenario does not fail the night, and an update removes it', () => {
    const { gate, compared } = night({ checks: [], baseline: [{ ...entry, scenario: 'Gone' }] });
    expect([gate.unknown.length, gate.night.exitCode]).toEqual([1, 0]);
    expect(updated(gate, compared.baseline)).toEqual([]);
  });
});

describe('a check that is known to fail at times', () => {
  const baseline = [{ ...entry, verdict: 'unstable' as const }];
  const nights = (count: number, verdict?: 'violated') => [
    ran(1, 'unstable'),
    ...Array.from({ length: count }, (_, day) => ran(day + 2, verdict)),
  ];

  test.for([
    [12, 0],
    [13, 3],
  ] as const)('is stale on its fourteenth good night: after %i ends %i', ([count, exitCode]) => {
    const { gate } = night({ checks: [{ verdict: 'verified' }], baseline, nights: nights(count) });
    expect(gate.night.exitCode).toBe(exitCode);
  });

  test.for([
    [1, 0],
    [2, 1],
  ] as const)(
    'is new on its third night with only failures: after %i ends %i',
    ([count, exitCode]) => {
      const { gate } = night({ checks: [{}], baseline, nights: nights(count, 'violated') });
      expect(gate.night.exitCode).toBe(exitCode);
    },
  );
});

test('a failure in a scenario that then broke off is not counted', () => {
  const scenarios = [
    { scenario: 'Rename', file, outcome: 'could-not-run', reason: 'a gateway answered 503' },
  ];
  expect(night({ checks: [{}], report: { scenarios } }).says).toBe(
    '4 GATE COULD NOT RUN  1 of the scenarios could not run: a gateway answered 503; 1 failed meanwhile',
  );
});

test('a change that showed too late is reported apart from failures', () => {
  const reason = 'late: it showed after 42 s, and the run waits 30 s (--convergence)';
  const checks = [{ verdict: 'not-testable' as const, reason }];
  expect(night({ checks, verdict: 'not-testable' }).says).toBe('0 GATE PASSED  1 late: FOLDER-2');
});

test('under --complete a gap is a problem like any other', () => {
  const gap = { checks: [], verdict: 'not-testable', options: { complete: true } };
  expect(night(gap).says).toBe('1 GATE FAILED  1 new: FOLDER-2 not testable');
  const known = { statement: 'FOLDER-2', verdict: 'not-testable', since: '2026-03-01' } as const;
  expect(night({ ...gap, baseline: [known] }).says).toBe(
    '0 GATE PASSED  1 known, 1 of them unreviewed',
  );
});

test('the nights before show since when a check fails', () => {
  const nights = [ran(1, 'violated'), ran(2), ran(3, 'violated'), ran(4, 'violated')];
  expect(night({ checks: [{}], nights }).gate.news[0]?.since).toBe('2026-03-03');
});

test('an object that was left changed is reported first', () => {
  const leftBehind = [{ object: 'folder 11 of deployment 1' }];
  expect(night({ checks: [{}], report: { leftBehind } }).says).toMatch(
    /^5 GATE UNSAFE {2}left changed: folder 11 of deployment 1; 1 new: FOLDER-2 violated$/,
  );
});

describe('a promise that an earlier night verified, and that is not tried tonight,', () => {
  const kept = (head: object = {}): Night => {
    const before = ran(1);
    return { ...before, verdicts: { verified: ['FOLDER-2'] }, night: { ...before.night, ...head } };
  };
  const untried: Given = { checks: [{ verdict: 'not-testable' }], verdict: 'not-testable' };
  const other = { scenario: 'Other', outcome: 'could-not-run' };

  test.for<[string, number, Partial<Given>]>([
    // It is the only known promise of its area.
    ['is lost', 4, { nights: [kept()] }],
    [
      'is lost if the tenant file gave up its feature',
      4,
      { nights: [kept()], verdict: 'not-applicable' },
    ],
    ['is lost however long ago that was', 4, { nights: [kept(), ran(2), ran(3)] }],
    ['is not lost if no night before passed', 0, { nights: [kept({ exitCode: 1 })] }],
    ['is not lost if that night might write more', 0, { nights: [kept({ allow: 'reversible' })] }],
    ['is not lost if the run was not to try it', 0, { nights: [kept()], verdict: 'not-selected' }],
    [
      'is not lost if its turn is still to come',
      0,
      { nights: [kept()], options: { leftOut: ['Rename'] } },
    ],
    [
      'is not lost if it is accepted',
      0,
      {
        nights: [kept()],
        baseline: [{ statement: 'FOLDER-2', verdict: 'not-testable', since: '2026-03-01' }],
      },
    ],
  ])('%s: %i', ([, code, given]) => {
    expect(night({ ...untried, ...given }).gate.night.exitCode).toBe(code);
  });

  test('is not lost if the target kept it from being tried', () => {
    const report = { scenarios: [{ scenario: 'Rename', outcome: 'could-not-run' }, other] };
    expect(night({ ...untried, nights: [kept()], report }).gate.lost).toEqual([]);
  });
});

test.for([
  ['flips', ['at-once', 'later', 'at-once', 'later'], 'later', []],
  ['was later once before', ['later', 'at-once', 'at-once'], 'at-once', []],
  ['is later for the first time', ['at-once', 'at-once'], 'later', []],
  ['stays later', ['at-once', 'at-once', 'later', 'later'], 'later', ['at-once']],
  ['has stayed so before', ['at-once', 'later', 'later', 'later'], 'later', []],
  ['was later at one of two places', ['at-once', 'at-once', 'later', 'later'], 'both', ['at-once']],
] as const)('a silence about time that %s', ([, before, now, was]) => {
  const seen = (answer: string): Night['silences'] => ({
    'STAGE-23': answer === 'both' ? { 'at-once': ['a'], later: ['b'] } : { [answer]: ['a'] },
  });
  const nights = before.map((answer, day) => ({ ...ran(day + 1), silences: seen(answer) }));
  expect(changedSilences(seen(now), nights).map((one) => one.was)).toEqual(was);
});
