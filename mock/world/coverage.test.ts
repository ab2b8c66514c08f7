/** The coverage of a client's calls: the answers they met, and the rights they needed. */
import { describe, expect, test } from 'vitest';
import { createMock, type World } from '../kits/index.ts';
import { type Coverage, CoverageCount } from './coverage.ts';

const deployments = '/api/v1/deployments';
const folder = `${deployments}/1/folders/11`;
const rename = (name: unknown): RequestInit => ({
  method: 'PUT',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ name }),
});

/** The coverage of a world after some calls. */
async function after(calls: (world: World) => Promise<unknown>): Promise<Coverage> {
  await using mock = await createMock();
  await calls(mock.world);
  return mock.world.coverage;
}

describe('pages', () => {
  const of = async (...queries: string[]) => {
    const { pages, never } = await after(async (world) => {
      for (const query of queries) await world.fetch(`${deployments}?${query}`);
    });
    return { met: pages.listDeployments, never: never.pages.listDeployments };
  };

  test.for<[string, Record<string, number>]>([
    ['limit=45', { whole: 1 }],
    ['limit=44', { first: 1 }],
    ['', { first: 1 }],
    ['offset=20', { middle: 1 }],
    ['offset=40', { last: 1 }],
    ['offset=25', { last: 1 }],
    ['offset=45', { beyond: 1 }],
    ['offset=1000', { beyond: 1 }],
    ['limit=0', {}],
    ['limit=many', {}],
  ])('45 deployments, %s: %j', async ([query, pages]) => {
    expect((await of(query)).met).toEqual(pages);
  });

  test('pages count for a client that follows them, and are missing for one that does not', async () => {
    expect(await of('', 'offset=20', 'offset=40')).toEqual({
      met: { first: 1, middle: 1, last: 1 },
      never: ['whole', 'beyond'],
    });
    expect(await of('', '')).toEqual({
      met: { first: 2 },
      never: ['whole', 'middle', 'last', 'beyond'],
    });
  });

  test('SCIM counts from 1', async () => {
    const { pages } = await after(async (world) => {
      const fetch = world.fetchAs('scim');
      for (const query of ['count=42', 'count=20', 'startIndex=21&count=20', 'startIndex=41']) {
        await fetch(`/api/scim/v2/Users?${query}`);
      }
      await fetch('/api/scim/v2/Users?startIndex=43');
      await fetch('/api/scim/v2/Users?count=0');
    });
    expect(pages.listScimUsers).toEqual({ whole: 1, first: 1, middle: 1, last: 1, beyond: 1 });
  });

  test('the coverage lists exactly the paginated operations', async () => {
    const { pages } = await after(async () => {});
    expect(pages).toEqual({ listDeployments: {}, listEnvironments: {}, listScimUsers: {} });
  });
});

describe('operations and statuses', () => {
  test('an operation lists the met statuses, and `never` the others', async () => {
    const { operations, never, unmatched } = await after(async (world) => {
      await world.fetch(folder, rename('Money'));
      await world.fetch(folder, rename(7));
      await world.fetchAs(null)(folder, rename('x'));
      await world.fetch('/favicon.ico');
    });
    expect(operations.updateFolder).toEqual({ 200: 1, 400: 1, 401: 1 });
    // The contract does not declare 400 by itself, so the 400 counts for its class.
    expect(never.statuses).toEqual({ updateFolder: ['403', '404', '5XX'] });
    expect(never.operations).toHaveLength(11);
    expect(never.operations).not.toContain('updateFolder');
    expect(unmatched).toBe(1);
  });
});

test('an answer that a fault lost does not count as met by the client', async () => {
  const { operations, pages, never } = await after(async (world) => {
    world.faults.add({ phase: 'socket', times: 1 });
    await world.fetch(deployments).catch(() => {});
    world.faults.add({ status: 503, times: 1 });
    await world.fetch(deployments);
  });
  expect(operations.listDeployments).toEqual({ 0: 1, 503: 1 });
  expect(pages.listDeployments).toEqual({});
  expect(never.statuses.listDeployments).toContain('200');
});

test('an answer that was cut counts by its status, and not as a page', async () => {
  const { operations, pages } = await after(async (world) => {
    world.faults.add({ phase: 'mid-body', times: 1 });
    await world.fetch(deployments);
  });
  expect(operations.listDeployments).toEqual({ 200: 1 });
  expect(pages.listDeployments).toEqual({});
});

describe('assumptions', () => {
  test('each assumption has its choices, and the alternatives that a client should survive', async () => {
    const { assumptions } = await after(async (world) => {
      await world.fetch(`${deployments}/`);
      world.assumptions.set({ 'REQ-1': 'not-found' });
      await world.fetch(`${deployments}/`);
      await world.fetch(`${deployments}/99/versions`);
    });
    expect(assumptions).toEqual({
      'REQ-1': {
        text: 'Whether a path with a slash at the end is served.',
        answers: 2,
        choices: { served: 1, 'not-found': 1 },
        alternatives: [{ id: 'redirect', text: 'a redirect to the path without it' }],
      },
      'ERR-9': {
        text: expect.any(String),
        answers: 1,
        choices: { 'not-found': 1 },
        alternatives: [{ id: 'forbidden', text: '403' }],
      },
    });
  });
});

