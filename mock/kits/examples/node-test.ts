/** node:test: one mock for the file, a world per test. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMock } from '../mock.ts';

const mock = await createMock();
after(() => mock.close());

test('a new version shows in its channel', async () => {
  const world = await mock.createWorld();
  world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
  const response = await world.fetch('/api/v1/deployments/1/versions');
  assert.equal(response.status, 200);
  assert.match(await response.text(), /1\.8\.0/);
});

test('worlds do not see each other', async () => {
  const one = await mock.createWorld();
  const other = await mock.createWorld();
  await one.fetch('/api/v1/deployments');
  assert.equal(one.requests.recorded, 1);
  assert.equal(other.requests.recorded, 0);
});
