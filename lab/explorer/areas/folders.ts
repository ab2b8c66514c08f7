/** Renames of folders: all other fields stay. */

import fc from 'fast-check';
import { canonical } from '../../../spec/base/json.ts';
import type { ExploredOperation, Rule } from '../call.ts';

/** Checks that a rename leaves these fields alone. */
const kept = {
  'FOLDER-4': ['type', 'position', 'createdAt', 'createdBy'],
  'FOLDER-5': ['parentId'],
};

export const folder: ExploredOperation = {
  body: () =>
    fc.nat(3).map((number) => (model, call) => {
      // A name is unique to the run and the folder. If the call is made again, it sends the next
      // name.
      const names = [0, 1, 2, 3].map((of) => `Figures ${of} of {run.id} ${call.path.folderId}`);
      const now = names.indexOf(String(model.known(call, 'name')));
      const name = names[number === now ? (number + 1) % names.length : number];
      return {
        body: { name },
        sets: { name: { value: name, statement: 'FOLDER-2' } },
        serves: 'FOLDER-1',
      };
    }),
  judge: (entry, { path }, model) => {
    const since = model.since(`folder ${canonical(path)}`, entry);
    if (since === undefined) return [];
    return Object.entries(kept).map(([id, of]): Rule => [id, { unchanged: { since, of } }]);
  },
};
