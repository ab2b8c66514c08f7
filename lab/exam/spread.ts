/**
 * Chooses combinations of deviation and condition from tens of thousands. First, each statement is combined
 * with each kind of condition that can apply to it. Then it is combined with single conditions, until `room`
 * is used up.
 */
import { hash } from 'node:crypto';
import { type Condition, canBeOnlyIf } from '../deviations/only-if/only-if.ts';
import type { Deviation } from '../deviations/rows.ts';

/** A deviation, and the condition under which it takes effect. */
export interface Combination {
  readonly id: string;
  readonly deviation: Deviation;
  readonly condition: Condition;
}

export const combinationsOf = (
  deviations: readonly Deviation[],
  conditions: readonly Condition[],
): readonly Combination[] =>
  deviations.flatMap((deviation) =>
    conditions
      .filter((condition) => canBeOnlyIf(deviation, condition))
      .map((condition) => ({ id: `${deviation.id}@${condition.name}`, deviation, condition })),
  );

/**
 * The pairs that a combination covers: each of its statements with the kind or name of its
 * condition.
 */
const coveredBy =
  (by: 'kind' | 'name') =>
  ({ deviation, condition }: Combination): readonly string[] =>
    deviation.breaks.map((statement) => `${statement} ${by} ${condition[by]}`);

/**
 * The combinations to try, given those that were tried. There are at most `room`, and always the
 * same.
 */
export function spreadOf(
  all: readonly Combination[],
  room: number,
  tried: readonly Combination[] = [],
): readonly Combination[] {
  const used = new Map<string, number>();
  const covered = new Set<string>();
  const chosen: Combination[] = [];
  const usesOf = ({ deviation, condition }: Combination): number =>
    (used.get(condition.name) ?? 0) + 2 * (used.get(deviation.id) ?? 0);
  const note = (one: Combination): void => {
    for (const name of [one.condition.name, one.deviation.id]) {
      used.set(name, (used.get(name) ?? 0) + 1);
    }
    for (const goal of [...coveredBy('kind')(one), ...coveredBy('name')(one)]) covered.add(goal);
  };
  for (const one of tried) note(one);
  for (const by of ['kind', 'name'] as const) {
    const goals = new Map<string, Combination[]>();
    for (const one of all) {
      for (const goal of coveredBy(by)(one)) {
        const candidates = goals.get(goal);
        if (candidates === undefined) goals.set(goal, [one]);
        else candidates.push(one);
      }
    }
    for (const [goal, candidates] of inMixedOrder(goals)) {
      if (chosen.length >= room) return chosen;
      if (covered.has(goal)) continue;
      const next = candidates.reduce((best, one) => (usesOf(one) < usesOf(best) ? one : best));
      chosen.push(next);
      note(next);
    }
  }
  return chosen;
}

/** An order that does not depend on the names, so that a cut removes a fair share of each area. */
function inMixedOrder<Value>(
  goals: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value])[] {
  const keyed = [...goals].map((entry) => ({ key: hash('md5', entry[0]), entry }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}
