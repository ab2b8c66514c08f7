/** What the requests of worlds have met: operations by status, and the assumptions they rested on. */
import { operationIds } from '../match.ts';
import type { World } from '../world/world.ts';

export interface Coverage {
  /** How many answers of each status each operation gave; an operation never called has none. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How many answers rested on each silence. */
  readonly assumptions: Readonly<Record<string, number>>;
  /** Requests that matched no operation. */
  readonly unmatched: number;
}

/** Summed over the requests that the worlds' journals still hold. */
export function coverageOf(worlds: Iterable<World>): Coverage {
  const operations: Record<string, Record<string, number>> = Object.fromEntries(
    operationIds.map((id) => [id, {}]),
  );
  const assumptions: Record<string, number> = {};
  let unmatched = 0;
  for (const world of worlds) {
    for (const { operation, status, assumed } of world.journal.list()) {
      const statuses = operation === null ? undefined : operations[operation];
      if (statuses === undefined) unmatched += 1;
      else statuses[status] = (statuses[status] ?? 0) + 1;
      for (const statement of assumed) assumptions[statement] = (assumptions[statement] ?? 0) + 1;
    }
  }
  return { operations, assumptions, unmatched };
}
