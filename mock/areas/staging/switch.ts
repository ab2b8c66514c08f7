/** A call that switches a staging environment: what it sends, and what a deviation makes of it. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersData } from '../../deviations/answers.ts';
import {
  type Does,
  inside,
  onceDone,
  onHandling,
  type Scene,
  whenDone,
} from '../../deviations/does.ts';
import { despiteRefusal } from '../../deviations/refusals.ts';
import { sentBody } from '../../deviations/sent.ts';
import { afterwards, lost } from '../../deviations/state.ts';
import { isRefusal, type Refusal, type Reply } from '../../pipeline/exchange.ts';
import type { Memory } from '../../world/deviations.ts';
import type { BranchRow } from '../../world/rows.ts';
import type { State } from '../../world/state.ts';
import type { World } from '../../world/world.ts';
import { switchStaging } from './machine.ts';

export const TEN_MINUTES_MS = 600_000;

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

/** Switches a branch behind the back of the machine; true where that changed it. */
export function switchBranch(world: World, branch: BranchRow, enabled: boolean): boolean {
  const now = world.state.tables.branches.get(branch.id);
  if (now === undefined || now.stagingEnabled === enabled) return false;
  const state = enabled ? 'enabled' : 'disabled';
  world.state.tables.branches.put(branch.id, switchStaging(now, state, world.clock.now()));
  return true;
}

/** Switches several branches; true where that changed any. */
export const switchAll = (
  world: World,
  branches: readonly BranchRow[],
  enabled: boolean,
): boolean => branches.filter((branch) => switchBranch(world, branch, enabled)).length > 0;

/** Lists the environment of a branch under another type from now on. */
export function retype(state: State, branch: BranchRow, type: 'staging' | 'development'): void {
  const { environments } = state.tables;
  for (const row of environments.of(branch.deploymentId)) {
    if (row.branchId === branch.id && row.type !== type) environments.put(row.id, { ...row, type });
  }
}

/** Switches a branch, a personal one by the type of its environment as well. */
export function switchAnyBranch(world: World, branch: BranchRow, enabled: boolean): boolean {
  if (branch.kind === 'personal') {
    retype(world.state, branch, enabled ? 'staging' : 'development');
  }
  return switchBranch(world, branch, enabled);
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

/** Changes fields of the branch in the answer. */
export const answersFields = (
  fields: (data: JsonObject, scene: Scene) => object | undefined,
): Does =>
  answersData((data, scene) => {
    const changed = isObject(data) ? fields(data, scene) : undefined;
    return changed && { ...(data as JsonObject), ...changed };
  });

/** Answers this state of the branch; undefined for the real one. */
export const answersState = (
  state: (sent: Switch, answered: boolean, scene: Scene) => boolean | undefined,
): Does =>
  answersFields(({ isStagingEnvironmentEnabled: on }, scene) => {
    const other = state(switchOf(scene), on === true, scene);
    return other === undefined ? undefined : { isStagingEnvironmentEnabled: other };
  });

/** A switch is answered, and not made. */
export const losesSwitch = (when: When = () => true): Does =>
  lost(['branches'], (scene) => when(switchOf(scene), scene));

/** A switch is not made, and the answer says so. */
export const sticks = (when: When): Does => {
  const answer = inside(answersState(({ enabled }) => !enabled));
  const lose = inside(losesSwitch());
  return onHandling((next, scene) => {
    const sent = switchOf(scene);
    if (!when(sent, scene) || !changes(sent)) return next();
    return lose(() => answer(next, scene), scene);
  });
};

/** Does this to the state once a switch has succeeded. True says that something changed. */
export const onceSwitched = (act: (scene: Scene, sent: Switch) => boolean): Does =>
  afterwards((scene) => act(scene, switchOf(scene)));

/** A switch by name or by id is made on another shared branch, and answered as if it were not. */
export const hitsAnother = (by: Switch['by']): Does => {
  const lose = inside(losesSwitch());
  return onHandling((next, scene) => {
    const sent = switchOf(scene);
    if (sent.by !== by || sent.branch?.kind !== 'shared') return next();
    return whenDone(lose(next, scene), (done) => {
      const other = isRefusal(done) ? undefined : otherBranch(scene.world.state, sent);
      if (other?.kind === 'shared' && switchBranch(scene.world, other, sent.enabled)) scene.took();
      return done;
    });
  });
};

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
  act: (scene: Scene, sent: Switch, refused: Refusal) => boolean,
  grounds: readonly string[] | 'any' = ['STAGE-9'],
): Does => despiteRefusal(grounds, (scene, refused) => act(scene, switchOf(scene), refused));

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

/** Holds a switch back; it takes the place of one of the same branch. */
export function hold(memory: Memory, item: Pending): void {
  const others = pendingOf(memory).filter(({ branchId }) => branchId !== item.branchId);
  memory.set('pending', [...others, item]);
}

/** Makes the switches whose time has come; true where that changed something. */
function makeDue(world: World, memory: Memory, due: (item: Pending) => boolean): boolean {
  const { now = [], later = [] } = Object.groupBy(pendingOf(memory), (item) =>
    due(item) ? 'now' : 'later',
  );
  memory.set('pending', later);
  const made = now.filter(({ branchId, enabled }) => {
    const branch = world.state.tables.branches.get(branchId);
    return branch?.stagingEnabled === !enabled && switchAnyBranch(world, branch, enabled);
  });
  return made.length > 0;
}

/** Answers a switch, and makes it after this time (ms), or once the next one is made. */
export const makesLate = (after: number | 'at the next switch'): Does => {
  const lose = inside(losesSwitch());
  return onHandling((next, scene) => {
    const { memory, world } = scene;
    makeDue(world, memory, ({ due }) => after === 'at the next switch' || world.clock.now() >= due);
    if (!isSwitch(scene)) return next();
    const held = { ...scene, before: world.state.clone() };
    const { branch, enabled } = switchOf(held);
    const pending = branch !== undefined && branch.stagingEnabled !== enabled;
    return whenDone(lose(next, held), (done) => {
      if (!pending || isRefusal(done)) return done;
      const due = typeof after === 'number' ? world.clock.now() + after : 0;
      hold(memory, { branchId: branch.id, enabled, due });
      return done;
    });
  });
};

/** Makes a switch, and another one by itself once this time (ms) has passed. */
export const follows = (
  after: number,
  other: (sent: Switch) => Omit<Pending, 'due'> | undefined,
): Does =>
  onHandling((next, scene) => {
    const { memory, world } = scene;
    if (makeDue(world, memory, ({ due }) => world.clock.now() >= due)) scene.took();
    return whenDone(next(), (done) => {
      const item = !isSwitch(scene) || isRefusal(done) ? undefined : other(switchOf(scene));
      if (item !== undefined) hold(memory, { ...item, due: world.clock.now() + after });
      return done;
    });
  });

/** Makes a switch that enables a branch, and takes it back by itself. */
export const takesBack = (after: number): Does =>
  follows(after, ({ enabled, branch }) =>
    enabled && branch !== undefined ? { branchId: branch.id, enabled: false } : undefined,
  );

/** A branch that was enabled is disabled again as soon as the environments are listed. */
export const takesBackOnceListed: Does = onHandling((next, scene) => {
  const { memory, world } = scene;
  const { branch, enabled } = switchOf(scene);
  return whenDone(next(), (done) => {
    if (!isSwitch(scene)) {
      if (makeDue(world, memory, () => true)) scene.took();
    } else if (enabled && branch?.stagingEnabled === false && !isRefusal(done)) {
      hold(memory, { branchId: branch.id, enabled: false, due: 0 });
    }
    return done;
  });
});
