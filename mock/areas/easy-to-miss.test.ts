/**
 * Details of the description that are easy to miss and that no scenario can check: the mock's
 * choice at a silence, and its effect on a client.
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

/** The type of the body of a 200, from the contract. */
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
/** The silences that an answer rests on; none if it is documented. */
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

describe('a deployment id is an integer in three paths and a string in the others', () => {
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
    `${deployments}/one/environments/201/tokens-for-meta-sync`,
    `${one}/environments/one/tokens-for-meta-sync`,
    `${deployments}/one/versions`,
  ])('%s is refused: "one" is not an integer (ERR-11)', async (path) => {
    const world = await newWorld();
    const reads = /dbt-sync|versions/.test(path);
    const method = path.includes('folders') ? 'PUT' : 'POST';
    const body = { security_context: {} };
    const response = await send(world, path, reads ? {} : { method, body });
    expect(response.status).toBe(400);
    expect(response.headers.get('Lockstep-Basis')).toContain('ERR-11');
  });
});

describe('a promised 400 stays a 400 under every choice of ERR-6', () => {
  const pat = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };
  test.for<[string, 'POST' | 'PUT', string, object]>([
    ['a chat', 'POST', recipients, { recipients: [{ channelId: 'C1' }] }],
    [
      'a chat after half an embed user',
      'POST',
      recipients,
      { recipients: [{ externalId: 'pat@example.com' }, { channelId: 'C1' }] },
    ],
    [
      'an unknown user after an item of two kinds',
      'POST',
      recipients,
      { recipients: [{ ...pat, userId: 2 }, { userId: 999 }] },
    ],
    [
      'half an embed user without an email',
      'POST',
      recipients,
      { recipients: [{ externalId: 'x' }] },
    ],
    [
      'an unlisted version',
      'PUT',
      one,
      { releaseChannelVersion: '9.9.9', releaseChannel: 'latest' },
    ],
  ])('%s', async ([, method, path, body]) => {
    const assumptions = { 'ERR-6': 'unprocessable', 'UPD-12': 'refused' } as const;
    expect(await statusOf(send(await newWorld({ assumptions }), path, { method, body }))).toBe(400);
  });

  test.for([
    ['{"security_context": {"a": 1e400}}', {}, /too large for a number of 64 bits/],
    ['{"security_context": {}}', { 'content-encoding': 'gzip' }, /Content-Encoding gzip/],
  ] as const)('a body that cannot be read says why: %s %j', async ([body, headers, message]) => {
    const world = await newWorld();
    const response = await world.fetch(tokens, { method: 'POST', body, headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(message) });
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

  const text = expect.stringMatching(/./);
  test.for([
    ['message', { message: text }],
    ['message-list', { message: [text] }],
    ['message-object', { message: { error: text } }],
    ['as-management', { error: text }],
    ['problem', { type: 'about:blank', status: 401, title: 'Unauthorized', detail: text }],
  ] as const)('the build API has the shape that ERR-3 says: %s', async ([choice, body]) => {
    const world = await newWorld({ assumptions: { 'ERR-3': choice } });
    const response = await send(world, branches, { as: null });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(body);
    expect(await basisOf(send(world, branches, { as: null }))).toContain('ERR-3');
  });
});

describe('a path or a method that the contract does not know (SVC-6, ERR-10)', () => {
  test.for([
    ['not-modelled', 501, null],
    ['method-not-allowed', 405, 'PUT'],
    ['not-found', 404, null],
  ] as const)('a method: %s', async ([choice, status, allow]) => {
    const world = await newWorld({ assumptions: { 'ERR-10': choice } });
    const response = await send(world, `${one}/folders/11`, { method: 'DELETE' });
    expect(response.status).toBe(status);
    expect(response.headers.get('Allow')).toBe(allow);
    expect(response.headers.get('Lockstep-Basis')).toBe('assumed; ERR-10');
  });

  test('an unknown path may get the page of a web application', async () => {
    const world = await newWorld({ assumptions: { 'SVC-6': 'web-page' } });
    const response = await send(world, '/api/v1/reports');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });
});

describe('the status of a refused staging toggle', () => {
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

describe('the versions after a new head or an update', () => {
  test('publishing a new head drops an old one that was never run', async () => {
    const world = await newWorld();
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    expect(await versionNames(world)).toEqual(['1.5.9', '1.6.1', '1.6.3', '1.8.0']);
    expect(await statusOf(put(world, one, { releaseChannelVersion: '1.7.0' }))).toBe(400);
  });

  test('publishing a new head keeps an old one that any deployment has run', async () => {
    const world = await newWorld();
    await put(world, `${deployments}/2`, { releaseChannelVersion: '1.7.0' });
    world.emit({ type: 'publishVersion', channel: 'preview', version: '1.8.0' });
    expect(await versionNames(world)).toEqual(['1.5.9', '1.6.1', '1.6.3', '1.7.0', '1.8.0']);
    expect(await statusOf(put(world, one, { releaseChannelVersion: '1.7.0' }))).toBe(200);
    expect(await currentOf(world)).toEqual(['1.7.0']);
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

describe('an environment of a branch that is not enabled', () => {
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

describe('silences about recipients', () => {
  const add = (world: World, ...items: unknown[]) =>
    ok<'addNotificationRecipients'>(post(world, recipients, { recipients: items }));
  const counts = (result: Body<'addNotificationRecipients'>) => [
    result.createdRecipients.length,
    result.updatedRecipients.length,
    result.unchangedRecipients.length,
  ];

  test('one recipient twice in a call is a silence (RECIP-9)', async () => {
    const twice = { recipients: [{ userId: 2 }, { email: 'ben@example.com' }] };
    expect(await basisOf(post(await newWorld(), recipients, twice))).toContain('RECIP-9');
    const world = await newWorld({ assumptions: { 'RECIP-9': 'each' } });
    expect(counts(await add(world, ...twice.recipients))).toEqual([1, 0, 1]);
  });

  test('a changed channel name cannot be shown while chat recipients are refused', () => {
    expect(contract.statements.get('RECIP-14')?.unobservable).toMatch(/refused/);
  });
});

describe('silences about the access of a credential', () => {
  test('a scoped key filters the deployments list, and the total', async () => {
    const page = await ok<'listDeployments'>(send(await newWorld(), deployments, { as: 'scoped' }));
    expect(page.data.deployments.map(({ id }) => id)).toEqual(['1']);
    expect(page.pagination.total).toBe(1);
  });

  test('Api-Key is promised for SCIM only; elsewhere it is a silence (AUTH-18)', async () => {
    const world = await newWorld();
    const scim = send(world, users, { authorization: `Api-Key ${world.id}-scim` });
    expect(await statusOf(scim)).toBe(200);
    const authorization = `Api-Key ${world.id}-admin`;
    expect(await statusOf(send(world, deployments, { authorization }))).toBe(200);
    expect(await basisOf(send(world, deployments, { authorization }))).toEqual(['AUTH-18']);
  });

  test.for([
    ['admin', 'The Api-Key scheme is accepted by the SCIM API only; use Bearer', ['AUTH-18']],
    ['nobody', 'The Api-Key scheme is accepted by the SCIM API only; use Bearer', ['AUTH-18']],
    ['expired', 'The credential has expired', []],
  ] as const)('one refusal of Api-Key has one basis: %s', async ([name, message, basis]) => {
    const world = await newWorld({ assumptions: { 'AUTH-18': 'refused' } });
    const authorization = `Api-Key ${world.id}-${name}`;
    const answered = await send(world, deployments, { authorization });
    expect(await answered.json()).toEqual({ error: message });
    expect(await basisOf(Promise.resolve(answered))).toEqual(basis);
    expect(world.requests.last()?.refusal?.message).toBe(message);
  });

  test.for([
    ['a SCIM token is an API key (AUTH-19)', deployments, 'scim', 'AUTH-19'],
    [
      'an embed JWT reads environments (AUTH-37)',
      `${one}/environments?type=staging`,
      'embed',
      'AUTH-37',
    ],
    ['an API key of an administrator opens SCIM (AUTH-20)', `${users}?count=1`, 'admin', 'AUTH-20'],
  ] as const)('%s', async ([, path, as, silence]) => {
    const world = await newWorld();
    expect(await statusOf(send(world, path, { as }))).toBe(200);
    expect(await basisOf(send(world, path, { as }))).toEqual([silence]);
  });
});

test("a member's OAuth token may read, and may not switch a version (AUTH-24)", async () => {
  const world = await newWorld();
  const as = 'memberOauth';
  expect(await statusOf(send(world, `${one}/versions`, { as }))).toBe(200);
  const body = { releaseChannelVersion: '1.6.3' };
  expect(await statusOf(send(world, one, { method: 'PUT', body, as }))).toBe(403);
  expect(await basisOf(send(world, one, { method: 'PUT', body, as }))).toContain('AUTH-24');
});

describe('silences about absent fields of a folder or recipient', () => {
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

describe('statuses that are silences', () => {
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
    ['ERR-11', 'not-found', 404, 'GET', `${deployments}/east/versions`, undefined],
    ['REQ-4', 'refused 411', 411, 'PUT', `${one}/folders/11`, undefined],
    ['PAGE-12', 'refused', 400, 'GET', `${one}/versions?first=1`, undefined],
    ['ENV-9', 'ignored', 200, 'GET', `${one}/environments?type=none`, undefined],
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

describe('the metadata token is signed, and any claim may hold the context', () => {
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

  test.for(['security-context', 'camel-case', 'nested'] as const)(
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
});

describe('events of the mock in the audit log, and an account without the feature', () => {
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

  test('the operations of the mock write events in the log', async () => {
    const world = await newWorld();
    await put(world, `${one}/folders/11`, { name: 'Money' });
    await put(world, toggle, { branchId: 102, enabled: true });
    await put(world, one, { releaseChannelVersion: '1.6.3' });
    await post(world, tokens, { security_context: {} });
    await post(world, recipients, { recipients: [{ userId: 2 }] });
    const own = (await exported(world)).slice(500);
    expect(own.map(({ eventName }) => eventName)).toEqual([
      'Updated folder',
      'Enabled staging environment',
      'Updated deployment configuration',
      'Created metadata token',
      'Added recipients',
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

  test('without the feature the log is refused, with a status that is a silence', async () => {
    const world = await newWorld({ fixture: 'basic-plan' });
    expect(await statusOf(send(world, log))).toBe(403);
    expect(await basisOf(send(world, log))).toContain('AUDIT-13');
  });
});

describe('requests of real clients are served, and graded as assumed', () => {
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
  test.for(['admin', null])('plain HTTP to a mock of HTTPS is refused (%s)', async (as) => {
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

describe('some calls cannot be undone, as x-effect says', () => {
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
