/** Run by coverage.test.ts: no test here calls the world that it is given, and some are given none. */
import { beforeAll, test as plain } from 'vitest';
import { createMock, type World } from '../index.ts';
import { expect, sweep, test } from '../vitest.ts';

const VERSIONS = '/api/v1/deployments/1/versions';
const BRANCHES = '/build/api/v1/deployments/1/branches';
const read = async ({ fetch }: World, path: string) => expect((await fetch(path)).status).toBe(200);

beforeAll(async () => {
  await using mock = await createMock();
  await read(mock.world, '/api/v1/deployments/1/environments');
});

plain('a mock of its own', async () => {
  await using mock = await createMock();
  await read(mock.world, VERSIONS);
});

test('a world of its own', async ({ mock }) => {
  using world = await mock.createWorld();
  await read(world, BRANCHES);
});

test('a fork', async ({ world }) => {
  using fork = world.fork();
  await fork.fetchAs('scim')('/api/scim/v2/Users');
});

test('losses', async ({ world }) => {
  await world.losses(
    async (fork) => {
      await (await fork.fetch('/api/v1/audit-logs/export')).text();
    },
    { phases: { late: { delayMs: 1 } } },
  );
});

test(
  'a sweep',
  sweep(async ({ world }) => {
    expect((await world.fetch('/api/v1/deployments/')).status).toBeLessThan(500);
  }),
);
