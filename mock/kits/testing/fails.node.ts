/** Run by explain.test.ts: a client that sends a wrong body, tested with node:test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from '../mock.ts';

const mock = await createMock();

test(
  'a folder is renamed',
  mock.inWorld(async (world, { name }: { readonly name: string }) => {
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    const path = '/api/v1/deployments/1/folders/13';
    const { status } = await world.fetch(path, { method: 'PUT', body: '{"name":7}' });
    assert.equal(status, 200, name);
  }),
);
