/** In which order the scenarios of a run have their turns. */

import { Random } from '../../spec/base/random.ts';
import { allSteps, type Scenario } from '../language/scenario.ts';

type Order = (turns: readonly Scenario[]) => Scenario[];

/** By title, where titles are given; else mixed by a seed; else the same each time, what writes most first. */
export function orderOf(seed: number | undefined, titles: readonly string[] | undefined): Order {
  if (titles !== undefined) {
    const places = new Map(titles.map((title, index) => [title, index]));
    const placeOf = ({ title }: Scenario): number => places.get(title) ?? Infinity;
    return (turns) => turns.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
  if (seed === undefined) {
    return (turns) => turns.toSorted((a, b) => b.writes.size - a.writes.size);
  }
  const random = new Random(seed);
  // What waits while it has an area for itself is the longest chain, so it begins at once.
  return (turns) => random.shuffled(turns).toSorted((a, b) => weight(b) - weight(a));
}

/**
 * The more a scenario watches an area that it has for itself, the sooner it begins. Who wants several
 * would keep all of them waiting until the last is free, so it comes late; who only reads is last.
 */
function weight({ steps, writes }: Scenario): number {
  if (writes.size !== 1) return writes.size === 0 ? 0 : 0.5;
  const watches = [...allSteps(steps)].filter(({ timing }) => timing?.kind === 'throughout');
  return 1 + watches.length;
}
