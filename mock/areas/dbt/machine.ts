/** A dbt sync job: running until the service completes or fails it. Statements DBT-1, DBT-8, DBT-10. */
import type { DbtSyncRow } from '../../world/rows.ts';

export type DbtSyncEvent = 'complete' | 'fail';

/** The transitions, by state and event. An absent cell is an illegal move. */
export const dbtSyncTable: Readonly<
  Record<DbtSyncRow['state'], Partial<Record<DbtSyncEvent, DbtSyncRow['state']>>>
> = {
  running: { complete: 'completed', fail: 'failed' },
  completed: {},
  failed: {},
};

/** Transitions, which the service makes. */
const transitions = Object.entries(dbtSyncTable).flatMap(([state, events]) =>
  Object.keys(events).map((event) => `dbt sync: ${state}, ${event}`),
);
const reads = Object.keys(dbtSyncTable).map((state) => `dbt sync: ${state}, read`);
export const cells = [...transitions, ...reads];

/** Cells that no operation enters, and why. */
export const outOfReach = Object.fromEntries(
  transitions.map((cell) => [cell, "a sync ends on the service's side; POST events does it here"]),
);

export type DbtSyncOutcome = Partial<
  Pick<DbtSyncRow, 'generatedFiles' | 'models' | 'sources' | 'macros' | 'unitCount'>
>;

/** The job after an event at `at` (ISO 8601); undefined if the event is illegal in its state. */
export function stepDbtSync(
  job: DbtSyncRow,
  event: DbtSyncEvent,
  at: string,
  outcome: DbtSyncOutcome = {},
): DbtSyncRow | undefined {
  const state = dbtSyncTable[job.state][event];
  if (state === undefined) return undefined;
  return { ...job, ...outcome, state, completedAt: at };
}
