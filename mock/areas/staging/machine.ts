/**
 * A branch's always-active staging environment. Statements STAGE-3 to STAGE-10, STAGE-20, STAGE-21.
 */
import type { BranchRow } from '../../world/rows.ts';

export type StagingState = 'disabled' | 'enabled';
export type StagingEvent = 'enable' | 'disable';
/** `same`: already in that state. `refused`: the branch cannot be enabled. `idle`: never on, so nothing to disable. */
export type StagingStep = StagingState | 'same' | 'refused' | 'idle';

/** The transitions, by kind of branch, state and event. A personal or production branch is never enabled. */
export const stagingTable: Readonly<
  Record<
    BranchRow['kind'],
    Partial<Record<StagingState, Readonly<Record<StagingEvent, StagingStep>>>>
  >
> = {
  shared: {
    disabled: { enable: 'enabled', disable: 'same' },
    enabled: { enable: 'same', disable: 'disabled' },
  },
  personal: { disabled: { enable: 'refused', disable: 'idle' } },
  production: { disabled: { enable: 'refused', disable: 'idle' } },
};

/** Every cell that a world can enter. */
export const cells = Object.entries(stagingTable).flatMap(([kind, states]) =>
  Object.entries(states).flatMap(([state, events]) =>
    Object.keys(events).map((event) => `staging: ${kind}, ${state}, ${event}`),
  ),
);

export function stepStaging(branch: BranchRow, event: StagingEvent): StagingStep {
  const state: StagingState = branch.stagingEnabled ? 'enabled' : 'disabled';
  return stagingTable[branch.kind][state]?.[event] ?? 'refused';
}

/** The branch after a switch at `now` (ms). */
export function switchStaging(branch: BranchRow, state: StagingState, now: number): BranchRow {
  return { ...branch, stagingEnabled: state === 'enabled', switchedAt: now };
}
