/** Single answers and states that lie: folders. */

import { fieldsOf, rowsOf } from '../exchange.ts';
import { amended, type Break, isServed, redirected, type Scene, sending } from './break.ts';
import { letIn, status, undone } from './kit.ts';

const folderOf = ({ state }: Scene, id: string | undefined) =>
  state.folders.find((one) => one.id === Number(id));

export const ofFolders = [
  {
    id: 'folder-name-ignored',
    statements: ['FOLDER-2'],
    text: 'A name is answered and not kept.',
    make: undone('folder', 'folders'),
  },
  {
    id: 'folder-position-ignored',
    statements: ['FOLDER-3'],
    text: 'A position does nothing.',
    make: redirected('folder', (call) =>
      fieldsOf(call.json).position === undefined
        ? undefined
        : sending(call, ({ position, ...body }) => body),
    ),
  },
  {
    id: 'folder-position-clears-name',
    statements: ['FOLDER-4'],
    text: 'A position alone clears the name.',
    make: redirected('folder', (call) =>
      fieldsOf(call.json).position !== undefined && fieldsOf(call.json).name === undefined
        ? sending(call, (body) => ({ ...body, name: 'Untitled' }))
        : undefined,
    ),
  },
  {
    id: 'folder-name-moves-up',
    statements: ['FOLDER-5'],
    text: 'A name moves a folder to the top.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      const found = folderOf(scene, call.path[1]);
      if (
        call.operation !== 'folder' ||
        !isServed(done) ||
        found?.parent === undefined ||
        fieldsOf(call.json).name === undefined ||
        !scene.fires()
      )
        return done;
      scene.state.folders = scene.state.folders.map((one) =>
        one === found ? { ...one, parent: undefined } : one,
      );
      return done;
    },
  },
  {
    id: 'folder-unknown-bad-request',
    statements: ['FOLDER-6', 'FOLDER-7'],
    text: 'An unknown folder is answered 400.',
    make: status(404, 400, ['folder']),
  },
  {
    id: 'folder-elsewhere',
    statements: ['FOLDER-7'],
    text: 'A folder is found through any deployment.',
    make: (scene) => (call, serve) => {
      const done = serve(call);
      const found = folderOf(scene, call.path[1]);
      if (
        call.operation !== 'folder' ||
        done.status !== 404 ||
        found === undefined ||
        !scene.fires()
      )
        return done;
      return serve({ ...call, path: [String(found.deployment), String(found.id)] });
    },
  },
  {
    id: 'folder-for-everybody',
    statements: ['FOLDER-8'],
    text: 'Edit access is not asked for.',
    make: letIn(['folder'], [403], (text) => text.includes('Lp5t')),
  },
  {
    id: 'folder-type-small',
    statements: ['FOLDER-10'],
    text: 'The type is in small letters.',
    make: amended('folder', (reply) => {
      const body = fieldsOf(reply.body);
      body.type = String(body.type).toLowerCase();
      return reply;
    }),
  },
  {
    id: 'folder-path-texts',
    statements: ['FOLDER-11'],
    text: 'The path holds the ids as texts.',
    make: amended('folder', (reply) => {
      for (const row of rowsOf(fieldsOf(reply.body).folderPath)) row.id = String(row.id);
      return reply;
    }),
  },
] as const satisfies readonly Break[];
