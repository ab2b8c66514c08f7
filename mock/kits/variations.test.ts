/** A test against every service that this could be, in a world of this process and in one of another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMock,
  type Mock,
  RemoteMock,
  type RemoteWorld,
  startMock,
  type World,
} from './index.ts';

type Rename = (world: Pick<World, 'fetch'>) => Promise<void>;

const renamed = async (world: Pick<World, 'fetch'>) => {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'PUT', headers, body: JSON.stringify({ name: 'Q1' }) };
  return world.fetch('/api/v1/deployments/1/folders/13', {
    ...init,
    signal: AbortSignal.timeout(1500),
  });
};
const looks: Rename = async (world) => {
  const answer = await renamed(world);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ id: 13, name: 'Q1' });
};
const blind: Rename = async (world) => {
  const answer = await renamed(world);
  expect(answer.status).toBe(200);
  await answer.json();
};
const swallows: Rename = (world) => looks(world).catch(() => {});

let mock: Mock;
let server: Awaited<ReturnType<typeof startMock>>;
let remote: RemoteMock;
beforeAll(async () => {
  mock = await createMock({ adminToken: 'secret' });
  server = await startMock();
  remote = new RemoteMock(`${server.baseUrl}/__admin`);
});
afterAll(async () => {
  await remote.close();
  await server.close();
});

const places = {
  'in this process': () => mock.createWorld(),
  'in another process': () => remote.createWorld(),
} as const;

describe.for(Object.entries(places))('%s', ([, makeWorld]) => {
  const options = { timeoutMs: 4000, jobs: 16 };
  const run = async (name: 'mutants' | 'variations', body: Rename) => {
    await using world: World | RemoteWorld = (await makeWorld()) as RemoteWorld;
    return await world[name](body, options);
  };

  test('mutants tells which broken promises a test notices', async () => {
    const good = await run('mutants', looks);
    const bad = await run('mutants', blind);
    const lost = 'type:updateFolder:name';
    expect(good.results.find(({ id }) => id === lost)).toMatchObject({ outcome: 'broken' });
    expect(good.missed.map(({ id }) => id)).not.toContain(lost);
    expect(bad.missed.map(({ id }) => id)).toContain(lost);
    expect(bad.ok).toBe(false);
    expect(bad.text).toMatch(/rely on \d+ promises, and notice a breach of \d+/);
  });

  test('variations has all three in one report, and judges losses as losses does', async () => {
    const good = await run('variations', looks);
    expect(good.failures, good.text).toEqual([]);
    expect(good.ok).toBe(true);
    expect(new Set(good.results.map(({ kind }) => kind))).toEqual(
      new Set(['sweep', 'loss', 'mutant']),
    );
    const bad = await run('variations', swallows);
    expect(bad.ok).toBe(false);
    expect(bad.failures.map(({ id }) => id)).toContain('updateFolder:before');
    expect(bad.text).toContain('swallowed-error: PUT /api/v1/deployments/1/folders/13');
  });

  test('an option that does not exist is refused', async () => {
    await using world: World | RemoteWorld = (await makeWorld()) as RemoteWorld;
    const wrong = { timeout: 5 } as object;
    await expect(world.variations(looks, wrong)).rejects.toThrow(/no option timeout; timeoutMs is/);
    await expect(world.losses(looks, wrong)).rejects.toThrow(/no option timeout; timeoutMs is/);
  });

  test('a test that fails by itself, or that sends nothing, is of no use', async () => {
    await expect(run('mutants', () => Promise.reject(new Error('my own mistake')))).rejects.toThrow(
      'fails though nothing is varied: Error: my own mistake',
    );
    const nothing = await run('variations', async () => {});
    expect(nothing).toMatchObject({ ok: false, results: [] });
    expect(nothing.text).toContain('nothing was tested');
  });
});

test('each run starts from the prepared state of the world', async () => {
  using world = await mock.createWorld();
  await renamed(world);
  const report = await world.mutants(async (fork) => {
    expect(fork.changes().map(({ table }) => table)).toContain('folders');
    await looks(fork);
  });
  expect(report.results.length).toBeGreaterThan(10);
  expect(world.requests.count()).toBe(1);
});

test('no broken promise is planned that only a request kept from the service would meet', async () => {
  using world = await mock.createWorld();
  const report = await world.mutants(async (fork) => {
    fork.faults.add({ operation: 'updateFolder', status: 503, times: 1 });
    expect((await renamed(fork)).status).toBe(503);
    await looks(fork);
  });
  // To the service this is the first write of the folder. `lost-later` loses the second.
  expect(report.results.filter(({ outcome }) => outcome === 'not met')).toEqual([]);
  expect(report.results.map(({ id }) => id)).toContain('write:updateFolder:lost');
});

test('the control API names the parameters that it needs', async () => {
  using world = await mock.createWorld();
  using plain = world.fork();
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'Lockstep-Admin-Token': 'secret', 'Content-Type': 'application/json' };
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const answer = await mock.fetch(`${mock.baseUrl}/__admin/worlds/${path}`, init);
    return `${answer.status} ${JSON.stringify(await answer.json())}`;
  };
  expect(await ask('GET', `${world.id}/variations?plain=none`)).toContain(
    '400 {"error":"plain must be',
  );
  expect(await ask('GET', `${world.id}/variations?plain=${plain.id}&kind=all`)).toContain(
    'kind must be sweep, loss, mutant, not all',
  );
  expect(
    await ask('POST', `${world.id}/variations`, { plain: plain.id, id: 'folders:rename-lost' }),
  ).toContain('404 {"error":"The plain run did not meet');
  expect(await ask('POST', `${world.id}/outcome`, { end: 'passed' })).toContain('409 ');
});
