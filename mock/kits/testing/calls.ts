/** Run by coverage.test.ts: tests that each call another operation. */
import { beforeAll, describe, test as plain } from 'vitest';
import { createMock, type World } from '../index.ts';
import { expect, sweep, test } from '../vitest.ts';

const read = async ({ fetch }: World, path: string) => expect((await fetch(path)).status).toBe(200);

test('deployments are listed', ({ world }) => read(world, '/api/v1/deployments'));

describe('other worlds', () => {
  beforeAll(async () => {
    await using mock = await createMock();
    await read(mock.world, '/api/v1/deployments/1/environments');
  });

  plain('of a mock of its own', async () => {
    await using mock = await createMock();
    await read(mock.world, '/api/v1/deployments/1/versions');
  });

  test('made by the test', async ({ mock }) => {
    using world = await mock.createWorld();
    await read(world, '/build/api/v1/deployments/1/branches');
  });

  test('a fork', async ({ world }) => {
    using fork = world.fork();
    await fork.fetchAs('scim')('/api/scim/v2/Users');
  });

  test('of losses', async ({ world }) => {
    const phases = { late: { delayMs: 1 } };
    await world.losses((fork) => read(fork, '/api/v1/audit-logs/export'), { phases });
  });

  test(
    'of a sweep',
    sweep(async ({ world }) => {
      expect((await world.fetch('/api/v1/deployments/')).status).toBeLessThan(500);
    }),
  );
});
