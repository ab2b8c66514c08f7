/** The control API under /__admin, route by route, as a client in any language uses it. */
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createLog } from '../cli/log.ts';
import { createMock, type FaultOrder, type Mock, startMock, type World } from '../kits/index.ts';
import { tellFault } from '../pipeline/explain.ts';

const mock = await createMock();
const CLOCK = '2026-03-01T12:00:00.000Z';

async function ask(path: string, method = 'GET', body?: unknown, on: Mock = mock) {
  const response = await on.fetch(`/__admin${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: json };
}
/** A frozen world, and how to reach its part of the control API. */
async function worldWith() {
  const world = await mock.createWorld({ clock: CLOCK, seed: 3 });
  return {
    world,
    get: (path: string) => ask(`/worlds/${world.id}${path}`),
    post: (path: string, body?: unknown) => ask(`/worlds/${world.id}${path}`, 'POST', body),
    put: (path: string, body?: unknown) => ask(`/worlds/${world.id}${path}`, 'PUT', body),
    remove: (path: string) => ask(`/worlds/${world.id}${path}`, 'DELETE'),
  };
}
const refused = (status: number, message: RegExp) => ({
  status,
  body: { error: expect.stringMatching(message) },
});

const deployments = '/api/v1/deployments';
const folder = `${deployments}/1/folders/11`;
const rename = (world: World, name: string) =>
  world.fetch(folder, { method: 'PUT', body: JSON.stringify({ name }) });
const as = (world: World, name: string) => ({
  headers: { Authorization: `Bearer ${world.id}-${name}` },
});

describe('the mock as a whole', () => {
  test('GET health', async () => {
    expect(await ask('/health')).toMatchObject({
      status: 200,
      body: { name: 'lockstep', version: expect.stringMatching(/^\d+\.\d+\.\d+/), protocol: 1 },
    });
  });

  test('GET statements', async () => {
    const { status, body } = await ask('/statements');
    expect(status).toBe(200);
    const { statements } = body as { statements: { id: string; level: string }[] };
    expect(new Set(statements.map(({ level }) => level))).toEqual(
      new Set(['documented', 'standard', 'silent']),
    );
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
  });

  test('GET statements/{id}: one of them', async () => {
    expect(await ask('/statements/REQ-1')).toMatchObject({
      status: 200,
      body: { id: 'REQ-1', level: 'silent', assumption: { id: 'served' } },
    });
    expect(await ask('/statements/req-1')).toMatchObject(
      refused(404, /req-1 is not known; REQ-1 is/),
    );
    expect(await ask('/statements/REQ-999')).toMatchObject(refused(404, /statements lists all/));
  });

  test('GET version', async () => {
    expect(await ask('/version')).toMatchObject({
      status: 200,
      body: { version: expect.any(String), contract: '1.0.0', protocol: 1 },
    });
  });

  test('GET docs is a page', async () => {
    const response = await mock.fetch('/__admin/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain('<html');
  });

  test('GET coverage counts statuses by operation, and assumptions, of all worlds', async () => {
    await using own = await createMock();
    const world = await own.createWorld();
    await own.world.fetch(`${deployments}/`);
    await world.fetch(deployments);
    await world.fetch(`${deployments}/99/versions`);
    await world.fetch('/favicon.ico');
    const all = await ask('/coverage', 'GET', undefined, own);
    expect(all).toMatchObject({
      status: 200,
      body: {
        operations: { listDeployments: { 200: 2 }, listVersions: { 404: 1 }, updateFolder: {} },
        pages: { listDeployments: { first: 2 } },
        assumptions: {
          'REQ-1': {
            text: 'Whether a path with a slash at the end is served.',
            answers: 1,
            choices: { served: 1 },
            alternatives: [{ id: 'not-found', text: '404' }],
          },
          'ERR-9': { answers: 1 },
        },
        privileges: { admin: { operations: { listDeployments: 2 }, admin: false } },
        unmatched: 1,
      },
    });
    const one = await ask(`/worlds/${world.id}/coverage`, 'GET', undefined, own);
    expect(one.body).toMatchObject({ operations: { listDeployments: { 200: 1 } } });
    await ask(`/worlds/${world.id}`, 'DELETE', undefined, own);
    expect(await ask('/coverage', 'GET', undefined, own)).toEqual(all);
  });

  test('POST reset drops what was made and resets the default world', async () => {
    await using own = await createMock();
    const made = await own.createWorld();
    await rename(own.world, 'Money');
    expect(await ask('/reset', 'POST', undefined, own)).toMatchObject({
      status: 200,
      body: { worlds: ['acme'] },
    });
    expect(own.world.state.tables.folders.get(11)?.name).toBe('Finance');
    expect((await ask(`/worlds/${made.id}`, 'GET', undefined, own)).status).toBe(404);
  });

  test.for([
    ['GET', '/nothing', 404],
    ['POST', '/health', 405],
    ['PATCH', '/worlds', 405],
    ['GET', '/worlds/acme/reset', 405],
    ['GET', '/worlds/acme/nothing', 404],
    ['GET', '/worlds/nowhere', 404],
    ['POST', '/worlds/nowhere/reset', 404],
    ['GET', '/worlds/__proto__/state', 404],
    ['GET', '/worlds/%ff/state', 404],
  ] as const)('%s %s: %i with an error', async ([method, path, status]) => {
    const answer = await ask(path, method);
    expect(answer).toMatchObject(refused(status, /./));
    expect(answer.headers.has('Allow')).toBe(status === 405);
  });

  test('a slash at the end is served', async () => {
    expect((await ask('/health/')).status).toBe(200);
  });

  test.for([
    ['half an object', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ] as const)('%s is no body: 400', async ([, body]) => {
    const response = await mock.fetch('/__admin/worlds', { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/JSON/) });
  });
});

describe('worlds', () => {
  test('POST worlds: 201 with everything that a client needs', async () => {
    const { status, body } = await ask('/worlds', 'POST', {
      id: 'mine',
      fixture: 'acme',
      clock: CLOCK,
      seed: 9,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 'mine',
      baseUrl: 'http://no-socket-use-world-fetch-or-startmock.invalid',
      prefixedBaseUrl: 'http://no-socket-use-world-fetch-or-startmock.invalid/w/mine',
      credentials: Object.fromEntries(
        [
          'admin',
          'member',
          'scoped',
          'oauth',
          'memberOauth',
          'embed',
          'adminEmbed',
          'expired',
          'scim',
        ].map((name) => [name, `mine-${name}`]),
      ),
      bindings: expect.objectContaining({
        deployment: { id: '1' },
        sharedBranch: { id: 102, name: 'feature-orders' },
        folder: { id: 11 },
        notification: { id: 31 },
        audit: expect.objectContaining({ start: '2026-02-09', end: '2026-02-19' }),
      }),
      features: { auditLog: true },
      actors: expect.objectContaining({
        admin: { role: 'admin', auditLogManage: true },
        member: { role: 'member', auditLogManage: false, edits: [11, 13] },
        scoped: { role: 'admin', auditLogManage: true, deployments: ['1'] },
      }),
    });
    const list = await mock.fetch(deployments, { headers: { Authorization: 'Bearer mine-admin' } });
    expect(list.headers.get('Lockstep-World')).toBe('mine');
  });

  test('POST worlds without a body: 201, acme under an id of its own', async () => {
    const first = await ask('/worlds', 'POST');
    const second = await ask('/worlds', 'POST');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body).not.toEqual(second.body);
  });

  test('POST worlds with a fixture of its own', async () => {
    const fixture = { deployments: [{ id: 7, name: 'Only' }] };
    const { status, body } = await ask('/worlds', 'POST', { fixture });
    expect(status).toBe(201);
    const { credentials } = body as { credentials: { admin: string } };
    const list = await mock.fetch(deployments, {
      headers: { Authorization: `Bearer ${credentials.admin}` },
    });
    expect(await list.json()).toMatchObject({ data: { deployments: [{ id: '7', name: 'Only' }] } });
  });

  test.for<[string, unknown, number, RegExp]>([
    [
      'an unknown field',
      { colour: 'red' },
      400,
      /field colour is not known; known are id, fixture/,
    ],
    ['an id that is none', { id: 'Not-An-Id' }, 400, /small letters/],
    ['an id of another type', { id: 7 }, 400, /id must be/],
    ['the id of the default world', { id: 'acme' }, 409, /already/],
    ['no such fixture', { fixture: 'none' }, 400, /none/],
    ['the path of a file', { fixture: '/etc/passwd' }, 400, /bundled/],
    ['the name of a file', { fixture: 'mine.yaml' }, 400, /bundled/],
    ['a fixture that is a list', { fixture: [] }, 400, /./],
    ['a fixture that is null', { fixture: null }, 400, /./],
    ['a fixture without deployments', { fixture: {} }, 400, /deployments/],
    ['a clock that is no time', { clock: 'noon' }, 400, /ISO 8601/],
    [
      'a clock without a zone',
      { clock: '2026-01-31T09:30' },
      400,
      /end it with Z: 2026-01-31T09:30Z/,
    ],
    ['a clock of another type', { clock: 7 }, 400, /clock must be/],
    ['a seed that is no integer', { seed: 1.5 }, 400, /seed/],
    ['a seed of another type', { seed: '1' }, 400, /seed/],
    [
      'parameters of a fixture that has none',
      { fixture: 'acme', parameters: { deployments: 1 } },
      400,
      /./,
    ],
    ['assumptions that are no object', { assumptions: 'x' }, 400, /assumptions/],
  ])('POST worlds with %s: refused, nothing made', async ([, body, status, message]) => {
    await using own = await createMock();
    expect(await ask('/worlds', 'POST', body, own)).toMatchObject(refused(status, message));
    expect([...own.service.worlds.keys()]).toEqual(['acme']);
  });

  test.for<[string, unknown]>([
    ['no such statement', { assumptions: { 'NONE-1': 'x' } }],
    ['no such choice', { assumptions: { 'STAGE-9': 'teapot' } }],
    ['a promise', { assumptions: { 'STAGE-3': 'x' } }],
  ])('POST worlds with an assumption that cannot be made (%s): 400', async ([, body]) => {
    expect(await ask('/worlds', 'POST', body)).toMatchObject(refused(400, /./));
  });

  test('GET worlds, and GET one', async () => {
    const { world, get } = await worldWith();
    await rename(world, 'Money');
    const { status, body } = await ask('/worlds');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      worlds: expect.arrayContaining([
        expect.objectContaining({ id: 'acme' }),
        {
          ...{ id: world.id, fixture: 'acme', now: CLOCK, requests: 1, default: false },
          altered: { state: 1, faults: 0, assumptions: 0 },
        },
      ]),
    });
    expect(await get('')).toMatchObject({ status: 200, body: { id: world.id } });
  });

  test('DELETE: 204, and it is gone; the default world stays', async () => {
    const { get, remove } = await worldWith();
    expect(await remove('')).toMatchObject({ status: 204, body: null });
    expect((await get('')).status).toBe(404);
    expect(await ask('/worlds/acme', 'DELETE')).toMatchObject(refused(409, /reset it instead/));
  });

  test('POST reset: 200, and the world is as it was made', async () => {
    const { world, post } = await worldWith();
    await rename(world, 'Money');
    expect(await post('/reset')).toMatchObject({ status: 200, body: { id: world.id } });
    expect(world.state.tables.folders.get(11)?.name).toBe('Finance');
  });

  test('POST fork: 201 with a world of its own', async () => {
    const { world, post } = await worldWith();
    await rename(world, 'Money');
    const { status, body } = await post('/fork', { id: 'branched' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: 'branched', credentials: { admin: 'branched-admin' } });
    expect(await ask('/worlds/branched/state')).toMatchObject({
      body: { folders: expect.arrayContaining([expect.objectContaining({ name: 'Money' })]) },
    });
    expect(await post('/fork', { id: 'branched' })).toMatchObject(refused(409, /already/));
    expect(await post('/fork', { id: 'Not An Id' })).toMatchObject(refused(400, /small letters/));
    expect(await post('/fork', { id: 7 })).toMatchObject(refused(400, /string/));
  });
});

// Defect (see mock-notes): the reader of fixtures runs out of stack.
test('a fixture nested too deep: 400', async () => {
  const body = `{"fixture":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;
  const response = await mock.fetch('/__admin/worlds', { method: 'POST', body });
  expect(response.status).toBe(400);
});

describe('snapshots, state and diff', () => {
  test('POST, GET and restore', async () => {
    const { world, get, post } = await worldWith();
    expect(await get('/snapshots')).toMatchObject({ status: 200, body: { snapshots: [] } });
    const made = await post('/snapshots');
    expect(made).toMatchObject({ status: 201, body: { id: expect.any(String), at: CLOCK } });
    const { id } = made.body as { id: string };
    expect((await get('/snapshots')).body).toEqual({ snapshots: [{ id, at: CLOCK }] });
    await rename(world, 'Money');
    expect(await post(`/snapshots/${id}/restore`)).toMatchObject({ status: 200, body: { id } });
    expect(world.state.tables.folders.get(11)?.name).toBe('Finance');
    expect(await post('/snapshots/none/restore')).toMatchObject(refused(404, /no snapshot none/));
  });

  test('GET state holds every table', async () => {
    const { get } = await worldWith();
    const { status, body } = await get('/state');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      deployments: expect.objectContaining({ length: 45 }),
      users: expect.objectContaining({ length: 42 }),
      recipients: [],
    });
  });

  test('GET diff: nothing, then what changed, then what changed since a snapshot', async () => {
    const { world, get } = await worldWith();
    expect(await get('/diff')).toMatchObject({
      status: 200,
      body: { since: 'start', changes: {} },
    });
    await rename(world, 'Money');
    const change = { before: { name: 'Finance' }, after: { name: 'Money' } };
    expect((await get('/diff?since=start')).body).toMatchObject({
      changes: { folders: { 11: change } },
    });
    const snapshot = world.snapshot();
    expect((await get(`/diff?since=${snapshot}`)).body).toEqual({ since: snapshot, changes: {} });
    world.emit({ type: 'createBranch', name: 'new' });
    expect((await get(`/diff?since=${snapshot}`)).body).toMatchObject({
      changes: {
        branches: { [world.state.tables.branches.rows().at(-1)?.id ?? 0]: { before: null } },
      },
    });
    expect(await get('/diff?since=none')).toMatchObject(refused(404, /no snapshot none/));
  });
});

