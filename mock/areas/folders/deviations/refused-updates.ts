/** Updates that are refused, and done all the same, as a whole or in part. */

import type { Deviation } from '../../../deviations/deviation.ts';
import {
  type Json,
  passesOver,
  type RefusedHook,
  refusesOnce,
  sentBody,
  unlogged,
} from '../../../deviations/transforms.ts';
import { findAndHandle } from '../../../pipeline/binding.ts';
import { updateFolder } from '../handler.ts';
import {
  copyFor,
  deviation,
  type Input,
  rowOf,
  updateCall,
  withoutName,
  withoutPosition,
} from './update-call.ts';

/** Does a refused update, or a part of it. */
function doesRefused(
  grounds: readonly string[],
  part: (sent: Json) => Input = fitting,
): RefusedHook {
  return (refused, scene) => {
    const { call, request, world } = scene;
    const row = rowOf(call);
    const sent = sentBody(request);
    if (!grounds.includes(refused.statement) || row === undefined || sent === undefined) return;
    const path = { ...updateCall(call).path, deploymentId: Number(row.deploymentId) };
    unlogged(world, () => findAndHandle(updateFolder, copyFor(call, part(sent), path)));
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

export const refusedUpdates: readonly Deviation[] = [
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
      ...refusesOnce('edit', 'FOLDER-8'),
      collateral: ['AUTH-13', 'AUTH-14', 'FOLDER-12'],
    },
  ),
  deviation(
    'members-edit-elsewhere',
    'Edit access is looked at in the first deployment only: elsewhere any user may update a folder.',
    ['FOLDER-8'],
    {
      stage: passesOver('edit', 'FOLDER-8', ({ call }) => rowOf(call)?.deploymentId !== '1'),
      collateral: ['FOLDER-12'],
    },
  ),
];
