/** Faults that only a history of calls shows: folders. */

import { type Call, fieldsOf, type Json, reply, rowsOf } from '../exchange.ts';
import type { Folder, State } from '../state.ts';
import { type Break, isRefused, isServed } from './break.ts';
import { lost, minute, sent } from './kit.ts';

const folderIn = (state: State, call: Call): Folder | undefined =>
  state.folders.find((one) => one.id === Number(call.path[1]));

export const historyOfFolders = [
  {
    id: 'renamed-twice-keeps-first',
    statements: ['FOLDER-2', 'FOLDER-4'],
    text: 'A folder that is renamed twice within a minute keeps the first name; the answer says the second.',
    make: (scene) => {
      const named = new Map<number, number>();
      return (call, serve) => {
        const found = call.operation === 'folder' ? folderIn(scene.state, call) : undefined;
        if (found === undefined || sent(call).name === undefined) return serve(call);
        const recent = scene.now() - (named.get(found.id) ?? -minute) < minute;
        const { name } = found;
        const done = serve(call);
        if (!isServed(done)) return done;
        if (recent && name !== sent(call).name && scene.fires()) found.name = name;
        else named.set(found.id, scene.now());
        return done;
      };
    },
  },
  {
    id: 'used-name-refused',
    statements: ['FOLDER-2'],
    text: 'A name that a folder has had cannot come back to it.',
    make: (scene) => {
      const had = new Map<number, Set<Json>>();
      return (call, serve) => {
        const found = call.operation === 'folder' ? folderIn(scene.state, call) : undefined;
        const { name } = sent(call);
        if (found === undefined || name === undefined || name === found.name) return serve(call);
        const names = had.get(found.id) ?? new Set();
        if (names.has(name) && scene.fires()) return reply(422, { error: 'E-703 name?' });
        const before = found.name;
        const done = serve(call);
        if (isServed(done)) had.set(found.id, names.add(before));
        return done;
      };
    },
  },
  {
    id: 'position-brings-old-name',
    statements: ['FOLDER-4'],
    text: 'A position alone, after a name, brings the name of before back.',
    make: (scene) => {
      const old = new Map<number, string>();
      return (call, serve) => {
        const found = call.operation === 'folder' ? folderIn(scene.state, call) : undefined;
        const before = found?.name ?? '';
        const done = serve(call);
        if (found === undefined || !isServed(done)) return done;
        const { name, position } = sent(call);
        if (typeof name === 'string' && name !== before) old.set(found.id, before);
        else if (position !== undefined && old.has(found.id) && scene.fires())
          found.name = old.get(found.id) ?? before;
        return done;
      };
    },
  },
  {
    id: 'refused-update-comes-later',
    statements: ['FOLDER-12', 'AUTH-14'],
    text: 'The next update of a folder makes the refused one as well.',
    make: (scene) => {
      const waiting = new Map<string, Json | undefined>();
      return (call, serve) => {
        const done = serve(call);
        if (call.operation !== 'folder') return done;
        const key = call.path.join('/');
        if (isRefused(done)) waiting.set(key, call.json);
        const name = fieldsOf(waiting.get(key)).name;
        const found = folderIn(scene.state, call);
        if (isServed(done) && typeof name === 'string' && found !== undefined && scene.fires())
          found.name = name;
        if (isServed(done)) waiting.delete(key);
        return done;
      };
    },
  },
  {
    id: 'third-update-moves-up',
    statements: ['FOLDER-5'],
    text: 'The third name of a folder inside another moves it to the top.',
    make: (scene) => {
      const counts = new Map<number, number>();
      return (call, serve) => {
        const done = serve(call);
        const found = call.operation === 'folder' ? folderIn(scene.state, call) : undefined;
        if (found?.parent === undefined || !isServed(done) || sent(call).name === undefined)
          return done;
        const count = (counts.get(found.id) ?? 0) + 1;
        counts.set(found.id, count);
        if (count === 3 && scene.fires())
          scene.state.folders = scene.state.folders.map((one) =>
            one === found ? { ...one, parent: undefined } : one,
          );
        return done;
      };
    },
  },
  {
    id: 'path-keeps-old-name',
    statements: ['FOLDER-11'],
    text: 'folderPath goes on to say the name that an ancestor had when it was first shown.',
    make: (scene) => {
      const first = new Map<Json | undefined, Json>();
      return (call, serve) => {
        const done = serve(call);
        if (call.operation !== 'folder' || !isServed(done)) return done;
        const { id, folderPath } = fieldsOf(done.body);
        for (const row of rowsOf(folderPath).filter((one) => one.id !== id)) {
          if (!first.has(row.id)) first.set(row.id, row.name ?? null);
          const name = first.get(row.id) ?? null;
          if (name !== row.name && scene.fires()) row.name = name;
        }
        return done;
      };
    },
  },
  {
    id: 'second-editor-loses',
    statements: ['FOLDER-2'],
    text: 'An update by another credential than the last is answered and lost.',
    make: (scene) => {
      const last = new Map<string, string>();
      return (call, serve) => {
        if (call.operation !== 'folder' || Object.keys(sent(call)).length === 0) return serve(call);
        const key = call.path.join('/');
        const other = last.has(key) && last.get(key) !== call.authorization;
        const done = other && scene.fires() ? lost('folders')(call, serve, scene) : serve(call);
        if (isServed(done)) last.set(key, call.authorization);
        return done;
      };
    },
  },
  {
    id: 'name-swapped-with-sibling',
    statements: ['FOLDER-2', 'FOLDER-4'],
    text: 'A name right after that of a sibling goes to the sibling.',
    make: (scene) => {
      let last: Folder | undefined;
      return (call, serve) => {
        const found = call.operation === 'folder' ? folderIn(scene.state, call) : undefined;
        if (found === undefined || sent(call).name === undefined) return serve(call);
        const before = found.name;
        const done = serve(call);
        const sibling = last;
        last = isServed(done) ? found : undefined;
        if (
          sibling !== undefined &&
          sibling !== found &&
          sibling.parent === found.parent &&
          isServed(done) &&
          scene.fires()
        )
          [sibling.name, found.name] = [found.name, before];
        return done;
      };
    },
  },
] as const satisfies readonly Break[];