describe('clock', () => {
  test('freeze, set, advance, run', async () => {
    const { get, put, post } = await worldWith();
    expect((await get('/clock')).body).toEqual({ now: CLOCK, frozen: true });
    const set = await put('/clock', { now: '2026-04-01T00:00:00Z' });
    expect(set).toMatchObject({
      status: 200,
      body: { now: '2026-04-01T00:00:00.000Z', frozen: true },
    });
    const advanced = await post('/clock/advance', { days: 1, hours: 2, minutes: 3, seconds: 4 });
    expect(advanced).toMatchObject({ status: 200, body: { now: '2026-04-02T02:03:04.000Z' } });
    expect((await put('/clock', { frozen: false })).body).toMatchObject({ frozen: false });
  });

  test('a running world can be frozen where it is', async () => {
    const world = await mock.createWorld();
    expect((await ask(`/worlds/${world.id}/clock`)).body).toMatchObject({ frozen: false });
    await ask(`/worlds/${world.id}/clock`, 'PUT', { frozen: true });
    const at = world.clock.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(world.clock.now()).toBe(at);
  });

  test('the Date header and new timestamps follow it', async () => {
    const { world, put } = await worldWith();
    await put('/clock', { now: '2027-01-02T03:04:05Z' });
    const response = await rename(world, 'Money');
    expect(response.headers.get('Date')).toBe('Sat, 02 Jan 2027 03:04:05 GMT');
    expect(await response.json()).toMatchObject({ updatedAt: '2027-01-02T03:04:05.000Z' });
  });

  test.for<[string, string, unknown]>([
    ['PUT', '/clock', { now: 'noon' }],
    ['PUT', '/clock', { now: '2026-01-31T09:30:00' }],
    ['PUT', '/clock', { now: 7 }],
    ['PUT', '/clock', { frozen: 'yes' }],
    ['PUT', '/clock', { speed: 2 }],
    ['POST', '/clock/advance', {}],
    ['POST', '/clock/advance', { hours: -1 }],
    ['POST', '/clock/advance', { hours: '1' }],
    ['POST', '/clock/advance', { weeks: 1 }],
    ['POST', '/clock/advance', { seconds: 0 }],
  ])('%s %s %j: 400, and the time stays', async ([method, path, body]) => {
    const { world } = await worldWith();
    expect(await ask(`/worlds/${world.id}${path}`, method, body)).toMatchObject(refused(400, /./));
    expect(world.clock.now()).toBe(Date.parse(CLOCK));
  });

  // Defect (see mock-notes): from then on answers break the contract, or throw.
  test.for(['+275760-09-13T00:00:00Z', '+010000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'])(
    'a year that a timestamp cannot hold: %s is refused',
    async (now) => {
      const { world, put } = await worldWith();
      expect(await put('/clock', { now })).toMatchObject(refused(400, /./));
      expect(world.clock.now()).toBe(Date.parse(CLOCK));
      expect(await ask('/worlds', 'POST', { clock: now })).toMatchObject(refused(400, /./));
    },
  );

  // A clock that stands behind what a Date can hold would break every later answer.
  test('a time beyond what a date can hold: 400, and the time stays', async () => {
    const { world, post } = await worldWith();
    expect(await post('/clock/advance', { days: 1e12 }).catch(String)).toMatchObject(
      refused(400, /./),
    );
    expect(world.clock.now()).toBe(Date.parse(CLOCK));
  });
});

