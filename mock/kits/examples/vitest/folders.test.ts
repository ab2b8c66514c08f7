/** vitest: a world per test, matchers, a fault, and a sweep over the questions that the service leaves open. */
import { expect, sweep, test } from 'lockstep/vitest';

/** The client under test. */
async function rename(fetch: typeof globalThis.fetch, folder: number, name: string) {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`/api/v1/deployments/1/folders/${folder}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (response.ok) return;
    if (response.status !== 503 || tries === 2) throw new Error(`refused: ${response.status}`);
  }
}

test('a renamed folder keeps its place', async ({ world }) => {
  await rename(world.fetch, 13, 'Q1');
  expect(world).toHaveReceived({ operation: 'updateFolder', status: 200, times: 1 });
  expect(world).toHaveChanged({ folders: { 13: { name: 'Q1', parentId: 11 } } });
});

test('the client tries again after a 503', async ({ world }) => {
  world.faults.add({ operation: 'updateFolder', phase: 'before', status: 503, times: 2 });
  await rename(world.fetch, 13, 'Q1');
  expect(world).toHaveReceived({ operation: 'updateFolder', status: 503, times: 2 });
  expect(world).toHaveReceived({ operation: 'updateFolder', body: { name: 'Q1' }, times: 3 });
});

test(
  'a folder that is not there is an error, whatever its status',
  sweep(async ({ world }) => {
    await expect(rename(world.fetch, 999, 'Q1')).rejects.toThrow(/refused: 4/);
    expect(world).not.toHaveChanged();
  }),
);
