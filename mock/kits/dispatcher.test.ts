import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Agent, type Dispatcher, FormData, fetch, interceptors, request, stream } from 'undici';
import { describe } from 'vitest';
import { dispatcherOf } from './mock.ts';
import { expect, test } from './vitest.ts';

const HOST = 'https://acme.example.com';
const LIST = `${HOST}/api/v1/deployments`;
const FOLDER = `${HOST}/api/v1/deployments/1/folders/13`;
const EXPORT = `${HOST}/api/v1/audit-logs/export`;
const bearer = (credential: string | undefined) => ({ authorization: `Bearer ${credential}` });

/** Node's own fetch takes a dispatcher too; its types are those of another version of undici. */
const nativeFetch = globalThis.fetch as unknown as (
  url: string,
  init: Omit<RequestInit, 'dispatcher'> & { dispatcher: Dispatcher },
) => Promise<Response>;

describe('reaches the world', () => {
  test('by undici.request, with a query and headers in each form', async ({ world }) => {
    const dispatcher = dispatcherOf(world);
    const { authorization } = bearer(world.credentials.admin);
    for (const headers of [{ authorization }, ['authorization', authorization]]) {
      const { statusCode, body } = await request(LIST, {
        dispatcher,
        headers,
        query: { limit: 2 },
      });
      expect(statusCode).toBe(200);
      expect(await body.json()).toMatchObject({ pagination: { limit: 2 } });
    }
  });

  test("by undici's fetch and by Node's, with a body", async ({ world }) => {
    const dispatcher = dispatcherOf(world);
    const init = {
      method: 'PUT',
      headers: { ...bearer(world.credentials.admin), 'content-type': 'application/json' },
      body: '{"name":"Q1"}',
    };
    expect((await fetch(FOLDER, { ...init, dispatcher })).status).toBe(200);
    expect((await nativeFetch(FOLDER, { ...init, dispatcher })).status).toBe(200);
    expect(world).toHaveReceived({ operation: 'updateFolder', body: { name: 'Q1' }, times: 2 });
  });

  test('with a stream, bytes or a form as the body', async ({ world }) => {
    const dispatcher = dispatcherOf(world);
    const form = new FormData();
    form.set('name', 'Q3');
    const headers = bearer(world.credentials.admin);
    const json = { ...headers, 'content-type': 'application/json' };
    const bodies = [Readable.from(['{"name":', '"Q1"}']), Buffer.from('{"name":"Q2"}')];
    for (const body of bodies) {
      expect(
        (await request(FOLDER, { dispatcher, method: 'PUT', headers: json, body })).statusCode,
      ).toBe(200);
    }
    await request(FOLDER, { dispatcher, method: 'PUT', headers, body: form });
    expect(world.requests.last()?.headers['content-type']).toMatch(
      /^multipart\/form-data; boundary/,
    );
    expect(world).toHaveChanged({ folders: { 13: { name: 'Q2' } } });
  });

  test('without a credential it is refused, as it would be there', async ({ world }) => {
    const { statusCode } = await request(LIST, { dispatcher: dispatcherOf(world) });
    expect(statusCode).toBe(401);
    expect(world).toHaveReceived({ status: 401, credential: null, times: 1 });
    expect(world.requests.last()?.refusal).toMatchObject({
      statement: 'AUTH-1',
      message: 'The Authorization header is missing',
    });
  });

  test('under the host that was asked', async ({ mock, world }) => {
    const headers = bearer(world.credentials.admin);
    await request(LIST, { dispatcher: dispatcherOf(world), headers });
    expect(world.requests.last()?.headers.host).toBe('acme.example.com');
    await nativeFetch(`${HOST}:8443/api/v1/deployments`, {
      dispatcher: dispatcherOf(mock),
      headers,
    });
    expect(world.requests.last()?.headers.host).toBe('acme.example.com:8443');
    const health = await request(`${HOST}/__admin/health`, { dispatcher: dispatcherOf(mock) });
    expect(health.statusCode).toBe(200);
  });

  test('by its credential, if a mock is given', async ({ mock, world }) => {
    await request(LIST, {
      dispatcher: dispatcherOf(mock),
      headers: bearer(world.credentials.admin),
    });
    expect(world).toHaveReceived({ operation: 'listDeployments', status: 200 });
  });

  test('and streams a long answer, however slowly it is read', async ({ world }) => {
    const headers = bearer(world.credentials.admin);
    const whole = await (await world.fetch('/api/v1/audit-logs/export')).text();
    const { body } = await request(EXPORT, { dispatcher: dispatcherOf(world), headers });
    body.pause();
    setTimeout(() => body.resume(), 20);
    expect(await text(body)).toBe(whole);
    const chunks: string[] = [];
    await stream(
      EXPORT,
      { dispatcher: dispatcherOf(world), headers, method: 'GET' },
      ({ statusCode }) => {
        chunks.push(String(statusCode));
        return new Writable({
          write(chunk: Buffer, _encoding, done) {
            chunks.push(chunk.toString());
            setTimeout(done, 1);
          },
        });
      },
    );
    expect(chunks.join('')).toBe(`200${whole}`);
  });
});

