/**
 * Folder updates, wrong in state and in time: fields that change though they were not sent, updates
 * that are lost or come too late, refused ones that are done, and folders of somebody else.
 */
import { Call, refusal } from '../call.ts';
import type { Answer, Refusal } from '../exchange.ts';
import { isRefusal } from '../exchange.ts';
import { ancestorsOf, siblingsOf } from '../machines/folder.ts';
import { updateFolder } from '../operations/folders.ts';
import type { FolderRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Memory, Scene } from './deviation.ts';
import {
  count,
  deviationOf,
  forgets,
  type Handle,
  type Hooks,
  isRecord,
  type Json,
  mapBody,
  remembersRefusal,
  sentBody,
  setIn,
  whenDone,
} from './transforms.ts';

type UpdateCall = Call<'updateFolder'>;
type Input = UpdateCall['input'] & object;

const deviation = deviationOf('folders', 'updateFolder');

// ── calls and rows ──────────────────────────────────────────────────────────────

function updateCall(call: Call): UpdateCall {
  return call as unknown as UpdateCall;
}

function inputOf(call: Call): Input {
  return updateCall(call).input ?? {};
}

/** The same call with another body, or for the folder where it really is. */
function copyFor(call: Call, input: Input, path = updateCall(call).path): UpdateCall {
  const { operation, caller, rawQuery } = call;
  const copy = updateCall(
    new Call({ operation, caller, path, rawQuery, basis: call.basis.trial() }),
  );
  copy.input = input;
  return copy;
}

/** The folder that a call names, in whichever deployment it is. */
function rowOf(call: Call): FolderRow | undefined {
  return call.world.state.tables.folders.get(updateCall(call).path.folderId);
}

/** Another folder of the same deployment, at the top. */
function otherTop(world: World, row: FolderRow): FolderRow | undefined {
  return world.state.tables.folders
    .rows()
    .find(
      (other) =>
        other.deploymentId === row.deploymentId &&
        other.parentId === null &&
        other.id !== row.id &&
        other.id !== row.parentId,
    );
}

/** Another parent than the one that the folder has: never one inside of it. */
function elsewhere(world: World, row: FolderRow): number | null {
  const { folders: table } = world.state.tables;
  const inside = (other: FolderRow) =>
    ancestorsOf(other, (id) => table.get(id)).some(({ id }) => id === row.id);
  const found = table
    .rows()
    .find(
      (other) =>
        other.deploymentId === row.deploymentId &&
        other.id !== row.id &&
        other.id !== row.parentId &&
        !inside(other),
    );
  return found?.id ?? null;
}

