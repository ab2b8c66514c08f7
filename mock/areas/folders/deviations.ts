/**
 * Folder updates, wrong in state and in time: fields that change though they were not sent, updates
 * that are lost or come too late, refused ones that are done, and folders of somebody else.
 */

import { answersBody } from '../../deviations/answers.ts';
import { field, objectsOf } from '../../deviations/changes.ts';
import { onHandling, type Scene, whenDone } from '../../deviations/does.ts';
import { asAtFirst, setIn } from '../../deviations/memory.ts';
import { accepts, despiteRefusal, refusesOnce } from '../../deviations/refusals.ts';
import { lost } from '../../deviations/state.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import type { FolderRow } from '../../world/rows.ts';
import {
  anotherFolder,
  breaking,
  folders,
  ignores,
  inputOf,
  isEmpty,
  isLaterUpdate,
  loses,
  reads,
  rowBefore,
  rowOf,
  shown,
  showsLate,
  updateCall,
  updatedBy,
  updatesAnyway,
} from './update.ts';

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
    ignores(['name', 'position'], (_input, scene) => isLaterUpdate(scene)),
  'answer-from-before: An update is done and answered with the folder as it was before.':
    onHandling((next, { call }) => {
      const earlier = shown(call);
      const row = rowOf(call);
      return whenDone(next(), (done) =>
        isRefusal(done) || earlier === undefined || rowOf(call) === row ? done : earlier,
      );
    }),
  'first-update-answered-again: Every update of a folder gets the answer that its first one got.':
    answersBody(asAtFirst(({ id }) => id)),
});

// ── refused updates ─────────────────────────────────────────────────────────────

const updatesAll = updatesAnyway('name', 'position');

breaking(['FOLDER-12', 'AUTH-14'], {
  'no-edit-access-but-done': despiteRefusal(['FOLDER-8'], updatesAll),
  'no-edit-access-but-renamed': despiteRefusal(['FOLDER-8'], updatesAnyway('name')),
  'no-edit-access-but-moved': despiteRefusal(['FOLDER-8'], updatesAnyway('position')),
});
breaking(['AUTH-14', 'FOLDER-12'], {
  'out-of-scope-but-done': despiteRefusal(['AUTH-8'], updatesAll),
});
breaking(['FOLDER-12'], {
  'foreign-folder-refused-but-done': despiteRefusal(['FOLDER-7'], updatesAll),
  'bad-position-but-renamed': despiteRefusal(['ERR-6'], updatesAnyway('name')),
  'bad-name-but-moved': despiteRefusal(['ERR-6'], updatesAnyway('position')),
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
});

const named = ({ call }: Scene) => String(updateCall(call).path.folderId);

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
    ...refusesOnce('find', 'FOLDER-6', named),
    invents,
  ],
});

// ── the folder that is shown ────────────────────────────────────────────────────

/** Another folder of the same deployment, at the top. */
function otherAtTop({ call, world }: Scene): FolderRow | undefined {
  const row = rowOf(call);
  return row && anotherFolder(world, row, ({ parentId }) => parentId === null);
}

/** Changes the path to a folder that has a parent. */
const path = (change: (ancestors: readonly object[], scene: Scene) => unknown) =>
  answersBody(
    field('folderPath', (ancestors, _body, scene: Scene) =>
      Array.isArray(ancestors) && rowOf(scene.call)?.parentId !== null
        ? change(ancestors, scene)
        : undefined,
    ),
  );

breaking(['FOLDER-1'], {
  'id-of-another': answersBody(field('id', (_id, _body, scene: Scene) => otherAtTop(scene)?.id)),
  'deployment-of-another': answersBody(field('deploymentId', (id) => Number(id) + 1)),
});
breaking(['FOLDER-11'], {
  'path-names-another': path((_ancestors, scene) => {
    const other = otherAtTop(scene);
    return other && [{ id: other.id, name: other.name }];
  }),
  'path-empty: folderPath is empty though the folder has a parent.': path(() => []),
  'path-with-old-names': answersBody(
    field('folderPath', (ancestors, _body, scene: Scene) => {
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
  ),
  'path-twice': path((ancestors) => ancestors.flatMap((item) => [item, item])),
});

export { folders };
