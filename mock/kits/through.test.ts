import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMock, dispatcherOf, startMock } from './mock.ts';

const list = '/api/v1/deployments';
const folder = '/api/v1/deployments/1/folders/13';
const rename = { method: 'PUT', body: '{"name":"Q1"}' };
const item = { id: '7', name: 'Theirs', created_at: '2026-01-05T09:30:00.000Z' };
const page = (items: readonly object[] = [item]) => ({
  data: { deployments: items },
  pagination: { offset: 0, limit: 20, total: items.length },
});

const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
beforeEach(() => {
  said.mockClear();
  vi.stubEnv('LOCKSTEP_ADMIN_KEY', 'the-tenants-own');
});
afterEach(() => vi.unstubAllEnvs());

/** A proxy of a tenant that answers each call so; and the calls that reached it. `end` stops it early. */
async function proxyOf(body: unknown, status = 200) {
  const calls: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  const server = createServer((asked, answer) => {
    const isHealth = asked.url === '/__admin/health';
    if (!isHealth) calls.push(asked);
    answer.writeHead(isHealth ? 200 : status, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(isHealth ? { name: 'lockstep-proxy' } : body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(end);
  return { proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, end };
}

test('one variable puts a test on the tenant: it gets its answer, by its credential', async () => {
  const { proxy, calls } = await proxyOf(page());
  vi.stubEnv('LOCKSTEP_THROUGH', proxy);
  await using mock = await createMock();
  const world = await mock.createWorld();
  expect(await (await world.fetch(`${list}?limit=3`)).json()).toEqual(page());
  expect([calls[0]?.url, calls[0]?.headers.authorization]).toEqual([
    `${list}?limit=3`,
    'Bearer the-tenants-own',
  ]);
  // The mock has served the same request, so a test may ask what it received.
  expect(world.requests.last()).toMatchObject({ operation: 'listDeployments', status: 200 });
  expect(mock.differences).toEqual([]);
});

test('each way into a mock leads there', async () => {
  const { proxy, calls } = await proxyOf(page());
  await using mock = await startMock({ through: { proxy } });
  const headers = { authorization: `Bearer ${mock.world.credentials.admin}` };
  await mock.world.fetch(list);
  await mock.fetch(`${mock.world.baseUrl}${list}`);
  await request(`https://acme.example.com${list}`, { headers, dispatcher: dispatcherOf(mock) });
  await fetch(mock.baseUrl + list, { headers });
  expect(calls.map(({ url }) => url)).toEqual([list, list, list, list]);
});

test.for<[what: string, status: number, body: unknown, difference: string[]]>([
  ['another status', 403, { error: 'no' }, ['the mock answers 200, the tenant 403']],
  [
    'other fields',
    200,
    page([{ id: 7, name: null, created: 'x' }]),
    [
      'only the mock has /data/deployments/*/created_at',
      'only the tenant has /data/deployments/*/created',
      '/data/deployments/*/id is string in the mock, integer in the tenant',
    ],
  ],
  ['an empty list, which shows no item', 200, page([]), []],
])('it is told: %s', async ([, status, body, difference]) => {
  const { proxy } = await proxyOf(body, status);
  await using mock = await createMock({ through: { proxy } });
  await mock.world.fetch(list);
  await mock.world.fetch(list);
  const lines = difference.map((text) => `GET ${list}: ${text} (the mock's answer: documented)`);
  expect(mock.differences).toEqual(lines);
  expect(said.mock.calls.join('')).toBe(
    [`requests go on to the tenant behind ${proxy}, reads only`, ...lines]
      .map((line) => `lockstep: ${line}\n`)
      .join(''),
  );
});

test('a call that would change the tenant is refused, unless it is permitted', async () => {
  const { proxy, calls } = await proxyOf({ id: 13, name: 'Q1', parentId: null });
  await using mock = await createMock({ through: { proxy } });
  await expect(mock.world.fetch(folder, rename)).rejects.toThrow('LOCKSTEP_THROUGH_WRITES=yes');
  await expect(mock.world.fetch('/api/v1/other', { method: 'POST' })).rejects.toThrow(/change/);
  expect([calls, mock.world.changes()]).toEqual([[], []]);
  await using other = await createMock({ through: { proxy, writes: true } });
  expect((await other.world.fetch(folder, rename)).status).toBe(200);
});

test('over a socket a refusal says why, with a status that no service answers', async () => {
  const { proxy, calls } = await proxyOf(page());
  await using mock = await startMock({ through: { proxy } });
  const authorization = `Bearer ${mock.world.credentials.admin}`;
  const answer = await fetch(mock.baseUrl + folder, { ...rename, headers: { authorization } });
  const { error } = (await answer.json()) as { error: string };
  expect([answer.status, error, calls]).toEqual([501, expect.stringMatching(/WRITES=yes/), []]);
  expect(said.mock.calls.join('')).not.toMatch(/ at |defect|failed inside/);
});

test('a fault of the test strikes, and the tenant is not asked', async () => {
  const { proxy, calls } = await proxyOf(page());
  await using mock = await createMock({ through: { proxy } });
  mock.world.faults.add({ operation: 'listDeployments', status: 503, times: 1 });
  expect((await mock.world.fetch(list)).status).toBe(503);
  expect([calls, mock.differences]).toEqual([[], []]);
});

test('a lack is named: of a credential, of a proxy, of a mock that is for this machine alone', async () => {
  const { proxy, calls } = await proxyOf(page());
  const through = { proxy };
  await using mock = await createMock({ through });
  await expect(mock.world.fetchAs('member')(list)).rejects.toThrow('LOCKSTEP_MEMBER_KEY is not');
  // One that is nobody's, and none, go as they are.
  await mock.world.fetch(list, { headers: { authorization: 'Bearer nobody' } });
  await mock.world.fetchAs(null)(list);
  expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer nobody', undefined]);
  await using plain = await startMock();
  await expect(createMock({ through: { proxy: plain.baseUrl } })).rejects.toThrow(
    /no proxy answers/,
  );
  await expect(startMock({ through, host: '0.0.0.0' })).rejects.toThrow(/other machines/);
  await expect(createMock({ through, gradeHeaders: false })).rejects.toThrow(/gradeHeaders/);
  const gone = await proxyOf(page());
  await using late = await createMock({ through: gone });
  gone.end();
  await expect(late.world.fetch(list)).rejects.toThrow(/no answer came through/);
});
