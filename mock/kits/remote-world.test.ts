/** The kit for testcontainers over the control API; a mock that listens replaces the container. */
import { expect, test } from 'vitest';
import { ControlError } from '../../spec/base/control-client.ts';
import { type JournalEntry, RemoteMock, startMock, type World } from './index.ts';
import type { RemoteWorld } from './remote-world.ts';
import './vitest.ts';

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
  await using world = await connection.remote.createWorld();
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

const FOLDER = '/api/v1/deployments/1/folders/13';
const rename = { method: 'PUT', body: '{"name":"Q1"}', headers: { 'X-Trace': 'a' } };

/** The same test of both kinds: with `await` before each step, its lines are the same. */
const kinds: [string, (use: (world: World | RemoteWorld) => unknown) => Promise<void>][] = [
  [
    'in this process',
    async (use) => {
      await using connection = await connect();
      using world = await connection.mock.createWorld({ seed: 7 });
      await use(world);
    },
  ],
  [
    'in another one',
    async (use) => {
      await using connection = await connect();
      await using world = await connection.remote.createWorld({ seed: 7 });
      await use(world);
    },
  ],
];

test.for(kinds)('one shape, a world %s', async ([, using]) => {
  await using(async (world) => {
    const fault = await world.faults.add({ operation: 'listVersions', status: 503 });
    expect(fault).toMatchObject({ id: 'fault-1', phase: 'before', status: 503 });
    expect(await world.faults.list()).toMatchObject([{ id: 'fault-1', left: null }]);
    expect(await world.faults.remove(fault.id)).toBe(true);
    expect(await world.faults.remove(fault.id)).toBe(false);
    if (Symbol.asyncDispose in world) {
      const order = { status: 503, when: () => false };
      await expect(world.faults.add(order as object)).rejects.toThrow(/^when is a function/);
    }

    await world.fetch(FOLDER, rename);
    expect((await world.fetchAs('scoped')('/api/v1/deployments/2/versions')).status).toBe(403);
    expect((await world.fetchAs(null)('/api/v1/deployments')).status).toBe(401);
    expect(() => world.fetchAs('nobody')).toThrow(/no credential nobody; it has admin, /);
    expect(
      await world.requests.count({ operation: 'updateFolder', headers: { 'x-trace': 'a' } }),
    ).toBe(1);
    const entries: readonly JournalEntry[] = await world.requests.find({ status: 200 });
    expect(entries[0]?.json()).toEqual({ name: 'Q1' });
    expect(entries[0]?.json('response')).toMatchObject({ name: 'Q1', id: 13 });
    expect((await world.requests.get(1))?.fingerprint).toBe(entries[0]?.fingerprint);
    expect([await world.requests.recorded, (await world.requests.list()).length]).toEqual([3, 3]);
    expect(await world.requests.last()).toMatchObject({ status: 401, basis: 'documented' });
    expect((await world.coverage).operations.updateFolder).toEqual({ 200: 1 });
    expect((await world.changes())[0]).toMatchObject({ table: 'folders', key: '13' });

    await expect(world).toHaveReceived({ path: FOLDER, headers: { 'X-Trace': /a/ }, times: 1 });
    await expect(world).toHaveChanged({ folders: { 13: { name: 'Q1' } } }, { only: true });
    await expect(world).not.toHaveChanged({ folders: { 11: { name: 'Q1' } } });
    const failed = (async () => expect(world).toHaveReceived({ status: 404 }))();
    await expect(failed).rejects.toThrow('#3 GET /api/v1/deployments -> 401 (listDeployments');

    await (world as RemoteWorld).emit({
      type: 'publishVersion',
      channel: 'preview',
      version: '1.8.0',
    });
    const { message } = await world.explain(new Error('wrong'));
    expect(message).toMatch(/^wrong\n\nthe world refused/);
    expect(message).toContain('refused: The Authorization header is missing');
    const repair = 'accepted with 200: send it with the credential admin (Authorization: Bearer)';
    expect(message).toContain(repair);
    expect(message).toContain('"type":"publishVersion"');
  });
});

test.for(kinds)('losses and a sweep, of a world %s', async ([, using]) => {
  await using(async (world) => {
    // Either kind has both.
    const { losses, sweep } = world as RemoteWorld;
    const report = await losses(
      async ({ fetch }) => {
        const send = () => fetch(FOLDER, rename).catch(() => fetch(FOLDER, rename));
        if (!(await send()).ok) throw new Error('refused');
      },
      { phases: { refused: { status: 503 }, gone: { phase: 'socket' }, late: { delayMs: 1 } } },
    );
    expect(report.runs).toMatchObject([
      { phase: 'refused', outcome: 'failed', committed: false },
      { phase: 'gone', outcome: 'recovered', committed: true, duplicate: true },
      { phase: 'late', outcome: 'recovered', duplicate: false },
    ]);
    expect(report.ok, report.text).toBe(true);
    expect(await world.requests.recorded).toBe(0);

    const { ok, text } = await sweep(async ({ fetch }) => {
      expect((await fetch('/api/v1/deployments/')).status).toBe(200);
    });
    expect(ok).toBe(false);
    expect(text).toContain('REQ-1: not-found (404)');
    // Why each run failed, and nothing of the others.
    expect(text.match(/-> \d+/g)).toEqual(['-> 404', '-> 308']);
    expect(await world.assumptions.choice('REQ-1')).toBe('served');
  });
});

test('a test of a remote mock has its own world, and explains its failure', async () => {
  await using connection = await connect();
  const ids: string[] = [];
  const body = connection.remote.inWorld(async (world) => {
    ids.push(world.id);
    expect((await world.fetchAs(null)('/api/v1/deployments')).status).toBe(200);
  });
  await expect(body()).rejects.toThrow(/refused: The Authorization header is missing/);
  expect(connection.mock.service.worlds.has(ids[0] ?? '')).toBe(false);
  expect((await connection.remote.coverage).operations.listDeployments).toEqual({ 401: 1 });
});

test('deleting a world that is gone succeeds; a refusal of the control API rejects', async () => {
  await using connection = await connect();
  const world = await connection.remote.createWorld();
  connection.mock.reset();
  await world.delete();
  await expect(world.reset()).rejects.toThrow(ControlError);
  await expect(connection.remote.control('POST', 'worlds', { id: 'No' })).rejects.toMatchObject({
    status: 400,
  });
});
