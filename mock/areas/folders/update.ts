/** A call that updates a folder, what deviations make of one, and the folder that it leaves behind. */
import { answersBody } from '../../deviations/answers.ts';
import { type Change, same, when } from '../../deviations/changes.ts';
import { type Does, onceDone, type Scene } from '../../deviations/does.ts';
import { count, exchange } from '../../deviations/memory.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { callOf, sending, sentBody, trialOf } from '../../deviations/sent.ts';
import { afterwards, unlogged } from '../../deviations/state.ts';
import { findAndHandle } from '../../pipeline/binding.ts';
import type { Call } from '../../pipeline/call.ts';
import { type Handled, isRefusal } from '../../pipeline/exchange.ts';
import type { Memory } from '../../world/deviations.ts';
import type { FolderRow } from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import { updateFolder } from './handler.ts';
import { ancestorsOf, siblingsOf } from './machine.ts';

export const folders: Deviation[] = [];
export const breaking = rowsOf(folders, 'folders', ['updateFolder']);

export const updateCall = callOf<'updateFolder'>;
type Input = NonNullable<ReturnType<typeof updateCall>['input']>;
/** What an update can change. */
type Field = 'name' | 'position';

export const { sentOf: inputOf, reads, ignores, refuses } = sending<Input>();

/** The folder that a call names, in whichever deployment it is. */
export function rowOf(call: Call): FolderRow | undefined {
  return call.world.state.tables.folders.get(updateCall(call).path.folderId);
}

