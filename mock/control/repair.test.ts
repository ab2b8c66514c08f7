/** Repairs: each one that is offered works and shows no secret, and only a caller who asks pays for them. */
import { describe, expect, test } from 'vitest';
import { createMock, type World } from '../kits/index.ts';
import { corpus } from '../testing/corpus.ts';
import type { CorpusEntry } from '../testing/corpus-entry.ts';
import { proveRepairs } from '../testing/prove-repairs.ts';
import { refused } from '../testing/refused.ts';
import type { Repair } from '../world/explanation.ts';

/** How many of some requests were refused, and for which of those nothing was found. */
async function proveAll(entries: readonly CorpusEntry[], assumptions = {}) {
  let number = 0;
  const without: string[] = [];
  for (const entry of entries) {
    const repairs = await proveRepairs(entry, assumptions);
    if (repairs === undefined) continue;
    number += 1;
    if (repairs.length === 0) without.push(entry.name);
  }
  return { number, without };
}

describe('every repair that is offered works, as its steps say', () => {
  const TIME = 300_000;

  test('of the corpus', { timeout: TIME }, async () => {
    const { number, without } = await proveAll(corpus);
    expect(number).toBeGreaterThan(60);
    // No request can change the plan; and nothing is like that path.
    expect(without).toEqual(['export without the feature', 'path outside the service']);
  });

  // All of them, and under each other choice: lab/campaigns/repairs.test.ts.
  test('of one thing wrong with an operation', { timeout: TIME }, async () => {
    const some = refused.filter((_entry, index) => index % 27 === 0);
    const { number, without } = await proveAll(some);
    expect(number).toBeGreaterThan(30);
    expect(without).toEqual([]);
  });
});

const folder = '/api/v1/deployments/1/folders/11';
const headers = { 'Content-Type': 'application/json' };
const put = (body: unknown) => ({ method: 'PUT', headers, body: JSON.stringify(body) });

async function told(world: World, id = world.requests.last()?.id): Promise<readonly Repair[]> {
  const { service } = world;
  const headers = { host: 'localhost' };
  const target = `/__admin/worlds/${world.id}/requests/${id}`;
  const response = await service.handle({ method: 'GET', target, headers, body: undefined });
  return (JSON.parse(String(response.body)) as { readonly repairs: readonly Repair[] }).repairs;
}

