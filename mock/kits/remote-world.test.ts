/** What the kit for testcontainers does over the control API; a mock that listens stands in for the container. */
import { expect, test } from 'vitest';
import { ControlError } from '../../spec/base/control-client.ts';
import { startMock } from './index.ts';
import { RemoteMock } from './remote-world.ts';

async function connect() {
  const mock = await startMock({ clock: '2026-01-31T09:30:00Z', adminToken: 'let-me-in' });
  const remote = new RemoteMock(`${mock.baseUrl}/__admin`, 'let-me-in');
  return {
    mock,
    remote,
    async [Symbol.asyncDispose]() {
      await remote.close();
      await mock.close();
    },
  };
}

test('a remote world does what one in the same process does', async () => {
  await using connection = await connect();
  await using world = await connection.remote.world();
  const status = async (path = '/api/v1/deployments') => (await world.fetch(path)).status;
  const start = Date.parse('2026-01-31T09:30:00Z');
  expect(await world.clock.now()).toBe(start);
  const saved = await world.snapshot();
  await world.emit({ type: 'expireCredential', credential: 'admin', in: { hours: 1 } });
  expect(await status()).toBe(200);
  await world.clock.advance({ hours: 2 });
  expect(await status()).toBe(401);
  await world.restore(saved);
  expect(await status()).toBe(200);
  await world.assumptions.set({ 'REQ-2': 'refused' });
  expect(await status('/api/v1/deployments?colour=red')).toBe(400);
  await world.faults.add({ operation: 'listDeployments', status: 503, times: 1 });
  await using copy = await world.fork('copy');
  expect((await copy.fetch('/api/v1/deployments')).status).toBe(503);
  await world.faults.clear();
  expect(await status()).toBe(200);
  expect(await world.requests.count({ status: 401 })).toBe(1);
  expect(await world.requests.find({ status: 401 })).toMatchObject([{ credential: 'admin' }]);
  await world.requests.clear();
  expect(await world.requests.count()).toBe(0);
  await world.clock.freeze('2027-01-01T00:00:00Z');
  expect(await world.clock.now()).toBe(Date.parse('2027-01-01T00:00:00Z'));
  await world.clock.run();
  expect(await world.clock.now()).toBeGreaterThanOrEqual(Date.parse('2027-01-01T00:00:00Z'));
  await world.reset();
  expect(await world.clock.now()).toBe(start);
});

test('a world that is gone is deleted without an error; what the control API refuses is one', async () => {
  await using connection = await connect();
  const world = await connection.remote.world();
  connection.mock.reset();
  await world.delete();
  await expect(world.reset()).rejects.toThrow(ControlError);
  await expect(connection.remote.control('POST', 'worlds', { id: 'No' })).rejects.toMatchObject({
    status: 400,
  });
});
