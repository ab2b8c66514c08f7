/**
 * Folder updates, wrong in state and in time: fields that change though they were not sent, updates
 * that are lost or come too late, refused ones that are done, and folders of somebody else.
 */

import { updateFolder } from '../../../mock/areas/folders/handler.ts';
import { ancestorsOf, siblingsOf } from '../../../mock/areas/folders/machine.ts';
import { findAndHandle } from '../../../mock/pipeline/binding.ts';
import type { Call } from '../../../mock/pipeline/call.ts';
import { type Handled, isRefusal, type Reply } from '../../../mock/pipeline/exchange.ts';
import type { FolderRow } from '../../../mock/world/rows.ts';
import { answersBody, answersField } from '../../deviations/answers.ts';
import { type Change, type Condition, objectsOf, same, when } from '../../deviations/changes.ts';
import { type Does, onceDone, onHandling, replyOf, type Scene } from '../../deviations/does.ts';
import { asAtFirst, count, exchange, setIn } from '../../deviations/memory.ts';
import { accepts, despiteRefusal, refusesOnce } from '../../deviations/refusals.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { callOf, sending, sentBody, trialOf } from '../../deviations/sent.ts';
import { afterwards, keeps, lost, unlogged } from '../../deviations/state.ts';

export const folders: Deviation[] = [];
const breaking = rowsOf(folders, 'folders', ['updateFolder']);

// ── a call that updates a folder ────────────────────────────────────────────────

const updateCall = callOf<'updateFolder'>;
type Input = NonNullable<ReturnType<typeof updateCall>['input']>;
/** What an update can change. */
const fields = ['name', 'position'] as const;
type Field = (typeof fields)[number];

const { sentOf: inputOf, reads, ignores, refuses } = sending<Input>();

const idOf = (call: Call) => updateCall(call).path.folderId;

/** The folder that a call names, in whichever deployment it is. */
function rowOf(call: Call): FolderRow | undefined {
  return call.world.state.tables.folders.get(idOf(call));
}

/** The folder as it was before the call. */
function rowBefore({ call, before }: Scene): FolderRow | undefined {
  return before.tables.folders.get(idOf(call));
}

/** Another folder of the same deployment. */
function anotherFolder(call: Call, fits: (other: FolderRow) => boolean): FolderRow | undefined {
  const row = rowOf(call);
  return call.world.state.tables.folders
    .of(row?.deploymentId ?? '')
    .find((other) => other.id !== row?.id && other.id !== row?.parentId && fits(other));
}

const isEmpty = (input: Input) => fields.every((field) => input[field] === undefined);

/** An update that changes something, of a folder that was updated before. */
const isLaterUpdate = ({ call, memory }: Scene): boolean =>
  !isEmpty(inputOf(call)) && count(memory, `updates of ${idOf(call)}`) >= 2;

/** Updates the folder that a call names, in the deployment that it is in. */
function updatedBy(call: Call, input: Input): Handled | Promise<Handled> {
  const { path } = updateCall(call);
  const deploymentId = Number(rowOf(call)?.deploymentId ?? path.deploymentId);
  return findAndHandle(updateFolder, trialOf(call, input, { ...path, deploymentId }));
}

/** What the operation would answer for the folder as it is now. */
function shown(call: Call): Reply | undefined {
  return replyOf(updatedBy(call, {}));
}

// ── what a deviation makes of it ────────────────────────────────────────────────

interface Update extends Scene {
  readonly input: Input;
  /** The folder as it was before. */
  readonly old: FolderRow;
}
type Left = Change<FolderRow, Update>;
type Holds = Condition<FolderRow, Update>;

/** Changes the folder that an update leaves behind, and shows it in the answer. */
const leaves = (change: Left): Does =>
  onceDone((done, scene) => {
    const { call, world } = scene;
    const row = rowOf(call);
    const old = rowBefore(scene);
    if (isRefusal(done) || row === undefined || old === undefined) return done;
    const changed = change(row, { ...scene, input: inputOf(call), old }) ?? row;
    if (same(changed, row)) return done;
    world.state.tables.folders.put(row.id, changed);
    return shown(call) ?? done;
  });

