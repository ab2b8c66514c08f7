/** A call that switches a staging environment: what it sends, and what a deviation makes of it. */

import type { Scene } from '../../../deviations/deviation.ts';
import {
  afterwards,
  forgets,
  type Handle,
  isRecord,
  mapData,
  sentBody,
} from '../../../deviations/transforms.ts';
import type { BranchRow } from '../../../world/rows.ts';
import type { State } from '../../../world/state.ts';
import type { World } from '../../../world/world.ts';
import { switchStaging } from '../machine.ts';

export const toggle = ['setStagingEnvironment'] as const;

export const TEN_MINUTES_MS = 600_000;

/** A call of the switch, as it was sent. */
export interface Switch {
  readonly enabled: boolean;
  readonly by: 'name' | 'id';
  readonly deploymentId: string;
  /** The branch that it names, as it was before; undefined where there is none. */
  readonly branch: BranchRow | undefined;
}

export function switchOf({ call, request, before }: Scene): Switch {
  const { branchName, branchId, enabled } = sentBody(request) ?? {};
  const deploymentId = call.requested.deployment ?? '';
  const byId = branchId !== undefined;
  const branch = branchesOf(before, deploymentId).find((row) =>
    byId ? row.id === Number(branchId) : row.name === branchName,
  );
  return { enabled: enabled === true, by: byId ? 'id' : 'name', deploymentId, branch };
}

export function branchesOf(state: State, deploymentId: string): readonly BranchRow[] {
  return state.tables.branches.rows().filter((row) => row.deploymentId === deploymentId);
}

/** Switches a branch behind the back of the machine; true where that changed it. */
export function switchBranch(world: World, branch: BranchRow, enabled: boolean): boolean {
  const now = world.state.tables.branches.get(branch.id);
  if (now === undefined || now.stagingEnabled === enabled) return false;
  const state = enabled ? 'enabled' : 'disabled';
  world.state.tables.branches.put(branch.id, switchStaging(now, state, world.clock.now()));
  return true;
}

/** A branch as the switch answers it, but for its state. */
export const described = ({ id, name, parentBranch, lastHash }: BranchRow) => ({
  id,
  name,
  parentBranch,
  lastHash,
});

/** Lists the environment of a branch under another type from now on. */
export function retype(state: State, branch: BranchRow, type: 'staging' | 'development'): void {
  const { environments } = state.tables;
  for (const row of environments.rows()) {
    if (row.branchId === branch.id && row.type !== type) environments.put(row.id, { ...row, type });
  }
}

/** Changes fields of the branch in the answer. */
export function answers(
  fields: (data: Readonly<Record<string, unknown>>, scene: Scene) => object | undefined,
): Handle {
  return mapData((data, scene) => {
    if (!isRecord(data)) return undefined;
    const changed = fields(data, scene);
    return changed === undefined ? undefined : { ...data, ...changed };
  });
}

/** Does this to the state once a switch has succeeded. True says that something changed. */
export const onceSwitched = (act: (scene: Scene, sent: Switch) => boolean): Handle =>
  afterwards((scene) => act(scene, switchOf(scene)));

export const lost = (when: (sent: Switch, scene: Scene) => boolean): Handle =>
  forgets((scene) => when(switchOf(scene), scene), 'branches');

/** Whether a switch would change anything. */
export const changes = ({ branch, enabled }: Switch): boolean =>
  branch !== undefined && branch.stagingEnabled !== enabled;
