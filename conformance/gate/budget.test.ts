/** The scenarios that a night with little time runs. */
import { expect, test } from 'vitest';
import type { Night } from '../judge/gate.generated.ts';
import type { Report } from '../judge/report.ts';
import type { Scenario } from '../language/scenario.ts';
import { nightOrder, nightsToCover } from './budget.ts';

const scenario = (title: string, ...statements: string[]) =>
  ({ title, statements: new Set(statements) }) as unknown as Scenario;
const night = (
  day: number,
  scenarios: Record<string, number>,
  news: readonly string[] = [],
): Night => ({
  night: {
    startedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
    target: 't',
    exitCode: 0,
    headline: '',
  },
  ...{
    verdicts: {},
    silences: {},
    latency: {},
    convergence: {},
    scenarios,
    skipped: [],
  },
  failures: news.map((title) => ({
    key: `A-1 | ${title} | s | `,
    verdict: 'violated',
    news: true,
  })),
});

test('untried statements come first, then the scenarios longest not run, then the cheapest', () => {
  const suite = [
    scenario('old', 'A-1'),
    scenario('new', 'A-2'),
    scenario('dear', 'A-1'),
    scenario('cheap', 'A-1'),
  ];
  const nights = [night(1, { dear: 900, cheap: 10 }), night(2, { old: 10 })];
  expect(nightOrder(suite, nights)).toEqual(['new', 'cheap', 'dear', 'old']);
});

test('a scenario with a new failure runs first the next night, even if it is slow', () => {
  const suite = [scenario('fine', 'A-1'), scenario('broken', 'A-1')];
  const nights = [night(1, { fine: 10 }), night(2, { broken: 5000 }, ['broken'])];
  expect(nightOrder(suite, nights)).toEqual(['broken', 'fine']);
});

/** A night that starts scenarios, one after the other, until its time is over. */
function run(order: readonly string[], costs: ReadonlyMap<string, number>, budgetMs: number) {
  const ran: Record<string, number> = {};
  let spent = 0;
  for (const title of order) {
    if (spent >= budgetMs) break;
    ran[title] = costs.get(title) ?? 0;
    spent += ran[title];
  }
  const leftOut = order.filter((title) => !(title in ran));
  const scenarios = Object.entries(ran).map(([title, durationMs]) => ({ title, durationMs }));
  const report = { scenarios, options: { leftOut }, durationMs: spent } as unknown as Report;
  return { ran, report };
}

test('every scenario runs within the number of nights that the first night gives', () => {
  const suite = Array.from({ length: 371 }, (_, index) => scenario(`s${index}`, `A-${index % 90}`));
  const costs = new Map(suite.map(({ title }, index) => [title, 20 + ((index * 7919) % 3000)]));
  const nights = [night(1, Object.fromEntries(costs))];
  const first = run(nightOrder(suite, nights), costs, 60_000);
  const stated = nightsToCover(first.report, nights, 60_000);
  expect(stated).toBeGreaterThan(5);
  const ran = new Set<string>();
  for (let day = 2; day < 2 + stated; day += 1) {
    const tonight = run(nightOrder(suite, nights), costs, 60_000);
    for (const title of Object.keys(tonight.ran)) ran.add(title);
    nights.push(night(day, tonight.ran));
  }
  expect(ran.size).toBe(371);
});

test('the first night estimates the others from its own durations', () => {
  const suite = Array.from({ length: 100 }, (_, index) => scenario(`s${index}`, `A-${index}`));
  const costs = new Map(suite.map(({ title }) => [title, 20]));
  const { report } = run(nightOrder(suite, []), costs, 1000);
  expect(nightsToCover(report, [], 1000)).toBe(2);
});

test('a night with time for everything covers everything', () => {
  const { report } = run(['a'], new Map([['a', 5]]), 1000);
  expect(nightsToCover(report, [], 1000)).toBe(1);
});
