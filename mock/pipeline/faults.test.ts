/** Faults that a client's test requests, and the answers that the client gets. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createMock, type FaultOrder, startMock, type World } from '../kits/index.ts';
import { bothWays, NOW, type Send } from '../testing/both-ways.ts';

const deployments = '/api/v1/deployments';
const folder = `${deployments}/1/folders/11`;
const rename = (name: string) => ({ method: 'PUT', body: JSON.stringify({ name }) });
const nameOf = (world: World) => world.state.tables.folders.get(11)?.name;
const admin = (world: World) => (path: string, body: object) =>
  world.fetch(path.replace('/__admin', `http://localhost/__admin/worlds/${world.id}`), {
    method: 'POST',
    body: JSON.stringify(body),
  });

bothWays('faults', ({ newWorld, sendTo }) => {
  /** A world with faults, and the statuses of several calls; 0 for a lost call. */
  const struck = async (...faults: FaultOrder[]) => {
    const world = await newWorld();
    for (const fault of faults) world.faults.add(fault);
    const send = sendTo(world);
    const statuses = async (calls: number, path = deployments, init?: RequestInit) => {
      const seen: number[] = [];
      while (seen.length < calls) seen.push(await statusOf(send, path, init));
      return seen;
    };
    return { world, send, statuses };
  };

  test('after: the first two calls pass', async () => {
    const { statuses } = await struck({ status: 503, after: 2, times: 1 });
    expect(await statuses(5)).toEqual([200, 200, 503, 200, 200]);
  });

  test('every: each third call fails, from the first matching call on', async () => {
    const { statuses } = await struck({ status: 500, every: 3, after: 1, times: 2 });
    expect(await statuses(9)).toEqual([200, 200, 200, 500, 200, 200, 500, 200, 200]);
  });

  test('when: any predicate over the call', async () => {
    const { send, statuses } = await struck({
      status: 503,
      when: ({ query, body }) => query.includes('offset=20') || body !== undefined,
    });
    expect(await statuses(1, `${deployments}?offset=20`)).toEqual([503]);
    expect(await statuses(1)).toEqual([200]);
    expect((await send(folder, rename('Money'))).status).toBe(503);
  });

  test('a fault counts only the calls that match it', async () => {
    const { statuses, world } = await struck({ operation: 'listVersions', status: 503, after: 1 });
    expect(await statuses(3)).toEqual([200, 200, 200]);
    expect(await statuses(2, `${deployments}/1/versions`)).toEqual([200, 503]);
    expect(world.faults.list()).toMatchObject([{ id: 'fault-1', seen: 2, left: null }]);
  });

  test('rateLimit: a bucket of two, refilled once in each second of the world', async () => {
    const { world, send, statuses } = await struck({
      rateLimit: { capacity: 2, refillPerSecond: 1 },
    });
    expect(await statuses(3)).toEqual([200, 200, 429]);
    const limited = await send(deployments);
    expect(limited.headers.get('Retry-After')).toBe('1');
    expect(await limited.json()).toEqual({ error: expect.any(String) });
    world.clock.advance({ seconds: 1 });
    expect(await statuses(2)).toEqual([200, 429]);
    world.clock.advance({ hours: 1 });
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  test('rateLimit: each credential has a bucket of its own', async () => {
    const { world, statuses } = await struck({
      rateLimit: { capacity: 1, refillPerSecond: 0.1 },
    });
    const member = { headers: { Authorization: `Bearer ${world.credentials.member}` } };
    expect(await statuses(2)).toEqual([200, 429]);
    expect(await statuses(2, deployments, member)).toEqual([200, 429]);
  });

  test.for<[string, FaultOrder, string]>([
    ['before, with a status', { phase: 'before', status: 503 }, 'Finance'],
    ['before, cut', { phase: 'before', kind: 'reset' }, 'Finance'],
    ['after-commit, with a status', { phase: 'after-commit', status: 504 }, 'Money'],
    ['after-commit, cut', { phase: 'after-commit' }, 'Money'],
    ['mid-body', { phase: 'mid-body' }, 'Money'],
    ['socket, reset', { phase: 'socket', kind: 'reset' }, 'Money'],
    ['socket, half-close', { phase: 'socket', kind: 'half-close' }, 'Money'],
  ])('%s: no good answer, and the folder is then %3$s', async ([, fault, name]) => {
    const { world, send, statuses } = await struck({ ...fault, times: 1 });
    const answered = send(folder, rename('Money')).then(async (response) => {
      await response.text();
      return response.ok;
    });
    expect(await answered.catch(() => false)).toBe(false);
    expect(nameOf(world)).toBe(name);
    expect(await statuses(1)).toEqual([200]);
  });

  test.for<[string, FaultOrder]>([
    ['after-commit, cut', { phase: 'after-commit' }],
    ['socket, reset', { phase: 'socket', kind: 'reset' }],
    ['socket, half-close', { phase: 'socket', kind: 'half-close' }],
    ['socket, stall', { phase: 'socket', kind: 'stall' }],
  ])('%s: journal and coverage say what the client got, no answer', async ([, fault]) => {
    const { world, send } = await struck({ ...fault, times: 1 });
    const lost = expect(send(folder, rename('Money'))).rejects.toThrow(/fetch failed/);
    await arrival(world);
    world.faults.clear();
    await lost;
    const entry = world.requests.last();
    expect(entry).toMatchObject({ status: 0, basis: null, assumed: [], fault: { served: 200 } });
    expect(entry?.responseHeaders).not.toHaveProperty('Lockstep-Basis');
    // The journal keeps the answer that the service would have sent.
    expect(JSON.parse(entry?.responseBody ?? '')).toMatchObject({ name: 'Money' });
    expect(world.coverage.operations.updateFolder).toEqual({ 0: 1 });
  });

  test('mid-body: the client had the status, and an answer that is not graded', async () => {
    const { world, send } = await struck({ phase: 'mid-body', times: 1 });
    const response = await send(deployments);
    expect(response.headers.get('Lockstep-Basis')).toBeNull();
    await expect(response.text()).rejects.toThrow();
    expect(world.requests.last()).toMatchObject({
      status: response.status,
      basis: null,
      page: null,
      fault: { cut: 'mid-body', served: 200 },
    });
    expect(world.coverage.operations.listDeployments).toEqual({ 200: 1 });
  });

  test('a stall lasts until the client gives up', async () => {
    const { world, send, statuses } = await struck({ phase: 'socket', kind: 'stall', times: 1 });
    const patience = new AbortController();
    const stalled = send(folder, { ...rename('Money'), signal: patience.signal });
    await arrival(world);
    patience.abort();
    await expect(stalled).rejects.toThrow(/aborted/);
    expect(nameOf(world)).toBe('Money');
    expect(await statuses(1)).toEqual([200]);
  });

  test('a stall lasts until all faults are removed', async () => {
    const { world, send } = await struck({ phase: 'before', kind: 'stall' });
    const stalled = send(deployments);
    await arrival(world);
    world.faults.clear();
    await expect(stalled).rejects.toThrow(/fetch failed/);
  });

  test('a stall ends when its own fault is removed; other stalls last', async () => {
    const { world, send } = await struck(
      { phase: 'before', kind: 'stall', times: 1 },
      { status: 503 },
    );
    const [stall, other] = world.faults.list().map(({ id }) => id);
    const stalled = send(deployments);
    await arrival(world);
    // The fault is used up, and its answer still stalls.
    expect(world.faults.list().map(({ id }) => id)).toEqual([other]);
    expect(world.faults.remove(stall ?? '')).toBe(true);
    await expect(stalled).rejects.toThrow(/fetch failed/);
    expect(world.faults.remove(stall ?? '')).toBe(false);
    expect((await send(deployments)).status).toBe(503);
  });

  test('a delayed answer is sent at once when the faults are removed', async () => {
    const { world, send } = await struck({ delayMs: 600_000 });
    const delayed = send(deployments);
    await arrival(world);
    world.faults.clear();
    expect((await delayed).status).toBe(200);
  });

  test('without a body to cut, the connection is cut', async () => {
    const { world, send } = await struck({ phase: 'mid-body' });
    await expect(send(deployments, { method: 'HEAD' })).rejects.toThrow();
    expect(world.requests.last()).toMatchObject({ status: 0, fault: { cut: 'reset' } });
  });

  test('half of a cut body arrives', async () => {
    const { send } = await struck({ phase: 'mid-body' });
    const reader = (await send(deployments)).body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"data"/);
    await expect(reader?.read()).rejects.toThrow();
  });

  test('snapshots and forks keep the faults and their counts; a reset drops them', async () => {
    const { world, statuses } = await struck(
      { status: 503, after: 1, times: 1 },
      { rateLimit: { capacity: 2, refillPerSecond: 1 } },
    );
    expect(await statuses(1)).toEqual([200]);
    const snapshot = world.snapshot();
    const next = [503, 200, 429];
    const fork = world.fork();
    expect(await statuses(3)).toEqual(next);
    world.faults.add({ status: 500 });
    world.restore(snapshot);
    expect(await statuses(3)).toEqual(next);
    const forked = sendTo(fork);
    for (const status of next) expect(await statusOf(forked, deployments)).toBe(status);
    world.reset();
    expect(world.faults.list()).toEqual([]);
    expect(await statuses(3)).toEqual([200, 200, 200]);
  });

  test('a gateway answers with its own page, headers and empty body', async () => {
    const page = '<html><h1>502 Bad Gateway</h1></html>';
    const html = { 'content-type': 'text/html', Server: 'nginx' };
    const { world, send } = await struck(
      { status: 502, headers: html, body: page, times: 1 },
      { status: 500, body: 'upstream connect error', times: 1 },
      { status: 200, body: { fault: ['none'] }, phase: 'after-commit', times: 1 },
      { status: 200, body: '', times: 1 },
    );
    const first = await send(deployments);
    const { headers } = first;
    expect([first.status, headers.get('content-type'), headers.get('server')]).toEqual([
      502,
      'text/html',
      'nginx',
    ]);
    expect(await first.text()).toBe(page);
    expect(world.requests.last()).toMatchObject({ responseBody: page, basis: null });
    const second = await send(deployments);
    expect(second.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await second.text()).toBe('upstream connect error');
    expect(await (await send(folder, rename('Money'))).json()).toEqual({ fault: ['none'] });
    expect(nameOf(world)).toBe('Money');
    const empty = await send(deployments);
    expect([empty.status, await empty.text()]).toEqual([200, '']);
  });

  test('Retry-After as an HTTP date, in the time of the world', async () => {
    const { send } = await struck(
      { status: 503, retryAfter: 90, retryAfterAs: 'date', times: 1 },
      { rateLimit: { capacity: 1, refillPerSecond: 0.1 }, retryAfterAs: 'date' },
    );
    const waits = async () => (await send(deployments)).headers.get('Retry-After');
    expect(await waits()).toBe('Sun, 01 Mar 2026 12:01:30 GMT');
    expect(await waits()).toBeNull();
    expect(await waits()).toBe('Sun, 01 Mar 2026 12:00:10 GMT');
  });

  test('a body that drips arrives whole and slowly, or at once when the faults are removed', async () => {
    const { world, send } = await struck({ dripMs: 200, times: 1 }, { dripMs: 600_000 });
    const whole = await (await world.fork().fetch(deployments)).text();
    const began = performance.now();
    const reader = (await send(deployments)).body?.getReader();
    let text = '';
    let pieces = 0;
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      text += new TextDecoder().decode(read.value);
      pieces += 1;
    }
    expect(performance.now() - began).toBeGreaterThan(150);
    expect(pieces).toBeGreaterThan(2);
    expect(JSON.parse(text)).toEqual(JSON.parse(whole));
    expect(world.requests.last()?.fault).toMatchObject({ dripMs: 200, served: 200 });
    const dripping = (await send(deployments)).text();
    world.faults.clear();
    expect(await dripping).toBe(text);
  });

  test('half of a body that stalls in the middle arrives, and then nothing', async () => {
    const { world, send } = await struck({ phase: 'mid-body', kind: 'stall' });
    const patience = new AbortController();
    const response = await send(deployments, { signal: patience.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^\{"data"/);
    patience.abort();
    await expect(reader?.read()).rejects.toThrow(/abort/);
    expect(world.requests.last()).toMatchObject({ status: 200, fault: { cut: 'mid-body-stall' } });
    const stalled = (await send(deployments)).text();
    world.faults.clear();
    await expect(stalled).rejects.toThrow(/terminated/);
  });

  test('a fault for one request strikes that request and equal ones, before other faults', async () => {
    const { world, send, statuses } = await struck({ status: 500 });
    await send(`${deployments}?limit=2`);
    const fingerprint = world.requests.last()?.fingerprint ?? '';
    world.faults.add({ fingerprint, status: 503 });
    expect(await statuses(1)).toEqual([500]);
    expect(await statuses(2, `${deployments}?limit=2`)).toEqual([503, 503]);
  });

  test('probability: a fault strikes the same calls under the same seed', async () => {
    const { world, statuses } = await struck({ status: 503, probability: 0.5 });
    const copy = world.fork();
    const drawn = await statuses(20);
    expect(new Set(drawn)).toEqual(new Set([200, 503]));
    const again: number[] = [];
    while (again.length < 20) again.push((await copy.fetch(deployments)).status);
    expect(again).toEqual(drawn);
    world.reset();
    world.faults.add({ status: 503, probability: 0.5 });
    expect(await statuses(20)).toEqual(drawn);
  });

  test('the control API takes all fields, and forks and snapshots keep them', async () => {
    const { world, statuses } = await struck();
    const post = admin(world);
    const limit = { rateLimit: { capacity: 1, refillPerSecond: 0.5 } };
    expect((await post('/__admin/faults', limit)).status).toBe(201);
    const { id } = (await (await post('/__admin/snapshots', {})).json()) as { id: string };
    expect(await statuses(2)).toEqual([200, 429]);
    await post(`/__admin/snapshots/${id}/restore`, {});
    expect(await statuses(2)).toEqual([200, 429]);
  });
});

