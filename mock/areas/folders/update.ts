/** A call that updates a folder, and what deviations make of one. */

import { answersBody } from '../../deviations/answers.ts';
import type { Change } from '../../deviations/changes.ts';
import type { Memory } from '../../deviations/deviation.ts';
import { type Does, onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { count } from '../../deviations/memory.ts';
import { callOf, sending, sentBody, trialOf } from '../../deviations/sent.ts';
import { afterwards, unlogged } from '../../deviations/state.ts';
import { findAndHandle } from '../../pipeline/binding.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal, type Refusal, type Reply } from '../../pipeline/exchange.ts';
import type { FolderRow } from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import { updateFolder } from './handler.ts';

export const updateCall = callOf<'updateFolder'>;
export type Input = NonNullable<ReturnType<typeof updateCall>['input']>;
/** What an update can change. */
export type Field = 'name' | 'position';

export function inputOf(call: Call): Input {
  return updateCall(call).input ?? {};
}

export const { reads, ignores, refuses } = sending<Input>({
  read: inputOf,
  write: (call, input) => {
    updateCall(call).input = input;
  },
});

/** The same call with another body, or for the folder where it really is. */
export function copyFor(call: Call, input: Input, path = updateCall(call).path) {
  const copy = trialOf<'updateFolder'>(call, path);
  copy.input = input;
  return copy;
}

/** The folder that a call names, in whichever deployment it is. */
export function rowOf(call: Call): FolderRow | undefined {
  return call.world.state.tables.folders.get(updateCall(call).path.folderId);
}

/** Another folder of the same deployment. */
export function anotherFolder(world: World, row: FolderRow, fits: (other: FolderRow) => boolean) {
  return world.state.tables.folders
    .rows()
    .find(
      (other) =>
        other.deploymentId === row.deploymentId &&
        other.id !== row.id &&
        other.id !== row.parentId &&
        fits(other),
    );
}

/** The folder as it was before the call. */
export function rowBefore({ call, before }: Scene): FolderRow | undefined {
  return before.tables.folders.get(updateCall(call).path.folderId);
}

export const isEmpty = ({ name, position }: Input) => name === undefined && position === undefined;

/** An update that changes something, of a folder that was updated before. */
export const isLaterUpdate = ({ call, memory }: Pick<Scene, 'call' | 'memory'>): boolean =>
  !isEmpty(inputOf(call)) && count(memory, `updates of ${updateCall(call).path.folderId}`) >= 2;

/** What the operation would answer for the folder as it is now. */
export function shown(call: Call): Reply | Refusal | Promise<Reply | Refusal> {
  return findAndHandle(updateFolder, copyFor(call, {}));
}

export interface Update {
  readonly input: Input;
  /** The folder as it was before. */
  readonly before: FolderRow;
  readonly world: World;
  readonly call: Call;
  readonly memory: Memory;
}

/** Changes the folder that an update leaves behind, and shows it in the answer. */
export const leaves = (change: Change<FolderRow, Update>): Does =>
  onHandling((next, scene) =>
    whenDone(next(), (done) => {
      const { call, world, memory } = scene;
      const row = rowOf(call);
      const before = rowBefore(scene);
      if (isRefusal(done) || row === undefined || before === undefined) return done;
      const changed = change(row, { input: inputOf(call), before, world, call, memory });
      if (changed === undefined || sameFolder(changed, row)) return done;
      world.state.tables.folders.put(row.id, changed);
      const answer = shown(call);
      return answer instanceof Promise ? done : answer;
    }),
  );

function sameFolder(a: FolderRow, b: FolderRow): boolean {
  return (Object.keys(b) as (keyof FolderRow)[]).every((key) => a[key] === b[key]);
}

/** A new value is answered, and the old one kept. */
export const loses = (field: Field): Does =>
  afterwards((scene) => {
    const row = rowOf(scene.call);
    const old = rowBefore(scene);
    if (row === undefined || old === undefined || row[field] === old[field]) return false;
    scene.world.state.tables.folders.put(row.id, { ...row, [field]: old[field] });
    return true;
  });

/** A new value is kept, and the one before it answered. */
export const showsLate = (field: Field): Does =>
  answersBody((body, scene) => ({ ...body, [field]: rowBefore(scene)?.[field] ?? body[field] }));

/** Gives other folders the new name too. */
export const renamesOthers = (
  which: (row: FolderRow, all: readonly FolderRow[]) => readonly FolderRow[],
): Does =>
  afterwards(({ call, world }) => {
    const row = rowOf(call);
    const { name } = inputOf(call);
    if (row === undefined || name === undefined) return false;
    const { folders } = world.state.tables;
    const others = which(row, folders.rows()).filter((other) => other.name !== name);
    for (const other of others) folders.put(other.id, { ...other, name });
    return others.length > 0;
  });

/** Updates a folder although the call is refused, as to the fields that fit and are chosen. */
export const updatesAnyway =
  (...fields: readonly Field[]) =>
  ({ call, request, world }: Scene): boolean => {
    const row = rowOf(call);
    const { name, position } = sentBody(request) ?? {};
    if (row === undefined) return false;
    const input: Input = {
      ...(fields.includes('name') && typeof name === 'string' && name !== '' ? { name } : {}),
      ...(fields.includes('position') && Number.isInteger(position)
        ? { position: Number(position) }
        : {}),
    };
    const path = { ...updateCall(call).path, deploymentId: Number(row.deploymentId) };
    unlogged(world, () => findAndHandle(updateFolder, copyFor(call, input, path)));
    return rowOf(call) !== row;
  };
