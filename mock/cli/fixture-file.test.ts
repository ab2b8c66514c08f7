/** A fixture file of the user: its credentials, reading it again, and saving a world as a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createMock, RemoteMock } from '../kits/index.ts';
import { lockstep, serve } from '../testing/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-fixture-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const shop = (name: string) => `name: Shop (EU)\ndeployments:\n  - { id: 7, name: ${name} }\n`;

async function nameOf(url: string, credential = 'shopeu-admin'): Promise<unknown> {
  const headers = { Authorization: `Bearer ${credential}` };
  const response = await fetch(`${url}/api/v1/deployments`, { headers });
  const body = (await response.json()) as { data?: { deployments: { name: string }[] } };
  return body.data?.deployments[0]?.name ?? response.status;
}

test('credentials carry the world name of the file, and a reload reads it again', async () => {
  const file = write('shop.yaml', shop('One'));
  await using mock = await serve('--fixture', file);
  expect(mock.banner).toContain('shopeu-admin\n');
  expect(await nameOf(mock.url)).toBe('One');
  write('shop.yaml', shop('Two'));
  const reset = (query = '') => fetch(`${mock.url}/__admin/reset${query}`, { method: 'POST' });
  expect(await (await reset()).json()).toEqual({ worlds: ['shopeu'] });
  expect(await nameOf(mock.url)).toBe('One');
  expect((await reset('?reload')).status).toBe(200);
  expect(await nameOf(mock.url)).toBe('Two');
  write('shop.yaml', 'deployments: [{ id: x }]\n');
  const wrong = await reset('?reload');
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('shop.yaml:1:15: name is missing'),
  ]);
  expect(await nameOf(mock.url)).toBe('Two');
});

test('--watch reads a changed file again, and keeps the old state after an error', async () => {
  const file = write('watched.yaml', shop('One'));
  await using mock = await serve('--fixture', file, '--watch');
  const made = await fetch(`${mock.url}/__admin/worlds`, { method: 'POST', body: '{"id":"mine"}' });
  expect(made.status).toBe(201);
  write('watched.yaml', shop('Three'));
  await vi.waitFor(async () => expect(await nameOf(mock.url)).toBe('Three'), 10_000);
  // A world that a user has made stays.
  expect(await nameOf(mock.url, 'mine-admin')).toBe('One');
  write('watched.yaml', 'deployments: 1');
  write('watched.yaml', shop('Four'));
  await vi.waitFor(async () => expect(await nameOf(mock.url)).toBe('Four'), 10_000);
});

test('--watch needs a file', async () => {
  const { code, stderr } = await lockstep(['mock', '--port', '0', '--watch']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--watch needs --fixture FILE')]);
});

test('a world saved as a file gives the same answers to the same credentials', async () => {
  await using mock = await serve();
  await using remote = new RemoteMock(`${mock.url}/__admin`);
  await using world = await remote.createWorld({ id: 'mine' });
  const init = { method: 'PUT', body: '{"name":"Renamed"}' };
  expect((await world.fetch('/api/v1/deployments/1/folders/11', init)).status).toBe(200);
  await world.emit({ type: 'createDeployment', name: 'New one' });
  const fixture = await world.toFixture();
  await using again = await serve('--fixture', write('saved.json', JSON.stringify(fixture)));
  expect(again.banner).toContain('mine-admin\n');
  const headers = { Authorization: 'Bearer mine-admin' };
  const list = await (await fetch(`${again.url}/api/v1/deployments?limit=100`, { headers })).text();
  expect(list).toBe(await (await world.fetch('/api/v1/deployments?limit=100')).text());
  await using own = await createMock();
  using copy = await own.createWorld({ fixture });
  expect(copy.state.tables.folders.get(11)?.name).toBe('Renamed');
  expect(copy.toFixture()).toMatchObject({ deployments: fixture.deployments });
});