/** Ends when the world has had its first request. */
const arrival = (world: World) => expect.poll(() => world.requests.recorded).toBe(1);

async function statusOf(send: Send, path: string, init?: RequestInit): Promise<number> {
  return send(path, init).then(
    async (response) => {
      await response.text();
      return response.status;
    },
    () => 0,
  );
}

/** Fault orders that the control API and a world refuse. */
const refusals: [object, RegExp][] = [
  [{}, /needs a status/],
  [{ phase: 'mid-body', kind: 'reset' }, /leave out status; with mid-body/],
  [{ status: 503, kind: 'stall' }, /leave out status/],
  [{ status: 503, probability: 0 }, /probability must be above 0 and at most 1, not 0/],
  [{ delayMs: 5, body: 'x' }, /body and headers belong to an answer/],
  [{ status: 503, body: 7 }, /body must be a text, an object or a list, not 7/],
  [{ status: 204, body: 'x' }, /an answer of 204 has no body/],
  [{ status: 503, headers: { 'a b': 'c' } }, /the header "a b": "c" cannot be sent/],
  [{ status: 503, headers: { a: 'b\n' } }, /cannot be sent/],
  [{ status: 503, headers: { 'Content-Length': '3' } }, /follows from what is sent/],
  [{ status: 503, headers: ['a'] }, /headers must be texts by name/],
  [{ status: 503, retryAfterAs: 'date' }, /needs retryAfter or a rateLimit/],
  [{ phase: 'mid-body', dripMs: 5 }, /dripMs sends the whole body slowly/],
  [{ status: 503, fingerprint: 7 }, /fingerprint must be that of a journal entry/],
  [{ phase: 'mid-body', status: 503 }, /mid-body loses the service's own answer: leave out status/],
  [{ phase: 'socket', status: 503 }, /socket loses the service's own answer/],
  [{ kind: 'explode' }, /kind must be one of reset, half-close, stall, not "explode"/],
  [{ rateLimit: 5 }, /rateLimit must be/],
  [{ rateLimit: { capacity: 1 } }, /refillPerSecond/],
  [{ rateLimit: { capacity: 0, refillPerSecond: 1 } }, /capacity must be an integer from 1/],
  [{ rateLimit: { capacity: 1, refillPerSecond: 0 } }, /refillPerSecond .* not 0/],
  [{ rateLimit: { capacity: 1, refillPerSecond: 1, colour: 1 } }, /not colour/],
  [{ rateLimit: { capacity: 1, refillPerSecond: 1 }, retryAfter: 3 }, /sets Retry-After/],
  [{ delayMs: 5, retryAfter: 3 }, /retryAfter is a header of an answer/],
  [{ status: 503, times: 0 }, /times must be an integer from 1 to 1000000, not 0/],
  [{ status: 503, times: -1 }, /times/],
  [{ status: 503, times: 1.5 }, /times/],
  [{ status: 503, after: -1 }, /after/],
  [{ status: 503, every: 0 }, /every/],
  [{ delayMs: -5 }, /delayMs/],
  [{ status: 999 }, /status must be an integer from 200 to 599, not 999/],
  [{ status: 503, operation: 'listDeploymnts' }, /did you mean listDeployments/],
  [{ status: 503, credential: 'nobody' }, /no credential nobody; there are admin, /],
  [{ status: 503, phaes: 'before' }, /not phaes \(did you mean phase\?\)/],
  [{ status: 503, phase: 'later' }, /phase must be one of/],
];

test.for(refusals)('the control API and a world refuse %j alike', async ([fault, message]) => {
  await using mock = await createMock({ clock: NOW });
  const response = await admin(mock.world)('/__admin/faults', fault);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: string };
  expect(error).toMatch(message);
  const own = expect.objectContaining({
    name: 'FaultError',
    message: expect.stringMatching(message),
  });
  expect(() => mock.world.faults.add(fault as FaultOrder)).toThrow(own);
  expect(mock.world.faults.list()).toEqual([]);
});

test('a predicate must be a function, and works only in this process', async () => {
  await using mock = await createMock({ clock: NOW });
  const fault = { status: 503, when: 'never' };
  const response = await admin(mock.world)('/__admin/faults', fault);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/not when/) });
  expect(() => mock.world.faults.add(fault as never)).toThrow(/when must be a function/);
  expect(() => mock.world.faults.add(undefined as never)).toThrow(/A fault is an object with/);
});

