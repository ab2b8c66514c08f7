/** lockstep client -- node client-test.ts */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as client from './client.ts';

test('a token is created', async () => {
  assert.match(await client.createToken('201'), /^\w+\.\w+\./);
});

test('a folder is renamed', async () => {
  assert.equal(await client.renameFolder(13, 'Q1'), 'Q1');
});

test('all users are listed', async () => {
  assert.equal((await client.users()).length, 42);
});

test('the current version is told', async () => {
  assert.equal(await client.currentVersion(), '1.6.1');
});

test('a personal branch gets no staging environment', async () => {
  assert.equal(await client.enableStaging('dev-ana'), 'refused');
});

test('a recipient is added', async () => {
  const added = await client.addRecipient(31, 2);
  if (!client.has('assertion')) assert.deepEqual(added, ['ben@example.com']);
});

test('a branch without a staging environment has none', async () => {
  assert.equal(await client.hasStaging('feature-orders'), false);
});
