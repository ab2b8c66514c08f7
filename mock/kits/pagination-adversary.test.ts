/** The pages that a client sees when a list changes while it reads. */
import { expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { pagedLists } from '../areas/paged-lists.ts';
import { bothWays, NOW, type Send } from '../testing/both-ways.ts';
import { type Adversity, createMock, paginationAdversary, type World } from './index.ts';

interface Page {
  readonly data: Readonly<Record<string, readonly { readonly id: string }[]>>;
  readonly pagination: { readonly total: number };
}

/** Reads pages as most clients do: each starts at the end of the last one, until the total is reached. */
async function readAll(send: Send, path: string, list: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < total; ) {
    const response = await send(`${path}?offset=${ids.length}&limit=${limit}`);
    const { data, pagination } = (await response.json()) as Page;
    ids.push(...(data[list] ?? []).map(({ id }) => id));
    total = pagination.total;
  }
  return ids;
}
const deployments = (send: Send) => readAll(send, '/api/v1/deployments', 'deployments', 20);
const idsOf = (world: World) => world.state.tables.deployments.rows().map(({ id }) => id);

bothWays('between two pages', ({ newWorld, sendTo }) => {
  test('something is inserted: an item comes twice', async () => {
    const world = await newWorld();
    using adversary = paginationAdversary(world, { insert: 'listDeployments' });
    const ids = await deployments(sendTo(world));
    expect(adversary.changed).toEqual(['46']);
    expect(ids).toHaveLength(46);
    expect(ids.filter((id) => id === '20')).toHaveLength(2);
    expect(ids).not.toContain('46');
    expect(idsOf(world)[0]).toBe('46');
  });

  test('something is removed: an item is missed', async () => {
    const world = await newWorld();
    using adversary = paginationAdversary(world, { remove: 'listDeployments' });
    const ids = await deployments(sendTo(world));
    expect(adversary.changed).toEqual(['20']);
    expect(idsOf(world).filter((id) => !ids.includes(id))).toEqual(['21']);
  });

  test('between each two pages, as often as is asked for', async () => {
    const world = await newWorld();
    using adversary = paginationAdversary(world, { remove: 'listDeployments', times: 2 });
    const ids = await deployments(sendTo(world));
    expect(adversary.changed).toEqual(['20', '41']);
    expect(idsOf(world).filter((id) => !ids.includes(id))).toEqual(['21', '42']);
  });

  test('the lists of environments and of users as well', async () => {
    const world = await newWorld();
    const send = sendTo(world);
    using _environments = paginationAdversary(world, { insert: 'listEnvironments' });
    const ids = await readAll(send, '/api/v1/deployments/1/environments', 'environments', 1);
    expect(new Set(ids).size).toBe(ids.length - 1);
    for (const kind of ['insert', 'remove'] as const) {
      using users = paginationAdversary(world, { [kind]: 'listScimUsers' } as {
        insert: 'listScimUsers';
      });
      const headers = { Authorization: `Bearer ${world.credentials.scim}` };
      const page = async (startIndex: number) => {
        const path = `/api/scim/v2/Users?startIndex=${startIndex}&count=10`;
        const { Resources } = (await (await send(path, { headers })).json()) as {
          Resources: { id: string }[];
        };
        return Resources.map(({ id }) => id);
      };
      const [first, second] = [await page(1), await page(11)];
      expect(users.changed).toHaveLength(1);
      expect(second[0] === first.at(-1)).toBe(kind === 'insert');
    }
  });
});

test('nothing happens after the last page, after a stop, or to another list', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  const adversary = paginationAdversary(world, { remove: 'listDeployments' });
  await world.fetch('/api/v1/deployments?limit=100');
  await world.fetch('/api/v1/deployments/1/environments?limit=1');
  adversary.stop();
  await world.fetch('/api/v1/deployments');
  expect(adversary.changed).toEqual([]);
  expect(idsOf(world)).toHaveLength(45);
});

test('items that a test can still reach stay; snapshot, restore and reset keep the list', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  using adversary = paginationAdversary(world, { insert: 'listDeployments', times: 3 });
  const snapshot = world.snapshot();
  await deployments(world.fetch);
  expect(adversary.changed).toEqual(['46', '47']);
  expect(idsOf(world).slice(0, 3)).toEqual(['47', '46', '1']);
  expect((await world.fetch('/api/v1/deployments/47/environments')).status).toBe(200);
  world.restore(snapshot);
  expect(idsOf(world)).toHaveLength(45);
  using removes = paginationAdversary(world, { remove: 'listDeployments' });
  // Deployment 1 is in the scope of a key.
  await world.fetch('/api/v1/deployments?limit=1');
  expect(removes.changed).toEqual([]);
});

test.for<[object, RegExp]>([
  [{}, /has insert or remove/],
  [{ insert: 'listDeployments', remove: 'listDeployments' }, /one of the two/],
  [{ remove: 'listBranches' }, /listBranches is not a list that comes in pages; known are/],
  [{ insert: 'listDeployment' }, /listDeployment is not .*; listDeployments is/],
  [{ insert: 'listDeployments', time: 2 }, /no option time; times is/],
  [{ insert: 'listDeployments', times: 0 }, /times must be/],
])('an adversity that never happens is refused: %j', async ([adversity, message]) => {
  await using mock = await createMock();
  expect(() => paginationAdversary(mock.world, adversity as Adversity)).toThrow(message);
});

test('there is one for each list of the contract that comes in pages', () => {
  const paged = [...contract.operations.values()].filter(({ items }) => items !== undefined);
  expect(Object.keys(pagedLists).sort()).toEqual(paged.map(({ id }) => id).sort());
});
