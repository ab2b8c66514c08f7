/** Tests each rule of evidence with the record of a run that meets its circumstance. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { judge } from './judge.ts';
import type {
  AttemptRecord,
  CheckRecord,
  Reading,
  Result,
  ScenarioRecord,
  TurnRecord,
} from './record.ts';
import type { CheckResult, LeftBehind, Report, RunOptions, Variation } from './report.ts';
import {
  type Circumstance,
  type RuleName,
  rulesOfEvidence,
  rulesTable,
} from './rules-of-evidence.ts';

const file = 'conformance/scenarios/folders/rename.yaml';
const location = { file, line: 1, column: 1 };
const about = { scenario: 'A folder takes a name', step: 'read', kind: 'check', location } as const;

const holds: Result = { kind: 'holds' };
const fails: Result = { kind: 'fails', expected: 'E', actual: 'A', pointer: '/body/name' };

const reading = (result: Result, ...circumstances: readonly Circumstance[]): Reading => {
  return { result, evidence: [result.kind], circumstances };
};
const moved = (result: Result): Reading => ({ ...reading(result), moved: true });
const untried = (why: Circumstance): Reading => reading({ kind: 'untried' }, why);

const check = (...readings: readonly Reading[]): CheckRecord => {
  return { ...about, statement: 'FOLDER-1', level: 'documented', readings };
};
const attempt = (...checks: readonly CheckRecord[]): AttemptRecord => ({
  checks,
  answered: new Map([['read', ['held']]]),
  ...{ observations: [], eventually: [], requests: 1, calls: [] },
});
/** The failure of an attempt; each argument says whether a call got a page. */
const called = (...pages: readonly boolean[]): TurnRecord => {
  const calls = pages.map((page, at) => ({ at, operation: `o${at % 3}`, page }));
  return turn({ ...attempt(check(reading(fails))), calls });
};
const turn = (first: AttemptRecord, more: Partial<TurnRecord> = {}): TurnRecord => ({
  first,
  ...{ again: [], concurrent: false, explained: new Map(), durationMs: 1, ...more },
});
/** The failure of an attempt with a failed write, in a run that stopped because of that. */
const failing = turn({
  ...attempt(check(reading(fails))),
  calls: [{ at: 0, operation: 'o', page: false, failed: true }],
});
const once = (...readings: readonly Reading[]): TurnRecord => turn(attempt(check(...readings)));

/** A turn that was varied. */
const varied = (variation: Variation, of: TurnRecord): TurnRecord => {
  const ways = new Map([[about.step, [`as ${variation.as?.[about.step] ?? 'admin'}`]]]);
  const letIn = new Map(variation.as === undefined ? [] : [[about.step, ['AUTH-5']]]);
  return { ...of, varied: { variation, ways, letIn } };
};
const asOauth: Variation = { as: { [about.step]: 'oauth' } };
const inTurns: Variation = { as: { [about.step]: 'oauth', other: 'member' }, mixed: true };

const scenario = (...turns: readonly TurnRecord[]): ScenarioRecord => {
  return { scenario: about.scenario, file, effect: 'none', extra: false, turns };
};
const notRun = (why: Circumstance): ScenarioRecord => {
  return { ...scenario(), notRun: { why, checks: [check(untried(why))] } };
};

/** A failure that did not come in another attempt, with the circumstance that explains it. */
const notRepeated = (why?: Circumstance, again = attempt(check(reading(holds)))): TurnRecord => {
  const failed = check(reading(fails));
  const explained = new Map(why === undefined ? [] : [[failed, why]]);
  return turn(attempt(failed), { again: [again], explained });
};

function reportOf(
  record: ScenarioRecord | readonly ScenarioRecord[],
  leftBehind: readonly LeftBehind[] = [],
  options: Pick<RunOptions, 'inferred'> = {},
  stopped?: string,
): Report {
  const digest = '0'.repeat(64);
  return judge({
    runId: 'r',
    suite: {
      ...{ version: '0', contractVersion: '0', contractSha256: digest },
      ...{ statementsSha256: digest, scenariosSha256: digest },
    },
    target: {
      ...{ baseUrl: 'https://x.example', kind: 'tenant', credentials: {}, bindings: {} },
      ...{ features: {}, aliases: {} },
    },
    options: {
      ...{ allow: 'none', convergenceMs: 0, standards: 'report', complete: false },
      ...{ jobs: 1, only: [], ...options },
    },
    requests: {
      ...{ total: 0, byStatus: {}, retries: 0, throttled: 0, throttledMs: 0, networkErrors: 0 },
    },
    ...{ startedAt: '2026-01-01T00:00:00Z', durationMs: 1, plan: [], preflight: [] },
    ...{ evidence: [], warnings: [], leftBehind, interrupted: false, stopped },
    scenarios: [record].flat(),
  });
}

