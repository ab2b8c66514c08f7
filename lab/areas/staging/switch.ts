/** A call that switches a staging environment: what it sends, and what a deviation makes of it. */

import { switchStaging } from '../../../mock/areas/staging/machine.ts';
import { isRefusal, type Reply } from '../../../mock/pipeline/exchange.ts';
import type { Memory } from '../../../mock/world/deviations.ts';
import type { BranchRow } from '../../../mock/world/rows.ts';
import type { State } from '../../../mock/world/state.ts';
import type { World } from '../../../mock/world/world.ts';
import { answersData } from '../../deviations/answers.ts';
import { field } from '../../deviations/changes.ts';
import { type Does, onceDone, type Scene } from '../../deviations/does.ts';
import { despiteRefusal } from '../../deviations/refusals.ts';
import { sentBody } from '../../deviations/sent.ts';
import { afterwards, beforehand, lost, restoreTables } from '../../deviations/state.ts';

/** A call of the switch, as it was sent. */
export interface Switch {
  readonly enabled: boolean;
  readonly by: 'name' | 'id';
  readonly deploymentId: string;
  /** The branch that it names, as it was before; undefined where there is none. */
  readonly branch: BranchRow | undefined;
}

export type When = (sent: Switch, scene: Scene) => boolean;

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
  return state.tables.branches.of(deploymentId);
}

/** Another branch of the deployment: a shared one where there is one. */
export function otherBranch(state: State, { branch, deploymentId }: Switch): BranchRow | undefined {
  const others = branchesOf(state, deploymentId).filter((row) => row.id !== branch?.id);
  return others.find((row) => row.kind === 'shared') ?? others[0];
}

/** Switches a branch behind the back of the machine. */
export function switchBranch(world: World, branch: BranchRow, enabled: boolean): void {
  const now = world.state.tables.branches.get(branch.id);
  if (now === undefined || now.stagingEnabled === enabled) return;
  const state = enabled ? 'enabled' : 'disabled';
  world.state.tables.branches.put(branch.id, switchStaging(now, state, world.clock.now()));
}

/** Switches a branch, a personal one by the type of its environment as well. */
export function switchAnyBranch(world: World, branch: BranchRow, enabled: boolean): void {
  const { environments } = world.state.tables;
  const type = enabled ? 'staging' : 'development';
  const own = environments.of(branch.deploymentId).filter((row) => row.branchId === branch.id);
  if (branch.kind === 'personal') for (const row of own) environments.put(row.id, { ...row, type });
  switchBranch(world, branch, enabled);
}

/** A branch as the switch answers it, but for its state. */
export const described = ({ id, name, parentBranch, lastHash }: BranchRow) => ({
  id,
  name,
  parentBranch,
  lastHash,
});

/** The answer that a switch of this branch would get. */
export const served = (branch: BranchRow, enabled: boolean): Reply => ({
  status: 200,
  body: { data: { ...described(branch), isStagingEnvironmentEnabled: enabled } },
});

/** Whether a switch would change anything. */
export const changes = ({ branch, enabled }: Switch): boolean =>
  branch !== undefined && branch.stagingEnabled !== enabled;

/** Answers this state of the branch; undefined for the real one. */
export const answersState = (
  state: (sent: Switch, answered: boolean, scene: Scene) => boolean | undefined,
): Does =>
  answersData(
    field('isStagingEnvironmentEnabled', (on, _data, scene) =>
      state(switchOf(scene), on === true, scene),
    ),
  );

/** A switch is answered, and not made. */
export const losesSwitch = (when: When = () => true): Does =>
  lost(['branches'], (scene) => when(switchOf(scene), scene));

/** A switch is not made, and the answer says so. */
export const sticks = (when: When): readonly Does[] => {
  const isStuck: When = (sent, scene) => when(sent, scene) && changes(sent);
  return [
    answersState((sent, _answered, scene) => (isStuck(sent, scene) ? !sent.enabled : undefined)),
    losesSwitch(isStuck),
  ];
};