describe('hurts the client as a socket would', () => {
  test('a connection that is closed before and within the answer', async ({ world }) => {
    const dispatcher = dispatcherOf(world);
    const headers = bearer(world.credentials.admin);
    world.faults.add({ operation: 'listDeployments', phase: 'socket', times: 2 });
    await expect(request(LIST, { dispatcher, headers })).rejects.toThrow('other side closed');
    await expect(nativeFetch(LIST, { dispatcher, headers })).rejects.toThrow('fetch failed');
    world.faults.add({ operation: 'listDeployments', phase: 'mid-body', times: 2 });
    const cut = await request(LIST, { dispatcher, headers });
    await expect(cut.body.text()).rejects.toThrow('other side closed');
    const fetched = await nativeFetch(LIST, { dispatcher, headers });
    await expect(fetched.text()).rejects.toThrow('terminated');
  });

  test('a client that gives up waiting', async ({ world }) => {
    const dispatcher = dispatcherOf(world);
    world.faults.add({ operation: 'listDeployments', phase: 'before', delayMs: 60_000 });
    const given = { dispatcher, headers: bearer(world.credentials.admin) };
    await expect(request(LIST, { ...given, signal: AbortSignal.timeout(20) })).rejects.toThrow(
      /aborted/,
    );
    await expect(fetch(LIST, { ...given, signal: AbortSignal.timeout(20) })).rejects.toThrow(
      /aborted/,
    );
  });

  test("undici's own retries", async ({ world }) => {
    world.faults.add({ operation: 'listDeployments', phase: 'before', status: 503, times: 2 });
    const retry = interceptors.retry({ minTimeout: 1, maxTimeout: 2, statusCodes: [503] });
    const dispatcher = dispatcherOf(world).compose(retry);
    const headers = bearer(world.credentials.admin);
    const { statusCode } = await request(LIST, { dispatcher, headers });
    expect(statusCode).toBe(200);
    expect(world).toHaveReceived({ operation: 'listDeployments', times: 3 });
  });
});

describe('other hosts', () => {
  test('are refused unless they are let through', async ({ world }) => {
    const dispatcher = dispatcherOf(world, { origins: [HOST] });
    await expect(request('https://other.example.com/', { dispatcher })).rejects.toThrow(
      /answers for https:\/\/acme\.example\.com, not for https:\/\/other\.example\.com/,
    );
  });

  test.for(['acme.example.com', 'acme.example.com:443', `${HOST}/api`, `${HOST}?a`, ''])(
    'cannot be named by %j, which is not an origin',
    (origin, { world }) => {
      expect(() => dispatcherOf(world, { origins: [`${HOST}/`, origin] })).toThrow(
        `${JSON.stringify(origin)} is not an origin: a scheme and a host are expected`,
      );
    },
  );

  test('are let through to elsewhere', async ({ world }) => {
    const server = createServer((_request, response) => response.end('elsewhere'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const elsewhere = new Agent();
    const dispatcher = dispatcherOf(world, { origins: [HOST], elsewhere });
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://127.0.0.1:${port}/`, { dispatcher });
    expect(await body.text()).toBe('elsewhere');
    expect(world.requests.recorded).toBe(0);
    await elsewhere.close();
    server.close();
  });
});

test('ends at once, by promise or callback', async ({ world }) => {
  await dispatcherOf(world).close();
  await new Promise<void>((done) => dispatcherOf(world).destroy(done));
});