const checksOf = (report: Report): readonly CheckResult[] =>
  report.statements.find(({ id }) => id === 'FOLDER-1')?.checks ?? [];

/** The outcome of one check, in the words of the report. */
type Case = readonly [record: ScenarioRecord, outcome: Partial<CheckResult>];

const gap = (reason: string) => ({ verdict: 'not-testable', reason }) as const;
const told = { reason: 'so it was told' };
const gone = (rule: RuleName): Circumstance => ({ rule, ...told }) as Circumstance;
const stepUntried = (why: Circumstance, reason = told.reason): Case => [
  scenario(once(untried(why))),
  gap(reason),
];
const never = (why: Circumstance, outcome: Partial<CheckResult>): Case => [notRun(why), outcome];

const cases: { readonly [Name in Exclude<RuleName, 'put-back-lost' | 'inferred'>]: Case } = {
  'condition-unmet': [
    scenario(once(reading({ kind: 'untestable', ...told, unmet: true }))),
    { ...gap(told.reason), unmet: true },
  ],
  'not-shown': [scenario(once(reading({ kind: 'untestable', ...told }))), gap(told.reason)],
  'entitlement-open': [scenario(once(reading(holds, gone('entitlement-open')))), gap(told.reason)],
  late: [
    scenario(once(reading(fails, { rule: 'late', took: 31, waits: 30 }))),
    gap('late: it showed after 31 s, and the run waits 30 s (--convergence)'),
  ],
  'list-moved': [
    scenario(once(moved(fails), moved(fails), reading(holds))),
    { verdict: 'verified', evidence: ['holds'] },
  ],
  'list-moves': [
    scenario(once(reading(fails), moved(fails), moved(fails))),
    gap('the list changed while it was walked, three times'),
  ],
  'walks-differ': [
    scenario(once(reading(fails), reading(holds), moved(fails))),
    {
      verdict: 'unstable',
      reason: 'it failed in one walk and held in another, and the list did not change',
      held: ['holds'],
    },
  ],
  'walk-once': [
    scenario(once(reading(fails), ...Array.from({ length: 5 }, () => reading(holds)))),
    gap('it failed in one of 6 walks, as it may if others change the list and change it back'),
  ],
  'changed-by-others': [
    scenario(notRepeated({ rule: 'changed-by-others' })),
    gap('it failed once, and others changed meanwhile what it compares'),
  ],
  'moved-by-others': [
    scenario(notRepeated({ rule: 'moved-by-others' })),
    gap('it failed once, and others moved the same item in another try'),
  ],
  'object-changed': [
    scenario(notRepeated({ rule: 'object-changed', object: 'folder 11 of deployment 1' })),
    gap('somebody else changes folder 11 of deployment 1 during the run'),
  ],
  'moves-by-itself': [
    scenario(notRepeated({ rule: 'moves-by-itself' })),
    gap('the items that it compares come or go while the run changes nothing'),
  ],
  'gateway-once': [
    scenario(notRepeated({ rule: 'gateway-once', status: 500 })),
    gap('it failed after a write was answered 500, perhaps by a gateway, and not in another try'),
  ],
  'not-tried-again': [
    scenario(notRepeated(undefined, attempt())),
    gap('it failed once, and could not be tried again'),
  ],
  'held-again': [
    scenario(notRepeated()),
    { verdict: 'unstable', reason: 'it failed in one try and held in another', held: ['held'] },
  ],
  'ran-concurrently': [
    scenario(turn(attempt(check(reading(fails))), { concurrent: true })),
    gap('it failed while other scenarios ran in its area, and was not tried alone'),
  ],
  'at-times': [
    scenario(once(reading(fails)), once(reading(holds)), once(reading(holds))),
    {
      verdict: 'unstable',
      reason: 'it failed in 1 of 3 tries',
      held: ['holds'],
      tries: { held: 2, failed: 1 },
    },
  ],
  'several-variations': [
    scenario(
      varied(inTurns, once(reading(fails))),
      varied({}, once(reading(holds))),
      varied(asOauth, once(reading(holds))),
      varied(inTurns, once(reading(fails))),
    ),
    {
      ...gap('it failed with several variations together, and held with each of them alone'),
      tries: { held: 2, failed: 2 },
    },
  ],
  'open-refused': [
    scenario(
      varied(
        { text: 'in a long text' },
        turn({ ...attempt(check(reading(fails))), openRefused: true }),
      ),
    ),
    gap('it failed in a try in which the target refused what the description leaves open'),
  ],
  'no-answer': stepUntried(gone('no-answer')),
  gateway: stepUntried(gone('gateway')),
  page: [
    scenario(called(...Array.from({ length: 8 }, () => true))),
    gap('a web page came in place of answers: the service is in maintenance, or asks for a login'),
  ],
  outage: [scenario(failing), gap(told.reason)],
  throttled: stepUntried(gone('throttled')),
  'could-not-run': stepUntried(gone('could-not-run'), `could not run: ${told.reason}`),
  interrupted: stepUntried(gone('interrupted')),
  'credential-stopped': stepUntried(
    { rule: 'credential-stopped', credential: 'admin' },
    'the credential admin stopped working during the run',
  ),
  'not-written': stepUntried(gone('not-written')),
  'requirement-unmet': stepUntried(gone('requirement-unmet')),
  'step-before': stepUntried(
    { rule: 'step-before', step: 'enable', answered: 500 },
    'stopped after step enable: it was answered 500, and later steps need another answer',
  ),
  unresolved: stepUntried(gone('unresolved')),
  'not-allowed': never(
    { rule: 'not-allowed', effect: 'reversible' },
    gap('not allowed: needs --allow reversible'),
  ),
  'need-missing': never(gone('need-missing'), gap(told.reason)),
  unforeseen: never(gone('unforeseen'), gap(told.reason)),
  contradiction: never(gone('contradiction'), gap(told.reason)),
  'feature-off': never(
    { rule: 'feature-off', feature: 'auditLog', says: 'false' },
    { verdict: 'not-applicable', reason: 'the tenant file says auditLog: false' },
  ),
  'feature-there': never(
    { rule: 'feature-there', feature: 'auditLog' },
    { verdict: 'not-applicable', reason: 'the tenant file does not say auditLog: absent' },
  ),
};

