/** Environments lists that show staging environments wrongly or late. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { type Handle, seeing } from '../../../deviations/transforms.ts';
import type { BranchRow } from '../../../world/rows.ts';
import type { State } from '../../../world/state.ts';
import type { World } from '../../../world/world.ts';
import { branchesOf, retype, TEN_MINUTES_MS } from './switch.ts';

/** Lets the environments list see other states or types of staging environments. */
function listed(
  change: (state: State, branch: BranchRow, scene: Scene) => void,
  when: (branch: BranchRow, scene: Scene) => boolean = () => true,
): Handle {
  return seeing((state, scene) => {
    const here = scene.call.requested.deployment ?? '';
    for (const branch of branchesOf(state, here)) {
      if (branch.kind === 'shared' && when(branch, scene)) change(state, branch, scene);
    }
  });
}

const show = (enabled: boolean) => (state: State, branch: BranchRow) => {
  // Not switched just now, so that STAGE-23 has nothing to say about it.
  state.tables.branches.put(branch.id, { ...branch, stagingEnabled: enabled, switchedAt: null });
};

const isOn = (branch: BranchRow) => branch.stagingEnabled;
const isOff = (branch: BranchRow) => !branch.stagingEnabled;
const filtered = ({ call }: Scene) => (call.query as Record<string, unknown>).type !== undefined;

export const list: readonly Deviation[] = [
  {
    id: 'staging:listed-while-disabled',
    text: 'The staging environment of a disabled branch is listed with type staging.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-5', 'STAGE-12'],
    operations: ['listEnvironments'],
    handle: listed(show(true), isOff),
  },
  {
    id: 'staging:listed-after-it-was-disabled',
    text: 'A staging environment that was enabled stays listed with type staging once it is disabled.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-12', 'STAGE-5'],
    operations: ['listEnvironments'],
    handle: listed(show(true), (branch) => isOff(branch) && branch.switchedAt !== null),
  },
  {
    id: 'staging:not-listed-while-enabled',
    text: 'The staging environment of an enabled branch is not listed.',
    breaks: ['STAGE-5'],
    collateral: ['STAGE-12'],
    operations: ['listEnvironments'],
    handle: listed(show(false), isOn),
  },
  {
    id: 'staging:listed-as-development',
    text: 'The staging environment of an enabled branch is listed with type development.',
    breaks: ['STAGE-5'],
    collateral: ['STAGE-12'],
    operations: ['listEnvironments'],
    handle: listed((state, branch) => retype(state, branch, 'development'), isOn),
  },
  {
    id: 'staging:not-listed-for-ten-minutes',
    text: 'A staging environment that was enabled is listed ten minutes later.',
    breaks: ['STAGE-5'],
    collateral: ['STAGE-12', 'STAGE-6'],
    operations: ['listEnvironments'],
    handle: listed(show(false), (branch, { world }) => isOn(branch) && isRecent(branch, world)),
  },
  {
    id: 'staging:listed-ten-minutes-longer',
    text: 'A staging environment that was disabled is listed with type staging for ten more minutes.',
    breaks: ['STAGE-6'],
    collateral: ['STAGE-12', 'STAGE-5'],
    operations: ['listEnvironments'],
    handle: listed(show(true), (branch, { world }) => isOff(branch) && isRecent(branch, world)),
  },
  {
    id: 'staging:missing-from-filtered-list',
    text: 'An enabled staging environment is in the whole list, and missing with type=staging.',
    breaks: ['ENV-6'],
    collateral: ['ENV-7', 'STAGE-5'],
    operations: ['listEnvironments'],
    handle: listed(show(false), (branch, scene) => isOn(branch) && filtered(scene)),
  },
  {
    id: 'staging:only-in-filtered-list',
    text: 'An enabled staging environment is listed with type=staging, and missing from the whole list.',
    breaks: ['STAGE-5', 'ENV-6'],
    collateral: ['STAGE-12', 'ENV-7'],
    operations: ['listEnvironments'],
    handle: listed(show(false), (branch, scene) => isOn(branch) && !filtered(scene)),
  },
  {
    id: 'staging:disabled-in-filtered-list',
    text: 'With type=staging, the list holds the environments of disabled branches as well.',
    breaks: ['ENV-6', 'STAGE-6'],
    collateral: ['ENV-7', 'AUTH-14'],
    operations: ['listEnvironments'],
    handle: listed(show(true), (branch, scene) => isOff(branch) && filtered(scene)),
  },
];

function isRecent(branch: BranchRow, world: World): boolean {
  return branch.switchedAt !== null && world.clock.now() < branch.switchedAt + TEN_MINUTES_MS;
}