describe('faults', () => {
  const strike = async (fault: object, path = deployments, name = 'admin') => {
    const made = await worldWith();
    const { status, body } = await made.post('/faults', fault);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ ...fault, id: expect.any(String) });
    const send = () => made.world.fetch(path, as(made.world, name));
    return { ...made, send };
  };

  test('times: it strikes so often and no more', async () => {
    const { send, get } = await strike({ operation: 'listDeployments', status: 503, times: 2 });
    expect((await get('/faults')).body).toMatchObject({ faults: [{ left: 2, times: 2 }] });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([
      503, 503, 200,
    ]);
    expect((await get('/faults')).body).toEqual({ faults: [] });
  });

  test('without times it strikes until it is deleted', async () => {
    const { send, get, remove } = await strike({ status: 500 });
    expect((await send()).status).toBe(500);
    expect((await send()).status).toBe(500);
    expect((await get('/faults')).body).toMatchObject({ faults: [{ left: null }] });
    expect(await remove('/faults')).toMatchObject({ status: 204, body: null });
    expect((await send()).status).toBe(200);
  });

  test('DELETE of one: the others stay; of one that is not there: 404', async () => {
    const { world, post, get, remove } = await worldWith();
    await post('/faults', { operation: 'listDeployments', status: 503 });
    await post('/faults', { operation: 'listVersions', status: 500 });
    expect(await remove('/faults/fault-1')).toMatchObject({ status: 204, body: null });
    expect((await world.fetch(deployments)).status).toBe(200);
    expect((await get('/faults')).body).toMatchObject({ faults: [{ id: 'fault-2' }] });
    expect(await remove('/faults/fault-1')).toMatchObject(refused(404, /no fault fault-1/));
  });

  test('operation: no other one is struck', async () => {
    const { world, send } = await strike({ operation: 'listVersions', status: 500 });
    expect((await send()).status).toBe(200);
    expect((await world.fetch(`${deployments}/1/versions`)).status).toBe(500);
  });

  test('credential: nobody else is struck', async () => {
    const { world, send } = await strike({ credential: 'member', status: 429 });
    expect((await send()).status).toBe(200);
    expect((await world.fetch(deployments, as(world, 'member'))).status).toBe(429);
  });

  test('retryAfter, and the error shape of the surface', async () => {
    const { send } = await strike({ status: 429, retryAfter: 30 });
    const response = await send();
    expect(response.headers.get('Retry-After')).toBe('30');
    expect(await response.json()).toEqual({ error: expect.any(String) });
    const scim = await strike({ status: 503 }, '/api/scim/v2/Users', 'scim');
    expect(await (await scim.send()).json()).toMatchObject({ status: '503' });
  });

  test.for([
    ['before', 'Finance'],
    ['after-commit', 'Money'],
  ] as const)('phase %s: the folder is then %s', async ([phase, name]) => {
    const { world } = await strike({ phase, status: 503, times: 1 });
    expect((await rename(world, 'Money')).status).toBe(503);
    expect(world.state.tables.folders.get(11)?.name).toBe(name);
  });

  test.for(['mid-body', 'socket'] as const)('phase %s: no whole answer arrives', async (phase) => {
    const { send } = await strike({ phase, times: 1 });
    await expect(send().then((response) => response.text())).rejects.toThrow();
    expect((await send()).status).toBe(200);
  });

  test('the first fault that fits is used, then the next', async () => {
    const { send, post } = await strike({ status: 500, times: 1 });
    await post('/faults', { status: 502, times: 1 });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([
      500, 502, 200,
    ]);
  });

  test.for<[object, RegExp]>([
    [{}, /needs a status/],
    [{ operation: 'listDeployments' }, /needs a status/],
    [{ operation: 'listEverything', status: 500 }, /operation must be one of/],
    [{ credential: 'nobody', status: 500 }, /no credential nobody/],
    [{ status: 99 }, /status/],
    [{ status: 600 }, /status/],
    [{ status: '503' }, /status/],
    [{ status: 503, phase: 'later' }, /phase must be one of/],
    [{ status: 503, times: 0 }, /times/],
    [{ status: 503, times: 1.5 }, /times/],
    [{ status: 503, delayMs: -1 }, /delayMs/],
    [{ status: 503, retryAfter: 'soon' }, /retryAfter/],
    [{ status: 503, colour: 'red' }, /not colour/],
  ])('%j: 400', async ([fault, message]) => {
    const { get, post } = await worldWith();
    expect(await post('/faults', fault)).toMatchObject(refused(400, message));
    expect((await get('/faults')).body).toEqual({ faults: [] });
  });
});

