/** Tests the search for the known deviation that makes the same checks fail. */
import { expect, test } from 'vitest';
import type { CheckResult, StatementResult, Verdict } from '../judge/report.ts';
import { type Diagnosing, diagnose } from './diagnosis.ts';

type Row = readonly [statement: string, step: string, actual?: unknown, verdict?: Verdict];

/** A report of failing checks. Checks of the same step have the same place. */
function reportWith(...rows: readonly Row[]) {
  const checkOf = ([, step, actual = 500, verdict = 'violated']: Row): CheckResult => ({
    ...{ scenario: 'S', step, kind: 'check', verdict, actual, pointer: '/status', evidence: [] },
    location: { file: 's.yaml', line: 1, column: 1 },
  });
  const statements = [...Map.groupBy(rows, ([id]) => id)].map(([id, own]): StatementResult => {
    const isBroken = own.some(([, , , verdict = 'violated']) => verdict === 'violated');
    const about = { id, level: 'documented', text: 'T', section: 'S' } as const;
    return { ...about, verdict: isBroken ? 'violated' : 'not-testable', checks: own.map(checkOf) };
  });
  return { statements };
}

/** Deviations by their ids, and what fails under each. */
function known(
  table: Readonly<Record<string, readonly Row[]>>,
  more: Partial<Diagnosing> = {},
): Diagnosing {
  const deviations = Object.entries(table).map(([id, rows]) => ({
    ...{ id, text: `${id} is wrong.` },
    breaks: [...new Set(rows.map(([statement]) => statement))],
  }));
  const play = async (id: string) => reportWith(...(table[id] ?? []));
  return { deviations, play, budgetMs: 1000, ...more };
}

const idsOf = (causes: readonly (readonly { deviations: readonly { id: string }[] }[])[] = []) =>
  causes.map((ranks) => ranks.map(({ deviations }) => deviations.map(({ id }) => id)));

const one: Row = ['A-1', 'one'];
const two: Row = ['A-1', 'two'];
const three: Row = ['B-1', 'three'];

test('the deviation that fails the same checks is first; equal ones are grouped', async () => {
  const table = { exact: [one, two], twin: [two, one], half: [one], more: [one, two, three] };
  const found = await diagnose(reportWith(one, two), known(table));
  expect(idsOf(found?.causes)).toEqual([[['exact', 'twin'], ['more'], ['half']]]);
  expect(found).toMatchObject({ checks: 2, known: 4, played: 4 });
  expect(found?.causes[0]?.[0]).toMatchObject({ agree: 2, against: 0 });
});

test('the status distinguishes deviations that fail the same checks', async () => {
  const table = { teapot: [['A-1', 'one', 418]], gone: [['A-1', 'one', 404]] } as const;
  const found = await diagnose(reportWith(['A-1', 'one', 404]), known(table));
  expect(idsOf(found?.causes)).toEqual([[['gone'], ['teapot']]]);
});

test('two deviations at once are two causes', async () => {
  const table = { first: [one, two], second: [three], other: [['B-1', 'four']] } as const;
  const found = await diagnose(reportWith(one, two, three), known(table));
  expect(idsOf(found?.causes)).toEqual([[['first']], [['second']]]);
});

test('an untried check is not evidence against a deviation', async () => {
  const table = { whole: [one, two], half: [one, ['A-1', 'five']] } as const;
  const found = await diagnose(reportWith(one, ['A-1', 'two', null, 'not-testable']), known(table));
  expect(idsOf(found?.causes)).toEqual([[['whole'], ['half']]]);
});

test('a statement that was not selected is not evidence against a deviation', async () => {
  const { statements } = reportWith(one, ['B-1', 'three', null, 'not-testable']);
  const narrowed = statements.map((statement): StatementResult => {
    return statement.id === 'B-1'
      ? { ...statement, verdict: 'not-selected', checks: [] }
      : statement;
  });
  const found = await diagnose({ statements: narrowed }, known({ wide: [one, three] }));
  expect(found?.causes[0]?.[0]).toMatchObject({ agree: 1, against: 0 });
});

test('no deviation is named if none fits; none is played without a failure', async () => {
  const nothing = await diagnose(reportWith(one), known({ other: [two] }));
  expect(nothing).toEqual({ checks: 1, known: 1, played: 1, causes: [] });
  const unknown = await diagnose(reportWith(one), known({ elsewhere: [three] }));
  expect(unknown).toEqual({ checks: 1, known: 0, played: 0, causes: [] });
  expect(await diagnose(reportWith(), known({ other: [one] }))).toBeUndefined();
});

test('it ends in time, and plays the likeliest deviations first', async () => {
  const table = { wide: [one, three], exact: [one] };
  const found = await diagnose(reportWith(one), known(table, { budgetMs: -1 }));
  expect(found).toMatchObject({ known: 2, played: 0, causes: [] });
  let now = 0;
  const play = async (id: string) => {
    now += 1;
    if (now > 1) throw new Error(`${id} was played first`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return reportWith(one);
  };
  const slow = await diagnose(reportWith(one), known(table, { play, budgetMs: 10 }));
  expect(idsOf(slow?.causes)).toEqual([[['exact']]]);
});

test('a deviation from a standard, which is only reported, takes no part in the diagnosis', async () => {
  const { statements } = reportWith(one, three);
  const standard = statements.map((item): StatementResult => {
    return item.id === 'B-1' ? { ...item, level: 'standard', verdict: 'deviates' } : item;
  });
  const table = known({ header: [three], name: [one, three] });
  const report = { standards: 'report', complete: false } as const;
  const found = await diagnose({ statements: standard, options: report }, table);
  expect(idsOf(found?.causes)).toEqual([[['name']]]);
  expect(found).toMatchObject({ checks: 1, causes: [[{ against: 0 }]] });
  const passed = standard.filter(({ id }) => id === 'B-1');
  expect(await diagnose({ statements: passed, options: report }, table)).toBeUndefined();
  const enforced = { statements: passed, options: { ...report, standards: 'enforce' } as const };
  expect(idsOf((await diagnose(enforced, table))?.causes)).toEqual([[['header'], ['name']]]);
});