describe('a repair', () => {
  test('of a body with thousands of faults is looked for in a moment', async () => {
    await using mock = await createMock();
    const { world } = mock;
    const place = '/api/v1/deployments/1/notifications/31/recipients';
    const body = JSON.stringify({ recipients: Array(5000).fill(1) });
    await world.fetchAs('admin')(place, { method: 'POST', headers, body });
    expect(await told(world)).toMatchObject([{ steps: [{ patch: [{ path: '' }] }] }]);
  }, 3000);

  test.for([3000, 30_000])('of a body that is nested %i deep is another body', async (depth) => {
    await using mock = await createMock();
    const { world } = mock;
    const body = `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    await world.fetchAs('admin')(folder, { method: 'PUT', headers, body });
    expect(await told(world)).toMatchObject([{ steps: [{ patch: [{ path: '' }] }] }]);
  });

  test('names a credential, and a misspelt field is moved: two faults are one repair', async () => {
    await using mock = await createMock({ strict: true });
    const { world } = mock;
    await world.fetchAs('expired')(folder, put({ nmae: 'Q1' }));
    expect(await told(world)).toEqual([
      {
        text: expect.stringContaining(
          'with the credential admin (Authorization: Bearer); patch the body',
        ),
        status: 200,
        steps: [
          { what: 'credential', credential: 'admin' },
          { what: 'body', patch: [{ op: 'move', from: '/nmae', path: '/name' }] },
        ],
      },
    ]);
  });

  test('names the event or the wait that must come first', async () => {
    await using mock = await createMock({ assumptions: { 'SVC-7': 'sixty-a-minute' } });
    const { world } = mock;
    await world.fetch('/api/v1/deployments/1/dbt-sync/nightly/result');
    const [, events] = await told(world);
    expect(events?.steps.map((step) => step.what === 'before' && step.body?.type)).toEqual([
      'startDbtSync',
      'completeDbtSync',
    ]);
    for (let call = 0; call < 60; call += 1) await world.fetch('/api/v1/deployments');
    const [wait] = await told(world);
    expect(wait?.text).toMatch(/^first POST .*clock\/advance {"seconds":\d+}$/);
  });

  test('takes the world as it is now, its faults included', async () => {
    await using mock = await createMock();
    const { world } = mock;
    await world.fetch('/api/v1/deployments/46/versions');
    world.emit({ type: 'createDeployment', name: 'Later' });
    world.faults.add({ operation: 'listVersions', status: 503 });
    world.faults.add({ operation: 'listDeployments', status: 503 });
    const [first] = await told(world);
    const path = `/__admin/worlds/${world.id}/faults/fault-1`;
    expect(first?.steps).toEqual([{ what: 'before', method: 'DELETE', path }]);
    world.faults.clear();
    expect((await told(world))[0]).toMatchObject({ steps: [], text: /^send it again/ });
  });

  test('is tried without a trace in faults, journal, coverage and worlds', async () => {
    await using mock = await createMock();
    const { world } = mock;
    let asked = 0;
    const when = () => {
      asked += 1;
      return false;
    };
    world.faults.add({ when, status: 503 });
    await world.fetch(folder, put({ name: 7 }));
    const before = [asked, world.requests.recorded, JSON.stringify(world.coverage)];
    expect(await told(world)).not.toEqual([]);
    expect([asked, world.requests.recorded, JSON.stringify(world.coverage)]).toEqual(before);
    expect(world.changes()).toEqual([]);
    expect([...mock.service.worlds.keys()]).toEqual(['acme']);
  });

  test('is not offered if it would show a secret, or was tried in another form', async () => {
    await using mock = await createMock();
    const { world } = mock;
    const context = { apiKey: 'sk-T0pSecret' };
    const path = '/api/v1/deployments/1/environments/201/tokens-for-meta-sync';
    await world.fetch(path, {
      method: 'POST',
      body: JSON.stringify({ security_context: [context] }),
    });
    expect(JSON.stringify(await told(world))).not.toContain('T0pSecret');
    const long = { name: 'x'.repeat(300_000) };
    await world.fetchAs('member')('/api/v1/deployments/1/folders/12', put(long));
    expect(await told(world)).toEqual([]);
  });

  test('never names a credential of another world, and needs the token', async () => {
    await using mock = await createMock({ adminToken: 'let-me-in' });
    const other = await mock.createWorld({ id: 'other' });
    const headers = { Authorization: `Bearer ${other.credentials.admin}` };
    const refusal = await mock.fetch('/w/acme/api/v1/deployments', { headers });
    const entry = refusal.headers.get('lockstep-entry') ?? '';
    expect(entry).toBe('/__admin/worlds/acme/requests/1');
    expect((await mock.fetch(entry)).status).toBe(403);
    const shown = await mock.fetch(entry, { headers: { 'Lockstep-Admin-Token': 'let-me-in' } });
    const text = await shown.text();
    expect(text).toContain('with the credential admin');
    expect(text).not.toMatch(/other-|acme-admin/);
  });

  test('is asked of no world that deviates', async () => {
    await using mock = await createMock({ deviations: ['audit:end-ignored'] });
    await mock.world.fetch(folder, put({ name: 7 }));
    expect(await told(mock.world)).toEqual([]);
  });
});

test('only a refusal has the header, and it can be turned off', async () => {
  await using mock = await createMock();
  const accepted = await mock.world.fetch('/api/v1/deployments');
  expect(accepted.headers.has('lockstep-entry')).toBe(false);
  await using quiet = await createMock({ gradeHeaders: false });
  const refusal = await quiet.world.fetchAs(null)('/api/v1/deployments');
  expect(refusal.status).toBe(401);
  expect(refusal.headers.has('lockstep-entry')).toBe(false);
});

test('a request that is not held is 404, and says which are', async () => {
  await using mock = await createMock();
  await mock.world.fetch('/api/v1/deployments');
  const response = await mock.fetch('/__admin/worlds/acme/requests/7');
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: 'The world acme holds no request 7; it holds 1 to 1',
  });
});
