/** Run by explain.test.ts: the same client and its test, with a fixture for Playwright. */
import { test as base, expect } from '@playwright/test';
import { createMock, type World } from '../mock.ts';

const test = base.extend<{ world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright finds the needs of a fixture in its pattern
  world: async ({}, use, { errors }) => {
    await using mock = await createMock();
    const world = await mock.createWorld();
    await use(world);
    for (const error of errors) world.explain(error);
  },
});

test('a folder is renamed', async ({ world }) => {
  const path = '/api/v1/deployments/1/folders/13';
  const { status } = await world.fetch(path, { method: 'PUT', body: '{"name":7}' });
  expect(status).toBe(200);
});