/** Does this to the state once a switch has succeeded. */
export const onceSwitched = (act: (scene: Scene, sent: Switch) => void): Does =>
  afterwards((scene) => act(scene, switchOf(scene)));

/** A switch by name or by id is made on another shared branch, and answered as if it were not. */
export const hitsAnother = (by: Switch['by']): Does =>
  onceSwitched(({ world, before }, sent) => {
    if (sent.by !== by || sent.branch?.kind !== 'shared') return;
    restoreTables(world, before, ['branches']);
    const other = otherBranch(world.state, sent);
    if (other?.kind === 'shared') switchBranch(world, other, sent.enabled);
  });

/** What the machine refuses to enable is enabled, and answered as if the branch were shared. */
export const acceptsSwitch = (when: (sent: Switch) => boolean): Does =>
  onceDone((done, scene) => {
    const sent = switchOf(scene);
    const { branch, enabled } = sent;
    const isKind = isRefusal(done) && done.statement === 'STAGE-9';
    if (!isKind || branch === undefined || !when(sent)) return done;
    switchBranch(scene.world, branch, enabled);
    return served(branch, enabled);
  });

/** Something is switched all the same when a switch was refused, on the ground of its branch or any. */
export const switchesDespiteRefusal = (
  act: (scene: Scene, sent: Switch) => void,
  grounds: readonly string[] | 'any' = ['STAGE-9'],
): Does => despiteRefusal(grounds, (scene) => act(scene, switchOf(scene)));

// ── switches that are made later than they are answered, or taken back ──────────

/** A switch that was answered and has not been made. */
interface Pending {
  readonly branchId: number;
  readonly enabled: boolean;
  readonly due: number;
}

const isSwitch = ({ call }: Scene) => call.operation.id === 'setStagingEnvironment';

function pendingOf(memory: Memory): readonly Pending[] {
  return (memory.get('pending') as readonly Pending[] | undefined) ?? [];
}

/** Holds a switch back for some time (ms); it takes the place of one of the same branch. */
export function hold(
  { memory, world }: Scene,
  { branch, enabled }: Pick<Switch, 'branch' | 'enabled'>,
  after: number,
): void {
  if (branch === undefined) return;
  const others = pendingOf(memory).filter(({ branchId }) => branchId !== branch.id);
  const due = world.clock.now() + after;
  memory.set('pending', [...others, { branchId: branch.id, enabled, due }]);
}

/** Makes the switches whose time has come. */
export function makeDue({ memory, world }: Scene): void {
  const { now = [], later = [] } = Object.groupBy(pendingOf(memory), ({ due }) =>
    due <= world.clock.now() ? 'now' : 'later',
  );
  memory.set('pending', later);
  for (const { branchId, enabled } of now) {
    const branch = world.state.tables.branches.get(branchId);
    if (branch?.stagingEnabled === !enabled) switchAnyBranch(world, branch, enabled);
  }
}

/** Once a switch was answered, this state of its branch is held back for some time (ms). */
const holdsBack = (after: number, state: (sent: Switch) => boolean | undefined): Does =>
  afterwards((scene) => {
    if (!isSwitch(scene)) return;
    const sent = switchOf(scene);
    const enabled = state(sent);
    if (enabled !== undefined) hold(scene, { ...sent, enabled }, after);
  });

/** Answers a switch, and makes it in the first call that comes after this time (ms). */
export const makesLate = (after: number): readonly Does[] => [
  losesSwitch(),
  holdsBack(after, (sent) => (changes(sent) ? sent.enabled : undefined)),
  beforehand(makeDue),
];

/** Makes a switch that enables a branch, and takes it back by itself once this time (ms) has passed. */
export const takesBack = (after: number): readonly Does[] => [
  holdsBack(after, ({ enabled }) => (enabled ? false : undefined)),
  beforehand(makeDue),
];

/** A branch that was enabled is disabled again as soon as the environments are listed. */
export const takesBackOnceListed: readonly Does[] = [
  holdsBack(0, (sent) => (sent.enabled && changes(sent) ? false : undefined)),
  afterwards((scene) => {
    if (!isSwitch(scene)) makeDue(scene);
  }),
];
