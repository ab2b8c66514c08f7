/** Everything in a world follows one clock. */
import { expect, test } from 'vitest';
import { createMock, type World } from '../kits/index.ts';
import { bothWays, NOW } from '../testing/both-ways.ts';

const deployments = '/api/v1/deployments';
const result = `${deployments}/1/dbt-sync/sync-running/result`;
const versions = `${deployments}/1/versions`;
const completes = { type: 'completeDbtSync', syncJobId: 'sync-running', models: 3 };
const publishes = (version: string) => ({ type: 'publishVersion', channel: 'preview', version });
const previewHead = (world: World) => world.state.tables.channels.get('preview')?.head;

bothWays('time', ({ newWorld, sendTo }) => {
  test('a job that ends in five minutes is running until then', async () => {
    const world = await newWorld();
    const send = sendTo(world);
    const made = world.emit({ ...completes, in: { minutes: 5 } });
    expect(made).toMatchObject({ id: 'scheduled-1', at: '2026-03-01T12:05:00.000Z' });
    world.clock.advance({ minutes: 4, seconds: 59 });
    expect((await send(result)).status).toBe(404);
    world.clock.advance({ minutes: 10 });
    const ended = await send(result);
    // The job ended at its scheduled time, not at the time of the read.
    expect(await ended.json()).toMatchObject({ completedAt: '2026-03-01T12:05:00.000Z' });
    expect(ended.headers.get('Date')).toBe('Sun, 01 Mar 2026 12:14:59 GMT');
  });

  test('a token that expires in an hour is valid until then', async () => {
    const world = await newWorld();
    const oauth = { headers: { Authorization: `Bearer ${world.credentials.oauth}` } };
    world.emit({ type: 'expireCredential', credential: 'oauth', in: { hours: 1 } });
    world.clock.advance({ minutes: 59 });
    expect((await sendTo(world)(deployments, oauth)).status).toBe(200);
    world.clock.advance({ minutes: 1 });
    expect((await sendTo(world)(deployments, oauth)).status).toBe(401);
  });

  test('events also happen on a running clock, and show at the next request', async () => {
    const world = await newWorld();
    world.clock.run();
    world.emit({ ...publishes('1.9.0'), in: { seconds: 0.02 } });
    const send = sendTo(world);
    const shown = async () => (await send(versions)).text();
    await expect.poll(shown).toContain('1.9.0');
  });
});

test('events happen in the order of their times, at their times', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  const logsIn = (userEmail: string) => ({ type: 'login', userEmail });
  world.emit({ ...logsIn('late@example.com'), at: '2026-03-01T14:00:00Z' });
  world.emit({ ...logsIn('first@example.com'), in: { hours: 1 } });
  world.emit({ ...logsIn('second@example.com'), in: { minutes: 60 } });
  expect(world.clock.scheduled.map(({ id }) => id)).toEqual([
    'scheduled-2',
    'scheduled-3',
    'scheduled-1',
  ]);
  const happened = world.clock.advance({ hours: 48 });
  expect(happened.map(({ event }) => event.userEmail)).toEqual([
    'first@example.com',
    'second@example.com',
    'late@example.com',
  ]);
  expect(world.state.audit.map(({ at }) => new Date(at).toISOString())).toEqual([
    '2026-03-01T13:00:00.000Z',
    '2026-03-01T13:00:00.000Z',
    '2026-03-01T14:00:00.000Z',
  ]);
  expect(world.clock.scheduled).toEqual([]);
});

test('an event that can no longer happen is reported, and changes nothing', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  world.emit({ ...publishes('1.9.0'), in: { hours: 2 } });
  world.emit({ ...publishes('2.0.0'), in: { hours: 1 } });
  world.clock.set('2026-03-02T00:00:00Z');
  expect(world.clock.past).toMatchObject([
    { result: { version: '2.0.0' } },
    { error: expect.stringMatching(/above 2\.0\.0/) },
  ]);
  expect(previewHead(world)).toBe('2.0.0');
});

test('a snapshot and a fork carry the scheduled events; a reset drops them', async () => {
  await using mock = await createMock({ clock: NOW });
  const { world } = mock;
  world.emit({ ...publishes('1.9.0'), in: { hours: 1 } });
  const snapshot = world.snapshot();
  using fork = world.fork();
  for (const each of [world, fork]) {
    each.clock.advance({ hours: 1 });
    expect(previewHead(each)).toBe('1.9.0');
  }
  world.restore(snapshot);
  expect([previewHead(world), world.clock.scheduled.length]).toEqual(['1.7.0', 1]);
  world.clock.advance({ hours: 1 });
  expect(previewHead(world)).toBe('1.9.0');
  world.reset();
  expect(world.clock.scheduled).toEqual([]);
});