describe('assumptions', () => {
  test('GET lists every silence with its choices; PUT switches', async () => {
    const { world, get, put } = await worldWith();
    const { body } = await get('/assumptions');
    expect(body).toMatchObject({
      assumptions: expect.arrayContaining([
        expect.objectContaining({
          statement: 'REQ-1',
          choice: 'served',
          choices: [
            { id: 'served', text: expect.any(String) },
            { id: 'not-found', text: expect.any(String) },
          ],
        }),
      ]),
    });
    expect((await put('/assumptions', { 'REQ-1': 'not-found' })).body).toEqual({
      assumptions: [expect.objectContaining({ statement: 'REQ-1', choice: 'not-found' })],
      switched: 1,
    });
    expect((await world.fetch(`${deployments}/`)).status).toBe(404);
    await put('/assumptions', { 'REQ-1': 'served' });
    expect(world.assumptions.switched().size).toBe(0);
  });

  test.for<[object, RegExp]>([
    [{ 'NONE-1': 'x' }, /no statement NONE-1/],
    [{ 'STAGE-3': 'x' }, /documented, not silent/],
    [{ 'STAGE-9': 'teapot' }, /no choice teapot; it has bad-request, forbidden/],
    [{ 'STAGE-9': 409 }, /no choice/],
    [{ 'REQ-1': 'not-found', 'STAGE-9': 'teapot' }, /teapot/],
  ])('%j: 400, and nothing is switched', async ([body, message]) => {
    const { world, put } = await worldWith();
    expect(await put('/assumptions', body)).toMatchObject(refused(400, message));
    expect(world.assumptions.switched().size).toBe(0);
  });
});

