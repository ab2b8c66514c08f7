/** Switches of another branch than the one that was named. */

import type { Deviation } from '../../../deviations/deviation.ts';
import type { Handle } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import type { BranchRow } from '../../../world/rows.ts';
import type { State } from '../../../world/state.ts';
import type { World } from '../../../world/world.ts';
import {
  answers,
  branchesOf,
  described,
  lost,
  onceSwitched,
  retype,
  type Switch,
  switchBranch,
  switchOf,
  toggle,
} from './switch.ts';

/** Another shared branch of the deployment; the production branch where there is none. */
function otherBranch(state: State, { branch, deploymentId }: Switch): BranchRow | undefined {
  const others = branchesOf(state, deploymentId).filter((row) => row.id !== branch?.id);
  return others.find((row) => row.kind === 'shared') ?? others[0];
}

/** The switch is made on another shared branch, and answered as if it were the one that was named. */
const hitsAnother = (by: Switch['by']): Handle => {
  const forgotten = lost(() => true);
  return (next, scene) => {
    const sent = switchOf(scene);
    if (sent.by !== by || sent.branch?.kind !== 'shared') return next();
    const result = forgotten(next, scene);
    if (result instanceof Promise || isRefusal(result)) return result;
    const other = otherBranch(scene.world.state, sent);
    if (other?.kind === 'shared' && switchBranch(scene.world, other, sent.enabled)) scene.took();
    return result;
  };
};

export const branches: readonly Deviation[] = [
  {
    id: 'staging:by-id-does-nothing',
    text: 'A switch that names its branch by branchId is answered and not made.',
    breaks: ['STAGE-12'],
    collateral: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    operations: toggle,
    handle: lost(({ by }) => by === 'id'),
  },
  {
    id: 'staging:by-name-does-nothing',
    text: 'A switch that names its branch by branchName is answered and not made.',
    breaks: ['STAGE-11', 'STAGE-3', 'STAGE-4'],
    collateral: ['STAGE-5', 'STAGE-6', 'STAGE-12'],
    operations: toggle,
    handle: lost(({ by }) => by === 'name'),
  },
  {
    id: 'staging:by-id-hits-another',
    text: 'A switch by branchId is made on another shared branch.',
    breaks: ['STAGE-12'],
    collateral: ['STAGE-3', 'STAGE-4', 'STAGE-5', 'STAGE-6'],
    operations: toggle,
    handle: hitsAnother('id'),
  },
  {
    id: 'staging:by-name-hits-another',
    text: 'A switch by branchName is made on another shared branch.',
    breaks: ['STAGE-11', 'STAGE-3', 'STAGE-4'],
    collateral: ['STAGE-5', 'STAGE-6', 'STAGE-12'],
    operations: toggle,
    handle: hitsAnother('name'),
  },
  {
    id: 'staging:answer-of-another-branch',
    text: 'The branch that was named is switched, and the answer describes another one.',
    breaks: ['STAGE-11', 'STAGE-12'],
    collateral: ['STAGE-1'],
    operations: toggle,
    handle: answers((_data, scene) => {
      const other = otherBranch(scene.world.state, switchOf(scene));
      return other === undefined ? undefined : described(other);
    }),
  },
  {
    id: 'staging:enabling-enables-another',
    text: 'Enabling one branch enables another branch of the deployment, until it is disabled.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-10', 'STAGE-7'],
    operations: toggle,
    handle: onceSwitched(({ world, memory }, { enabled, branch, deploymentId }) => {
      if (branch?.kind !== 'shared') return false;
      const others = branchesOf(world.state, deploymentId).filter((row) => row.id !== branch.id);
      const followed = memory.get(String(branch.id));
      const other = enabled
        ? (others.find((row) => row.kind === 'shared' && !row.stagingEnabled) ??
          others.find((row) => row.kind === 'personal' && !row.stagingEnabled))
        : others.find((row) => row.id === followed);
      if (other === undefined) return false;
      memory.set(String(branch.id), enabled ? other.id : undefined);
      if (other.kind === 'personal')
        retype(world.state, other, enabled ? 'staging' : 'development');
      return switchBranch(world, other, enabled);
    }),
  },
  {
    id: 'staging:enabling-disables-others',
    text: 'Enabling one branch disables the others of the deployment: only one is enabled at a time.',
    breaks: ['STAGE-5'],
    operations: toggle,
    handle: onceSwitched(({ world }, sent) => sent.enabled && disablesOthers(world, sent)),
  },
];

/** Disables every shared branch but the one that is switched; true where that changed one. */
function disablesOthers(world: World, { branch, deploymentId }: Switch): boolean {
  if (branch?.kind !== 'shared') return false;
  const others = branchesOf(world.state, deploymentId).filter(
    (row) => row.kind === 'shared' && row.id !== branch.id,
  );
  return others.filter((row) => switchBranch(world, row, false)).length > 0;
}
