/** The control API of orders to a world: faults, assumptions, events of the service. */
import { describe, expect, test } from 'vitest';
import type { World } from '../kits/index.ts';
import { as, control, deployments, refused, rename } from './testing/control.ts';

const { worldWith } = await control();

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

  test('DELETE of one keeps the others; an unknown one is 404', async () => {
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

  test('credential: no other credential is struck', async () => {
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
            { id: 'redirect', text: expect.any(String) },
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

describe("events on the service's side", () => {
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

  // Defect (see mock-notes): it gets the id of the deleted one, and with it the old one's rows.
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
    expect(log).toContain('Logged in,zoe@example.com');
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
    [{ type: 'revokeCredential', credential: 'nobody' }, /no credential nobody; known are admin, /],
    [{ type: 'expireCredential', credential: 'oaut' }, /no credential oaut; oauth is/],
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
