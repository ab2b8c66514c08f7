/** A new name or position that is changed, passed over, not kept, or shown too late. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { afterwards, type Handle, mapBody, setIn } from '../../../deviations/transforms.ts';
import {
  deviation,
  inputOf,
  rowOf,
  sees,
  updateCall,
  withoutName,
  withoutPosition,
} from './update-call.ts';

/** Answers a new value, and keeps the old one. */
function loses(field: 'name' | 'position'): Handle {
  return afterwards(({ call, world, before }) => {
    const row = rowOf(call);
    const old = before.tables.folders.get(updateCall(call).path.folderId);
    if (row === undefined || old === undefined || row[field] === old[field]) return false;
    world.state.tables.folders.put(row.id, { ...row, [field]: old[field] });
    return true;
  });
}

/** Keeps a new value, and answers the one before it. */
function shownLate(field: 'name' | 'position'): Handle {
  return mapBody((body, { before, call }) => {
    const old = before.tables.folders.get(updateCall(call).path.folderId)?.[field];
    return old === undefined || old === body[field] ? undefined : { ...body, [field]: old };
  });
}

export const name = (change: (text: string) => string): Handle =>
  sees((input) => (input.name === undefined ? input : { ...input, name: change(input.name) }));

export const names: readonly Deviation[] = [
  deviation('name-cut', 'A name is cut after 10 characters.', ['FOLDER-2'], {
    handle: name((text) => text.slice(0, 10)),
  }),
  deviation('name-in-small-letters', 'A name is kept in small letters.', ['FOLDER-2'], {
    handle: name((text) => text.toLowerCase()),
  }),
  deviation('name-in-capitals', 'A name gets a capital at its start.', ['FOLDER-2'], {
    handle: name((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  }),
  deviation('name-with-dashes', 'The spaces of a name become dashes.', ['FOLDER-2'], {
    handle: name((text) => text.replaceAll(' ', '-')),
  }),
  deviation('name-escaped', 'The characters & < > of a name are escaped for HTML.', ['FOLDER-2'], {
    handle: name((text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ),
  }),
  deviation('name-in-ascii', 'Letters of a name that are not ASCII become ?.', ['FOLDER-2'], {
    handle: name((text) => text.replaceAll(/[^\x20-\x7e]/gu, '?')),
  }),
  deviation('rename-lost', 'A new name is answered, and not kept.', ['FOLDER-2'], {
    handle: loses('name'),
    collateral: ['FOLDER-1', 'FOLDER-4'],
  }),
  deviation(
    'name-sent-with-position-ignored',
    'A name that comes with a position is passed over.',
    ['FOLDER-2'],
    { handle: sees((input) => (input.position === undefined ? input : withoutName(input))) },
  ),
  deviation(
    'rename-late',
    'A new name shows in the answer to the next update only.',
    ['FOLDER-2'],
    {
      handle: shownLate('name'),
      collateral: ['FOLDER-1'],
    },
  ),
];

export const position = (change: (place: number) => number): Handle =>
  sees((input) =>
    input.position === undefined ? input : { ...input, position: change(input.position) },
  );

export const positions: readonly Deviation[] = [
  deviation(
    'position-off-by-one',
    'A folder gets the position behind the one sent.',
    ['FOLDER-3'],
    {
      handle: position((place) => place + 1),
    },
  ),
  deviation(
    'position-one-before',
    'A folder gets the position before the one sent.',
    ['FOLDER-3'],
    {
      handle: position((place) => place - 1),
    },
  ),
  deviation('position-zero-ignored', 'A position of 0 is passed over.', ['FOLDER-3'], {
    handle: sees((input) => (input.position === 0 ? withoutPosition(input) : input)),
  }),
  deviation('position-lost', 'A new position is answered, and not kept.', ['FOLDER-3'], {
    handle: loses('position'),
    collateral: ['FOLDER-1', 'FOLDER-4'],
  }),
  deviation(
    'position-alone-ignored',
    'A position that comes without a name is passed over.',
    ['FOLDER-3'],
    { handle: sees((input) => (input.name === undefined ? withoutPosition(input) : input)) },
  ),
  deviation(
    'position-sent-with-name-ignored',
    'A position that comes with a name is passed over.',
    ['FOLDER-3'],
    { handle: sees((input) => (input.name === undefined ? input : withoutPosition(input))) },
  ),
  deviation(
    'position-late',
    'A new position shows in the answer to the next update only.',
    ['FOLDER-3'],
    {
      handle: shownLate('position'),
      collateral: ['FOLDER-1'],
    },
  ),
  deviation(
    'move-back-ignored',
    'A folder that was moved does not go back to a position that it had before.',
    ['FOLDER-3'],
    {
      handle: (next, scene) => {
        const row = rowOf(scene.call);
        const { position: sent } = inputOf(scene.call);
        if (row === undefined || sent === undefined) return next();
        const had = setIn(scene.memory, `positions of ${row.id}`);
        const back = had.has(String(sent)) && sent !== row.position;
        had.add(String(row.position));
        return sees((input) => (back ? withoutPosition(input) : input))(next, scene);
      },
    },
  ),
];
