/** Clients that ask a host of their own, over node:http and fetch, answered by a world through MSW. */
// As a whole: MSW does not reach a function that was imported by its name.
import http from 'node:http';
import https from 'node:https';
import { setupServer } from 'msw/node';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type FaultOrder, RemoteMock } from './index.ts';
import { type HandlerTarget, handlersOf } from './msw.ts';

const HOST = 'https://acme.example.com';
const path = '/api/v1/deployments/1/folders/13';

let stop = (): void => undefined;
afterEach(() => stop());

/** From here on, all requests of this process to the host reach the world. */
function intercept(target: HandlerTarget, ...more: string[]): void {
  const server = setupServer(...handlersOf(target, { origins: [HOST, ...more] }));
  server.listen({ onUnhandledRequest: 'bypass' });
  stop = () => server.close();
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** A client on node:http, as axios and got are. */
function overHttp(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = (url.startsWith('https:') ? https : http).request(
      url,
      { method, headers },
      (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => {
          text += piece.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function overFetch(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  const response = await fetch(url, { method, headers, body: body ?? null });
  return { status: response.status, text: await response.text() };
}

const clients = [
  ['node:http', overHttp],
  ['fetch', overFetch],
] as const;

describe.for(clients)('a client on %s', ([, send]) => {
  const json = { 'Content-Type': 'application/json' };

  test('is answered by the world, with its body, its credential, or none', async () => {
    await using mock = await createMock();
    const world = await mock.createWorld();
    intercept(world);
    const signed = { ...json, Authorization: `Bearer ${world.credentials.admin}` };
    const renamed = await send(`${HOST}${path}`, 'PUT', signed, '{"name":"Q1"}');
    expect(renamed.status).toBe(200);
    expect(world.requests.last()).toMatchObject({ path, credential: 'admin' });
    expect(world.state.tables.folders.get(13)?.name).toBe('Q1');
    const unsigned = await send(`${HOST}/api/v1/deployments?limit=1`, 'GET', {});
    expect(unsigned.status).toBe(401);
    // It names no world itself, and reaches this one all the same.
    expect(world.requests.last()).toMatchObject({ query: 'limit=1', status: 401 });
    expect(mock.world.requests.recorded).toBe(0);
  });

  test.for<FaultOrder>([
    { phase: 'socket' },
    { phase: 'after-commit' },
    { phase: 'socket', kind: 'half-close' },
  ])('gets a network error if its answer is lost: %j', async (fault) => {
    await using mock = await createMock();
    const { world } = mock;
    intercept(world);
    world.faults.add({ ...fault, times: 1 });
    const signed = { ...json, Authorization: `Bearer ${world.credentials.admin}` };
    await expect(send(`${HOST}${path}`, 'PUT', signed, '{"name":"Q1"}')).rejects.toThrow();
    expect(world.requests.last()).toMatchObject({ status: 0 });
    expect(world.state.tables.folders.get(13)?.name).toBe('Q1');
    expect((await send(`${HOST}${path}`, 'PUT', signed, '{"name":"Q2"}')).status).toBe(200);
  });
});

test('a mock in another process answers at its address, as for the worker of a page', async () => {
  await using mock = await createMock();
  const { baseUrl } = await mock.listen();
  const world = await mock.createWorld();
  intercept({ baseUrl: `${world.baseUrl}/` }, 'http://localhost:3000');
  const headers = { Authorization: `Bearer ${world.credentials.member}` };
  expect((await fetch(`${HOST}/api/v1/deployments`, { headers })).status).toBe(200);
  expect((await fetch('http://localhost:3000/api/v1/deployments')).status).toBe(401);
  expect(world.requests.count()).toBe(2);
  world.faults.add({ phase: 'socket', times: 1 });
  await expect(fetch(`${HOST}/api/v1/deployments`, { headers })).rejects.toThrow('Failed to fetch');
  stop();
  await using remote = new RemoteMock(`${baseUrl}/__admin`);
  await using other = await remote.createWorld();
  intercept(other);
  expect((await fetch(`${HOST}/api/v1/deployments`)).status).toBe(401);
  expect(await other.requests.count({ status: 401 })).toBe(1);
});

test('a closed mock is a mistake of the test, and no lost answer', async () => {
  const mock = await createMock();
  intercept(mock.world);
  await mock.close();
  const response = await fetch(`${HOST}/api/v1/deployments`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('The mock is closed');
});

test('a text with more than an origin is refused', () => {
  const target = { baseUrl: 'http://127.0.0.1:4010' };
  expect(() => handlersOf(target, { origins: [`${HOST}/api`] })).toThrow('is not an origin');
});

describe('mock.listen', () => {
  test('gives a mock in this process an address, and so its worlds; once', async () => {
    await using mock = await createMock();
    const world = await mock.createWorld();
    expect(world.baseUrl).toContain('.invalid');
    const { port, baseUrl } = await mock.listen();
    expect([mock.baseUrl, world.baseUrl]).toEqual([baseUrl, `${baseUrl}/w/${world.id}`]);
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    const headers = { Authorization: `Bearer ${world.credentials.admin}` };
    const url = `${world.baseUrl}/api/v1/deployments`;
    expect((await overHttp(url, 'GET', headers)).status).toBe(200);
    expect((await world.fetch('/api/v1/deployments')).status).toBe(200);
    await expect(mock.listen()).rejects.toThrow(`The mock listens already, at ${baseUrl}`);
    // A page that gave its own name the address of this machine gets nothing.
    expect((await overHttp(url, 'GET', { ...headers, Host: 'evil.example' })).status).toBe(403);
    await mock.close();
    await expect(overHttp(url, 'GET', headers)).rejects.toThrow();
  });

  test('a port that is taken is told, and another can be had', async () => {
    await using one = await createMock();
    const { port } = await one.listen();
    await using other = await createMock();
    await expect(other.listen({ port })).rejects.toThrow('EADDRINUSE');
    expect((await other.listen()).port).not.toBe(port);
  });
});
