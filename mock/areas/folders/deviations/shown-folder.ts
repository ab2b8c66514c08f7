/** Answers that show another folder than the one that was updated, or other ancestors. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { isRecord, type Json, mapBody } from '../../../deviations/transforms.ts';
import type { FolderRow } from '../../../world/rows.ts';
import type { World } from '../../../world/world.ts';
import { deviation, rowOf } from './update-call.ts';

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

export const shownFolder: readonly Deviation[] = [
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
