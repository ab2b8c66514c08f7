/** Pages of lists are made, checked and serialised only once. The answers must stay the same. */
import { expect, test } from 'vitest';
import { createMock } from '../kits/index.ts';
import type { Deviation } from '../pipeline/deviate.ts';
import type { Reply } from '../pipeline/exchange.ts';
import { Service } from '../service/service.ts';
import { handlers } from './all-handlers.ts';

const lists = [
  '/api/v1/deployments',
  '/api/v1/deployments?limit=3&offset=2',
  '/api/v1/deployments/1/environments',
  '/scim/v2/Users',
  '/scim/v2/Users?startIndex=2&count=1',
];

test.each(lists)('two answers to %s have the same bytes, which are its JSON', async (path) => {
  await using mock = await createMock({ clock: '2026-03-01T12:00:00Z' });
  const credential = path.startsWith('/scim') ? 'scim' : 'admin';
  const read = async () => (await mock.world.fetchAs(credential)(path)).text();
  const first = await read();
  expect(await read()).toBe(first);
  expect(JSON.stringify(JSON.parse(first))).toBe(first);
});

test('a change of a row changes the page, and no page of another world', async () => {
  await using mock = await createMock();
  const other = await mock.createWorld();
  const names = async (world = mock.world) => {
    const response = await world.fetch('/api/v1/deployments?limit=100');
    const body = (await response.json()) as { data: { deployments: { name: string }[] } };
    return body.data.deployments.map(({ name }) => name);
  };
  const before = await names();
  expect(await names(other)).toEqual(before);
  mock.world.emit({ type: 'createDeployment', name: 'New' });
  expect(await names()).toEqual([...before, 'New']);
  expect(await names(other)).toEqual(before);
});

/** The answer of a service whose handler alters the pages that it has made. */
async function answeredBy(alter: (items: { name: unknown }[]) => { name: unknown }[]) {
  await using mock = await createMock();
  const own = handlers.listDeployments;
  let calls = 0;
  const service = new Service({
    ...mock.service.options,
    areas: {
      ...mock.service.options.areas,
      handlers: {
        ...handlers,
        listDeployments: {
          ...own,
          handle(call, found) {
            const reply = own.handle(call, found) as Reply;
            calls += 1;
            // The first answer is correct, so its page is kept.
            if (calls === 1) return reply;
            const body = reply.body as { data: { deployments: { name: unknown }[] } };
            const deployments = alter(body.data.deployments);
            return { ...reply, body: { ...body, data: { deployments } } };
          },
        },
      },
    },
  });
  const headers = { authorization: 'Bearer acme-admin' };
  const request = { method: 'GET', target: '/api/v1/deployments', headers, body: undefined };
  expect(await service.handle(request)).toMatchObject({ status: 200 });
  return async () => service.handle(request);
}

test('a kept page is checked again if an item is replaced', async () => {
  const again = await answeredBy((items) => items.map((item) => ({ ...item, name: 7 })));
  const { status, body } = await again();
  expect(status).toBe(500);
  expect(body).toContain('/data/deployments/0/name must be string');
});

test('an item of a kept page cannot be altered in place', async () => {
  const again = await answeredBy((items) => {
    for (const item of items) item.name = 7;
    return items;
  });
  await expect(again()).rejects.toThrow(/read only property 'name'/);
});

test('a kept page passes a deviation and is journalled like the first one', async () => {
  await using mock = await createMock({ clock: '2026-03-01T12:00:00Z' });
  const passed: unknown[] = [];
  const watch: Deviation = {
    ...{ id: 'watch', text: 'Watches.', breaks: [], operations: ['listDeployments'] },
    async around(request, serve) {
      const decision = await serve(request);
      passed.push(decision.reply.body);
      return decision;
    },
  };
  mock.service.defaultWorld.deviations.set([watch]);
  await mock.world.fetch('/api/v1/deployments');
  await mock.world.fetch('/api/v1/deployments');
  expect(passed).toHaveLength(2);
  expect(passed[1]).toEqual(passed[0]);
  const [one, other] = mock.world.requests.list();
  expect({ ...other, id: 1 }).toEqual({ ...one, id: 1 });
});
