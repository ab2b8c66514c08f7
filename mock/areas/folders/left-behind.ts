/** The folder that an update leaves behind: fields that change unsent, and another parent. */
import { type Change, when } from '../../deviations/changes.ts';
import { exchange } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import type { FolderRow } from '../../world/rows.ts';
import { ancestorsOf, siblingsOf } from './machine.ts';
import {
  anotherFolder,
  type Field,
  isEmpty,
  isLaterUpdate,
  leaves,
  refuses,
  renamesOthers,
  type Update,
} from './update.ts';

const breaking = rowsOf('folders', ['updateFolder']);

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

export const unsentFields = [
  ...breaking(['FOLDER-4'], {
    'rename-resets-position': leaves(when(sendsOnly('name'), gets({ position: 0 }))),
    'rename-moves-on': [
      'A new name puts the folder one place on.',
      leaves(when(sendsOnly('name'), oneFurther)),
    ],
    'position-resets-name': leaves(when(sendsOnly('position'), gets({ name: 'New folder' }))),
    'position-undoes-rename': leaves(undoes('name')),
    'rename-undoes-position': leaves(undoes('position')),
    'empty-update-moves': leaves(when(sendsNothing, oneFurther)),
    'empty-update-renames': leaves(
      when(sendsNothing, (row) => ({ ...row, name: `${row.name} (edited)` })),
    ),
  }),
  ...breaking(['FOLDER-2', 'FOLDER-3', 'FOLDER-4'], {
    'empty-update-undoes': [
      'An update that sends nothing gives the folder back the name and position from before the last one.',
      leaves(undoesAll),
    ],
  }),
  ...breaking(['FOLDER-4'], {
    'rename-changes-type': leaves(when(sends('name'), gets({ type: 'REPORT' }))),
    'rename-changes-creation': [
      'A new name makes the folder as new: created now, by whoever sent it.',
      leaves(when(sends('name'), asNew)),
    ],
    'sibling-renamed': ['The folders beside it get the new name too.', renamesOthers(siblingsOf)],
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
  }),
];

export const parents = breaking(['FOLDER-5'], {
  'update-moves-to-top': leaves(when(sendsSomething, atTop)),
  'rename-moves-to-top': leaves(when(sends('name'), atTop)),
  'position-moves-to-top': leaves(when(sends('position'), atTop)),
  'update-moves-elsewhere': leaves(when(sendsSomething, elsewhere)),
  'sent-parent-obeyed': leaves(underSentParent),
  'sent-null-parent-obeyed': leaves(when(sendsNullParent, atTop)),
  'parent-lost-later': [
    'The second update of a folder takes it out of its parent.',
    leaves(when(comesLater, atTop)),
  ],
});