/** A new value is answered, and the old one kept. */
const loses = (field: Field): Does =>
  keeps('folders', (row, old) => row && old && { ...row, [field]: old[field] });

/** A new value is kept, and the one before it answered. */
const showsLate = (field: Field): Does =>
  answersField(field, (_new, _body, scene) => rowBefore(scene)?.[field]);

/** Gives other folders the new name too. */
const renamesOthers = (
  which: (row: FolderRow, all: readonly FolderRow[]) => readonly FolderRow[],
): Does =>
  afterwards(({ call, world }) => {
    const row = rowOf(call);
    const { name } = inputOf(call);
    if (row === undefined || name === undefined) return;
    const { folders } = world.state.tables;
    const others = which(row, folders.rows()).filter((other) => other.name !== name);
    for (const other of others) folders.put(other.id, { ...other, name });
  });

const childrenOf = (row: FolderRow, all: readonly FolderRow[]) =>
  all.filter(({ parentId }) => parentId === row.id);

/** Updates a folder although the call is refused, as to the fields that fit and are chosen. */
const updatesAnyway =
  (chosen: readonly Field[] = fields) =>
  ({ call, request, world }: Scene): void => {
    if (rowOf(call) === undefined) return;
    const { name, position } = sentBody(request) ?? {};
    const input: Input = {
      ...(chosen.includes('name') && typeof name === 'string' && name !== '' ? { name } : {}),
      ...(chosen.includes('position') && Number.isInteger(position)
        ? { position: Number(position) }
        : {}),
    };
    unlogged(world, () => updatedBy(call, input));
  };

// ── the fields that are not sent ────────────────────────────────────────────────

const sendsNothing: Holds = (_row, { input }) => isEmpty(input);
const sendsSomething: Holds = (_row, { input }) => !isEmpty(input);
const sends =
  (wanted: Field): Holds =>
  (_row, { input }) =>
    input[wanted] !== undefined;
const sendsOnly =
  (wanted: Field): Holds =>
  (_row, { input }) =>
    fields.every((field) => (input[field] !== undefined) === (field === wanted));

const gets =
  (changed: Partial<FolderRow>): Left =>
  (row) => ({ ...row, ...changed });
const atTop = gets({ parentId: null });
const oneFurther: Left = (row) => ({ ...row, position: row.position + 1 });

/** Under another parent than the one that the folder has: never one inside of it. */
const elsewhere: Left = (row, { call, world }) => {
  const { folders: table } = world.state.tables;
  const isInside = (other: FolderRow) =>
    ancestorsOf(other, (id) => table.get(id)).some(({ id }) => id === row.id);
  const parent = anotherFolder(call, (other) => !isInside(other));
  return { ...row, parentId: parent?.id ?? null };
};

/** A parent that is sent, which no update takes. */
const sentParent = ({ input }: Update) => (input as { readonly parentId?: unknown }).parentId;

const underSentParent: Left = (row, update) => {
  const parentId = sentParent(update);
  const parent = typeof parentId === 'number' && update.world.state.tables.folders.get(parentId);
  return parent && parent.id !== row.id ? { ...row, parentId: parent.id } : undefined;
};

/** A field goes back to what it was before it was last sent, when the other one is sent. */
const undoes =
  (undone: Field): Left =>
  (row, { input, old, memory }) => {
    const sent = input[undone] !== undefined;
    const earlier = exchange(memory, `${undone} of ${row.id}`, sent ? old[undone] : undefined);
    return sent || isEmpty(input) || earlier === undefined
      ? undefined
      : { ...row, [undone]: earlier };
  };

/** The folder goes back to what it was before the last update. */
const undoesAll: Left = (row, { input, old, memory }) => {
  const key = `before ${row.id}`;
  const earlier = exchange(memory, key, isEmpty(input) ? undefined : old);
  if (!isEmpty(input) || earlier === undefined) return undefined;
  memory.delete(key);
  return { ...row, name: earlier.name, position: earlier.position };
};

const asNew: Left = (row, { world, call }) => ({
  ...row,
  createdAt: new Date(world.clock.now()).toISOString(),
  createdBy: call.caller.user?.id ?? 0,
});

