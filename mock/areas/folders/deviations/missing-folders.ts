/** Folders that are not there, or not in this deployment, and are answered. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { type Handle, passesOver, refusesOnce, setIn } from '../../../deviations/transforms.ts';
import { findAndHandle } from '../../../pipeline/binding.ts';
import { updateFolder } from '../handler.ts';
import { copyFor, deviation, inputOf, isEmpty, rowOf, updateCall } from './update-call.ts';

/** Updates a folder wherever it is. */
const updatesAnywhere: Handle = (next, { call, before }) => {
  const row = before.tables.folders.get(updateCall(call).path.folderId);
  if (row === undefined || row.deploymentId === String(updateCall(call).path.deploymentId)) {
    return next();
  }
  const path = { ...updateCall(call).path, deploymentId: Number(row.deploymentId) };
  return findAndHandle(updateFolder, copyFor(call, inputOf(call), path));
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

export const missingFolders: readonly Deviation[] = [
  deviation('foreign-folder-updated', 'A folder of another deployment is updated.', ['FOLDER-7'], {
    stage: passesOver('find', 'FOLDER-7'),
    handle: updatesAnywhere,
    collateral: ['FOLDER-12'],
  }),
  deviation(
    'foreign-folder-refused-once',
    'A folder of another deployment is answered 404 once, and updated from then on.',
    ['FOLDER-7'],
    {
      ...refusesOnce('find', 'FOLDER-7'),
      handle: updatesAnywhere,
      collateral: ['FOLDER-12'],
    },
  ),
  deviation(
    'foreign-folder-shown',
    'A folder of another deployment is left alone, and shown to an update that sends nothing.',
    ['FOLDER-7'],
    {
      stage: passesOver('find', 'FOLDER-7', ({ call }) => isEmpty(inputOf(call))),
      handle: updatesAnywhere,
    },
  ),
  deviation('missing-folder-answered', 'A folder that does not exist is answered.', ['FOLDER-6'], {
    stage: passesOver('find', 'FOLDER-6'),
    handle: invents,
  }),
  deviation(
    'missing-folder-refused-once',
    'A folder that does not exist is answered 404 once, and is there from then on.',
    ['FOLDER-6'],
    {
      stage: passesOver('find', 'FOLDER-6', ({ call, memory }) =>
        setIn(memory, 'missing').has(String(updateCall(call).path.folderId)),
      ),
      handle: invents,
      refused: ({ statement }, { call, memory }) => {
        if (statement !== 'FOLDER-6') return;
        setIn(memory, 'missing').add(String(updateCall(call).path.folderId));
      },
    },
  ),
];
