/** Switches that are made later than they are answered, or taken back after a while. */

import type { Memory, Scene } from '../../../deviations/deviation.ts';
import { forgets, type Handle } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import type { World } from '../../../world/world.ts';
import { changes, retype, type Switch, switchBranch, switchOf, TEN_MINUTES_MS } from './switch.ts';

/** A switch that was answered and has not been made. */
interface Pending {
  readonly branchId: number;
  readonly enabled: boolean;
  readonly due: number;
}

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
  let changed = false;
  for (const item of pending.filter(due)) {
    const branch = world.state.tables.branches.get(item.branchId);
    if (branch === undefined || !switchBranch(world, branch, item.enabled)) continue;
    if (branch.kind === 'personal') {
      retype(world.state, branch, item.enabled ? 'staging' : 'development');
    }
    changed = true;
  }
  memory.set(
    'pending',
    pending.filter((item) => !due(item)),
  );
  return changed;
}

/** Answers a switch, and makes it later. */
export function late(due: (item: Pending, scene: Scene) => boolean): Handle {
  const forget = forgets(() => true, 'branches');
  return (next, scene) => {
    const { memory, world, call } = scene;
    makeDue(world, memory, (item) => due(item, scene));
    if (call.operation.id !== 'setStagingEnvironment') return next();
    const before = world.state.clone();
    const held = { ...scene, before };
    const sent = switchOf(held);
    const result = forget(next, held);
    if (sent.branch !== undefined && changes(sent) && !(result instanceof Promise)) {
      if (!isRefusal(result)) {
        hold(memory, {
          branchId: sent.branch.id,
          enabled: sent.enabled,
          due: world.clock.now() + TEN_MINUTES_MS,
        });
      }
    }
    return result;
  };
}

/** Makes a switch, and takes it back by itself once this time has passed. */
export const goes = (after: number): Handle =>
  follows(after, ({ enabled, branch }) =>
    enabled && branch !== undefined ? { branchId: branch.id, enabled: false } : undefined,
  );

/** Makes a switch, and another one by itself once this time has passed. */
export function follows(
  after: number,
  other: (sent: Switch, scene: Scene) => Omit<Pending, 'due'> | undefined,
): Handle {
  return (next, scene) => {
    const { memory, world, call } = scene;
    if (makeDue(world, memory, ({ due }) => world.clock.now() >= due)) scene.took();
    const result = next();
    if (call.operation.id !== 'setStagingEnvironment' || result instanceof Promise) return result;
    const item = isRefusal(result) ? undefined : other(switchOf(scene), scene);
    if (item !== undefined) hold(memory, { ...item, due: world.clock.now() + after });
    return result;
  };
}
