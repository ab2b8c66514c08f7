/**
 * Readings of the description that are easy to miss, as far as no scenario can say them: what the mock
 * chooses at a silence, and what a client sees of it.
 */
import { parse } from 'csv-parse/sync';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { contract, type OperationId, type operations } from '../../spec/contract.ts';
import { createMock, type World, type WorldRequest } from '../kits/index.ts';

const mock = await createMock();
const NOW = '2026-03-01T12:00:00.000Z';
const newWorld = (request: WorldRequest = {}) => mock.createWorld({ clock: NOW, ...request });

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const environments = `${one}/environments`;
const versions = `${one}/versions`;
const branches = '/build/api/v1/deployments/1/branches';
const toggle = `${branches}/staging-environment`;
const recipients = `${one}/notifications/31/recipients`;
const tokens = `${environments}/201/tokens-for-meta-sync`;
const log = '/api/v1/audit-logs/export';
const users = '/api/scim/v2/Users';

interface Sent {
  /** Name of a credential of the world; null for none. Default admin. */
  readonly as?: string | null;
  readonly authorization?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

function send(world: World, path: string, sent: Sent = {}): Promise<Response> {
  const { as = 'admin', method = 'GET', body } = sent;
  const authorization =
    sent.authorization ?? (as === null ? undefined : `Bearer ${world.id}-${as}`);
  // Through mock.fetch, so that a request without a credential stays without one.
  return mock.fetch(`${world.baseUrl}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...sent.headers,
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const put = (world: World, path: string, body: unknown, as?: string) =>
  send(world, path, { method: 'PUT', body, ...(as === undefined ? {} : { as }) });
const post = (world: World, path: string, body: unknown, as?: string) =>
  send(world, path, { method: 'POST', body, ...(as === undefined ? {} : { as }) });

/** The body of a 200, typed from the contract. */
type Body<K extends OperationId> = operations[K]['responses'] extends {
  200: { content: infer Content };
}
  ? Content[keyof Content]
  : never;
async function ok<K extends OperationId>(answered: Promise<Response>): Promise<Body<K>> {
  const response = await answered;
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Body<K>;
}
async function statusOf(answered: Promise<Response>): Promise<number> {
  return (await answered).status;
}
/** The silences that an answer rests on; none where it is documented. */
async function basisOf(answered: Promise<Response>): Promise<string[]> {
  const basis = (await answered).headers.get('Lockstep-Basis') ?? '';
  return basis === 'documented' ? [] : basis.replace('assumed; ', '').split(', ');
}

const listEnvironments = async (world: World, query = '') =>
  (await ok<'listEnvironments'>(send(world, `${environments}${query}`))).data.environments;
const stagingIds = async (world: World) =>
  (await listEnvironments(world, '?type=staging')).map(({ id }) => id);
const listVersions = async (world: World, deployment = 1) =>
  (await ok<'listVersions'>(send(world, `${deployments}/${deployment}/versions`))).data;
const versionNames = async (world: World) =>
  (await listVersions(world)).map(({ version }) => version).sort();
const currentOf = async (world: World, deployment = 1) =>
  (await listVersions(world, deployment))
    .filter(({ isCurrent }) => isCurrent)
    .map(({ version }) => version);

describe('deployment ids are strings in lists and integers in three paths and in a folder', () => {
  test('the deployments list gives strings', async () => {
    const world = await newWorld();
    const { data } = await ok<'listDeployments'>(send(world, deployments));
    expect(data.deployments.map(({ id }) => typeof id)).toEqual(
      data.deployments.map(() => 'string'),
    );
  });

  test('a folder gives its deployment as an integer', async () => {
    const world = await newWorld();
    const folder = await ok<'updateFolder'>(put(world, `${one}/folders/11`, { name: 'Money' }));
    expect(folder.deploymentId).toBe(1);
  });

  const typeOf = (id: OperationId, name: string) =>
    contract.operations.get(id)?.parameters.find((item) => item.name === name)?.schema.type;

  test.for([
    ['getDbtSyncResult', 'deploymentId'],
    ['updateFolder', 'deploymentId'],
    ['addNotificationRecipients', 'deploymentId'],
  ] as const)('%s takes %s, an integer', ([id, name]) => {
    expect(typeOf(id, name)).toBe('integer');
  });

  test.for([
    ['updateDeployment', 'deployment_id'],
    ['listEnvironments', 'deployment_id'],
    ['createMetaSyncToken', 'deployment_id'],
    ['listVersions', 'deployment_id'],
    ['listBranches', 'deployment_id'],
    ['setStagingEnvironment', 'deployment_id'],
  ] as const)('%s takes %s, a string', ([id, name]) => {
    expect(typeOf(id, name)).toBe('string');
  });

  test.for([
    `${deployments}/one/dbt-sync/sync-completed/result`,
    `${deployments}/one/folders/11`,
    `${deployments}/one/notifications/31/recipients`,
  ])('%s is refused: "one" is no integer (ERR-11)', async (path) => {
    const world = await newWorld();
    const method = path.includes('dbt') ? 'GET' : path.includes('folders') ? 'PUT' : 'POST';
    const response = await send(world, path, { method, ...(method === 'GET' ? {} : { body: {} }) });
    expect(response.status).toBe(400);
    expect(response.headers.get('Lockstep-Basis')).toContain('ERR-11');
  });

  test('a string id that is unknown is a deployment that does not exist', async () => {
    expect(await statusOf(send(await newWorld(), `${deployments}/one/versions`))).toBe(404);
  });
});

describe('envelopes differ from operation to operation', () => {
  test('the deployments list: data.deployments and pagination', async () => {
    const page = await ok<'listDeployments'>(send(await newWorld(), deployments));
    expect(Object.keys(page).sort()).toEqual(['data', 'pagination']);
    expect(Object.keys(page.data)).toEqual(['deployments']);
    expect(page.pagination).toEqual({ offset: 0, limit: 20, total: 45 });
  });

  test('the environments list: data.environments and pagination', async () => {
    const page = await ok<'listEnvironments'>(send(await newWorld(), environments));
    expect(page).toMatchObject({
      data: { environments: expect.any(Array) },
      pagination: { offset: 0, limit: 20, total: 3 },
    });
  });

  test('the versions list: data is the array, and there is no pagination', async () => {
    const body = await ok<'listVersions'>(send(await newWorld(), versions));
    expect(Object.keys(body)).toEqual(['data']);
    expect(Array.isArray(body.data)).toBe(true);
  });

  test('a folder update: the folder itself', async () => {
    const body = await ok<'updateFolder'>(put(await newWorld(), `${one}/folders/11`, {}));
    expect(body).toMatchObject({ id: 11, name: 'Finance', type: 'FOLDER' });
    expect(body).not.toHaveProperty('data');
  });

  test('adding recipients: the three lists themselves', async () => {
    const body = await ok<'addNotificationRecipients'>(
      post(await newWorld(), recipients, { recipients: [{ userId: 2 }] }),
    );
    expect(Object.keys(body).sort()).toEqual([
      'createdRecipients',
      'unchangedRecipients',
      'updatedRecipients',
    ]);
  });

  test('a metadata token is made with 200, not 201', async () => {
    const world = await newWorld();
    expect(await statusOf(post(world, tokens, { security_context: {} }))).toBe(200);
  });

  test('the toggle: data is the branch', async () => {
    const body = await ok<'setStagingEnvironment'>(
      put(await newWorld(), toggle, { branchId: 102, enabled: true }),
    );
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toMatchObject({ id: 102, name: 'feature-orders' });
  });
});

describe('{ error: message } is promised for the management API only', () => {
  test.for([
    ['401', deployments, { as: null }],
    ['403', `${deployments}/2/versions`, { as: 'scoped' }],
    ['404', `${one}/folders/99`, { method: 'PUT', body: { name: 'x' } }],
    ['400', `${deployments}?limit=x`, {}],
    ['501', '/api/v1/reports', {}],
  ] as const)('%s of the management API has that one property', async ([status, path, sent]) => {
    const response = await send(await newWorld(), path, sent);
    expect(response.status).toBe(Number(status));
    const body: unknown = await response.json();
    expect(body).toEqual({ error: expect.stringMatching(/./) });
  });

  test('the build API has another shape where ERR-3 says so; the status is the same', async () => {
    const world = await newWorld({ assumptions: { 'ERR-3': 'problem' } });
    const response = await send(world, branches, { as: null });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: 401, title: 'Unauthorized' });
    expect(await basisOf(send(world, branches, { as: null }))).toContain('ERR-3');
  });

  test('the SCIM API answers with the Error message of RFC 7644', async () => {
    const response = await send(await newWorld(), users, { as: null });
    expect(response.status).toBe(401);
    expect(response.headers.get('Content-Type')).toContain('application/scim+json');
    expect(await response.json()).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
    });
  });
});

describe('a staging toggle is refused with an open status, and changes nothing', () => {
  const refusals = [
    ['a personal branch by name', { branchName: 'dev-ana', enabled: true }],
    ['a personal branch by id', { branchId: 104, enabled: true }],
    ['the production branch by name', { branchName: 'main', enabled: true }],
    ['the production branch by id', { branchId: 101, enabled: true }],
  ] as const;

  test.for(refusals)('%s', async ([, body]) => {
    const world = await newWorld();
    const before = await stagingIds(world);
    const response = await put(world, toggle, body);
    expect(response.status).toBe(400);
    expect(await basisOf(put(world, toggle, body))).toContain('STAGE-9');
    expect(await stagingIds(world)).toEqual(before);
    const [branch] = world.state.tables.branches
      .rows()
      .filter(({ id, name }) =>
        'branchId' in body ? id === body.branchId : name === body.branchName,
      );
    expect(branch?.stagingEnabled).toBe(false);
  });

  test.for([
    ['forbidden', 403],
    ['conflict', 409],
    ['unprocessable', 422],
  ] as const)('STAGE-9: %s answers %i and changes nothing either', async ([choice, status]) => {
    const world = await newWorld({ assumptions: { 'STAGE-9': choice } });
    const before = await stagingIds(world);
    expect(await statusOf(put(world, toggle, { branchId: 101, enabled: true }))).toBe(status);
    expect(await stagingIds(world)).toEqual(before);
  });

  test('branchName and branchId together are a silence (STAGE-15)', async () => {
    const both = { branchName: 'feature-orders', branchId: 102, enabled: true };
    expect(await basisOf(put(await newWorld(), toggle, both))).toEqual(['STAGE-15']);
    const disagreeing = { ...both, branchId: 103 };
    for (const [choice, status] of [
      ['when-they-agree', 400],
      ['refused', 400],
      ['id-wins', 200],
      ['name-wins', 200],
    ] as const) {
      const world = await newWorld({ assumptions: { 'STAGE-15': choice } });
      expect(await statusOf(put(world, toggle, disagreeing)), choice).toBe(status);
    }
  });
});

describe('the versions list holds the heads and what the account has run', () => {
  test('the head of each channel, plus older ones that were run', async () => {
    expect(await versionNames(await newWorld())).toEqual(['1.5.9', '1.6.1', '1.6.3', '1.7.0']);
  });

  test('publishing a new head drops an old one that was never run', async () => {
    const world = await newWorld();
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    expect(await versionNames(world)).toEqual(['1.5.9', '1.6.1', '1.6.3', '1.8.0']);
    expect(await statusOf(put(world, one, { releaseChannelVersion: '1.7.0' }))).toBe(400);
  });

  test('publishing a new head keeps an old one that was run, on whichever deployment', async () => {
    const world = await newWorld();
    await put(world, `${deployments}/2`, { releaseChannelVersion: '1.7.0' });
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    expect(await versionNames(world)).toEqual(['1.5.9', '1.6.1', '1.6.3', '1.7.0', '1.8.0']);
    expect(await statusOf(put(world, one, { releaseChannelVersion: '1.7.0' }))).toBe(200);
    expect(await currentOf(world)).toEqual(['1.7.0']);
  });

  test.for(['1.6.3', 'v1.6.3', 'registry.example.com/runtime:v1.6.3'])(
    'the spelling %s switches the deployment',
    async (spelling) => {
      const world = await newWorld();
      expect(await statusOf(put(world, one, { releaseChannelVersion: spelling }))).toBe(200);
      expect(await currentOf(world)).toEqual(['1.6.3']);
    },
  );

  test.for([
    'V1.6.3',
    '1.6',
    'latest',
    ' 1.6.3',
    '9.9.9',
    'evil.example.com/runtime:v1.6.3',
    'registry.example.com/runtime:1.6.3',
    '',
  ])('%j is not on the list: 400, and nothing changes', async (spelling) => {
    const world = await newWorld();
    const response = await put(world, one, { releaseChannelVersion: spelling });
    expect(response.status).toBe(400);
    expect(await currentOf(world)).toEqual(['1.6.1']);
  });

  test('releaseChannel alone moves to the head of that channel', async () => {
    const world = await newWorld();
    await put(world, one, { releaseChannel: 'preview' });
    expect(await currentOf(world)).toEqual(['1.7.0']);
    await put(world, one, { releaseChannel: 'latest' });
    expect(await currentOf(world)).toEqual(['1.6.3']);
    expect(await currentOf(world, 2)).toEqual(['1.6.3']);
  });

  test('the image cannot be set by any field', async () => {
    const world = await newWorld();
    await put(world, one, { image: 'evil.example.com/runtime:v9', releaseChannelVersion: '1.6.3' });
    const full = (await listVersions(world)).map((item) => item.releaseChannelVersion);
    expect(full.every((text) => text.startsWith('registry.example.com/runtime:v'))).toBe(true);
  });

  test('the body of the update is a silence (UPD-9)', async () => {
    const body = { releaseChannelVersion: '1.6.3' };
    expect(await basisOf(put(await newWorld(), one, body))).toContain('UPD-9');
    const world = await newWorld({ assumptions: { 'UPD-9': 'no-content' } });
    const response = await put(world, one, body);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });
});

describe('an environment has type staging only while its branch is enabled', () => {
  test('enabling adds an id of type staging, disabling takes it away again', async () => {
    const world = await newWorld();
    expect(await stagingIds(world)).toEqual(['203']);
    await put(world, toggle, { branchId: 102, enabled: true });
    expect((await stagingIds(world)).sort()).toEqual(['202', '203']);
    await put(world, toggle, { branchId: 102, enabled: false });
    expect(await stagingIds(world)).toEqual(['203']);
  });

  test('while it is disabled it may be listed under another type (ENV-8)', async () => {
    const world = await newWorld({ assumptions: { 'ENV-8': 'as-development' } });
    expect(await stagingIds(world)).toEqual(['203']);
    const other = await listEnvironments(world, '?type=development');
    expect(other.map(({ id }) => id)).toContain('202');
  });

  test('no field of an environment names its branch', async () => {
    for (const environment of await listEnvironments(await newWorld())) {
      expect(Object.keys(environment).sort()).toEqual(['api_credentials', 'id', 'name', 'type']);
    }
  });
});

describe('recipients are all or nothing, and idempotent', () => {
  const add = (world: World, ...items: unknown[]) =>
    ok<'addNotificationRecipients'>(post(world, recipients, { recipients: items }));
  const counts = (result: Body<'addNotificationRecipients'>) => [
    result.createdRecipients.length,
    result.updatedRecipients.length,
    result.unchangedRecipients.length,
  ];
  const pat = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };

  test.for([
    ['a recipient that resolves to no email', { userId: 999 }],
    ['a chat recipient', { channelId: 'C1', channelName: 'ops' }],
    ['a chat recipient with a channel id alone', { channelId: 'C1' }],
    ['an embed user without an email', { embedTenantName: 'partner-a', externalId: 'x-9' }],
    ['an embed user without a tenant', { externalId: 'pat@example.com' }],
    ['an empty recipient', {}],
  ])('with %s nothing is written', async ([, bad]) => {
    const world = await newWorld();
    const response = await post(world, recipients, { recipients: [{ userId: 2 }, pat, bad] });
    expect(response.status).toBe(400);
    expect(world.state.tables.recipients.rows()).toEqual([]);
    expect(world.state.tables.embedUsers.has('partner-a/pat@example.com')).toBe(false);
    expect(world.state.audit).toEqual([]);
    expect(counts(await add(world, { userId: 2 }, pat))).toEqual([2, 0, 0]);
  });

  test('each recipient lands in exactly one list', async () => {
    const world = await newWorld();
    await add(world, { userId: 2 }, { ...pat, groups: ['a'] });
    const result = await add(world, { userId: 2 }, { ...pat, groups: ['b'] }, { userId: 1 });
    expect(result.unchangedRecipients.map(({ userId }) => userId)).toEqual([2]);
    expect(result.updatedRecipients.map(({ externalId }) => externalId)).toEqual([pat.externalId]);
    expect(result.createdRecipients.map(({ userId }) => userId)).toEqual([1]);
  });

  test('one recipient twice in a call is a silence (RECIP-9)', async () => {
    const twice = { recipients: [{ userId: 2 }, { email: 'ben@example.com' }] };
    expect(await basisOf(post(await newWorld(), recipients, twice))).toContain('RECIP-9');
    const world = await newWorld({ assumptions: { 'RECIP-9': 'each' } });
    expect(counts(await add(world, ...twice.recipients))).toEqual([1, 0, 1]);
  });

  test('the same call again leaves all unchanged', async () => {
    const world = await newWorld();
    const items = [{ userId: 2 }, { ...pat, securityContext: { team: [1, 2] }, groups: ['a'] }];
    expect(counts(await add(world, ...items))).toEqual([2, 0, 0]);
    expect(counts(await add(world, ...items))).toEqual([0, 0, 2]);
  });

  test.for<[string, object]>([
    ['security context', { securityContext: { team: 2 } }],
    ['attribute', { userAttributes: [{ name: 'region', value: 'south' }] }],
    ['group', { groups: ['other'] }],
  ])('a changed %s is an update', async ([, change]) => {
    const world = await newWorld();
    const before = {
      ...pat,
      securityContext: { team: 1 },
      userAttributes: [{ name: 'region', value: 'north' }],
      groups: ['team'],
    };
    await add(world, before);
    expect(counts(await add(world, { ...before, ...change }))).toEqual([0, 1, 0]);
    expect(counts(await add(world, { ...before, ...change }))).toEqual([0, 0, 1]);
  });

  test('a changed channel name cannot be shown while chat recipients are refused', () => {
    expect(contract.statements.get('RECIP-14')?.unobservable).toMatch(/refused/);
  });

  test('an unknown embed user is created', async () => {
    const world = await newWorld();
    const { createdRecipients } = await add(world, pat);
    expect(createdRecipients).toMatchObject([
      { ...pat, email: 'pat@example.com', embedUserId: expect.any(Number) },
    ]);
    expect(world.state.tables.embedUsers.get('partner-a/pat@example.com')).toBeDefined();
  });

  test.for(['member', 'memberOauth', 'embed'])('%s is no administrator: 403', async (as) => {
    const world = await newWorld();
    const body = { recipients: [{ userId: 2 }] };
    expect(await statusOf(post(world, recipients, body, as))).toBe(403);
    expect(world.state.tables.recipients.rows()).toEqual([]);
  });

  test.for(['admin', 'oauth', 'scoped'])('%s belongs to an administrator: 200', async (as) => {
    const body = { recipients: [{ userId: 2 }] };
    expect(await statusOf(post(await newWorld(), recipients, body, as))).toBe(200);
  });

  test('1 and 1000 recipients are served, 0 and 1001 are refused', async () => {
    const world = await newWorld();
    const many = (count: number) => ({
      recipients: Array.from({ length: count }, (_, index) => ({
        embedTenantName: 'partner-b',
        externalId: `p${index}@example.com`,
      })),
    });
    expect(await statusOf(post(world, recipients, many(0)))).toBe(400);
    expect(await statusOf(post(world, recipients, many(1001)))).toBe(400);
    expect(await statusOf(post(world, recipients, {}))).toBe(400);
    expect(world.state.tables.recipients.rows()).toHaveLength(0);
    expect(await statusOf(post(world, recipients, many(1)))).toBe(200);
    expect(await statusOf(post(world, recipients, many(1000)))).toBe(200);
    expect(world.state.tables.recipients.rows()).toHaveLength(1000);
  });
});

describe('a scoped key sees its deployments and gets 403 elsewhere', () => {
  test('it filters the deployments list, and the total', async () => {
    const page = await ok<'listDeployments'>(send(await newWorld(), deployments, { as: 'scoped' }));
    expect(page.data.deployments.map(({ id }) => id)).toEqual(['1']);
    expect(page.pagination.total).toBe(1);
  });

  test.for([
    ['GET', `${deployments}/2/environments`],
    ['GET', `${deployments}/2/versions`],
    ['GET', '/build/api/v1/deployments/2/branches'],
    ['GET', `${deployments}/2/dbt-sync/x/result`],
    ['PUT', `${deployments}/2`, { releaseChannelVersion: '1.6.1' }],
    ['PUT', `${deployments}/2/folders/21`, { name: 'x' }],
    ['POST', `${deployments}/2/notifications/41/recipients`, { recipients: [{ userId: 2 }] }],
    ['POST', `${deployments}/2/environments/301/tokens-for-meta-sync`, { security_context: {} }],
    [
      'PUT',
      '/build/api/v1/deployments/2/branches/staging-environment',
      { branchName: 'main', enabled: true },
    ],
  ] as const)('%s %s: 403', async ([method, path, body]) => {
    const world = await newWorld();
    expect(await statusOf(send(world, path, { as: 'scoped', method, body }))).toBe(403);
  });

  test('an unscoped key reaches every deployment', async () => {
    const world = await newWorld();
    for (const id of [1, 2, 45]) {
      expect(await statusOf(send(world, `${deployments}/${id}/versions`))).toBe(200);
    }
  });

  test('Api-Key is promised for SCIM only; elsewhere it is a silence (AUTH-18)', async () => {
    const world = await newWorld();
    const scim = send(world, users, { authorization: `Api-Key ${world.id}-scim` });
    expect(await statusOf(scim)).toBe(200);
    const authorization = `Api-Key ${world.id}-admin`;
    expect(await statusOf(send(world, deployments, { authorization }))).toBe(401);
    expect(await basisOf(send(world, deployments, { authorization }))).toEqual(['AUTH-18']);
  });
});

describe('the listed fields are there; what may be absent of a folder or recipient is open', () => {
  test('a deployment', async () => {
    const { data } = await ok<'listDeployments'>(send(await newWorld(), deployments));
    for (const item of data.deployments) {
      expect(item).toEqual({
        id: expect.any(String),
        name: expect.any(String),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    }
  });

  test('an environment', async () => {
    for (const item of await listEnvironments(await newWorld())) {
      expect(item).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        name: expect.any(String),
        type: expect.stringMatching(/^(production|staging|development)$/),
        api_credentials: {
          rest: { url: expect.stringMatching(/^https:/) },
          sql: { host: expect.any(String), port: expect.any(Number) },
        },
      });
    }
  });

  test('a branch', async () => {
    const { data } = await ok<'setStagingEnvironment'>(
      put(await newWorld(), toggle, { branchId: 103, enabled: false }),
    );
    expect(data).toMatchObject({
      id: 103,
      name: 'release-2',
      parentBranch: expect.any(String),
      lastHash: expect.any(String),
      isStagingEnvironmentEnabled: false,
    });
  });

  test('a version', async () => {
    for (const item of await listVersions(await newWorld())) {
      expect(item).toEqual({
        releaseChannelVersion: `registry.example.com/runtime:v${item.version}`,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        releaseChannel: expect.any(String),
        isLatestInChannel: expect.any(Boolean),
        isCurrent: expect.any(Boolean),
      });
    }
  });

  test('a dbt sync result', async () => {
    const path = `${one}/dbt-sync/sync-completed/result`;
    expect(await ok<'getDbtSyncResult'>(send(await newWorld(), path))).toEqual({
      syncJobId: 'sync-completed',
      generatedFiles: expect.arrayContaining([{ path: expect.any(String) }]),
      manifestStats: {
        models: expect.any(Number),
        sources: expect.any(Number),
        macros: expect.any(Number),
      },
      unitCount: expect.any(Number),
      completedAt: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
    });
  });

  test('a folder may lack fields (FOLDER-13)', async () => {
    const body = { name: 'Money' };
    const few = await newWorld({ assumptions: { 'FOLDER-13': 'few' } });
    const folder = await ok<'updateFolder'>(put(few, `${one}/folders/11`, body));
    expect(folder).not.toHaveProperty('createdBy');
    expect(await basisOf(put(await newWorld(), `${one}/folders/11`, body))).toContain('FOLDER-13');
  });

  test('a recipient may lack fields (RECIP-29)', async () => {
    const body = { recipients: [{ userId: 2 }] };
    const { createdRecipients } = await ok<'addNotificationRecipients'>(
      post(await newWorld(), recipients, body),
    );
    expect(createdRecipients).toEqual([
      { type: 'USER', userId: 2, email: 'ben@example.com', username: expect.any(String) },
    ]);
    expect(await basisOf(post(await newWorld(), recipients, body))).toContain('RECIP-29');
  });
});

describe('which statuses are promised, and which are silences', () => {
  test.for([
    ['a missing credential', { as: null }],
    ['another scheme', { authorization: 'Basic dTpw' }],
    ['no token', { authorization: 'Bearer' }],
    ['two tokens', { authorization: 'Bearer a b' }],
    ['an expired key', { as: 'expired' }],
  ] as const)('%s is promised to get 401', async ([, sent]) => {
    const world = await newWorld();
    expect(await statusOf(send(world, deployments, sent))).toBe(401);
    expect(await basisOf(send(world, deployments, sent))).toEqual([]);
  });

  test('a key that the service expired is promised to get 401', async () => {
    const world = await newWorld();
    world.emit({ type: 'expireCredential', credential: 'member' });
    expect(await statusOf(send(world, deployments, { as: 'member' }))).toBe(401);
    expect(await basisOf(send(world, deployments, { as: 'member' }))).toEqual([]);
  });

  test('an unknown key is a silence (AUTH-7)', async () => {
    const sent = { authorization: 'Bearer never-issued' };
    const path = `/w/${(await newWorld()).id}${deployments}`;
    const response = await mock.fetch(path, { headers: { Authorization: sent.authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get('Lockstep-Basis')).toBe('assumed; AUTH-7');
  });

  test('a revoked key is a silence (AUTH-7)', async () => {
    const world = await newWorld({ assumptions: { 'AUTH-7': 'forbidden' } });
    world.emit({ type: 'revokeCredential', credential: 'member' });
    expect(await statusOf(send(world, deployments, { as: 'member' }))).toBe(403);
    expect(await basisOf(send(world, deployments, { as: 'member' }))).toEqual(['AUTH-7']);
  });

  test.for([0, 1001])('%i recipients are a silence (RECIP-27)', async (count) => {
    const body = { recipients: Array.from({ length: count }, () => ({ userId: 2 })) };
    expect(await basisOf(post(await newWorld(), recipients, body))).toEqual(['RECIP-27']);
    const world = await newWorld({ assumptions: { 'RECIP-27': 'too-large' } });
    expect(await statusOf(post(world, recipients, body))).toBe(413);
  });

  test.for([
    ['ERR-5', 'unprocessable', 422, 'GET', `${deployments}?limit=x`, undefined],
    ['ERR-6', 'unprocessable', 422, 'PUT', `${one}/folders/11`, { position: 'x' }],
    ['ERR-9', 'forbidden', 403, 'GET', `${deployments}/99/versions`, undefined],
    ['AUTH-19', 'forbidden', 403, 'GET', deployments, undefined, 'scim'],
    ['AUTH-20', 'forbidden', 403, 'GET', users, undefined, 'admin'],
  ] as const)(
    '%s is a silence: %s answers %i',
    async ([statement, choice, status, method, path, body, as]) => {
      const sent = { method, body, as: as ?? 'admin' };
      const world = await newWorld({ assumptions: { [statement]: choice } });
      expect(await statusOf(send(world, path, sent))).toBe(status);
      expect(await basisOf(send(await newWorld(), path, sent))).toContain(statement);
    },
  );

  test('the order of 400, 403 and 404 is a silence (AUTH-23)', async () => {
    const sent = { as: 'member', method: 'POST', body: { recipients: 'x' } };
    const path = `${one}/notifications/99/recipients`;
    for (const [choice, status] of [
      ['authorise-validate-find', 403],
      ['validate-first', 400],
      ['find-first', 404],
    ] as const) {
      const world = await newWorld({ assumptions: { 'AUTH-23': choice } });
      expect(await statusOf(send(world, path, sent)), choice).toBe(status);
      expect(await basisOf(send(world, path, sent)), choice).toContain('AUTH-23');
    }
  });

  test.for([429, 502])('a gateway may answer %i at any time, with its own body', async (status) => {
    const world = await newWorld();
    world.faults.add({ phase: 'before', status, retryAfter: 2 });
    const response = await send(world, deployments);
    expect(response.status).toBe(status);
    expect(response.headers.get('Retry-After')).toBe('2');
    expect(world.requests.last()?.contractFailures).toEqual([]);
  });
});

describe('the metadata token is a JWT for metadata with the security context inside', () => {
  const context = { tenant: 'north', teams: ['a', 'b'], depth: { level: 3 } };
  const mint = async (world: World, body: object = { security_context: context }) =>
    (await ok<'createMetaSyncToken'>(post(world, tokens, body))).data;

  test('its signature holds against the published keys', async () => {
    const world = await newWorld();
    const { token } = await mint(world);
    const answered = await mock.fetch(`/__admin/worlds/${world.id}/jwks.json`);
    const keys = createLocalJWKSet((await answered.json()) as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, { currentDate: new Date(NOW) });
    expect(payload).toMatchObject({ scope: 'metadata', aud: 'metadata' });
    expect(decodeProtectedHeader(token).typ).toBe('JWT');
  });

  /** Every value of a claim set, however deep. */
  const valuesOf = (value: unknown): unknown[] =>
    value !== null && typeof value === 'object'
      ? [value, ...Object.values(value).flatMap(valuesOf)]
      : [value];

  test.for(['security-context', 'camel-case', 'nested'])(
    'the context is found by its value, whatever claim carries it (META-11: %s)',
    async (choice) => {
      const world = await newWorld({ assumptions: { 'META-11': choice } });
      const { token } = await mint(world);
      const payload: unknown = JSON.parse(
        Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(valuesOf(payload)).toContainEqual(context);
    },
  );

  test.for([
    [86_400, {}],
    [60, { expires_in: 60 }],
    [31_536_000, { expires_in: 31_536_000 }],
  ] as const)('it expires after %i seconds', async ([seconds, more]) => {
    const made = await mint(await newWorld(), { security_context: {}, ...more });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(seconds * 1000);
    expect(made.created_at).toBe(NOW);
    const payload = JSON.parse(
      Buffer.from(made.token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { exp: number };
    expect(payload.exp).toBe(Date.parse(made.expires_at) / 1000);
  });

  test('it opens no operation of this API', async () => {
    const world = await newWorld();
    const { token } = await mint(world);
    for (const path of [deployments, environments, branches, versions, log, users]) {
      const authorization = `Bearer ${token}`;
      expect(await statusOf(send(world, path, { authorization })), path).toBe(401);
    }
  });

  test('security_context is required', async () => {
    const world = await newWorld();
    expect(await statusOf(post(world, tokens, { expires_in: 60 }))).toBe(400);
    expect(await statusOf(post(world, tokens, { security_context: 'x' }))).toBe(400);
    expect(world.state.audit).toEqual([]);
  });
});

describe('the audit log is a CSV attachment behind a plan feature and a permission', () => {
  const COLUMNS = [
    'timestamp',
    'eventName',
    'userEmail',
    'deploymentId',
    'ipAddress',
    'details',
  ] as const;
  type Row = Record<(typeof COLUMNS)[number], string>;
  const exported = async (world: World, query = ''): Promise<Row[]> => {
    const response = await send(world, `${log}${query}`);
    expect(response.status).toBe(200);
    return parse(await response.text(), { columns: true });
  };

  test('media type, attachment, and the same number of fields in each record', async () => {
    const response = await send(await newWorld(), log);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/csv/);
    expect(response.headers.get('Content-Disposition')).toMatch(/^attachment/);
    const text = await response.text();
    const records: string[][] = parse(text);
    expect(records[0]).toEqual(COLUMNS);
    expect(records).toHaveLength(501);
    expect(new Set(records.map((record) => record.length))).toEqual(new Set([6]));
    // RFC 4180: lines end with CRLF, also where fields have line ends of their own.
    expect(text.endsWith('\r\n')).toBe(true);
  });

  test('it comes in pieces', async () => {
    const response = await send(await newWorld(), log);
    if (response.body === null) throw new Error('an export has a body');
    let pieces = 0;
    for await (const piece of response.body) pieces += piece.length > 0 ? 1 : 0;
    expect(pieces).toBeGreaterThan(1);
  });

  test('start and end bound the days', async () => {
    const rows = await exported(await newWorld(), '?start=2026-02-10&end=2026-02-12');
    const days = new Set(rows.map((row) => row.timestamp.slice(0, 10)));
    expect(rows.length).toBeGreaterThan(0);
    expect([...days].every((day) => day >= '2026-02-10' && day <= '2026-02-12')).toBe(true);
  });

  test('search, eventName and userEmail keep the events that fit, and all of them', async () => {
    const world = await newWorld();
    const all = await exported(world);
    const text = (row: Row) => Object.values(row).join(' ').toLowerCase();
    for (const [query, keeps] of [
      ['?search=revenue', (row: Row) => text(row).includes('revenue')],
      ['?eventName=Login', (row: Row) => row.eventName === 'Login'],
      ['?userEmail=ana@example.com', (row: Row) => row.userEmail === 'ana@example.com'],
      [
        '?eventName=Login&userEmail=ana@example.com',
        (row: Row) => row.eventName === 'Login' && row.userEmail === 'ana@example.com',
      ],
    ] as const) {
      const kept = all.filter(keeps);
      expect(kept.length, query).toBeGreaterThan(0);
      expect(await exported(world, query), query).toEqual(kept);
    }
  });

  test('what the operations of the mock do appears in it', async () => {
    const world = await newWorld();
    await put(world, `${one}/folders/11`, { name: 'Money' });
    await put(world, toggle, { branchId: 102, enabled: true });
    await put(world, one, { releaseChannelVersion: '1.6.3' });
    await post(world, tokens, { security_context: {} });
    await post(world, recipients, { recipients: [{ userId: 2 }] });
    const own = (await exported(world)).slice(500);
    expect(own.map(({ eventName }) => eventName)).toEqual([
      'FolderUpdated',
      'StagingEnvironmentEnabled',
      'DeploymentUpdated',
      'MetadataTokenCreated',
      'RecipientsAdded',
    ]);
    expect(new Set(own.map(({ userEmail }) => userEmail))).toEqual(new Set(['ana@example.com']));
    expect(new Set(own.map(({ timestamp }) => timestamp))).toEqual(new Set([NOW]));
  });

  test('adding recipients leaves an event of the type that the log already has', async () => {
    const world = await newWorld();
    const known = new Set((await exported(world)).map(({ eventName }) => eventName));
    await post(world, recipients, { recipients: [{ userId: 2 }] });
    expect(known).toContain((await exported(world)).at(-1)?.eventName);
  });

  test.for(['member', 'memberOauth'])(
    'without the permission %s is refused with 403',
    async (as) => {
      expect(await statusOf(send(await newWorld(), log, { as }))).toBe(403);
    },
  );

  test('without the feature it is refused, with a status that is a silence', async () => {
    const world = await newWorld({ fixture: 'basic-plan' });
    expect(await statusOf(send(world, log))).toBe(403);
    expect(await basisOf(send(world, log))).toContain('AUDIT-13');
  });

  test('columns and event names are silences', async () => {
    expect(await basisOf(send(await newWorld(), log))).toEqual(
      expect.arrayContaining(['AUDIT-14', 'AUDIT-15']),
    );
  });
});

describe('a folder update changes only what is sent, and never the parent', () => {
  const folder = (id: number, deployment = 1) => `${deployments}/${deployment}/folders/${id}`;

  test('name alone, position alone', async () => {
    const world = await newWorld();
    const before = await ok<'updateFolder'>(put(world, folder(13), {}));
    const named = await ok<'updateFolder'>(put(world, folder(13), { name: 'Yearly' }));
    expect(named).toEqual({ ...before, name: 'Yearly', updatedAt: NOW, updatedBy: 1 });
    const moved = await ok<'updateFolder'>(put(world, folder(13), { position: 0 }));
    expect(moved).toMatchObject({ name: 'Yearly', position: 0, parentId: 11 });
  });

  test('a parent that is sent is passed over', async () => {
    const world = await newWorld();
    const moved = await ok<'updateFolder'>(
      put(world, folder(13), { name: 'Yearly', parentId: 12, folderPath: [] }),
    );
    expect(moved.parentId).toBe(11);
    expect(moved.folderPath).toEqual([{ id: 11, name: 'Finance' }]);
  });

  test('a folder of another deployment, and one that does not exist: 404', async () => {
    const world = await newWorld();
    expect(await statusOf(put(world, folder(21), { name: 'x' }))).toBe(404);
    expect(await statusOf(put(world, folder(11, 2), { name: 'x' }))).toBe(404);
    expect(await statusOf(put(world, folder(99), { name: 'x' }))).toBe(404);
    expect(await statusOf(put(world, folder(21, 2), { name: 'x' }))).toBe(200);
  });

  test('no edit access is an authorisation failure, and changes nothing', async () => {
    const world = await newWorld();
    expect(await statusOf(put(world, folder(12), { name: 'x' }, 'member'))).toBe(403);
    expect(world.state.tables.folders.get(12)?.name).toBe('Operations');
    expect(await statusOf(put(world, folder(13), { name: 'x' }, 'member'))).toBe(200);
  });
});

describe('what real clients send is served, and graded as assumed', () => {
  test('a slash at the end of a path (REQ-1)', async () => {
    const world = await newWorld();
    const page = await ok<'listDeployments'>(send(world, `${deployments}/`));
    expect(page.pagination.total).toBe(45);
    expect(await basisOf(send(world, `${deployments}/`))).toEqual(['REQ-1']);
  });

  test.for([`${one}/folders/11`, one])('PUT %s with Content-Length: 0 (REQ-4)', async (path) => {
    const world = await newWorld();
    const empty = { method: 'PUT', headers: { 'Content-Length': '0' } };
    expect(await statusOf(send(world, path, empty))).toBe(200);
    expect(await basisOf(send(world, path, empty))).toContain('REQ-4');
  });

  test('a query parameter that the description does not know (REQ-2)', async () => {
    const world = await newWorld();
    expect(await statusOf(send(world, `${deployments}?_=1700000000`))).toBe(200);
    expect(await basisOf(send(world, `${deployments}?_=1700000000`))).toEqual(['REQ-2']);
  });

  test('a number for an id that is called a string (REQ-5)', async () => {
    const world = await newWorld();
    const item = {
      recipients: [{ embedTenantName: 'partner-a', externalId: 7, email: 'pat@example.com' }],
    };
    const { createdRecipients } = await ok<'addNotificationRecipients'>(
      post(world, recipients, item),
    );
    expect(createdRecipients).toMatchObject([{ externalId: '7' }]);
    expect(await basisOf(post(world, recipients, item))).toContain('REQ-5');
  });
});

describe('only HTTPS is accepted', () => {
  test.for(['admin', null])('plain HTTP to a mock of HTTPS is turned away (%s)', async (as) => {
    const world = await newWorld();
    const answered = await mock.service.handle({
      method: 'GET',
      target: `/w/${world.id}${deployments}`,
      headers: as === null ? {} : { authorization: `Bearer ${world.id}-${as}` },
      body: undefined,
      plain: true,
    });
    expect(answered.status).toBe(403);
    expect(answered.headers['Lockstep-Basis']).toBe('assumed; AUTH-17');
  });
});

describe('some calls cannot be taken back: hence x-effect', () => {
  test.for([
    ['addNotificationRecipients', 'permanent'],
    ['updateDeployment', 'disruptive'],
    ['setStagingEnvironment', 'reversible'],
    ['updateFolder', 'reversible'],
    ['createMetaSyncToken', 'reversible'],
  ] as const)('%s is %s', ([id, effect]) => {
    expect(contract.operations.get(id)?.effect).toBe(effect);
  });

  test('every read has no effect', () => {
    const reads = [...contract.operations.values()].filter(({ method }) => method === 'GET');
    expect(reads).toHaveLength(7);
    expect(reads.filter(({ effect }) => effect !== 'none')).toEqual([]);
  });
});
