/** Updates that change what they do not send, and updates that are refused for it. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { afterwards, type Handle } from '../../../deviations/transforms.ts';
import type { FolderRow } from '../../../world/rows.ts';
import { siblingsOf } from '../machine.ts';
import { deviation, inputOf, isEmpty, leaves, refuses, rowOf } from './update-call.ts';

/** Gives other folders the new name too. */
function renames(
  which: (row: FolderRow, all: readonly FolderRow[]) => readonly FolderRow[],
): Handle {
  return afterwards(({ call, world }) => {
    const row = rowOf(call);
    const { name } = inputOf(call);
    if (row === undefined || name === undefined) return false;
    const { folders } = world.state.tables;
    const others = which(row, folders.rows()).filter((other) => other.name !== name);
    for (const other of others) folders.put(other.id, { ...other, name });
    return others.length > 0;
  });
}

export const unsentFields: readonly Deviation[] = [
  deviation('rename-resets-position', 'A new name puts the folder first.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.name !== undefined && input.position === undefined ? { ...row, position: 0 } : row,
    ),
    collateral: ['FOLDER-3'],
  }),
  deviation('rename-moves-on', 'A new name puts the folder one place on.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.name !== undefined && input.position === undefined
        ? { ...row, position: row.position + 1 }
        : row,
    ),
    collateral: ['FOLDER-3'],
  }),
  deviation('position-resets-name', 'A new position takes the name away.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.position !== undefined && input.name === undefined
        ? { ...row, name: 'New folder' }
        : row,
    ),
    collateral: ['FOLDER-2'],
  }),
  deviation(
    'position-undoes-rename',
    'A new position gives the folder the name back that it had before its last renaming.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input, before, memory }) => {
        const key = `name of ${row.id}`;
        const old = memory.get(key);
        if (input.name !== undefined) {
          memory.set(key, before.name);
          return row;
        }
        return input.position !== undefined && typeof old === 'string'
          ? { ...row, name: old }
          : row;
      }),
      collateral: ['FOLDER-2'],
    },
  ),
  deviation(
    'rename-undoes-position',
    'A new name puts the folder back to where it was before it was last moved.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input, before, memory }) => {
        const key = `position of ${row.id}`;
        const old = memory.get(key);
        if (input.position !== undefined) {
          memory.set(key, before.position);
          return row;
        }
        return input.name !== undefined && typeof old === 'number'
          ? { ...row, position: old }
          : row;
      }),
      collateral: ['FOLDER-3'],
    },
  ),
  deviation('empty-update-moves', 'An update that sends nothing moves the folder.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      isEmpty(input) ? { ...row, position: row.position + 1 } : row,
    ),
    collateral: ['FOLDER-1', 'FOLDER-3', 'FOLDER-12'],
  }),
  deviation(
    'empty-update-renames',
    'An update that sends nothing marks the name as edited.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input }) =>
        isEmpty(input) ? { ...row, name: `${row.name} (edited)` } : row,
      ),
      collateral: ['FOLDER-1', 'FOLDER-2', 'FOLDER-12'],
    },
  ),
  deviation(
    'empty-update-undoes',
    'An update that sends nothing gives the folder back the name and position from before the last one.',
    ['FOLDER-2', 'FOLDER-3', 'FOLDER-4'],
    {
      handle: leaves((row, { input, before, memory }) => {
        const key = `before ${row.id}`;
        const old = memory.get(key) as FolderRow | undefined;
        if (!isEmpty(input)) memory.set(key, before);
        else memory.delete(key);
        return isEmpty(input) && old !== undefined
          ? { ...row, name: old.name, position: old.position }
          : row;
      }),
      collateral: ['FOLDER-1'],
    },
  ),
  deviation('rename-changes-type', 'A new name makes the folder a report.', ['FOLDER-4'], {
    handle: leaves((row, { input }) =>
      input.name === undefined ? row : { ...row, type: 'REPORT' as const },
    ),
  }),
  deviation(
    'rename-changes-creation',
    'A new name makes the folder as new: created now, by whoever sent it.',
    ['FOLDER-4'],
    {
      handle: leaves((row, { input, world, call }) =>
        input.name === undefined
          ? row
          : {
              ...row,
              createdAt: new Date(world.clock.now()).toISOString(),
              createdBy: call.caller.user?.id ?? 0,
            },
      ),
    },
  ),
  deviation('sibling-renamed', 'The folders beside it get the new name too.', ['FOLDER-4'], {
    handle: renames(siblingsOf),
  }),
  deviation('children-renamed', 'The folders inside of it get the new name too.', ['FOLDER-4'], {
    handle: renames((row, all) => all.filter(({ parentId }) => parentId === row.id)),
  }),
  deviation('empty-update-refused', 'An update that sends nothing is refused.', ['FOLDER-4'], {
    stage: refuses('Nothing is to be changed', isEmpty),
    collateral: ['FOLDER-1', 'FOLDER-6', 'FOLDER-7', 'FOLDER-8'],
  }),
  deviation('name-needed', 'A position without a name is refused.', ['FOLDER-4'], {
    stage: refuses('name is missing', (input) => input.name === undefined && !isEmpty(input)),
    collateral: ['FOLDER-1', 'FOLDER-3'],
  }),
  deviation('position-needed', 'A name without a position is refused.', ['FOLDER-4'], {
    stage: refuses(
      'position is missing',
      (input) => input.position === undefined && !isEmpty(input),
    ),
    collateral: ['AUTH-13', 'FOLDER-1', 'FOLDER-2', 'FOLDER-6', 'FOLDER-7', 'FOLDER-8'],
  }),
];