describe('events: what happens on the side of the service', () => {
  const status = async (world: World, path: string, name = 'admin') =>
    (await world.fetch(path, as(world, name))).status;
  const text = async (world: World, path: string) => (await world.fetch(path)).text();

  test('publishVersion', async () => {
    const { world, post } = await worldWith();
    const event = { type: 'publishVersion', channel: 'preview', version: '1.8.0' };
    expect(await post('/events', event)).toMatchObject({ status: 200, body: event });
    expect(await text(world, `${deployments}/1/versions`)).toContain('1.8.0');
    const opened = { ...event, channel: 'beta', version: '2.0.0' };
    expect(await post('/events', { ...opened, newChannel: true })).toMatchObject({ body: opened });
    expect(await text(world, `${deployments}/1/versions`)).toContain('2.0.0');
  });

  test('startDbtSync, completeDbtSync', async () => {
    const { world, post } = await worldWith();
    const path = `${deployments}/1/dbt-sync/mine/result`;
    expect((await post('/events', { type: 'startDbtSync', syncJobId: 'mine' })).status).toBe(200);
    expect(await status(world, path)).toBe(404);
    world.clock.advance(90_000);
    const done = {
      type: 'completeDbtSync',
      syncJobId: 'mine',
      generatedFiles: ['model/a.yaml'],
      models: 2,
      unitCount: 1,
    };
    expect((await post('/events', done)).body).toMatchObject({ state: 'completed' });
    expect(JSON.parse(await text(world, path))).toEqual({
      syncJobId: 'mine',
      generatedFiles: [{ path: 'model/a.yaml' }],
      manifestStats: { models: 2, sources: 0, macros: 0 },
      unitCount: 1,
      completedAt: '2026-03-01T12:01:30.000Z',
      durationMs: 90_000,
    });
  });

  test('failDbtSync', async () => {
    const { world, post } = await worldWith();
    const event = { type: 'failDbtSync', syncJobId: 'sync-running', deployment: 1 };
    expect((await post('/events', event)).body).toMatchObject({ state: 'failed' });
    expect(await status(world, `${deployments}/1/dbt-sync/sync-running/result`)).toBe(404);
    expect(await post('/events', event)).toMatchObject(refused(400, /failed already/));
  });

  test('createBranch: a shared one can be enabled, a personal one cannot', async () => {
    const { world, post } = await worldWith();
    const toggle = (branchName: string) =>
      world.fetch('/build/api/v1/deployments/1/branches/staging-environment', {
        method: 'PUT',
        body: JSON.stringify({ branchName, enabled: true }),
      });
    const made = await post('/events', { type: 'createBranch', name: 'shared-one' });
    await post('/events', { type: 'createBranch', name: 'dev-two', kind: 'personal' });
    expect((await toggle('shared-one')).status).toBe(200);
    expect((await toggle('dev-two')).status).toBe(400);
    const { environmentId } = made.body as { environmentId: string };
    const listed = await text(world, `${deployments}/1/environments?type=staging`);
    expect(listed).toContain(`"id":"${environmentId}"`);
  });

  test('createDeployment, deleteDeployment', async () => {
    const { world, post } = await worldWith();
    const made = await post('/events', { type: 'createDeployment', name: 'New' });
    const { id } = made.body as { id: string };
    expect(await status(world, `${deployments}/${id}/versions`)).toBe(200);
    await post('/events', { type: 'deleteDeployment', deployment: id });
    expect(await status(world, `${deployments}/${id}/versions`)).toBe(404);
  });

  // Defect (see mock-notes): it gets the id of the one that is gone, and with it what was there.
  test('a new deployment has nothing of one that was deleted', async () => {
    const { world, post } = await worldWith();
    const before = await text(world, `${deployments}/45/environments`);
    await post('/events', { type: 'deleteDeployment', deployment: '45' });
    const { body } = await post('/events', { type: 'createDeployment', name: 'New' });
    const { id } = body as { id: string };
    expect(await text(world, `${deployments}/${id}/environments`)).not.toBe(before);
  });

  // Defect (see mock-notes): it has no environment and no branch.
  test('a new deployment has a production environment and a production branch', async () => {
    const { world, post } = await worldWith();
    const { body } = await post('/events', { type: 'createDeployment', name: 'New' });
    const { id } = body as { id: string };
    expect(await text(world, `${deployments}/${id}/environments?type=production`)).toContain(
      '"total":1',
    );
    expect(JSON.parse(await text(world, `/build/api/v1/deployments/${id}/branches`))).toMatchObject(
      { data: [{ name: 'main' }] },
    );
  });

  test('revokeCredential, expireCredential: by name or whole', async () => {
    const { world, post } = await worldWith();
    await post('/events', { type: 'revokeCredential', credential: 'oauth' });
    await post('/events', { type: 'expireCredential', credential: world.credentials.member });
    expect(await status(world, deployments, 'oauth')).toBe(401);
    expect(await status(world, deployments, 'member')).toBe(401);
    expect(await status(world, deployments, 'admin')).toBe(200);
  });

  test('login', async () => {
    const { world, post } = await worldWith();
    await post('/events', { type: 'login', userEmail: 'zoe@example.com' });
    const log = await text(world, '/api/v1/audit-logs/export?userEmail=zoe@example.com');
    expect(log).toContain('Login,zoe@example.com');
  });

  test.for<[object, RegExp]>([
    [{}, /needs a type/],
    [{ type: 7 }, /needs a type/],
    [{ type: 'explode' }, /there are publishVersion/],
    [{ type: 'constructor' }, /no event type/],
    [{ type: '__proto__' }, /no event type/],
    [{ type: 'publishVersion' }, /needs channel/],
    [
      { type: 'publishVersion', channel: 'previw', version: '1.8.0' },
      /no channel previw; preview is; newChannel: true opens another/,
    ],
    [{ type: 'publishVersion', channel: 'beta', version: '1.8.0', newChannel: 1 }, /true or false/],
    [{ type: 'publishVersion', channel: 'latest', version: '1.7' }, /look like/],
    [{ type: 'publishVersion', channel: 'latest', version: '1.6.3' }, /above 1\.6\.3/],
    [{ type: 'publishVersion', channel: 'latest', version: '1.6.2' }, /above 1\.6\.3/],
    [{ type: 'startDbtSync' }, /needs syncJobId/],
    [{ type: 'startDbtSync', syncJobId: 'sync-running' }, /already/],
    [{ type: 'startDbtSync', syncJobId: 'x', deployment: 99 }, /no deployment 99/],
    [{ type: 'completeDbtSync', syncJobId: 'none' }, /no dbt sync none/],
    [{ type: 'completeDbtSync', syncJobId: 'sync-completed' }, /completed already/],
    [{ type: 'failDbtSync', syncJobId: 'sync-completed' }, /completed already/],
    [{ type: 'createBranch' }, /needs name/],
    [{ type: 'createBranch', name: 'main' }, /a branch main already/],
    [{ type: 'createBranch', name: 'x', kind: 'production' }, /one of shared, personal/],
    [{ type: 'createDeployment' }, /needs name/],
    [{ type: 'deleteDeployment', deployment: '99' }, /no deployment 99/],
    [{ type: 'revokeCredential', credential: 'nobody' }, /no credential nobody/],
    [{ type: 'revokeCredential' }, /needs credential/],
    [{ type: 'expireCredential', credential: '' }, /needs credential/],
    [{ type: 'login' }, /needs userEmail/],
  ])('%j: 400, and nothing changes', async ([event, message]) => {
    const { world, get, post } = await worldWith();
    expect(await post('/events', event)).toMatchObject(refused(400, message));
    expect((await get('/diff')).body).toMatchObject({ changes: {} });
    expect(world.state.audit).toEqual([]);
  });

  test.for<object>([
    { generatedFiles: 'model/a.yaml' },
    { generatedFiles: [7] },
    { models: 'many' },
    { unitCount: -1 },
  ])('completeDbtSync with %j: 400', async (fields) => {
    const { post } = await worldWith();
    const event = { type: 'completeDbtSync', syncJobId: 'sync-running', ...fields };
    expect(await post('/events', event)).toMatchObject(refused(400, /./));
  });

  test('a deployment that is deleted takes its id with it', async () => {
    const { world, post } = await worldWith();
    await post('/events', { type: 'deleteDeployment', deployment: '2' });
    expect(await status(world, `${deployments}/2/environments`)).toBe(404);
    expect(await text(world, deployments)).toContain('"total":44');
  });
});