describe('the least privilege', () => {
  const leastOf = async (calls: (world: World) => Promise<unknown>) =>
    Object.fromEntries(
      Object.entries((await after(calls)).privileges).map(([name, { text }]) => [name, text]),
    );
  const subscribe = {
    method: 'POST',
    body: JSON.stringify({ recipients: [{ userId: 2 }] }),
  };

  test.for<[string, (world: World) => Promise<unknown>, string]>([
    [
      'one deployment',
      (world) => world.fetch(`${deployments}/1/versions`),
      'A key scoped to deployment 1, of a user without the admin role, would have done.',
    ],
    [
      'two deployments and the list',
      async (world) => {
        await world.fetch(deployments);
        for (const id of [2, 1]) await world.fetch(`${deployments}/${id}/versions`);
      },
      'A key scoped to deployments 1, 2, of a user without the admin role, would have done; listDeployments shows a scoped key its own deployments only.',
    ],
    [
      'a folder',
      (world) => world.fetch(`${folder}/`, rename('Money')),
      'A key scoped to deployment 1, of a user without the admin role but with edit access to folder 11, would have done.',
    ],
    [
      'recipients',
      (world) => world.fetch(`${deployments}/1/notifications/31/recipients`, subscribe),
      'A key scoped to deployment 1, of a user with the admin role, would have done.',
    ],
    [
      'the audit log',
      async (world) => {
        world.assumptions.set({ 'AUTH-21': 'forbidden' });
        await world.fetch('/api/v1/audit-logs/export');
        await world.fetch(`${deployments}/1/versions`);
      },
      'A key for all deployments, of a user without the admin role but with the AuditLogManage permission, would have done.',
    ],
  ])('%s', async ([, calls, text]) => {
    expect(await leastOf(calls)).toEqual({ admin: text });
  });

  test('each credential has its own least privilege', async () => {
    const least = await leastOf(async (world) => {
      await world.fetchAs('scim')('/api/scim/v2/Users');
      await world.fetchAs('member')(`${deployments}/2/versions`);
    });
    expect(Object.keys(least)).toEqual(['scim', 'member']);
    expect(least.scim).toBe('A SCIM token would have done.');
  });

  test('a refused call needs no right; a call whose answer was lost does', async () => {
    const { privileges } = await after(async (world) => {
      await world.fetchAs('member')(`${deployments}/1/folders/12`, rename('x'));
      await world.fetch(`${deployments}/1/folders/99`, rename('x'));
      world.faults.add({ status: 503, times: 1 });
      await world.fetch(`${deployments}/2/versions`);
      world.faults.add({ phase: 'after-commit', status: 504, times: 1 });
      await world.fetch(folder, rename('Money'));
    });
    expect(privileges).toMatchObject({
      admin: { operations: { updateFolder: 1 }, deployments: ['1'], edits: ['11'], admin: false },
    });
    expect(Object.keys(privileges)).toEqual(['admin']);
  });
});

describe('the coverage survives a full or cleared journal', () => {
  test('a cleared journal keeps the coverage; a reset clears it', async () => {
    await using mock = await createMock();
    const { world } = mock;
    await world.fetch(deployments);
    world.requests.clear();
    expect(world.coverage.operations.listDeployments).toEqual({ 200: 1 });
    world.reset();
    expect(world.coverage.operations.listDeployments).toEqual({});
  });

  test('dropped worlds keep their coverage until the mock is reset', async () => {
    await using mock = await createMock();
    for (const limit of [1, 45]) {
      using world = await mock.createWorld();
      await world.fetch(`${deployments}?limit=${limit}`);
      await world.fetch(`${deployments}/${limit}/versions/`);
    }
    const { operations, pages, assumptions, privileges } = mock.coverage;
    expect(operations.listDeployments).toEqual({ 200: 2 });
    expect(pages.listDeployments).toEqual({ first: 1, whole: 1 });
    expect(assumptions['REQ-1']).toMatchObject({ answers: 2, choices: { served: 2 } });
    expect(privileges.admin).toMatchObject({ deployments: ['1', '45'] });
    mock.reset();
    expect(mock.coverage.operations.listDeployments).toEqual({});
  });

  test('a sum of coverages counts all of them', async () => {
    const one = await after((world) => world.fetch(`${deployments}/`));
    const total = new CoverageCount();
    total.merge(one);
    expect(total.toCoverage()).toEqual(one);
    total.merge(one);
    expect(total.toCoverage().assumptions['REQ-1']?.answers).toBe(2);
  });
});
