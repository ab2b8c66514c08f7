/** The staging environment of a branch in the environments list (STAGE-23, ENV-8). */
import type { BranchRow, EnvironmentRow } from '../../world/rows.ts';

/** How long a switch takes to show if STAGE-23 chooses a delay, ms. */
export const STAGING_LAG_MS = 5000;

/** Whether a switch is so recent that the list may not show it yet (STAGE-23). */
export function isFresh(branch: BranchRow, now: number): boolean {
  return branch.switchedAt !== null && now < branch.switchedAt + STAGING_LAG_MS;
}

/** The type that an environment is listed with; undefined if it is not listed. */
export function listedType(
  environment: EnvironmentRow,
  enabled: boolean,
  disabledAsDevelopment: boolean,
): EnvironmentRow['type'] | undefined {
  if (environment.type !== 'staging' || enabled) return environment.type;
  return disabledAsDevelopment ? 'development' : undefined;
}