describe('the journal', () => {
  interface Listing {
    readonly requests: readonly Record<string, unknown>[];
    readonly dropped: number;
  }
  async function used() {
    const made = await worldWith();
    const { world } = made;
    await world.fetch(deployments);
    await world.fetch(`${deployments}/`, as(world, 'member'));
    await rename(world, 'Money');
    await world.fetch(`${deployments}/1/folders/12`, {
      method: 'PUT',
      body: '{"name":"x"}',
      ...as(world, 'member'),
    });
    await world.fetch('/api/v1/reports');
    await world.fetch('/favicon.ico');
    return made;
  }

  test('GET requests: each with its answer, its basis and its refusal', async () => {
    const { get } = await used();
    const { status, body } = await get('/requests');
    expect(status).toBe(200);
    const { requests, dropped } = body as Listing;
    expect(dropped).toBe(0);
    expect(requests).toHaveLength(6);
    expect(requests[1]).toMatchObject({
      at: CLOCK,
      method: 'GET',
      operation: 'listDeployments',
      credential: 'member',
      status: 200,
      basis: 'assumed',
      assumed: ['REQ-1'],
      refusal: null,
      fault: null,
      page: 'first',
      contractFailures: [],
    });
    expect(requests[2]).toMatchObject({
      requestBody: { name: 'Money' },
      responseBody: expect.objectContaining({ name: 'Money' }),
    });
    expect(requests[3]).toMatchObject({
      status: 403,
      refusal: {
        statement: 'FOLDER-8',
        message: expect.any(String),
        sentence: expect.any(String),
        contract: expect.stringMatching(/^spec\/openapi\.yaml:\d+$/),
        lack: { rule: 'edit', credentials: expect.arrayContaining(['admin']) },
      },
    });
  });

  test.for<[object, number]>([
    [{}, 6],
    [{ operation: 'listDeployments' }, 2],
    [{ method: 'PUT' }, 2],
    [{ method: 'put' }, 2],
    [{ operation: null }, 2],
    [{ status: 403 }, 1],
    [{ credential: 'member' }, 2],
    [{ credential: 'member', status: 200 }, 1],
    [{ path: folder }, 1],
    [{ operation: 'listVersions' }, 0],
  ])('POST requests/find and count %j: %i', async ([criteria, count]) => {
    const { post } = await used();
    const found = await post('/requests/find', criteria);
    expect(found.status).toBe(200);
    expect((found.body as Listing).requests).toHaveLength(count);
    expect(await post('/requests/count', criteria)).toMatchObject({ status: 200, body: { count } });
  });

  test.for<[object, RegExp]>([
    [{ colour: 'red' }, /field colour is not known; known are operation, method/],
    [{ opration: 'updateFolder' }, /opration is not known; operation is/],
    [{ operation: 'updateFoldr' }, /operation updateFoldr is not known; updateFolder is/],
    [{ credential: 'admn' }, /credential admn is not known; admin is/],
    [{ method: 'ptu' }, /method ptu is not known; PUT is/],
    [{ method: 7 }, /method must be a string/],
    [{ status: '200' }, /status must be a number, not "200"/],
    [{ status: null }, /status must be a number/],
    [{ status: 99 }, /status must be a number from 100 to 599, or 0 for no answer, not 99/],
  ])('a criterion that no request can meet, %j: 400', async ([criteria, message]) => {
    const { post } = await used();
    expect(await post('/requests/find', criteria)).toMatchObject(refused(400, message));
    expect(await post('/requests/count', criteria)).toMatchObject(refused(400, message));
  });

  test('GET requests takes an operation, and how many of the last ones', async () => {
    const { get } = await used();
    const paths = async (query: string) =>
      ((await get(`/requests?${query}`)).body as Listing).requests.map(({ id }) => id);
    const all = await paths('');
    expect(await paths('limit=2')).toEqual(all.slice(-2));
    expect(await paths('limit=99')).toEqual(all);
    expect(await paths('operation=listDeployments')).toHaveLength(2);
    expect(await paths('operation=listDeployments&limit=1')).toHaveLength(1);
    expect(await get('/requests?limit=0')).toMatchObject(refused(400, /limit must be/));
    expect(await get('/requests?operation=listDeployment')).toMatchObject(
      refused(400, /listDeployments is/),
    );
  });

  test('GET requests/unmatched: what the contract does not know', async () => {
    const { get } = await used();
    const { requests } = (await get('/requests/unmatched')).body as Listing;
    expect(requests.map(({ path }) => path)).toEqual(['/api/v1/reports', '/favicon.ico']);
  });

  test('the icon that a browser asks for beside a page is no request of a client', async () => {
    await using own = await createMock();
    const headers = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' };
    expect((await own.fetch('/favicon.ico', { headers })).status).toBe(204);
    expect(own.world.requests.recorded).toBe(0);
    expect((await own.fetch('/favicon.ico')).status).toBe(404);
    expect(own.world.requests.recorded).toBe(1);
  });

  test('DELETE requests: 204, and the journal is empty', async () => {
    const { get, remove } = await used();
    expect(await remove('/requests')).toMatchObject({ status: 204, body: null });
    expect((await get('/requests')).body).toMatchObject({ requests: [] });
  });

  test('it holds the last thousand, and says how many are gone', async () => {
    const { world, get } = await worldWith();
    for (let sent = 0; sent < 1003; sent += 1) await world.fetch(`${deployments}?limit=1`);
    const { requests, dropped } = (await get('/requests')).body as Listing;
    expect([requests.length, dropped]).toEqual([1000, 3]);
    expect(requests[0]?.id).toBe(4);
  });

  test('GET requests.har: HAR 1.2', async () => {
    const { get } = await used();
    const { status, body } = await get('/requests.har');
    expect(status).toBe(200);
    const { log } = body as { log: { version: string; entries: Record<string, unknown>[] } };
    expect(log.version).toBe('1.2');
    expect(log.entries).toHaveLength(6);
    expect(log.entries[2]).toMatchObject({
      startedDateTime: CLOCK,
      request: { method: 'PUT', postData: { text: '{"name":"Money"}' } },
      response: { status: 200, statusText: 'OK', content: { mimeType: expect.any(String) } },
    });
    expect(log.entries[3]).toMatchObject({
      comment: expect.stringMatching(/^updateFolder as member; refused: .*folder 12/),
      _refusal: { statement: 'FOLDER-8', lack: { rule: 'edit' } },
    });
  });

  test('a fault stands in the journal and in the HAR', async () => {
    const { world, post, get } = await worldWith();
    await post('/faults', { phase: 'after-commit', status: 504 });
    await rename(world, 'Money');
    const text = 'fault-1 (after-commit): the service did its work and came to 200';
    const { requests } = (await get('/requests')).body as Listing;
    expect(requests[0]).toMatchObject({
      status: 504,
      basis: null,
      fault: { id: 'fault-1', phase: 'after-commit', served: 200, text },
    });
    const { log } = (await get('/requests.har')).body as { log: { entries: object[] } };
    expect(log.entries[0]).toMatchObject({
      comment: expect.stringContaining(text),
      _fault: { id: 'fault-1' },
    });
  });

  test('an answer that a fault lost is none in the journal, its finder and the HAR', async () => {
    const { world, post, get } = await worldWith();
    await post('/faults', { phase: 'socket', times: 1 });
    await expect(rename(world, 'Money')).rejects.toThrow('fetch failed');
    const text =
      'fault-1 (socket): the service did its work and came to 200; the connection was reset';
    const { requests } = (await get('/requests')).body as Listing;
    expect(requests[0]).toMatchObject({
      status: 0,
      basis: null,
      responseBody: { name: 'Money' },
      fault: { served: 200, text },
    });
    expect((await post('/requests/count', { status: 200 })).body).toEqual({ count: 0 });
    const { log } = (await get('/requests.har')).body as { log: { entries: object[] } };
    expect(log.entries[0]).toMatchObject({
      response: { status: 0, headers: [], content: { size: 0 } },
      _fault: { served: 200 },
    });
  });

  test.for<[string, FaultOrder, string, object]>([
    ['lost', { phase: 'socket' }, 'no answer', { status: 0 }],
    ['cut', { phase: 'mid-body' }, '200, cut', { status: 200 }],
  ])('the log says that an answer was %s', async ([, fault, told, line]) => {
    await using own = await createMock({ clock: CLOCK });
    const lines: string[] = [];
    const write = (text: string) => lines.push(text);
    const logs = [createLog('pretty', write), createLog('json', write)];
    own.service.onAnswer = (world) => {
      for (const log of logs) log?.(world);
    };
    own.world.faults.add(fault);
    await rename(own.world, 'Money').catch(() => {});
    const [entry] = own.world.requests.list();
    if (entry === undefined || entry.fault === null) throw new Error('nothing was struck');
    const text = tellFault(entry.fault);
    expect(lines[0]).toBe(`acme admin PUT ${folder} ${told} [not graded]  struck by ${text}\n`);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ ...line, basis: null, fault: text });
  });

  test('an answer that a fault cut has its status, and says that it was cut', async () => {
    const { world, post, get } = await worldWith();
    await post('/faults', { phase: 'mid-body', times: 1 });
    await rename(world, 'Money');
    const { requests } = (await get('/requests')).body as Listing;
    expect(requests[0]).toMatchObject({ status: 200, basis: null, fault: { cut: 'mid-body' } });
    const { log } = (await get('/requests.har')).body as { log: { entries: object[] } };
    expect(log.entries[0]).toMatchObject({
      response: { status: 200, content: { comment: 'cut: half of it was sent' } },
    });
  });
});