/** Refuses an update that leaves this field out, though not one that sends nothing. */
const needs = (field: Field): Does =>
  refuses('ERR-6', `${field} is missing`, (input) => input[field] === undefined && !isEmpty(input));

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
  'children-renamed': renamesOthers(childrenOf),
  'empty-update-refused': refuses('ERR-6', 'Nothing is to be changed', isEmpty),
  'name-needed': needs('name'),
  'position-needed': needs('position'),
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
  'sent-null-parent-obeyed': leaves(when((_row, update) => sentParent(update) === null, atTop)),
  'parent-lost-later: A second update takes it out of its parent.': leaves(
    when((_row, update) => isLaterUpdate(update), atTop),
  ),
});

// ── the fields that are sent ────────────────────────────────────────────────────

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A folder is sent back to a position that it had before. */
function movesBack({ position }: { readonly position?: number }, { call, memory }: Scene): boolean {
  const row = rowOf(call);
  if (row === undefined || position === undefined) return false;
  const had = setIn(memory, `positions of ${row.id}`);
  const back = had.has(String(position)) && position !== row.position;
  had.add(String(row.position));
  return back;
}

breaking(['FOLDER-2'], {
  'name-cut: A name is cut after 10 characters.': reads('name', (text) => text.slice(0, 10)),
  'name-in-small-letters': reads('name', (text) => text.toLowerCase()),
  'name-in-capitals: A name gets a capital at its start.': reads(
    'name',
    (text) => text.slice(0, 1).toUpperCase() + text.slice(1),
  ),
  'name-with-dashes': reads('name', (text) => text.replaceAll(' ', '-')),
  'name-escaped: The characters & < > of a name are escaped for HTML.': reads('name', escaped),
  'name-in-ascii': reads('name', (text) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
  'rename-lost: A new name is answered, and not kept.': loses('name'),
  'name-sent-with-position-ignored': ignores(['name'], ({ position }) => position !== undefined),
  'rename-late: A new name shows in the answer to the next update.': showsLate('name'),
});
breaking(['FOLDER-3'], {
  'position-off-by-one': reads('position', (place) => place + 1),
  'position-one-before': reads('position', (place) => place - 1),
  'position-zero-ignored': ignores(['position'], ({ position }) => position === 0),
  'position-lost: A new position is answered, and not kept.': loses('position'),
  'position-alone-ignored': ignores(['position'], ({ name }) => name === undefined),
  'position-sent-with-name-ignored': ignores(['position'], ({ name }) => name !== undefined),
  'position-late: A new position shows in the answer to the next update.': showsLate('position'),
  'move-back-ignored: A folder that was moved does not go back to a position that it had before.':
    ignores(['position'], movesBack),
});

// ── whole updates ───────────────────────────────────────────────────────────────

breaking(['FOLDER-2', 'FOLDER-3'], {
  'update-lost: An update is answered, and not kept.': lost(['folders']),
  'second-update-lost: The first update of a folder is kept; later ones are answered and lost.':
    lost(['folders'], isLaterUpdate),
  'second-update-ignored: The first update of a folder is done; later ones are only answered.':
    ignores(fields, (_input, scene) => isLaterUpdate(scene)),
  'answer-from-before: An update is done and answered with the folder as it was before.':
    onHandling((next, { call }) => {
      const [earlier, row] = [shown(call), rowOf(call)];
      const done = next();
      return earlier === undefined || rowOf(call) === row ? done : earlier;
    }),
  'first-update-answered-again: Every update of a folder gets the answer that its first one got.':
    answersBody(asAtFirst(({ id }) => id)),
});

// ── refused updates ─────────────────────────────────────────────────────────────

breaking(['FOLDER-12', 'AUTH-14'], {
  'no-edit-access-but-done': despiteRefusal(['FOLDER-8'], updatesAnyway()),
  'no-edit-access-but-renamed': despiteRefusal(['FOLDER-8'], updatesAnyway(['name'])),
  'no-edit-access-but-moved': despiteRefusal(['FOLDER-8'], updatesAnyway(['position'])),
});
breaking(['AUTH-14', 'FOLDER-12'], {
  'out-of-scope-but-done': despiteRefusal(['AUTH-8'], updatesAnyway()),
});
breaking(['FOLDER-12'], {
  'foreign-folder-refused-but-done': despiteRefusal(['FOLDER-7'], updatesAnyway()),
  'bad-position-but-renamed': despiteRefusal(['ERR-6'], updatesAnyway(['name'])),
  'bad-name-but-moved': despiteRefusal(['ERR-6'], updatesAnyway(['position'])),
});
breaking(['FOLDER-8'], {
  'edit-access-asked-once': refusesOnce('edit', 'FOLDER-8'),
  'members-edit-elsewhere: Outside the first deployment, any user may update a folder.': accepts(
    'edit',
    'FOLDER-8',
    ({ call }) => rowOf(call)?.deploymentId !== '1',
  ),
});

/** Updates a folder wherever it is. */
const updatesAnywhere = onHandling((next, scene) => {
  const { call } = scene;
  const row = rowBefore(scene);
  const isHere = row?.deploymentId === String(updateCall(call).path.deploymentId);
  return row === undefined || isHere ? next() : updatedBy(call, inputOf(call));
});

/** Answers for a folder that does not exist as if it had been there. */
const invents = onHandling((next, { call, world }) => {
  if (rowOf(call) !== undefined) return next();
  const { deploymentId, folderId: id } = updateCall(call).path;
  const { name = `Folder ${id}`, position = 0 } = inputOf(call);
  const at = new Date(world.clock.now()).toISOString();
  const by = call.caller.user?.id ?? 0;
  const made = { createdAt: at, updatedAt: at, createdBy: by, updatedBy: by };
  const body = { id, deploymentId, name, position, type: 'FOLDER', ...made, folderPath: [] };
  return { status: 200, body };
});

breaking(['FOLDER-7'], {
  'foreign-folder-updated': [accepts('find', 'FOLDER-7'), updatesAnywhere],
  'foreign-folder-refused-once: A foreign folder is answered 404 once, and updated from then on.': [
    ...refusesOnce('find', 'FOLDER-7'),
    updatesAnywhere,
  ],
  'foreign-folder-shown: A foreign folder is shown to an update that sends nothing.': [
    accepts('find', 'FOLDER-7', ({ call }) => isEmpty(inputOf(call))),
    updatesAnywhere,
  ],
});
breaking(['FOLDER-6'], {
  'missing-folder-answered': [accepts('find', 'FOLDER-6'), invents],
  'missing-folder-refused-once: A missing folder is answered 404 once, and there from then on.': [
    ...refusesOnce('find', 'FOLDER-6', ({ call }) => String(idOf(call))),
    invents,
  ],
});

// ── the folder that is shown ────────────────────────────────────────────────────

/** Another folder of the same deployment, at the top. */
const otherAtTop = ({ call }: Scene) => anotherFolder(call, ({ parentId }) => parentId === null);

/** Changes the path to a folder that has a parent. */
const path = (change: (ancestors: readonly object[], scene: Scene) => unknown) =>
  answersField('folderPath', (ancestors, _body, scene) =>
    Array.isArray(ancestors) && rowOf(scene.call)?.parentId !== null
      ? change(ancestors, scene)
      : undefined,
  );

breaking(['FOLDER-1'], {
  'id-of-another': answersField('id', (_id, _body, scene) => otherAtTop(scene)?.id),
  'deployment-of-another': answersField('deploymentId', (id) => Number(id) + 1),
});
breaking(['FOLDER-11'], {
  'path-names-another': path((_ancestors, scene) => {
    const other = otherAtTop(scene);
    return other && [{ id: other.id, name: other.name }];
  }),
  'path-empty: folderPath is empty though the folder has a parent.': path(() => []),
  'path-with-old-names': answersField('folderPath', (ancestors, _body, scene) => {
    const { call, memory } = scene;
    const row = rowOf(call);
    const old = rowBefore(scene);
    if (row !== undefined && old !== undefined && old.name !== row.name) {
      memory.set(`name of ${row.id}`, old.name);
    }
    const nameOf = (id: unknown) => (id === row?.id ? undefined : memory.get(`name of ${id}`));
    return Array.isArray(ancestors)
      ? objectsOf(ancestors).map((item) => ({ ...item, name: nameOf(item.id) ?? item.name }))
      : undefined;
  }),
  'path-twice': path((ancestors) => ancestors.flatMap((item) => [item, item])),
});
