import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FolderRow } from '../../world/rows.ts';
import { ancestorsOf, type FolderChanges, siblingsOf, updateFolder } from './machine.ts';

const BY = { userId: 2, at: '2026-03-01T12:00:00.000Z' };
const CREATED = '2026-01-01T00:00:00.000Z';

function folderOf(id: number, more: Partial<FolderRow> = {}): FolderRow {
  return {
    id,
    deploymentId: '1',
    name: `Folder ${id}`,
    position: 0,
    type: 'FOLDER',
    createdAt: CREATED,
    updatedAt: CREATED,
    createdBy: 1,
    updatedBy: 1,
    parentId: null,
    ...more,
  };
}

describe('sent fields x changed fields', () => {
  const before = folderOf(13, { parentId: 11 });
  test.for<[string, FolderChanges, Partial<FolderRow>]>([
    ['nothing', {}, {}],
    ['a name', { name: 'Yearly' }, { name: 'Yearly' }],
    ['a position', { position: 4 }, { position: 4 }],
    ['both', { name: 'Yearly', position: 4 }, { name: 'Yearly', position: 4 }],
    ['position 0', { position: 0 }, {}],
    ['an empty name', { name: '' }, { name: '' }],
    ['the name that it has', { name: before.name }, {}],
  ])('%s', ([, changes, changed]) => {
    const stamp =
      Object.keys(changed).length === 0 ? {} : { updatedAt: BY.at, updatedBy: BY.userId };
    expect(updateFolder(before, changes, BY)).toEqual({ ...before, ...changed, ...stamp });
  });

  test('if nothing changes, the folder stays the same object', () => {
    expect(updateFolder(before, { name: before.name, position: 0 }, BY)).toBe(before);
  });
});

describe('siblings', () => {
  const all = [
    folderOf(11),
    folderOf(12),
    folderOf(13, { parentId: 11 }),
    folderOf(14, { parentId: 11 }),
    folderOf(21, { deploymentId: '2' }),
  ];
  test.for([
    [11, [12]],
    [13, [14]],
    [21, []],
  ] as const)('of %i: %j', ([id, siblings]) => {
    const folder = all.find((item) => item.id === id) ?? folderOf(0);
    expect(siblingsOf(folder, all).map((item) => item.id)).toEqual(siblings);
  });
});

describe('ancestors', () => {
  const tree = new Map(
    [folderOf(1), folderOf(2, { parentId: 1 }), folderOf(3, { parentId: 2 })].map((row) => [
      row.id,
      row,
    ]),
  );
  const chain = (row: FolderRow) => ancestorsOf(row, (id) => tree.get(id)).map(({ id }) => id);

  test('ancestors are listed from the top down, without the folder itself', () => {
    expect(chain(folderOf(4, { parentId: 3 }))).toEqual([1, 2, 3]);
    expect(chain(folderOf(4))).toEqual([]);
  });

  test('a missing parent ends the chain', () => {
    expect(chain(folderOf(4, { parentId: 99 }))).toEqual([]);
  });

  test('a ring of parents ends as well', () => {
    const ring = new Map([
      [1, folderOf(1, { parentId: 2 })],
      [2, folderOf(2, { parentId: 1 })],
    ]);
    const ids = ancestorsOf(folderOf(1, { parentId: 2 }), (id) => ring.get(id));
    expect(ids.map(({ id }) => id)).toEqual([2]);
  });
});

// A failing property names the seed and path that replay it.
describe('any fields that are sent', () => {
  const changes: fc.Arbitrary<FolderChanges> = fc.record(
    { name: fc.string(), position: fc.integer() },
    { requiredKeys: [] },
  );
  const parents = fc.option(fc.nat(), { nil: null });

  test('the parent never changes, and only sent fields change', () => {
    fc.assert(
      fc.property(parents, fc.array(changes), (parentId, updates) => {
        const before = folderOf(13, { parentId });
        let sent: FolderChanges = {};
        let row = before;
        for (const update of updates) {
          row = updateFolder(row, update, BY);
          sent = { ...sent, ...update };
        }
        const { updatedAt: _at, updatedBy: _by, ...rest } = row;
        expect({ ...before, ...sent }).toMatchObject(rest);
      }),
    );
  });

  test('fields that an update may not set are ignored', () => {
    fc.assert(
      fc.property(changes, fc.integer(), (update, parentId) => {
        const before = folderOf(13, { parentId: 11 });
        const smuggled = { ...update, parentId, deploymentId: '2', id: 99 };
        expect(updateFolder(before, smuggled, BY)).toMatchObject({
          parentId: 11,
          deploymentId: '1',
          id: 13,
        });
      }),
    );
  });

  test('the same update again changes nothing, not even the time', () => {
    fc.assert(
      fc.property(changes, (update) => {
        const once = updateFolder(folderOf(13), update, BY);
        expect(updateFolder(once, update, { userId: 9, at: '2027' })).toBe(once);
      }),
    );
  });
});