describe('no secret stands in a journal or a HAR', () => {
  /** Sends secrets in every place where a client might put one. */
  async function leaky() {
    const made = await worldWith();
    const { world } = made;
    const secrets = Object.values(world.credentials);
    const minted = await world.fetch(`${deployments}/1/environments/201/tokens-for-meta-sync`, {
      method: 'POST',
      body: '{"security_context":{}}',
    });
    const { data } = (await minted.json()) as { data: { token: string } };
    secrets.push(data.token);
    for (const secret of secrets) {
      await world.fetch(deployments, { headers: { Authorization: `Bearer ${secret}` } });
      await world.fetch(deployments, { headers: { 'X-Api-Key': secret, Cookie: `key=${secret}` } });
      await world.fetch(`${deployments}?api_key=${secret}&limit=${secret}`);
      await world.fetch(folder, { method: 'PUT', body: JSON.stringify({ name: secret }) });
      await world.fetch(folder, { method: 'PUT', body: secret });
    }
    return { ...made, secrets };
  }
  const leaks = (body: unknown, secrets: readonly string[]) => {
    const text = JSON.stringify(body);
    return secrets.filter((secret) => text.includes(secret));
  };

  test.for(['/requests', '/requests/unmatched', '/requests.har'])('GET %s', async (path) => {
    const { get, secrets } = await leaky();
    expect(secrets).toHaveLength(10);
    expect(leaks((await get(path)).body, secrets)).toEqual([]);
  });

  test('POST requests/find, and the names stand where the secrets were', async () => {
    const { post, secrets } = await leaky();
    const { body } = await post('/requests/find', { credential: 'admin' });
    expect(leaks(body, secrets)).toEqual([]);
    expect(JSON.stringify(body)).toContain('<admin>');
  });

  // A reader of the journal sees decoded text, so what is encoded must be found as well.
  test.for<[string, (world: World, secret: string) => Promise<Response>]>([
    ['a path', (world, secret) => world.fetch(`/api/v1/keys/${secret}`)],
    [
      'a query, percent-encoded',
      (world, secret) => world.fetch(`${deployments}?key=${secret.replace('-', '%2D')}`),
    ],
    [
      'a body, escaped',
      (world, secret) =>
        world.fetch(folder, {
          method: 'PUT',
          body: `{"name":"${secret.replace('-', '\\u002d')}"}`,
        }),
    ],
  ])('in %s', async ([, send]) => {
    const { world, get } = await worldWith();
    await send(world, `${world.id}-admin`);
    for (const path of ['/requests', '/requests.har']) {
      expect(leaks((await get(path)).body, [`${world.id}-admin`]), path).toEqual([]);
    }
  });

  test('of another world', async () => {
    const { world, get } = await worldWith();
    const other = await mock.createWorld();
    await world.fetch(`${deployments}?key=${other.credentials.admin}`);
    expect(leaks((await get('/requests')).body, [`${other.id}-admin`])).toEqual([]);
  });

  test('a credential whose name begins with that of another is named in full', async () => {
    const { world, get } = await worldWith();
    await world.fetch(`${deployments}?key=${world.credentials.memberOauth}`);
    expect((await get('/requests')).body).toMatchObject({
      requests: [{ query: 'key=<memberOauth>' }],
    });
  });
});

