/** Chooses the scenarios of a night with little time, so that in the end all of them run. Pure. */

import type { Night } from '../judge/gate.generated.ts';
import type { Report } from '../judge/report.ts';
import { allowedCells } from '../language/own-suite.ts';
import type { Scenario } from '../language/scenario.ts';

/**
 * Returns titles in the order of a night. First come scenarios with a new failure in their last
 * run, because without a run they would look mended. Then come those that never ran, with untried
 * statements first; then the ones that have not run for longest. Among equals, the cheapest comes
 * first.
 */
export function nightOrder(scenarios: readonly Scenario[], nights: readonly Night[]): string[] {
  const lasts = new Map(scenarios.map(({ title }) => [title, lastWith(title, nights)]));
  const tried = new Set(
    scenarios.flatMap(({ title, statements }) => (lasts.get(title) ? [...statements] : [])),
  );
  const ranked = scenarios.map(({ title, statements }) => {
    const last = lasts.get(title);
    const failing = last?.failures.some(({ key, news }) => news && key.split(' | ')[1] === title);
    const rank = failing ? 0 : statements.isSubsetOf(tried) ? 2 : 1;
    const cost = last?.scenarios[title] ?? 0;
    return { title, cost, order: `${rank} ${last?.night.startedAt ?? ''}` };
  });
  ranked.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : a.cost - b.cost));
  return ranked.map(({ title }) => title);
}

/**
 * The number of nights like this one in which every scenario runs. A scenario counts with its last
 * duration; one that never ran counts with the average of tonight.
 */
export function nightsToCover(
  { scenarios, options, durationMs }: Report,
  nights: readonly Night[],
  budgetMs: number,
): number {
  const took = scenarios.reduce((sum, one) => sum + one.durationMs, 0);
  const average = took / scenarios.length;
  const { leftOut = [] } = options;
  const toCome = leftOut
    .map((title) => lastWith(title, nights)?.scenarios[title] ?? average)
    .reduce((sum, ms) => sum + ms, 0);
  // Scenarios run in parallel.
  const pace = durationMs / took || 1;
  // A night runs at least one scenario, however short the time is.
  const more = Math.min(leftOut.length, Math.ceil((toCome * pace) / budgetMs) || 1);
  return leftOut.length === 0 ? 1 : 1 + more;
}

/** A smoke test starts no further scenario after this time. */
export const SMOKE_MS = 10_000;

/**
 * The titles of scenarios for a smoke test: for each operation one call that these credentials may
 * make.
 */
export function smokeOrder(credentials: readonly string[]): string[] {
  const cells = allowedCells().filter(({ actor }) => credentials.includes(actor));
  const byOperation = Map.groupBy(cells, ({ operation }) => operation);
  return [...byOperation.values()].flatMap(([first]) => first?.title ?? []);
}

function lastWith(title: string, nights: readonly Night[]): Night | undefined {
  return nights.findLast(({ scenarios }) => title in scenarios);
}