/** What the operation would answer for the folder as it is now. */
function shown(call: Call): Answer | Refusal | Promise<Answer | Refusal> {
  return updateFolder.handle(copyFor(call, {}));
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
function leaves(change: (row: FolderRow, update: Update) => FolderRow): Handle {
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
function sees(change: (input: Input, scene: Scene) => Input): Handle {
  return (next, scene) => {
    const sent = inputOf(scene.call);
    const seen = change(sent, scene);
    if (seen.name === sent.name && seen.position === sent.position) return next();
    updateCall(scene.call).input = seen;
    scene.took();
    return next();
  };
}

const name = (change: (text: string) => string): Handle =>
  sees((input) => (input.name === undefined ? input : { ...input, name: change(input.name) }));

const position = (change: (place: number) => number): Handle =>
  sees((input) =>
    input.position === undefined ? input : { ...input, position: change(input.position) },
  );

/** Answers a new value, and keeps the old one. */
function loses(field: 'name' | 'position'): Handle {
  return (next, scene) => {
    const old = rowOf(scene.call);
    return whenDone(next(), (done) => {
      const row = rowOf(scene.call);
      if (isRefusal(done) || row === undefined || old === undefined) return done;
      if (row[field] === old[field]) return done;
      scene.world.state.tables.folders.put(row.id, { ...row, [field]: old[field] });
      scene.took();
      return done;
    });
  };
}

/** Keeps a new value, and answers the one before it. */
function shownLate(field: 'name' | 'position'): Handle {
  return mapBody((body, { before, call }) => {
    const old = before.tables.folders.get(updateCall(call).path.folderId)?.[field];
    return old === undefined || old === body[field] ? undefined : { ...body, [field]: old };
  });
}

function withoutName({ name: _name, ...rest }: Input): Input {
  return rest;
}

function withoutPosition({ position: _position, ...rest }: Input): Input {
  return rest;
}

const isEmpty = (input: Input) => input.name === undefined && input.position === undefined;

/** Number of the update of this folder that changes something, 1 for the first. */
function updateNumber({ call, memory }: Pick<Scene, 'call' | 'memory'>): number {
  return isEmpty(inputOf(call)) ? 0 : count(memory, `updates of ${updateCall(call).path.folderId}`);
}

// ── refused, and done all the same ──────────────────────────────────────────────

/** Does a refused update, or a part of it. */
function doesRefused(
  grounds: readonly string[],
  part: (sent: Json) => Input = fitting,
): NonNullable<Deviation['refused']> {
  return (refused, scene) => {
    const { call, request, world } = scene;
    const row = rowOf(call);
    const sent = sentBody(request);
    if (!grounds.includes(refused.statement) || row === undefined || sent === undefined) return;
    const path = { ...updateCall(call).path, deploymentId: Number(row.deploymentId) };
    const { audit } = world.state;
    const events = audit.length;
    updateFolder.handle(copyFor(call, part(sent), path));
    audit.length = events;
    if (rowOf(call) !== row) scene.took();
  };
}

/** The fields of a body that are of their types. */
function fitting(sent: Json): Input {
  return {
    ...(typeof sent.name === 'string' && sent.name !== '' ? { name: sent.name } : {}),
    ...(Number.isInteger(sent.position) ? { position: Number(sent.position) } : {}),
  };
}

const EDIT = ['FOLDER-8'];
const SCOPE = ['AUTH-8'];
/** Where a body does not fit. */
const BODY = ['ERR-6'];

/** Refuses a body that the description allows. */
function refuses(message: string, when: (input: Input) => boolean): Hooks {
  return {
    stage: (stage, refused, { call }) =>
      stage === 'validate' && refused === undefined && when(inputOf(call))
        ? refusal(400, 'ERR-6', message)
        : refused,
  };
}

/** Passes over the refusal of a folder that is not of the deployment. */
const finds =
  (statement: string, when: (call: Call, memory: Memory) => boolean = () => true) =>
  (
    stage: string,
    refused: Refusal | undefined,
    { call, memory }: { readonly call: Call; readonly memory: Memory },
  ): Refusal | undefined =>
    stage === 'find' && refused?.statement === statement && when(call, memory)
      ? undefined
      : refused;

/** Updates a folder wherever it is. */
const updatesAnywhere: Handle = (next, { call, before }) => {
  const row = before.tables.folders.get(updateCall(call).path.folderId);
  if (row === undefined || row.deploymentId === String(updateCall(call).path.deploymentId)) {
    return next();
  }
  const path = { ...updateCall(call).path, deploymentId: Number(row.deploymentId) };
  return updateFolder.handle(copyFor(call, inputOf(call), path));
};

/** Answers for a folder that does not exist as if it had been there. */
const invents: Handle = (next, { call, world }) => {
  if (rowOf(call) !== undefined) return next();
  const { deploymentId, folderId } = updateCall(call).path;
  const at = new Date(world.clock.now()).toISOString();
  const by = call.caller.user?.id ?? 0;
  const body = {
    id: folderId,
    deploymentId,
    name: inputOf(call).name ?? `Folder ${folderId}`,
    position: inputOf(call).position ?? 0,
    type: 'FOLDER',
    createdAt: at,
    updatedAt: at,
    createdBy: by,
    updatedBy: by,
    folderPath: [],
  };
  return { status: 200, body };
};

export const folders: readonly Deviation[] = [
  // What is not sent is changed.
  deviation('rename-resets-position', 'A new name puts the folder first.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.name !== undefined && input.position === undefined ? { ...row, position: 0 } : row,
    ),
    collateral: ['FOLDER-3'],
  }),
  deviation('rename-moves-on', 'A new name puts the folder one place on.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.name !== undefined && input.position === undefined
        ? { ...row, position: row.position + 1 }
        : row,
    ),
    collateral: ['FOLDER-3'],
  }),
  deviation('position-resets-name', 'A new position takes the name away.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.position !== undefined && input.name === undefined
        ? { ...row, name: 'New folder' }
        : row,
    ),
    collateral: ['FOLDER-2'],
  }),
  deviation(
    'position-undoes-rename',
    'A new position gives the folder the name back that it had before its last renaming.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input, before, memory }) => {
        const key = `name of ${row.id}`;
        const old = memory.get(key);
        if (input.name !== undefined) {
          memory.set(key, before.name);
          return row;
        }
        return input.position !== undefined && typeof old === 'string'
          ? { ...row, name: old }
          : row;
      }),
      collateral: ['FOLDER-2'],
    },
  ),
  deviation(
    'rename-undoes-position',
    'A new name puts the folder back to where it was before it was last moved.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input, before, memory }) => {
        const key = `position of ${row.id}`;
        const old = memory.get(key);
        if (input.position !== undefined) {
          memory.set(key, before.position);
          return row;
        }
        return input.name !== undefined && typeof old === 'number'
          ? { ...row, position: old }
          : row;
      }),
      collateral: ['FOLDER-3'],
    },
  ),
  deviation('empty-update-moves', 'An update that sends nothing moves the folder.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      isEmpty(input) ? { ...row, position: row.position + 1 } : row,
    ),
    collateral: ['FOLDER-1', 'FOLDER-3', 'FOLDER-12'],
  }),
  deviation(
    'empty-update-renames',
    'An update that sends nothing marks the name as edited.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input }) =>
        isEmpty(input) ? { ...row, name: `${row.name} (edited)` } : row,
      ),
      collateral: ['FOLDER-1', 'FOLDER-2', 'FOLDER-12'],
    },
  ),
  deviation(
    'empty-update-undoes',
    'An update that sends nothing gives the folder back the name and position from before the last one.',
    ['FOLDER-2', 'FOLDER-3', 'FOLDER-4'],
    {
      handle: leaves((row, { input, before, memory }) => {
        const key = `before ${row.id}`;
        const old = memory.get(key) as FolderRow | undefined;
        if (!isEmpty(input)) memory.set(key, before);
        else memory.delete(key);
        return isEmpty(input) && old !== undefined
          ? { ...row, name: old.name, position: old.position }
          : row;
      }),
      collateral: ['FOLDER-1'],
    },
  ),
  deviation('rename-changes-type', 'A new name makes the folder a report.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.name === undefined ? row : { ...row, type: 'REPORT' as const },
    ),
  }),
  deviation(
    'rename-changes-creation',
    'A new name makes the folder as new: created now, by whoever sent it.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input, world, call }) =>
        input.name === undefined
          ? row
          : {
              ...row,
              createdAt: new Date(world.clock.now()).toISOString(),
              createdBy: call.caller.user?.id ?? 0,
            },
      ),
    },
  ),
  deviation('sibling-renamed', 'The folders beside it get the new name too.', ['FOLDER-4'], {
    handle: (next, scene) =>
      whenDone(next(), (done) => {
        const row = rowOf(scene.call);
        const { name: sent } = inputOf(scene.call);
        if (isRefusal(done) || row === undefined || sent === undefined) return done;
        const { folders: table } = scene.world.state.tables;
        for (const other of siblingsOf(row, table.rows())) {
          if (other.name === sent) continue;
          table.put(other.id, { ...other, name: sent });
          scene.took();
        }
        return done;
      }),
  }),
  deviation('children-renamed', 'The folders inside of it get the new name too.', ['FOLDER-4'], {
    handle: (next, scene) =>
      whenDone(next(), (done) => {
        const row = rowOf(scene.call);
        const { name: sent } = inputOf(scene.call);
        if (isRefusal(done) || row === undefined || sent === undefined) return done;
        const { folders: table } = scene.world.state.tables;
        for (const other of table.rows()) {
          if (other.parentId !== row.id || other.name === sent) continue;
          table.put(other.id, { ...other, name: sent });
          scene.took();
        }
        return done;
      }),
  }),
  deviation('empty-update-refused', 'An update that sends nothing is refused.', ['FOLDER-4'], {
    ...refuses('Nothing is to be changed', isEmpty),
    collateral: ['FOLDER-1', 'FOLDER-6', 'FOLDER-7', 'FOLDER-8'],
  }),
  deviation('name-needed', 'A position without a name is refused.', ['FOLDER-4'], {
    ...refuses('name is missing', (input) => input.name === undefined && !isEmpty(input)),
    collateral: ['FOLDER-1', 'FOLDER-3'],
  }),
  deviation('position-needed', 'A name without a position is refused.', ['FOLDER-4'], {
    ...refuses('position is missing', (input) => input.position === undefined && !isEmpty(input)),
    collateral: ['AUTH-13', 'FOLDER-1', 'FOLDER-2', 'FOLDER-6', 'FOLDER-7', 'FOLDER-8'],
  }),

  // The parent.
  deviation('update-moves-to-top', 'An update takes the folder out of its parent.', ['FOLDER-5'], {
    handle: leaves((row, { input }) => (isEmpty(input) ? row : { ...row, parentId: null })),
  }),
  deviation('rename-moves-to-top', 'A new name takes the folder out of its parent.', ['FOLDER-5'], {
    handle: leaves((row, { input }) =>
      input.name === undefined ? row : { ...row, parentId: null },
    ),
  }),
  deviation(
    'position-moves-to-top',
    'A new position takes the folder out of its parent.',
    ['FOLDER-5'],
    {
      handle: leaves((row, { input }) =>
        input.position === undefined ? row : { ...row, parentId: null },
      ),
    },
  ),
  deviation('update-moves-elsewhere', 'An update puts the folder somewhere else.', ['FOLDER-5'], {
    handle: leaves((row, { input, world }) =>
      isEmpty(input) ? row : { ...row, parentId: elsewhere(world, row) },
    ),
  }),
  deviation('sent-parent-obeyed', 'A parentId that is sent moves the folder there.', ['FOLDER-5'], {
    handle: leaves((row, { input, world }) => {
      const { parentId } = input as Json;
      const parent = typeof parentId === 'number' ? world.state.tables.folders.get(parentId) : null;
      return parent === null || parent === undefined || parent.id === row.id
        ? row
        : { ...row, parentId: parent.id };
    }),
  }),
  deviation(
    'sent-null-parent-obeyed',
    'A parentId of null takes the folder out of its parent.',
    ['FOLDER-5'],
    {
      handle: leaves((row, { input }) =>
        (input as Json).parentId === null ? { ...row, parentId: null } : row,
      ),
    },
  ),
  deviation(
    'parent-lost-later',
    'The second update of a folder takes it out of its parent.',
    ['FOLDER-5'],
    {
      handle: leaves((row, { call, memory }) =>
        updateNumber({ call, memory }) >= 2 ? { ...row, parentId: null } : row,
      ),
    },
  ),

  // The name.
  deviation('name-cut', 'A name is cut after 10 characters.', ['FOLDER-2'], {
    handle: name((text) => text.slice(0, 10)),
  }),
  deviation('name-in-small-letters', 'A name is kept in small letters.', ['FOLDER-2'], {
    handle: name((text) => text.toLowerCase()),
  }),
  deviation('name-in-capitals', 'A name gets a capital at its start.', ['FOLDER-2'], {
    handle: name((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  }),
  deviation('name-with-dashes', 'The spaces of a name become dashes.', ['FOLDER-2'], {
    handle: name((text) => text.replaceAll(' ', '-')),
  }),
  deviation('name-escaped', 'The characters & < > of a name are escaped for HTML.', ['FOLDER-2'], {
    handle: name((text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ),
  }),
  deviation('name-in-ascii', 'Letters of a name that are not ASCII become ?.', ['FOLDER-2'], {
    handle: name((text) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
  }),
  deviation('rename-lost', 'A new name is answered, and not kept.', ['FOLDER-2'], {
    handle: loses('name'),
    collateral: ['FOLDER-1', 'FOLDER-4'],
  }),
  deviation(
    'name-sent-with-position-ignored',
    'A name that comes with a position is passed over.',
    ['FOLDER-2'],
    { handle: sees((input) => (input.position === undefined ? input : withoutName(input))) },
  ),
  deviation(
    'rename-late',
    'A new name shows in the answer to the next update only.',
    ['FOLDER-2'],
    {
      handle: shownLate('name'),
      collateral: ['FOLDER-1'],
    },
  ),

  // The position.
  deviation(
    'position-off-by-one',
    'A folder gets the position behind the one sent.',
    ['FOLDER-3'],
    {
      handle: position((place) => place + 1),
    },
  ),
  deviation(
    'position-one-before',
    'A folder gets the position before the one sent.',
    ['FOLDER-3'],
    {
      handle: position((place) => place - 1),
    },
  ),
  deviation('position-zero-ignored', 'A position of 0 is passed over.', ['FOLDER-3'], {
    handle: sees((input) => (input.position === 0 ? withoutPosition(input) : input)),
  }),
  deviation('position-lost', 'A new position is answered, and not kept.', ['FOLDER-3'], {
    handle: loses('position'),
    collateral: ['FOLDER-1', 'FOLDER-4'],
  }),
  deviation(
    'position-alone-ignored',
    'A position that comes without a name is passed over.',
    ['FOLDER-3'],
    { handle: sees((input) => (input.name === undefined ? withoutPosition(input) : input)) },
  ),
  deviation(
    'position-sent-with-name-ignored',
    'A position that comes with a name is passed over.',
    ['FOLDER-3'],
    { handle: sees((input) => (input.name === undefined ? input : withoutPosition(input))) },
  ),
  deviation(
    'position-late',
    'A new position shows in the answer to the next update only.',
    ['FOLDER-3'],
    {
      handle: shownLate('position'),
      collateral: ['FOLDER-1'],
    },
  ),
  deviation(
    'move-back-ignored',
    'A folder that was moved does not go back to a position that it had before.',
    ['FOLDER-3'],
    {
      handle: (next, scene) => {
        const row = rowOf(scene.call);
        const { position: sent } = inputOf(scene.call);
        if (row === undefined || sent === undefined) return next();
        const had = setIn(scene.memory, `positions of ${row.id}`);
        const back = had.has(String(sent)) && sent !== row.position;
        had.add(String(row.position));
        return sees((input) => (back ? withoutPosition(input) : input))(next, scene);
      },
    },
  ),

  // Whole updates.
  deviation('update-lost', 'An update is answered, and not kept.', ['FOLDER-2', 'FOLDER-3'], {
    handle: forgets(() => true, 'folders'),
    collateral: ['FOLDER-1', 'FOLDER-4'],
  }),
  deviation(
    'second-update-lost',
    'The first update of a folder is kept; later ones are answered, and not kept.',
    ['FOLDER-2', 'FOLDER-3'],
    {
      handle: forgets((scene) => updateNumber(scene) >= 2, 'folders'),
      collateral: ['FOLDER-1', 'FOLDER-4'],
    },
  ),
  deviation(
    'second-update-ignored',
    'The first update of a folder is done; later ones are answered with 200, and not done.',
    ['FOLDER-2', 'FOLDER-3'],
    { handle: sees((input, scene) => (updateNumber(scene) >= 2 ? {} : input)) },
  ),
  deviation(
    'answer-from-before',
    'An update is done and answered with the folder as it was before.',
    ['FOLDER-2', 'FOLDER-3'],
    {
      handle: (next, scene) => {
        const earlier = shown(scene.call);
        const row = rowOf(scene.call);
        return whenDone(next(), (done) =>
          isRefusal(done) || earlier instanceof Promise || rowOf(scene.call) === row
            ? done
            : earlier,
        );
      },
      collateral: ['FOLDER-1'],
    },
  ),
  deviation(
    'first-update-answered-again',
    'Every update of a folder gets the answer that its first one got.',
    ['FOLDER-2', 'FOLDER-3'],
    {
      handle: mapBody((body, { memory }) => {
        const key = `answer of ${String(body.id)}`;
        const earlier = memory.get(key);
        if (earlier === undefined) memory.set(key, body);
        return earlier;
      }),
      collateral: ['FOLDER-1', 'FOLDER-4'],
    },
  ),

  // Refused, and done all the same.
  deviation(
    'no-edit-access-but-done',
    'An update without edit access is refused, and done.',
    ['FOLDER-12', 'AUTH-14'],
    { refused: doesRefused(EDIT) },
  ),
  deviation(
    'no-edit-access-but-renamed',
    'Of an update without edit access the name is kept, though it is refused.',
    ['FOLDER-12', 'AUTH-14'],
    { refused: doesRefused(EDIT, (sent) => withoutPosition(fitting(sent))) },
  ),
  deviation(
    'no-edit-access-but-moved',
    'Of an update without edit access the position is kept, though it is refused.',
    ['FOLDER-12', 'AUTH-14'],
    { refused: doesRefused(EDIT, (sent) => withoutName(fitting(sent))) },
  ),
  deviation(
    'out-of-scope-but-done',
    'An update outside the scope of its key is refused, and done.',
    ['AUTH-14', 'FOLDER-12'],
    { refused: doesRefused(SCOPE) },
  ),
  deviation(
    'foreign-folder-refused-but-done',
    'A folder of another deployment is answered 404, and updated.',
    ['FOLDER-12'],
    { refused: doesRefused(['FOLDER-7']) },
  ),
  deviation(
    'bad-position-but-renamed',
    'An update that is refused for its position is done as to its name.',
    ['FOLDER-12'],
    { refused: doesRefused(BODY, (sent) => withoutPosition(fitting(sent))) },
  ),
  deviation(
    'bad-name-but-moved',
    'An update that is refused for its name is done as to its position.',
    ['FOLDER-12'],
    { refused: doesRefused(BODY, (sent) => withoutName(fitting(sent))) },
  ),
  deviation(
    'edit-access-asked-once',
    'A user without edit access to a folder is refused once, and served from then on.',
    ['FOLDER-8'],
    {
      stage: (stage, refused, { memory }) =>
        stage === 'edit' && refused !== undefined && memory.has('refused') ? undefined : refused,
      refused: remembersRefusal('FOLDER-8'),
      collateral: ['AUTH-13', 'AUTH-14', 'FOLDER-12'],
    },
  ),

  // Folders that are not there.
  deviation('foreign-folder-updated', 'A folder of another deployment is updated.', ['FOLDER-7'], {
    stage: finds('FOLDER-7'),
    handle: updatesAnywhere,
    collateral: ['FOLDER-12'],
  }),
  deviation(
    'foreign-folder-refused-once',
    'A folder of another deployment is answered 404 once, and updated from then on.',
    ['FOLDER-7'],
    {
      stage: finds('FOLDER-7', (_call, memory) => memory.has('refused')),
      handle: updatesAnywhere,
      refused: remembersRefusal('FOLDER-7'),
      collateral: ['FOLDER-12'],
    },
  ),
  deviation(
    'foreign-folder-shown',
    'A folder of another deployment is left alone, and shown to an update that sends nothing.',
    ['FOLDER-7'],
    {
      stage: finds('FOLDER-7', (call) => isEmpty(inputOf(call))),
      handle: updatesAnywhere,
    },
  ),
  deviation('missing-folder-answered', 'A folder that does not exist is answered.', ['FOLDER-6'], {
    stage: finds('FOLDER-6'),
    handle: invents,
  }),
  deviation(
    'missing-folder-refused-once',
    'A folder that does not exist is answered 404 once, and is there from then on.',
    ['FOLDER-6'],
    {
      stage: finds('FOLDER-6', (call, memory) =>
        setIn(memory, 'missing').has(String(updateCall(call).path.folderId)),
      ),
      handle: invents,
      refused: ({ statement }, { call, memory }) => {
        if (statement !== 'FOLDER-6') return;
        setIn(memory, 'missing').add(String(updateCall(call).path.folderId));
      },
    },
  ),

  // Which folder is answered.
  deviation('id-of-another', 'The answer has the id of another folder.', ['FOLDER-1'], {
    handle: mapBody((body, { call, world }) => {
      const row = rowOf(call);
      const other = row === undefined ? undefined : otherTop(world, row);
      return other === undefined ? undefined : { ...body, id: other.id };
    }),
  }),
  deviation(
    'deployment-of-another',
    'The answer names another deployment as that of the folder.',
    ['FOLDER-1'],
    { handle: mapBody((body) => ({ ...body, deploymentId: Number(body.deploymentId) + 1 })) },
  ),
  deviation('path-names-another', 'folderPath names a folder that is no ancestor.', ['FOLDER-11'], {
    handle: mapBody((body, { call, world }) => {
      const row = rowOf(call);
      const other = row === undefined ? undefined : otherTop(world, row);
      if (row?.parentId === null || other === undefined) return undefined;
      return { ...body, folderPath: [{ id: other.id, name: other.name }] };
    }),
  }),
  deviation('path-empty', 'folderPath is empty though the folder has a parent.', ['FOLDER-11'], {
    handle: mapBody((body, { call }) =>
      Array.isArray(body.folderPath) && rowOf(call)?.parentId !== null
        ? { ...body, folderPath: [] }
        : undefined,
    ),
  }),
  deviation(
    'path-with-old-names',
    'folderPath shows a parent with the name that it had before it was renamed.',
    ['FOLDER-11'],
    {
      handle: mapBody((body, { call, memory, before }) => {
        const row = rowOf(call);
        const old = before.tables.folders.get(row?.id ?? 0);
        if (row !== undefined && old !== undefined && old.name !== row.name) {
          memory.set(`name of ${row.id}`, old.name);
        }
        if (!Array.isArray(body.folderPath)) return undefined;
        const path = body.folderPath.filter(isRecord).map((item) => ({
          ...item,
          name:
            item.id === row?.id
              ? item.name
              : (memory.get(`name of ${String(item.id)}`) ?? item.name),
        }));
        return path.some((item, index) => item.name !== (body.folderPath as Json[])[index]?.name)
          ? { ...body, folderPath: path }
          : undefined;
      }),
    },
  ),
  deviation('path-twice', 'folderPath names each ancestor twice.', ['FOLDER-11'], {
    handle: mapBody((body) =>
      Array.isArray(body.folderPath) && body.folderPath.length > 0
        ? { ...body, folderPath: body.folderPath.flatMap((item) => [item, item]) }
        : undefined,
    ),
  }),
];
