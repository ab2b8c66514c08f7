/** A call that updates a folder: what it sends, which folder it names, what it leaves behind. */

import type { Memory, Scene } from '../../../deviations/deviation.ts';
import {
  callOf,
  count,
  deviationOf,
  type Handle,
  refusesValid,
  type StageHook,
  trialOf,
  whenDone,
} from '../../../deviations/transforms.ts';
import { findAndHandle } from '../../../pipeline/binding.ts';
import type { Call } from '../../../pipeline/call.ts';
import { isRefusal, type Refusal, type Reply } from '../../../pipeline/exchange.ts';
import type { FolderRow } from '../../../world/rows.ts';
import type { World } from '../../../world/world.ts';
import { updateFolder } from '../handler.ts';

export const deviation = deviationOf('folders', 'updateFolder');

export const updateCall = callOf<'updateFolder'>;
type UpdateCall = ReturnType<typeof updateCall>;
export type Input = UpdateCall['input'] & object;

export function inputOf(call: Call): Input {
  return updateCall(call).input ?? {};
}

/** The same call with another body, or for the folder where it really is. */
export function copyFor(call: Call, input: Input, path = updateCall(call).path): UpdateCall {
  const copy = trialOf<'updateFolder'>(call, path);
  copy.input = input;
  return copy;
}

/** The folder that a call names, in whichever deployment it is. */
export function rowOf(call: Call): FolderRow | undefined {
  return call.world.state.tables.folders.get(updateCall(call).path.folderId);
}

export const isEmpty = (input: Input) => input.name === undefined && input.position === undefined;

export function withoutName({ name: _name, ...rest }: Input): Input {
  return rest;
}

export function withoutPosition({ position: _position, ...rest }: Input): Input {
  return rest;
}

/** What the operation would answer for the folder as it is now. */
export function shown(call: Call): Reply | Refusal | Promise<Reply | Refusal> {
  return findAndHandle(updateFolder, copyFor(call, {}));
}

interface Update {
  readonly input: Input;
  /** Undefined where the folder is not of this deployment, or not at all. */
  readonly before: FolderRow;
  readonly world: World;
  readonly call: Call;
  readonly memory: Memory;
}

/** Changes the folder that an update leaves behind, and shows it in the answer. */
export function leaves(change: (row: FolderRow, update: Update) => FolderRow): Handle {
  return (next, scene) =>
    whenDone(next(), (done) => {
      const { call, world, memory } = scene;
      const row = rowOf(call);
      const before = scene.before.tables.folders.get(updateCall(call).path.folderId);
      if (isRefusal(done) || row === undefined || before === undefined) return done;
      const changed = change(row, { input: inputOf(call), before, world, call, memory });
      if (sameFolder(changed, row)) return done;
      world.state.tables.folders.put(row.id, changed);
      const answer = shown(call);
      return answer instanceof Promise ? done : answer;
    });
}

function sameFolder(a: FolderRow, b: FolderRow): boolean {
  return (Object.keys(b) as (keyof FolderRow)[]).every((key) => a[key] === b[key]);
}

/** Lets the handler see another body than the one that was sent. */
export function sees(change: (input: Input, scene: Scene) => Input): Handle {
  return (next, scene) => {
    const sent = inputOf(scene.call);
    const seen = change(sent, scene);
    if (seen.name === sent.name && seen.position === sent.position) return next();
    updateCall(scene.call).input = seen;
    scene.took();
    return next();
  };
}

/** Number of the update of this folder that changes something, 1 for the first. */
export function updateNumber({ call, memory }: Pick<Scene, 'call' | 'memory'>): number {
  return isEmpty(inputOf(call)) ? 0 : count(memory, `updates of ${updateCall(call).path.folderId}`);
}

/** Refuses a body that the description allows. */
export function refuses(message: string, when: (input: Input) => boolean): StageHook {
  return refusesValid('ERR-6', message, (call) => when(inputOf(call)));
}