test('each rule has its case', () => {
  expect(Object.keys(cases)).toEqual(
    Object.keys(rulesOfEvidence).filter((name) => name !== 'put-back-lost' && name !== 'inferred'),
  );
});

test.each(Object.entries(cases))('%s', (rule, [record, outcome]) => {
  const stopped = rule === 'outage' ? told.reason : undefined;
  const [found, ...more] = checksOf(reportOf(record, [], {}, stopped));
  expect(more).toEqual([]);
  expect(found).toMatchObject(outcome);
  // A result that does not count has neither an expected nor an actual value.
  expect(found?.expected).toBe(outcome.verdict === 'unstable' ? 'E' : undefined);
});

test.each([
  ['ends 4 if most of what it may try could not be tried', 'no-answer', 4],
  ['passes if what it could not try needs more than it was given', 'need-missing', 0],
] as const)('a run %s', (_title, rule, exitCode) => {
  const other = (statement: string): CheckRecord => ({ ...check(untried(gone(rule))), statement });
  const why = gone(rule);
  const missing = ['FOLDER-2', 'FOLDER-3'].map((statement) => ({
    ...scenario(),
    notRun: { why, checks: [other(statement)] },
  }));
  expect(reportOf([scenario(once(reading(holds))), ...missing]).exitCode).toBe(exitCode);
});

test('inferred', () => {
  const inferred = { ...check(reading(fails)), statement: 'FOLDER-12' };
  const other = { ...check(reading(holds)), statement: 'FOLDER-12', step: 'other' };
  const record = scenario(turn(attempt(inferred, other)));
  const verdictIn = (options: Pick<RunOptions, 'inferred'>) => {
    const report = reportOf(record, [], options);
    return [report.statements.find(({ id }) => id === 'FOLDER-12'), report.exitCode] as const;
  };
  const [judged, failed] = verdictIn({});
  expect([judged?.verdict, failed]).toEqual(['violated', 1]);
  const [reported, passed] = verdictIn({ inferred: 'report' });
  expect(passed).toBe(0);
  expect(reported).toMatchObject({
    verdict: 'observed',
    reason: expect.stringMatching(/^the target behaves differently; .*: a refusal means that/),
    checks: [{ verdict: 'observed', expected: 'E' }, { verdict: 'verified' }],
  });
});

test('a documented statement still fails under --inferred report', () => {
  const report = reportOf(scenario(once(reading(fails))), [], { inferred: 'report' });
  expect(report.exitCode).toBe(1);
});

test('put-back-lost', () => {
  const operation = 'updateFolder';
  const promises = Object.entries(contract.operations.get(operation)?.restore?.promises ?? {});
  const [[field, statement] = ['', '']] = promises;
  const report = reportOf(scenario(once(reading(holds))), [
    {
      ...{ object: 'folder 11', operation, reason: 'its state still differs', location },
      ...{ scenario: about.scenario, was: { [field]: 'Finance' }, now: { [field]: 'lockstep' } },
    },
  ]);
  const broken = report.statements.find(({ id }) => id === statement);
  expect(broken?.checks.at(-1)).toMatchObject({
    ...{ verdict: 'violated', step: 'put back', expected: 'Finance', actual: 'lockstep' },
    reason: 'the target accepted the put-back, but the state still differs',
  });
  expect(report.exitCode).toBe(5);
});