test('freeze, set, run and advance change the time, and each event happens once', async () => {
  await using mock = await createMock();
  const { clock } = mock.world;
  clock.freeze(NOW);
  expect([clock.frozen, clock.now()]).toEqual([true, Date.parse(NOW)]);
  clock.advance(1500);
  expect(clock.now() - Date.parse(NOW)).toBe(1500);
  mock.world.emit({ ...publishes('1.9.0'), in: { seconds: 1 } });
  expect(clock.advance({ seconds: 1 })).toHaveLength(1);
  clock.set(new Date(NOW));
  expect(clock.advance({ days: 1 })).toEqual([]);
  clock.run();
  expect(clock.frozen).toBe(false);
  expect(() => clock.set('noon')).toThrow(/"noon" is not an ISO 8601 time/);
  expect(() => clock.advance(-1)).toThrow(/at least 0/);
  expect(() => clock.advance({ days: 1e12 })).toThrow(/beyond/);
});

test('an invalid duration is refused with an example of a valid one', async () => {
  await using mock = await createMock();
  const advance = (by: unknown) => () => mock.world.clock.advance(by as number);
  expect(advance('5m')).toThrow('A duration is written as { minutes: 5 } or in ms, not as "5m"');
  expect(advance(null)).toThrow(/not as null/);
  expect(advance({ fortnights: 1 })).toThrow(/not fortnights/);
});

test('a time must name its zone, or be a day in UTC', async () => {
  await using mock = await createMock();
  const { clock } = mock.world;
  for (const [time, iso] of [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.25+01:00', '2026-01-31T08:30:00.250Z'],
  ] as const) {
    clock.freeze(time);
    expect(new Date(clock.now()).toISOString()).toBe(iso);
  }
  const without = '2026-01-31T09:30:00';
  const message = `"${without}" names no time zone; end it with Z: ${without}Z`;
  expect(() => clock.set(without)).toThrow(message);
  expect(() => clock.run(without)).toThrow(message);
  expect(() => mock.world.emit({ ...completes, at: without })).toThrow(message);
  await expect(mock.createWorld({ clock: without })).rejects.toThrow(message);
  await expect(createMock({ clock: without })).rejects.toThrow(message);
  for (const wrong of ['2026-02-31T00:00:00Z', '31 January 2026', '2026-01-31T25:00:00Z']) {
    expect(() => clock.set(wrong)).toThrow(/is not an ISO 8601 time/);
  }
});

test('the control API schedules an event, lists it, and returns the events of an advance', async () => {
  await using mock = await createMock({ clock: NOW });
  const ask = async (method: string, path: string, body?: object) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await mock.fetch(`/__admin/worlds/acme${path}`, init);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const at = '2026-03-01T12:05:00.000Z';
  expect(await ask('POST', '/events', { ...completes, in: { minutes: 5 } })).toEqual({
    status: 201,
    body: { id: 'scheduled-1', type: 'completeDbtSync', at },
  });
  const scheduled = { id: 'scheduled-1', at, event: completes };
  expect((await ask('GET', '/clock')).body).toEqual({
    now: NOW,
    frozen: true,
    scheduled: [scheduled],
  });
  const result = { type: 'completeDbtSync', syncJobId: 'sync-running', state: 'completed' };
  expect((await ask('POST', '/clock/advance', { hours: 1 })).body).toEqual({
    now: '2026-03-01T13:00:00.000Z',
    frozen: true,
    happened: [{ ...scheduled, result }],
  });
});

test.for<[object, RegExp]>([
  [{ ...completes, at: '2020-01-01T00:00:00Z' }, /before the world's time, 2026-03-01T12/],
  [{ ...completes, at: 'noon' }, /"noon" is not an ISO 8601 time/],
  [{ ...completes, at: null }, /null is not/],
  [{ ...completes, in: {} }, /Say how far/],
  [{ ...completes, in: { weeks: 1 } }, /not weeks/],
  [{ ...completes, in: 5 }, /in must be a duration/],
  [{ ...completes, in: { days: 1e12 } }, /beyond/],
  [{ ...completes, at: NOW, in: { days: 1 } }, /not both/],
  [{ type: 'explode', in: { days: 1 } }, /no event type/],
])('an event that cannot be scheduled: %j', async ([event, message]) => {
  await using mock = await createMock({ clock: NOW });
  const response = await mock.fetch('/__admin/worlds/acme/events', {
    method: 'POST',
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.stringMatching(message) });
  expect(mock.world.clock.scheduled).toEqual([]);
});
