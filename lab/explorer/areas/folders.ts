/** Updates of folders: the fields that are sent change, all others stay. */

import fc from 'fast-check';
import { canonical, isObject } from '../../../spec/base/json.ts';
import type { ExploredOperation } from '../call.ts';
import type { Rule } from '../contradiction.ts';

/** Names that a careless service would not keep as they are. */
const names = ['Quarterly Figures', 'all small', 'Größe über Übersicht', 'R&D <plans> "x"'];
/** The rules for names are not shown, so others may be refused. */
const plain = /^[\w {}.]+$/;

const writes = fc.record({
  name: fc.option(fc.nat(3), { nil: undefined, freq: 3 }),
  place: fc.boolean(),
});

/** Fields that no call changes. */
const kept = { 'FOLDER-4': ['type', 'createdAt', 'createdBy'], 'FOLDER-5': ['parentId'] };

export const folder: ExploredOperation = {
  body: () =>
    writes.map(({ name, place }) => (model, call) => {
      const { folderId = '' } = call.path;
      // Unique to the run and the folder. Made again, the call goes on to the next name.
      const choices = names.map((words) => `${words} of {run.id} ${folderId}`);
      const now = choices.indexOf(String(model.known(call, 'name')));
      const called =
        name === undefined ? undefined : choices[name === now ? (name + 1) % choices.length : name];
      // A folder can stay at its position; which others there are, only its siblings tell.
      const position = place ? model.notes.get(`position of ${folderId}`) : undefined;
      const body = { ...(called && { name: called }), ...(position !== undefined && { position }) };
      return {
        body,
        sets: {
          ...(called && { name: { value: called, statement: 'FOLDER-2' } }),
          ...(position !== undefined && { position: { value: position, statement: 'FOLDER-3' } }),
        },
        serves: called === undefined || plain.test(called) ? 'FOLDER-1' : undefined,
      };
    }),
  judge: (entry, { path }, model) => {
    const { position } = isObject(entry.answer.body) ? entry.answer.body : {};
    model.notes.set(`position of ${path.folderId}`, position);
    const since = model.since(`folder ${canonical(path)}`, entry);
    if (since === undefined) return [];
    return Object.entries(kept).map(([id, of]): Rule => [id, { unchanged: { since, of } }]);
  },
};
