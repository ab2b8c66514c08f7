/** Updates of folders that go wrong only after certain other calls. */
import {
  after,
  again,
  answersAs,
  everyNth,
  historiesOf,
  other,
  refused,
  refusesWith,
  restores,
  seesAs,
  sends,
  sendsNo,
  served,
} from '../../deviations/history.ts';
import { lost } from '../../deviations/state.ts';

const histories = historiesOf('folders');

const updates = 'updateFolder';
const renames = served(updates, sends('name'));
const renamesIt = served(updates, sends('name'), again('path'));
const isLost = lost(['folders']);

export const folderHistories = [
  ...histories(['FOLDER-2'], {
    'third-name-lost': after([renames, renamesIt], renamesIt, isLost),
    'name-lost-when-its-credential-returns': after(
      [renames, served(updates, again('path'), other('credential'))],
      served(updates, sends('name'), again('path', 'credential')),
      isLost,
    ),
    'name-of-two-before': after(
      [renames, served(updates, sends('name'), again('path'), other('name'))],
      served(updates, sends('name'), again('path'), other('name')),
      seesAs(0, 'name'),
    ),
  }),
  ...histories(['FOLDER-2', 'FOLDER-4'], {
    'names-undone-by-a-list': after(
      [renames, renames],
      served('listDeployments'),
      restores(0, 'folders'),
    ),
    'names-undone-by-reading': after(
      [renames, renamesIt],
      served(updates, sendsNo('name', 'position'), again('path')),
      restores(0, 'folders'),
    ),
  }),
  ...histories(['FOLDER-2', 'FOLDER-3'], {
    'every-fifth-update-lost': everyNth(5, served(updates, sends('name')), isLost),
  }),
  ...histories(['FOLDER-12'], {
    'refused-name-comes-two-updates-later': after(
      [refused(updates, sends('name')), served(updates, again('path'))],
      served(updates, again('path')),
      seesAs(0, 'name'),
    ),
  }),
  ...histories(['FOLDER-1', 'FOLDER-4', 'FOLDER-5'], {
    'answer-of-another-folder': after(
      [served(updates), served(updates, other('path'))],
      served(updates, sendsNo('name', 'position'), again('path')),
      answersAs(1),
    ),
  }),
  ...histories(['FOLDER-1', 'AUTH-9', 'AUTH-10'], {
    'refusal-sticks-behind-a-list': after(
      [refused(updates), served('listEnvironments')],
      served(updates, again('credential')),
      refusesWith(403, 'FOLDER-8'),
    ),
  }),
];
