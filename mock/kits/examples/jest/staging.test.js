/** Jest: one mock for the file, a world per test. NODE_OPTIONS=--experimental-vm-modules npx jest */
import { afterAll, expect, test } from '@jest/globals';
import { createMock } from 'lockstep/mock';

const mock = await createMock();
afterAll(() => mock.close());

/** Ids of the staging environments that the client sees. */
async function staging(world) {
  const answered = await world.fetch('/api/v1/deployments/1/environments?type=staging');
  const { data } = await answered.json();
  return data.environments.map(({ id }) => id);
}

function enable(world, branchName) {
  return world.fetch('/build/api/v1/deployments/1/branches/staging-environment', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ branchName, enabled: true }),
  });
}

test(
  'an enabled environment is listed',
  mock.inWorld(async (world) => {
    expect((await enable(world, 'feature-orders')).status).toBe(200);
    expect(await staging(world)).toEqual(['202', '203']);
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
    expect(answered.status).toBe(403);
  }),
);

test(
  'another world does not see it',
  mock.inWorld(async (world) => {
    const other = await mock.createWorld();
    await enable(world, 'feature-orders');
    expect(await staging(other)).toEqual(['203']);
  }),
);
