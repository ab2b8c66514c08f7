/** Operators on the state of a world: what is not kept, what happens besides, what is seen. */

import { isRefusal, type Reply } from '../pipeline/exchange.ts';
import type { TableName } from '../world/rows.ts';
import type { State } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { same } from './changes.ts';
import { type Does, onceDone, onHandling, type Scene, whenDone } from './does.ts';

/** Does something with the state before a call is handled; true where that changed anything. */
export const beforehand = (act: (scene: Scene) => boolean): Does =>
  onHandling((next, scene) => {
    if (act(scene)) scene.took();
    return next();
  });

/** Does something with the state once a call was served; true where that changed anything. */
export const afterwards = (act: (scene: Scene, answer: Reply) => boolean): Does =>
  onceDone((done, scene) => {
    if (!isRefusal(done) && act(scene, done)) scene.took();
    return done;
  });

/** The call is answered as it should be, and what it wrote to these tables is lost. */
export const lost = (
  tables: readonly TableName[],
  when: (scene: Scene) => boolean = () => true,
): Does =>
  onHandling((next, scene) => {
    if (!when(scene)) return next();
    return whenDone(next(), (done) => {
      if (!isRefusal(done) && restoreTables(scene.world, scene.before, tables)) scene.took();
      return done;
    });
  });

/** The handler, which answers at once, sees another state than the world's. */
export const seesState = (change: (state: State, scene: Scene) => void): Does =>
  onHandling((next, scene) => {
    const { world } = scene;
    const own = world.state;
    const honest = next();
    const shown = own.clone();
    change(shown, scene);
    world.state = shown;
    try {
      const result = next();
      if (!same(honest, result)) scene.took();
      return result;
    } finally {
      world.state = own;
    }
  });

/** Makes the tables of a world what they were in an earlier state; true where that changed any. */
export function restoreTables(world: World, before: State, names: readonly TableName[]): boolean {
  let changed = false;
  for (const name of names) {
    const now = world.state.tables[name] as Rows;
    const then = before.tables[name] as Rows;
    const keys = new Set([...now.changes().keys(), ...then.changes().keys()]);
    for (const key of keys) {
      const row = then.get(key);
      if (now.get(key) === row) continue;
      changed = true;
      if (row === undefined) now.delete(key);
      else now.put(key, row);
    }
  }
  return changed;
}

interface Rows {
  get(key: unknown): unknown;
  put(key: unknown, row: unknown): void;
  delete(key: unknown): void;
  changes(): ReadonlyMap<unknown, unknown>;
}

/** Does something that leaves no event in the audit log. */
export function unlogged<Result>({ state }: World, act: () => Result): Result {
  const events = state.events.length;
  const result = act();
  state.events.cut(events);
  return result;
}
