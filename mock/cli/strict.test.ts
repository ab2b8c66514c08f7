/** `--strict` refuses all parts of a request that a real tenant might silently ignore. */
import { expect, test } from 'vitest';
import { contract } from '../../spec/contract.ts';
import { createMock } from '../kits/index.ts';

const one = '/api/v1/deployments/1';
const staging = '/build/api/v1/deployments/1/branches/staging-environment';
const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const bytes = (text: string) => new TextEncoder().encode(text);

test.for<[string, string, RequestInit, number, string]>([
  [
    'a query parameter',
    '/api/v1/deployments?colour=red',
    {},
    400,
    'The query parameter colour is not known; known are offset, limit',
  ],
  [
    'a slip in a query parameter',
    '/api/v1/deployments?ofset=20',
    {},
    400,
    'The query parameter ofset is not known; offset is',
  ],
  [
    'paging of a list without pages',
    `${one}/versions?limit=2`,
    {},
    400,
    'The query parameter limit is not known; none is',
  ],
  [
    'body fields, each of them',
    `${one}/folders/11`,
    json('PUT', { nmae: 'x', parentId: 12 }),
    400,
    'The field nmae is not known; name is; The field parentId is not known; known are name, position',
  ],
  [
    'a field of an item',
    `${one}/notifications/31/recipients`,
    json('POST', { recipients: [{ userId: 2 }, { user_id: 3 }] }),
    400,
    'recipients[1]: needs userId, email, or embedTenantName and externalId; it has user_id',
  ],
  [
    'a field that every object has',
    `${one}/folders/11`,
    json('PUT', { constructor: 1 }),
    400,
    'The field constructor is not known; known are name, position',
  ],
  [
    'a field of the build API',
    staging,
    json('PUT', { branchName: 'feature-orders', enabled: true, force: true }),
    400,
    'The field force is not known; known are enabled, branchName, branchId',
  ],
  [
    'no Content-Type',
    `${one}/folders/11`,
    { method: 'PUT', body: bytes('{"name":"x"}') },
    415,
    'The body must be sent as application/json; it has no Content-Type',
  ],
  [
    'another Content-Type',
    `${one}/folders/11`,
    { ...json('PUT', { name: 'x' }), headers: { 'Content-Type': 'text/plain' } },
    415,
    'The body must be sent as application/json; its Content-Type is text/plain',
  ],
])('refuses %s', async ([, path, init, status, message]) => {
  await using mock = await createMock({ assumptions: contract.strict });
  const response = await mock.world.fetch(path, init);
  expect(await response.json()).toEqual(path === staging ? { message } : { error: message });
  expect(response.status).toBe(status);
});

test.for<[string, string, RequestInit, string | undefined]>([
  ['a slash at the end', '/api/v1/deployments/', {}, undefined],
  ['no body', one, { method: 'PUT', headers: { 'Content-Length': '0' } }, undefined],
  ['a cursor', '/build/api/v1/deployments/1/branches?first=2&after=MTAx', {}, undefined],
  ['a cursor elsewhere', '/api/v1/deployments?first=2', {}, 'The query parameter first'],
  ['a step', `${one}?creationStep=1`, json('PUT', {}), 'The query parameter creationStep'],
  ['scopes', `${one}/versions?scopes=all`, {}, 'The query parameter scopes'],
  ['settings', one, json('PUT', { name: 'x', region: 'eu' }), undefined],
  ['a setting that is null', one, json('PUT', { customDomain: null }), 'The field customDomain'],
  [
    'a type',
    `${one}/notifications/31/recipients`,
    json('POST', { recipients: [{ type: 'USER', userId: 2 }] }),
    'The field recipients[0].type',
  ],
])(
  'requests of known clients are served, and their unknown parts listed: %s',
  async ([, path, init, listed]) => {
    await using mock = await createMock({ assumptions: contract.strict });
    expect((await mock.world.fetch(path, init)).status).toBe(200);
    const { passedOver = [] } = mock.world.requests.last() ?? {};
    if (listed === undefined) expect(passedOver).toEqual([]);
    else expect(passedOver[0]).toContain(listed);
  },
);

test.for([
  ['settings', []],
  ['name', ['region']],
  ['none', ['name', 'region']],
] as const)(
  'a setting that UPD-10: %s applies is not listed as ignored',
  async ([choice, listed]) => {
    await using mock = await createMock({ assumptions: { ...contract.strict, 'UPD-10': choice } });
    const update = json('PUT', { name: 'x', region: 'eu' });
    expect((await mock.world.fetch(one, update)).status).toBe(200);
    const { passedOver = [] } = mock.world.requests.last() ?? {};
    expect(passedOver.map((text) => /The field (\w+)/.exec(text)?.[1])).toEqual(listed);
  },
);

test('accepts only the form of SCIM filter that known clients send', async () => {
  await using mock = await createMock({ assumptions: contract.strict });
  const users = async (filter: string) =>
    mock.world.fetchAs('scim')(`/api/scim/v2/Users?filter=${encodeURIComponent(filter)}`);
  const found = await users('userName eq "Ben@example.com"');
  expect(await found.json()).toMatchObject({
    totalResults: 1,
    Resources: [{ userName: 'ben@example.com' }],
  });
  const refused = await users('active eq true');
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ scimType: 'invalidFilter' });
});

test('accepts all requests that the description knows', async () => {
  await using mock = await createMock({ assumptions: contract.strict });
  const { world } = mock;
  expect((await world.fetch('/api/v1/deployments?offset=20&limit=10')).status).toBe(200);
  expect((await world.fetch(`${one}/folders/11`, json('PUT', { name: 'x' }))).status).toBe(200);
});
