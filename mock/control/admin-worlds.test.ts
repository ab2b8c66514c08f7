/** The control API of worlds: their start, snapshots, state and clock. */
import { describe, expect, test } from 'vitest';
import { createMock } from '../kits/index.ts';
import { CLOCK, control, deployments, refused, rename } from './testing/control.ts';

const { ask, mock, worldWith } = await control();

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
          'expiredOauth',
          'expiredScim',
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
    ['a clock that is not a time', { clock: 'noon' }, 400, /ISO 8601/],
    [
      'a clock without a zone',
      { clock: '2026-01-31T09:30' },
      400,
      /end it with Z: 2026-01-31T09:30Z/,
    ],
    ['a clock of another type', { clock: 7 }, 400, /clock must be/],
    ['a seed that is not an integer', { seed: 1.5 }, 400, /seed/],
    ['a seed of another type', { seed: '1' }, 400, /seed/],
    [
      'parameters of a fixture that has none',
      { fixture: 'acme', parameters: { deployments: 1 } },
      400,
      /./,
    ],
    ['assumptions that are not an object', { assumptions: 'x' }, 400, /assumptions/],
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

  test('GET diff lists the changes since the start or since a snapshot', async () => {
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

  test('a running world can be frozen at its present time', async () => {
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

  // A clock beyond the range of Date would break every later answer.
  test('a time beyond the range of Date is refused, and the time stays', async () => {
    const { world, post } = await worldWith();
    expect(await post('/clock/advance', { days: 1e12 }).catch(String)).toMatchObject(
      refused(400, /./),
    );
    expect(world.clock.now()).toBe(Date.parse(CLOCK));
  });
});