describe('when the mock closes, nothing keeps waiting', () => {
  test.for(['in-process', 'over a socket'])('%s', async (way) => {
    const mock = await startMock();
    const { world } = mock;
    world.faults.add({ phase: 'socket', kind: 'stall' });
    const headers = { Authorization: `Bearer ${world.credentials.admin}` };
    const stalled =
      way === 'in-process'
        ? world.fetch(deployments)
        : fetch(`${world.baseUrl}${deployments}`, { headers });
    await arrival(world);
    await Promise.all([mock.close(), expect(stalled).rejects.toThrow(/fetch failed/)]);
  });
});

test('on the wire: a reset is a reset, a half-close is an end without an answer', async () => {
  await using mock = await startMock();
  const { world, port } = mock;
  const onTheWire = (kind: 'reset' | 'half-close') => {
    world.faults.add({ phase: 'socket', kind, times: 1 });
    return new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('data', () => resolve('an answer'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      socket.on('end', () => resolve('end'));
      const key = world.credentials.admin;
      socket.write(
        `GET ${deployments} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
    });
  };
  expect(await onTheWire('reset')).toBe('ECONNRESET');
  expect(await onTheWire('half-close')).toBe('end');
});

test('on the wire: the answer before a lost one arrives, even if both were requested at once', async () => {
  await using mock = await startMock();
  const { world, port } = mock;
  world.faults.add({ phase: 'socket', kind: 'half-close', after: 1, times: 1 });
  const socket = connect(port, '127.0.0.1');
  const key = world.credentials.admin;
  const call = `GET ${deployments} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.write(call + call);
  const received = await text(socket);
  expect(received.split('HTTP/1.1 200 OK')).toHaveLength(2);
  expect(received).toContain('"pagination"');
});
