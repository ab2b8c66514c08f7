/** Updates that move the folder to another parent. */

import type { Deviation } from '../../../deviations/deviation.ts';
import type { Json } from '../../../deviations/transforms.ts';
import type { FolderRow } from '../../../world/rows.ts';
import type { World } from '../../../world/world.ts';
import { ancestorsOf } from '../machine.ts';
import { deviation, isEmpty, leaves, updateNumber } from './update-call.ts';

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

export const parent: readonly Deviation[] = [
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
];
