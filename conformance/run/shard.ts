/**
 * Splits the scenarios of a run among several runners. Scenarios that must not run side by side stay
 * together, so two shards never write, or write and read, the same area. The rest is dealt out so
 * that all shards have about as much to do. The same suite and options give the same split.
 */

import type { RunOptions } from '../judge/report.ts';
import { everyStep, type Scenario } from '../language/scenario.ts';
import { worse } from '../language/vocabulary.ts';

/** In calls: what a walk through a list, and a wait for nothing to change, come to. */
const WALK = 8;
const QUIET_WAIT = 40;

/** The scenarios of one shard, in the order in which they were given. */
export function shardOf(
  scenarios: readonly Scenario[],
  { index, of }: NonNullable<RunOptions['shard']>,
  allow: RunOptions['allow'],
): Scenario[] {
  const costs = new Map(scenarios.map((one) => [one, worse(one.effect, allow) ? 0 : costOf(one)]));
  const groups = together(scenarios.filter((one) => costs.get(one) !== 0))
    .concat(scenarios.filter((one) => costs.get(one) === 0).map((one) => [one]))
    .map((group) => ({ group, cost: group.reduce((sum, one) => sum + (costs.get(one) ?? 0), 0) }))
    .toSorted((a, b) => b.cost - a.cost);
  const shards = Array.from({ length: of }, () => ({ cost: 0, scenarios: new Set<Scenario>() }));
  for (const { group, cost } of groups) {
    const least = shards.reduce((best, one) => (one.cost < best.cost ? one : best));
    least.cost += cost;
    for (const one of group) least.scenarios.add(one);
  }
  return scenarios.filter((one) => shards[index - 1]?.scenarios.has(one));
}

/** About how long a scenario takes, counted in calls. What is not allowed to run takes nothing. */
function costOf({ steps, undo }: Scenario): number {
  return everyStep({ steps, undo }).reduce((sum, { mode, timing }) => {
    const calls = mode === undefined ? 1 : mode.kind === 'repeat' ? mode.times : WALK;
    return sum + calls + (timing?.kind === 'throughout' ? QUIET_WAIT : 0);
  }, 0);
}

/** Groups of scenarios that share an area which one of them writes. */
function together(scenarios: readonly Scenario[]): (readonly Scenario[])[] {
  const written = new Set(
    scenarios.flatMap(({ effect, writes }) => (effect === 'none' ? [] : [...writes])),
  );
  let groups: { readonly areas: ReadonlySet<string>; readonly scenarios: readonly Scenario[] }[] =
    [];
  for (const scenario of scenarios) {
    const areas = scenario.writes.union(scenario.reads).intersection(written);
    const met = groups.filter((group) => !group.areas.isDisjointFrom(areas));
    groups = groups.filter((group) => !met.includes(group));
    groups.push({
      areas: met.reduce((all, group) => all.union(group.areas), areas),
      scenarios: [...met.flatMap((group) => group.scenarios), scenario],
    });
  }
  return groups.map((group) => group.scenarios);
}
