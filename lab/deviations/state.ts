/** Operators on the state of a world: what is not kept, what happens besides, what is seen. */

import { isRefusal, type Reply } from '../../mock/pipeline/exchange.ts';
import type { BaseScene } from '../../mock/pipeline/stages.ts';
import { type KeyOf, type RowOf, type TableName, tableNames } from '../../mock/world/rows.ts';
import type { State } from '../../mock/world/state.ts';
import type { World } from '../../mock/world/world.ts';
import { same } from './changes.ts';
import { type Does, onceDone, onHandling, type Scene, whenDone } from './does.ts';

type Tables = State['tables'];

/** Does something with the state. The deviation took effect where a row is another one after it. */
export function acts({ world, took }: Pick<BaseScene, 'world' | 'took'>, act: () => void): void {
  const before = world.state.clone();
  act();
  if (tableNames.some((name) => changedIn(name, world.state.tables, before.tables).length > 0))
    took();
}

/** Does something with the state before a call is handled. */
export const beforehand = (act: (scene: Scene) => void): Does =>
  onHandling((next, scene) => {
    acts(scene, () => act(scene));
    return next();
  });

/** Does something with the state once a call was served. */
export const afterwards = (act: (scene: Scene, answer: Reply) => void): Does =>
  onceDone((done, scene) => {
    if (!isRefusal(done)) acts(scene, () => act(scene, done));
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
      if (!isRefusal(done)) acts(scene, () => restoreTables(scene.world, scene.before, tables));
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

/** The handler sees rows of a table in another way; undefined leaves one as it is. */
export const seesRows = <T extends TableName>(
  name: T,
  change: (row: RowOf<T>, scene: Scene) => Row<T>,
): Does =>
  seesState(({ tables }, scene) => {
    for (const [key, row] of [...tables[name].entries()]) {
      const seen = change(row, scene);
      if (seen !== undefined) tables[name].put(key, seen);
    }
  });

/** Makes the tables of a world what they were in an earlier state. */
export function restoreTables({ state }: World, before: State, names: readonly TableName[]): void {
  for (const name of names) redo(name, state, before, (_row, old) => old);
}

/** Puts another row in the place of each that a call has written; undefined removes it. */
export const keeps = <T extends TableName>(
  table: T,
  change: (row: Row<T>, old: Row<T>, scene: Scene) => Row<T>,
): Does =>
  afterwards((scene) =>
    redo(table, scene.world.state, scene.before, (row, old) => change(row, old, scene)),
  );

type Row<T extends TableName> = RowOf<T> | undefined;

function redo<T extends TableName>(
  name: T,
  { tables }: State,
  before: State,
  change: (row: Row<T>, old: Row<T>) => Row<T>,
): void {
  for (const key of changedIn(name, tables, before.tables)) {
    const row = change(tables[name].get(key), before.tables[name].get(key));
    if (row === undefined) tables[name].delete(key);
    else tables[name].put(key, row);
  }
}

/** The keys of a table under which two states have different rows. */
function changedIn<T extends TableName>(name: T, a: Tables, b: Tables): KeyOf<T>[] {
  const keys = new Set([...a[name].changes().keys(), ...b[name].changes().keys()]);
  return [...keys].filter((key) => !same(a[name].get(key), b[name].get(key)));
}

/** Does something that leaves no event in the audit log. */
export function unlogged<Result>({ state }: World, act: () => Result): Result {
  const events = state.events.length;
  const result = act();
  state.events.cut(events);
  return result;
}
