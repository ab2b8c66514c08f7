/** node:test: one mock for the file, a world per test. Run it with `node --test`. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMock, type World } from 'lockstep/mock';

const mock = await createMock();
after(() => mock.close());

/** Ids of the staging environments that the client sees. */
async function staging(world: World): Promise<string[]> {
  const answered = await world.fetch('/api/v1/deployments/1/environments?type=staging');
  const { data } = (await answered.json()) as { data: { environments: { id: string }[] } };
  return data.environments.map(({ id }) => id);
}

function enable(world: World, branchName: string): Promise<Response> {
  return world.fetch('/build/api/v1/deployments/1/branches/staging-environment', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ branchName, enabled: true }),
  });
}

test(
  'an enabled environment is listed',
  mock.inWorld(async (world) => {
    assert.equal((await enable(world, 'feature-orders')).status, 200);
    assert.deepEqual(await staging(world), ['202', '203']);
  }),
);

test(
  'a member may not add recipients',
  mock.inWorld(async (world) => {
    const answered = await world.fetch('/api/v1/deployments/1/notifications/31/recipients', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.credentials.member}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ recipients: [{ userId: 2 }] }),
    });
    assert.equal(answered.status, 403);
  }),
);

test(
  'another world does not see it',
  mock.inWorld(async (world) => {
    const other = await mock.createWorld();
    await enable(world, 'feature-orders');
    assert.deepEqual(await staging(other), ['203']);
  }),
);