test.each([
  ['fails at once', scenario(once(reading(fails)))],
  [
    'fails in all walks over an unchanged list',
    scenario(once(reading(fails), reading(fails), moved(holds))),
  ],
  [
    'fails again in the other try',
    scenario(notRepeated(undefined, attempt(check(reading(fails))))),
  ],
  [
    'fails earlier in the other try, which does not get as far',
    scenario(notRepeated(undefined, attempt({ ...check(reading(fails)), step: 'earlier' }))),
  ],
  [
    'answers with a page while other calls are served',
    scenario(called(...Array.from({ length: 40 }, (_, at) => at % 4 !== 0))),
  ],
  [
    'is a page for one operation alone',
    scenario(
      turn({
        ...attempt(check(reading(fails))),
        calls: Array.from({ length: 40 }, (_, at) => ({ at, operation: 'o', page: true })),
      }),
    ),
  ],
  ['fails in every turn', scenario(once(reading(fails)), once(reading(fails)))],
  [
    'has a wrong status while others share the area',
    scenario(turn(attempt(check(reading({ ...fails, pointer: '/status' }))), { concurrent: true })),
  ],
  [
    'has the status of a gateway with others, and alone',
    scenario(
      turn(attempt(check(reading({ ...fails, pointer: '/status' }))), {
        concurrent: true,
        gateway: 529,
      }),
      once(reading({ ...fails, pointer: '/status' })),
    ),
  ],
  [
    'fails alone after it failed with others',
    scenario(turn(attempt(check(reading(fails))), { concurrent: true }), once(reading(fails))),
  ],
])('no rule helps a check that %s', (_title, record) => {
  expect(checksOf(reportOf(record))).toMatchObject([{ verdict: 'violated', expected: 'E' }]);
});

test('a failure with one change alone is a violation, and the report names the change', () => {
  const record = scenario(
    varied({}, once(reading(holds))),
    varied(inTurns, once(reading(fails))),
    varied(asOauth, once(reading(fails))),
  );
  const report = reportOf(record);
  expect(checksOf(report)).toMatchObject([
    { verdict: 'violated', only: 'as oauth', expected: 'E' },
  ]);
  expect(report.scenarios[0]?.turns).toEqual([{}, inTurns, asOauth]);
});

test('a check that fails and holds in the same way is unstable', () => {
  const record = scenario(
    varied(inTurns, once(reading(fails))),
    varied({}, once(reading(holds))),
    varied(inTurns, once(reading(holds))),
  );
  expect(checksOf(reportOf(record))).toMatchObject([
    { verdict: 'unstable', reason: 'it failed in 1 of 2 tries' },
  ]);
});

test('a check that holds in a plain turn holds, although a long text was refused', () => {
  const refused = { ...attempt(check(reading(fails))), openRefused: true };
  const record = scenario(
    varied({ text: 'in a long text' }, turn(refused)),
    varied({}, once(reading(holds))),
  );
  expect(checksOf(reportOf(record))).toMatchObject([{ verdict: 'verified' }]);
});

test('a caller who alone is refused breaks the statements that let it in, too', () => {
  const brokenBy = (actual: unknown): string[] => {
    const record = scenario(
      varied({}, once(reading(holds))),
      varied(asOauth, once(reading({ ...fails, actual }))),
    );
    const { statements } = reportOf(record);
    return statements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  };
  expect(brokenBy(401)).toEqual(['AUTH-5', 'FOLDER-1']);
  expect(brokenBy(403)).toEqual(['AUTH-5', 'FOLDER-1']);
  expect(brokenBy(404)).toEqual(['FOLDER-1']);
});

test('a statement says in which ways it held', () => {
  const record = scenario(varied({}, once(reading(holds))), varied(asOauth, once(reading(holds))));
  const statement = reportOf(record).statements.find(({ id }) => id === 'FOLDER-1');
  expect(statement?.heldIn).toEqual(['as admin', 'as oauth']);
});

test('a check that failed with others and held alone holds', () => {
  const concurrent = turn(attempt(check(reading(fails))), { concurrent: true });
  const [found] = checksOf(reportOf(scenario(concurrent, once(reading(holds)))));
  expect(found).toMatchObject({ verdict: 'verified', tries: { held: 1, failed: 0 } });
});

test('an extra scenario reports nothing that it could not try', () => {
  const record = scenario(once(untried(gone('no-answer'))));
  expect(checksOf(reportOf({ ...record, extra: true }))).toEqual([]);
});

test('the README shows the present rules', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme, 'run npm run generate').toContain(`-->\n${rulesTable()}<!-- /rules -->`);
});