describe('GET events: the journal as it is written', () => {
  /** Reads the stream until it holds a text. */
  async function until(response: Response, part: string): Promise<string> {
    if (response.body === null) throw new Error('a stream has a body');
    let text = '';
    const decoder = new TextDecoder();
    // A reader of its own, so that what is read so far stays open.
    const reader = response.body.getReader();
    while (!text.includes(part)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended before ${part}: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    return text;
  }

  test('one event for each answer from now on, without secrets', async () => {
    const { world } = await worldWith();
    await world.fetch(`${deployments}?before=1`);
    const response = await mock.fetch(`/__admin/worlds/${world.id}/events`);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    const reading = until(response, 'after=2');
    await world.fetch(`${deployments}?after=1&key=${world.id}-admin`);
    await world.fetch(`${deployments}?after=2`);
    const text = await reading;
    expect(text.match(/^event: request$/gm)).toHaveLength(2);
    expect(text).not.toContain('before=1');
    expect(text).not.toContain(`${world.id}-admin`);
  });

  // Defect (see mock-notes): in-process nobody tells the stream that its reader is gone.
  test('a reader that goes away is let go', async () => {
    const { world } = await worldWith();
    let listening = 0;
    const { subscribe } = world.requests;
    world.requests.subscribe = (listener) => {
      const end = subscribe.call(world.requests, listener);
      listening += 1;
      return () => {
        listening -= 1;
        return end();
      };
    };
    const response = await mock.fetch(`/__admin/worlds/${world.id}/events`);
    await until(response, 'connected');
    await world.fetch(deployments);
    await expect.poll(() => listening).toBe(0);
  });

  test('over a socket, and an open stream does not hold up the end of the mock', async () => {
    const listening = await startMock();
    const response = await fetch(`${listening.baseUrl}/__admin/worlds/acme/events`);
    const open = await fetch(`${listening.baseUrl}/__admin/worlds/acme/events`);
    const reading = until(response, '/api/v1/deployments');
    await listening.world.fetch(deployments);
    expect(await reading).toContain('"operation":"listDeployments"');
    await listening.close();
    await expect(open.text()).rejects.toThrow();
  });
});

describe('keys', () => {
  test('GET jwks.json: the public key alone', async () => {
    const { get } = await worldWith();
    const { status, body } = await get('/jwks.json');
    expect(status).toBe(200);
    expect(body).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.any(String),
          alg: 'EdDSA',
          use: 'sig',
          kid: expect.any(String),
        },
      ],
    });
  });
});

describe('who may use it', () => {
  const from = (
    on: Mock,
    headers: Record<string, string>,
    remote = false,
    target = '/__admin/version',
  ) =>
    on.service.handle({
      method: 'GET',
      target,
      headers: { host: 'localhost:4010', ...headers },
      body: undefined,
      remote,
    });

  test.for<[number, Record<string, string>]>([
    [200, {}],
    [200, { host: '127.0.0.1:4010' }],
    [200, { host: '[::1]:4010' }],
    [200, { host: 'LOCALHOST' }],
    [200, { origin: 'http://localhost:4010' }],
    [403, { host: 'evil.example' }],
    [403, { host: 'evil.example:4010', origin: 'http://evil.example:4010' }],
    [403, { host: 'localhost.evil.example' }],
    [403, { host: '127.0.0.1.evil.example' }],
    [403, { origin: 'http://evil.example' }],
    [403, { origin: 'http://localhost:4011' }],
    [403, { origin: 'null' }],
  ])('%i for %j', async ([status, headers]) => {
    const answer = await from(mock, headers);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatch(/"error":/);
  });

  test('another machine is refused where no token is set', async () => {
    expect((await from(mock, {}, true)).status).toBe(403);
  });

  test('where a token is set it is what counts, for this machine and for others', async () => {
    await using guarded = await createMock({ adminToken: 'let-me-in' });
    const token = { 'lockstep-admin-token': 'let-me-in' };
    const without = await from(guarded, {});
    expect([without.status, without.body]).toEqual([403, expect.stringContaining('needs the')]);
    const wrong = await from(guarded, { 'lockstep-admin-token': 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([403, expect.stringContaining('is not the one')]);
    expect(wrong.body).not.toContain('wrong');
    expect((await from(guarded, token)).status).toBe(200);
    expect((await from(guarded, { ...token, host: 'mock.internal' }, true)).status).toBe(200);
    expect((await from(guarded, { ...token, origin: 'http://evil.example' })).status).toBe(403);
  });

  test.for(['/__admin/health', '/__admin/ca.pem'])(
    'a client that looks for a mock need not show the token: %s',
    async (target) => {
      await using guarded = await createMock({ adminToken: 'let-me-in' });
      const anywhere = { host: 'mock.internal' };
      expect((await from(guarded, anywhere, true, target)).status).not.toBe(403);
      expect((await from(mock, {}, true, target)).status).toBe(403);
    },
  );

  test('the token stands in no journal', async () => {
    await using guarded = await createMock({ adminToken: 'let-me-in' });
    await guarded.world.fetch(deployments, { headers: { 'Lockstep-Admin-Token': 'let-me-in' } });
    const listed = await guarded.fetch('/__admin/worlds/acme/requests', {
      headers: { 'Lockstep-Admin-Token': 'let-me-in' },
    });
    expect(listed.status).toBe(200);
    expect(await listed.text()).not.toContain('let-me-in');
  });

  test('over a socket a foreign Host is refused, and nothing is done', async () => {
    await using listening = await startMock();
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(listening.port, '127.0.0.1', () =>
        socket.write(
          'POST /__admin/worlds HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
        ),
      );
      socket.on('data', (piece) => {
        text += String(piece);
      });
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 403/);
    expect(listening.service.worlds.size).toBe(1);
  });

  test('a credential of the service opens nothing here, and none is needed', async () => {
    const answer = await mock.fetch('/__admin/health', {
      headers: { Authorization: 'Bearer wrong' },
    });
    expect(answer.status).toBe(200);
  });
});
