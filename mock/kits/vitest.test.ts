import { describe } from 'vitest';
import type { World } from './index.ts';
import { expect, sweep, test } from './vitest.ts';

const put = (body: object): RequestInit => ({
  method: 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const FOLDER = '/api/v1/deployments/1/folders/13';

/** The message of an assertion that fails, without colours. */
function message(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the assertion holds');
}

describe('the world of a test', () => {
  test('is fresh, and the mock is the same', async ({ mock, world }) => {
    expect(world.requests.recorded).toBe(0);
    expect(mock.service.worlds.has(world.id)).toBe(true);
    await world.fetch(FOLDER, put({ name: 'Changed' }));
  });

  test('is another one in the next test, and the last one is gone', ({ mock, world }) => {
    expect(world).not.toHaveChanged();
    expect([...mock.service.worlds.keys()]).toEqual(['acme', world.id]);
  });

  describe('is made with options', () => {
    test.override({ clock: '2026-01-31T09:30:00Z', fixture: 'empty', seed: 7 });
    test.override({ assumptions: { 'STAGE-9': 'conflict' } });

    test('that tests inherit', ({ world }) => {
      expect(new Date(world.clock.now()).toISOString()).toBe('2026-01-31T09:30:00.000Z');
      expect(world.state.tables.deployments.rows()).toHaveLength(1);
      expect(world.assumptions.choice('STAGE-9')).toBe('conflict');
    });

    describe('strictly', () => {
      test.override({ strict: true });

      test('refuses requests that the description does not know', async ({ world }) => {
        const { status } = await world.fetch('/api/v1/deployments?colour=red');
        expect(status).toBe(400);
        expect(world.assumptions.choice('STAGE-9')).toBe('conflict');
      });
    });
  });
});

describe('toHaveReceived', () => {
  test('compares only the given criteria, and counts the requests', async ({ world }) => {
    await world.fetch('/api/v1/deployments?limit=1');
    await world.fetch('/api/v1/deployments?limit=2', {
      headers: { authorization: `Bearer ${world.credentials.member}` },
    });
    await world.fetch(FOLDER, put({ name: 'Q1', position: 2 }));
    expect(world).toHaveReceived({ operation: 'listDeployments', times: 2 });
    expect(world).toHaveReceived({ path: /folders/, method: 'PUT', body: { name: 'Q1' } });
    expect(world).toHaveReceived({ credential: 'member', query: 'limit=2', status: 200 });
    expect(world).toHaveReceived({ body: { position: expect.any(Number) } });
    expect(world).not.toHaveReceived({ status: 503 });
    expect(world).toHaveReceived({ operation: 'exportAuditLogs', times: 0 });
  });

  test('by their headers, in any case, or by a header that they lack', async ({ world }) => {
    await world.fetch('/api/v1/deployments', { headers: { 'Idempotency-Key': 'k-1' } });
    expect(world).toHaveReceived({ headers: { 'idempotency-KEY': /^k-/ }, times: 1 });
    expect(world).toHaveReceived({ headers: { 'x-trace': null } });
    expect(world).not.toHaveReceived({ headers: { 'idempotency-key': null } });
    expect(message(() => expect(world).toHaveReceived({ headers: { 'x-trace': 'a' } }))).toContain(
      "header x-trace: expected 'a', was null",
    );
    expect(world.requests.count({ headers: { 'Idempotency-Key': 'k-1' } })).toBe(1);
  });

  test('an answer that a fault lost has no status', async ({ world }) => {
    world.faults.add({ phase: 'after-commit', times: 1 });
    await expect(world.fetch(FOLDER, put({ name: 'Q1' }))).rejects.toThrow('fetch failed');
    expect(world).not.toHaveReceived({ status: 200 });
    expect(world).toHaveReceived({ status: 0, times: 1 });
    const failed = message(() => expect(world).toHaveReceived({ status: 200 }));
    expect(failed).toContain('-> no answer (updateFolder, admin)');
    expect(failed).toContain('struck by fault-1 (after-commit)');
  });

  test('shows the requests that came instead, nearest first, and why each was refused', async ({
    world,
  }) => {
    await world.fetch('/api/v1/deployments');
    await world.fetch(FOLDER, put({ name: 7 }));
    const told = message(() =>
      expect(world).toHaveReceived({
        operation: 'updateFolder',
        status: 200,
        body: { name: 'Q1' },
      }),
    );
    expect(told.replace(/yaml:\d+/, 'yaml:...')).toMatchInlineSnapshot(`
      "expected at least 1 of the requests to be { operation: 'updateFolder', status: 200, body: { name: 'Q1' } }, and 0 of 2 were
      nearest first:
        #2 PUT /api/v1/deployments/1/folders/13 -> 400 (updateFolder, admin)
           status: expected 200, was 400
           body: expected { name: 'Q1' }, was { name: 7 }
           refused: name must be a string, not 7
             ERR-6: With which status a body that is not JSON, or does not fit the operation, is refused. (spec/openapi.yaml:...)
             at /name
        #1 GET /api/v1/deployments -> 200 (listDeployments, admin)
           operation: expected 'updateFolder', was 'listDeployments'
           body: expected { name: 'Q1' }, was undefined"
    `);
  });

  test('says so if no request came', ({ world }) => {
    expect(message(() => expect(world).toHaveReceived({}))).toContain('has received nothing');
  });

  test.for<[object, RegExp]>([
    [{ url: '/' }, /not told by url; known are operation, path/],
    [{ opration: 'updateFolder' }, /not told by opration; operation is/],
    [{ operation: 'updateFoldr' }, /operation updateFoldr is not known; updateFolder is/],
    [{ credential: 'admn' }, /credential admn is not known; admin is/],
    [{ method: 'GTE' }, /method GTE is not known; GET is/],
    [{ status: '200' }, /status must be a number/],
    [{ headers: { Authorization: 'x' } }, /header Authorization is in no journal/],
    [{ times: '1' }, /times must be a whole number/],
  ])('refuses what no request can be, %j, whether negated or not', ([expected, why], { world }) => {
    expect(() => expect(world).toHaveReceived(expected)).toThrow(why);
    expect(() => expect(world).not.toHaveReceived(expected)).toThrow(why);
  });

  test('of a request that the journal had no room for, nothing is said', async ({ world }) => {
    await world.fetch(FOLDER, put({ name: 'Q1' }));
    for (let sent = 0; sent < 1000; sent += 1) await world.fetch('/api/v1/deployments?limit=1');
    const renamed = { operation: 'updateFolder' } as const;
    const why = /journal no longer holds, and that may fit: 1$/m;
    expect(() => expect(world).toHaveReceived(renamed)).toThrow(why);
    expect(() => expect(world).not.toHaveReceived(renamed)).toThrow(why);
    expect(() => expect(world).toHaveReceived({ ...renamed, times: 0 })).toThrow(why);
    expect(world).toHaveReceived({ operation: 'listDeployments' });
    expect(world).not.toHaveReceived({ operation: 'listDeployments', times: 9 });
    world.requests.clear();
    expect(world).not.toHaveReceived(renamed);
  });

  test('compares the largest list that the service takes, and says so if a body is longer still', async ({
    world,
  }) => {
    const recipients = Array.from({ length: 1000 }, (_, index) => ({
      ...{ embedTenantName: 'partner-a', externalId: `user-${index}@example.com` },
      ...{ groups: ['one', 'two'], userAttributes: [{ name: 'region', value: 'emea' }] },
    }));
    const [path, method] = ['/api/v1/deployments/1/notifications/31/recipients', 'POST'];
    await world.fetch(path, { ...put({ recipients }), method });
    expect(world).toHaveReceived({ body: { recipients } });
    const longer = { recipients, more: 'x'.repeat(200_000) };
    await world.fetch(path, { ...put(longer), method });
    expect(() => expect(world).not.toHaveReceived({ body: { more: 'y' } })).toThrow(
      /#2 is longer than/,
    );
    expect(world).not.toHaveReceived({ operation: 'updateFolder', body: { more: 'y' } });
  });

  test.for<[object, RegExp]>([
    [{ opration: 'updateFolder' }, /no option opration; operation is/],
    [{ body: { name: 'Q1' } }, /no option body; known are operation, method, path, status/],
    [{ path: /folders/ }, /compares path with a value, not with a pattern/],
    [{ status: expect.any(Number) }, /compares status with a value/],
    [{ headers: { accept: /json/ } }, /compares accept with a value/],
  ])(
    'a search refuses %j too, and never finds nothing for it',
    async ([criteria, why], { world }) => {
      await world.fetch(FOLDER, put({ name: 'Q1' }));
      expect(() => world.requests.find(criteria)).toThrow(why);
      expect(() => world.requests.count(criteria)).toThrow(why);
    },
  );

  test('accepts a method in any case, and a credential that only the client knows', async ({
    world,
  }) => {
    await world.fetch(FOLDER, {
      ...put({ name: 'Q1' }),
      headers: { authorization: `Bearer ${world.id}-madeUp` },
    });
    expect(world).toHaveReceived({ method: 'put', credential: 'madeUp', status: 401 });
    expect(world).toHaveReceived({ status: expect.any(Number) as number });
  });

  test('refuses a value that is not a world', () => {
    expect(() => expect(7).toHaveReceived({})).toThrow(/about a world/);
  });
});

describe('toHaveChanged', () => {
  test('compares rows with the start', async ({ world }) => {
    await world.fetch(FOLDER, put({ name: 'Q1' }));
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    expect(world).toHaveChanged();
    expect(world).toHaveChanged({ folders: { 13: { name: 'Q1' } } });
    expect(world).not.toHaveChanged({ folders: { 13: { name: 'Q2' } } });
    expect(world).not.toHaveChanged({ folders: { 13: { name: 'Q1' } } }, { only: true });
    world.reset();
    expect(world).not.toHaveChanged();
    expect(world).not.toHaveChanged({});
    expect(world).toHaveChanged({}, { only: true });
  });

  test('shows the changes that came instead', async ({ world }) => {
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    const told = message(() => expect(world).toHaveChanged({ folders: { 13: { name: 'Q1' } } }));
    expect(told).toMatchInlineSnapshot(`
      "expected the state to have changed so
        folders 13 has not changed
      instead these rows changed:
        channels preview changed: head '1.7.0' -> '1.8.0'"
    `);
    expect(
      message(() => expect(world).toHaveChanged({ folders: { 99: { name: 'Q1' } } })),
    ).toContain('there is no 99 among the folders, and none was added; there were 11, 12, 13, 21');
    expect(() => expect(world).toHaveChanged({ shelves: {} } as object)).toThrow(/no shelves/);
  });
});

describe('sweep', () => {
  /** The error of a sweep that fails. */
  const failure = (world: World, body: (context: { readonly world: World }) => unknown) =>
    sweep(body)({ world } as never).then(
      () => undefined,
      (error: Error) => error,
    );
  const enablePersonal = (world: World) =>
    world.fetch(
      '/build/api/v1/deployments/1/branches/staging-environment',
      put({ branchName: 'dev-ana', enabled: true }),
    );

  test('fails if the client relies on an assumption, and names it', async ({ world }) => {
    const failed = await failure(world, async ({ world }) => {
      expect((await enablePersonal(world)).status).toBe(400);
    });
    expect(failed?.message).toMatch(/fails under \d+ of \d+ alternatives/);
    expect(failed?.message).toMatch(/STAGE-9: conflict \(.*\)\n.*\n +expected 409 to be 400/);
    expect(failed?.cause).toBeInstanceOf(Error);
  });

  test('explains the run that failed', async ({ world }) => {
    const failed = await failure(world, async ({ world }) => {
      expect((await enablePersonal(world)).status).not.toBe(409);
    });
    expect(failed?.message).toContain('-> 409 (setStagingEnvironment, admin)');
    expect(failed?.message).not.toContain('-> 400');
  });

  test('that makes no request to its world has tested nothing', async ({ mock, world }) => {
    const failed = await failure(world, () => mock.world.fetch('/api/v1/deployments'));
    expect(failed?.message).toMatch(/^nothing was tested: no request reached the world: give/);
  });

  describe('hands on every fixture, which stays bound to the world of each run', () => {
    type Client = { wanted: string; rename: (name: string) => Promise<number> };
    const extended = test.extend<Client>({
      wanted: 'Q1',
      rename: async ({ world }, use) => {
        const { fetch } = world;
        await use(async (name) => (await fetch(`${FOLDER}/`, put({ name }))).status);
      },
    });
    const statuses: number[] = [];

    extended(
      'a client as a fixture',
      sweep<Client>(async ({ world, rename, wanted, task }) => {
        statuses.push(await rename(wanted));
        expect(world.requests.recorded).toBe(1);
        expect(task.name).toBe('a client as a fixture');
        if (statuses.at(-1) === 200)
          expect(world).toHaveReceived({ body: { name: wanted }, times: 1 });
      }),
    );

    test('has met the alternatives of REQ-1', () => {
      expect(statuses[0]).toBe(200);
      expect(statuses).toContain(404);
    });
  });

  test('begins each run as the first one did', async ({ world }) => {
    await world.fetch(FOLDER, put({ name: 'Before' }));
    world.faults.add({ operation: 'listVersions', status: 503, times: 1 });
    const { runs } = await world.sweep(async ({ fetch, state, faults }) => {
      expect(state.tables.folders.get(13)?.name).toBe('Before');
      expect(faults.list()).toHaveLength(1);
      await fetch('/api/v1/deployments/1/versions');
      await fetch(`${FOLDER}/`, put({ name: 'After' }));
    });
    expect(runs.length).toBeGreaterThan(1);
    expect(runs.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(world.state.tables.folders.get(13)?.name).toBe('After');
    expect(world.assumptions.choice('REQ-1')).toBe('served');
  });
});