/** Another folder of the same deployment. */
export function anotherFolder(world: World, row: FolderRow, fits: (other: FolderRow) => boolean) {
  return world.state.tables.folders
    .of(row.deploymentId)
    .find((other) => other.id !== row.id && other.id !== row.parentId && fits(other));
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
export function shown(call: Call): Handled | undefined {
  const answer = updatedBy(call, {});
  return answer instanceof Promise ? undefined : answer;
}

/** Updates the folder that a call names, in the deployment that it is in. */
export function updatedBy(call: Call, input: Input): Handled | Promise<Handled> {
  const { path } = updateCall(call);
  const deploymentId = Number(rowOf(call)?.deploymentId ?? path.deploymentId);
  return findAndHandle(updateFolder, trialOf(call, input, { ...path, deploymentId }));
}

interface Update {
  readonly input: Input;
  /** The folder as it was before. */
  readonly before: FolderRow;
  readonly world: World;
  readonly call: Call;
  readonly memory: Memory;
}

/** Changes the folder that an update leaves behind, and shows it in the answer. */
const leaves = (change: Change<FolderRow, Update>): Does =>
  onceDone((done, scene) => {
    const { call, world, memory } = scene;
    const row = rowOf(call);
    const before = rowBefore(scene);
    if (isRefusal(done) || row === undefined || before === undefined) return done;
    const changed = change(row, { input: inputOf(call), before, world, call, memory });
    if (changed === undefined || same({ ...row, ...changed }, row)) return done;
    world.state.tables.folders.put(row.id, changed);
    return shown(call) ?? done;
  });

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
const renamesOthers = (
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
    unlogged(world, () => updatedBy(call, input));
    return rowOf(call) !== row;
  };

type Left = Change<FolderRow, Update>;
type Holds = (row: FolderRow, update: Update) => boolean;

// ── which updates ───────────────────────────────────────────────────────────────

const sendsNothing: Holds = (_row, { input }) => isEmpty(input);
const sendsSomething: Holds = (_row, { input }) => !isEmpty(input);
const sends =
  (wanted: Field): Holds =>
  (_row, { input }) =>
    input[wanted] !== undefined;
const sendsOnly =
  (wanted: Field): Holds =>
  (_row, { input }) =>
    Object.entries({ name: input.name, position: input.position }).every(
      ([name, value]) => (value !== undefined) === (name === wanted),
    );
const comesLater: Holds = (_row, update) => isLaterUpdate(update);

// ── what they leave behind ──────────────────────────────────────────────────────

const gets =
  (fields: Partial<FolderRow>): Left =>
  (row) => ({ ...row, ...fields });
const atTop = gets({ parentId: null });
const oneFurther: Left = (row) => ({ ...row, position: row.position + 1 });

/** Under another parent than the one that the folder has: never one inside of it. */
const elsewhere: Left = (row, { world }) => {
  const { folders: table } = world.state.tables;
  const isInside = (other: FolderRow) =>
    ancestorsOf(other, (id) => table.get(id)).some(({ id }) => id === row.id);
  const parent = anotherFolder(world, row, (other) => !isInside(other));
  return { ...row, parentId: parent?.id ?? null };
};

const underSentParent: Left = (row, { input, world }) => {
  const { parentId } = input as { readonly parentId?: unknown };
  const parent = typeof parentId === 'number' && world.state.tables.folders.get(parentId);
  return parent && parent.id !== row.id ? { ...row, parentId: parent.id } : undefined;
};

const sendsNullParent: Holds = (_row, { input }) =>
  (input as { readonly parentId?: unknown }).parentId === null;

/** A field goes back to what it was before it was last sent, when the other one is sent. */
const undoes = (undone: Field): Left => {
  return (row, { input, before, memory }) => {
    const sent = input[undone] !== undefined;
    const old = exchange(memory, `${undone} of ${row.id}`, sent ? before[undone] : undefined);
    return sent || isEmpty(input) || old === undefined ? undefined : { ...row, [undone]: old };
  };
};

/** The folder goes back to what it was before the last update. */
const undoesAll: Left = (row, { input, before, memory }) => {
  const key = `before ${row.id}`;
  const old = exchange(memory, key, isEmpty(input) ? undefined : before);
  if (!isEmpty(input) || old === undefined) return undefined;
  memory.delete(key);
  return { ...row, name: old.name, position: old.position };
};

const asNew: Left = (row, { world, call }) => ({
  ...row,
  createdAt: new Date(world.clock.now()).toISOString(),
  createdBy: call.caller.user?.id ?? 0,
});

breaking(['FOLDER-4'], {
  'rename-resets-position': leaves(when(sendsOnly('name'), gets({ position: 0 }))),
  'rename-moves-on: A rename moves it one place on.': leaves(when(sendsOnly('name'), oneFurther)),
  'position-resets-name': leaves(when(sendsOnly('position'), gets({ name: 'New folder' }))),
  'position-undoes-rename': leaves(undoes('name')),
  'rename-undoes-position': leaves(undoes('position')),
  'empty-update-moves': leaves(when(sendsNothing, oneFurther)),
  'empty-update-renames': leaves(
    when(sendsNothing, (row) => ({ ...row, name: `${row.name} (edited)` })),
  ),
  'rename-changes-type': leaves(when(sends('name'), gets({ type: 'REPORT' }))),
  'rename-changes-creation: A new name makes the folder as new: created now, by whoever sent it.':
    leaves(when(sends('name'), asNew)),
  'sibling-renamed: The folders beside it get the new name too.': renamesOthers(siblingsOf),
  'children-renamed': renamesOthers((row, all) =>
    all.filter(({ parentId }) => parentId === row.id),
  ),
  'empty-update-refused': refuses('ERR-6', 'Nothing is to be changed', isEmpty),
  'name-needed': refuses(
    'ERR-6',
    'name is missing',
    (input) => input.name === undefined && !isEmpty(input),
  ),
  'position-needed': refuses(
    'ERR-6',
    'position is missing',
    (input) => input.position === undefined && !isEmpty(input),
  ),
});
breaking(['FOLDER-2', 'FOLDER-3', 'FOLDER-4'], {
  'empty-update-undoes: An update that sends nothing undoes the name and position sent before.':
    leaves(undoesAll),
});

breaking(['FOLDER-5'], {
  'update-moves-to-top': leaves(when(sendsSomething, atTop)),
  'rename-moves-to-top': leaves(when(sends('name'), atTop)),
  'position-moves-to-top': leaves(when(sends('position'), atTop)),
  'update-moves-elsewhere': leaves(when(sendsSomething, elsewhere)),
  'sent-parent-obeyed': leaves(underSentParent),
  'sent-null-parent-obeyed': leaves(when(sendsNullParent, atTop)),
  'parent-lost-later: A second update takes it out of its parent.': leaves(when(comesLater, atTop)),
});
