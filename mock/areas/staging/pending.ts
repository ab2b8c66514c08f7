/** Switches that are made later than they are answered, or taken back after a while. */
import type { Memory } from '../../deviations/deviation.ts';
import { type Does, inside, onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import type { World } from '../../world/world.ts';
import { losesSwitch, type Switch, switchAnyBranch, switchOf } from './switch.ts';

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
  const pending = pendingOf(memory);
  const made = pending.filter(due).filter(({ branchId, enabled }) => {
    const branch = world.state.tables.branches.get(branchId);
    return branch !== undefined && branch.stagingEnabled !== enabled
      ? switchAnyBranch(world, branch, enabled)
      : false;
  });
  memory.set(
    'pending',
    pending.filter((item) => !due(item)),
  );
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
