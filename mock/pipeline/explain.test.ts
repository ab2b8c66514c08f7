/** The explanations of why a request was refused. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contract, contractFile } from '../../spec/contract.ts';
import { createMock } from '../kits/index.ts';
import { corpus } from '../testing/corpus.ts';
import type { CorpusRequest } from '../testing/corpus-entry.ts';
import { replay } from '../testing/replay.ts';
import type { Explanation } from '../world/explanation.ts';
import { explanationLines, tellFault } from './explain.ts';

const contractLines = readFileSync(contractFile, 'utf8').split('\n');
const one = '/api/v1/deployments/1';
const staging = '/build/api/v1/deployments/1/branches/staging-environment';

/** Why the last of the requests was refused. */
async function refusalOf(
  send: CorpusRequest,
  fixture = 'acme',
  assumptions: Readonly<Record<string, string>> = {},
): Promise<Explanation> {
  const { world } = await replay({ name: '', fixture, send }, assumptions);
  const refusal = world.journal.last()?.refusal;
  if (refusal === null || refusal === undefined) throw new Error('it was not refused');
  return refusal;
}

/** The text at the place that an explanation names. */
function cited({ contract: place }: Explanation): string {
  return contractLines[Number(place?.split(':')[1]) - 1]?.trim() ?? '';
}

const put = (path: string, body: unknown, as = 'admin'): CorpusRequest => ({
  method: 'PUT',
  path,
  body,
  as,
});
const post = (path: string, body: unknown, as = 'admin'): CorpusRequest => ({
  method: 'POST',
  path,
  body,
  as,
});

describe('every refusal of the corpus', () => {
  test.for(corpus.map((entry) => ({ ...entry })))('$name', async (entry) => {
    const { world, status } = await replay(entry);
    const refusal = world.journal.last()?.refusal ?? null;
    const simulated = entry.send.headers?.prefer?.includes('code=') === true;
    expect(refusal === null).toBe(status < 400 || simulated);
    if (refusal === null) return;
    expect(refusal.sentence).toBe(contract.statements.get(refusal.statement)?.text);
    if (refusal.contract !== null) expect(cited(refusal)).not.toBe('');
    const rights = status === 401 || (status === 403 && refusal.statement !== 'AUTH-17');
    expect(refusal.missingRight !== undefined, 'says which rule said no').toBe(rights);
    const { operation } = world.journal.last() ?? {};
    if (operation !== null) expect(refusal.contract).not.toBeNull();
  });
});

describe('a body: pointers, every problem, the line of the contract', () => {
  test('two fields of the wrong type', async () => {
    const refusal = await refusalOf(put(`${one}/folders/11`, { name: 7, position: 'first' }));
    expect(refusal).toMatchObject({
      message: 'name must be a string, not 7; position must be an integer, not "first"',
      statement: 'ERR-6',
      at: '/name',
      problems: [{ at: '/name' }, { at: '/position' }],
    });
    expect(cited(refusal)).toBe('type: string');
  });

  test('a refusal that a silence decides names that silence', async () => {
    const sent = put(`${one}/folders/11`, { name: '' });
    const refusal = await refusalOf(sent, 'acme', { 'FOLDER-16': 'refused' });
    expect(refusal).toMatchObject({
      message: 'name must not be empty',
      statement: 'FOLDER-16',
      sentence: expect.stringMatching(/^Whether the name of a folder may be empty/),
      at: '/name',
    });
    expect(cited(refusal)).toBe('name:');
  });

  test.for<[string, CorpusRequest, string, string, RegExp]>([
    [
      'a missing field',
      post(`${one}/environments/201/tokens-for-meta-sync`, { securityContext: {} }),
      'The body must have security_context; it has securityContext',
      '',
      /^required: \[security_context\]/,
    ],
    [
      'the nearest of several forms',
      put(staging, { enabled: true, branch_id: 102 }),
      'The body must have branchId or branchName; it has branch_id',
      '',
      /^anyOf:$/,
    ],
    [
      'not an object',
      put(`${one}/folders/11`, []),
      'The body must be an object, not a list',
      '',
      /^type: object/,
    ],
    [
      'too few items',
      post(`${one}/notifications/31/recipients`, { recipients: [] }),
      'recipients must have at least 1 item, not 0',
      '/recipients',
      /^minItems: 1/,
    ],
    [
      'within an item',
      post(`${one}/notifications/31/recipients`, { recipients: [{ userId: 2 }, { userId: 'x' }] }),
      'recipients[1].userId must be an integer, not "x"',
      '/recipients/1/userId',
      /^type: integer$/,
    ],
    [
      'a rule that no schema tells',
      post(`${one}/notifications/31/recipients`, { recipients: [{ userId: 999 }] }),
      'recipients[0]: there is no user 999 with an email',
      '/recipients/0/userId',
      /^userId:$/,
    ],
    [
      'an unlisted version',
      put(one, { releaseChannelVersion: '9.9.9' }),
      'Version 9.9.9 is not on the versions list; releaseChannelVersion can be 1.6.3, 1.6.1, 1.5.9, 1.7.0',
      '/releaseChannelVersion',
      /^releaseChannelVersion:/,
    ],
  ])('%s', async ([, send, message, at, line]) => {
    const refusal = await refusalOf(send);
    expect(refusal).toMatchObject({ message, at });
    expect(cited(refusal)).toMatch(line);
  });

  test('a parameter', async () => {
    const refusal = await refusalOf({ path: '/api/v1/deployments?limit=many' });
    expect(refusal).toMatchObject({ message: 'limit must be an integer, not "many"', at: 'limit' });
    expect(cited(refusal)).toBe('Limit:');
  });
});

describe('401 and 403: the rule that refused, and the credentials that pass', () => {
  const keys = ['admin', 'member', 'oauth', 'memberOauth'];
  test.for<[string, CorpusRequest, Explanation['missingRight']]>([
    [
      'no credential',
      { path: `${one}/versions`, as: null },
      {
        rule: 'credentials',
        needs: 'an API key or an OAuth access token',
        has: 'no Authorization header',
        credentials: ['admin', 'member', 'scoped', 'oauth', 'memberOauth'],
      },
    ],
    [
      'another scheme',
      { path: `${one}/versions`, authorization: 'Basic dTpw' },
      {
        rule: 'schemes',
        needs: 'Authorization: Bearer <token>',
        has: 'an Authorization header of another form',
        credentials: ['admin', 'member', 'scoped', 'oauth', 'memberOauth'],
      },
    ],
    [
      'expired',
      { path: `${one}/versions`, as: 'expired' },
      {
        rule: 'credentials',
        needs: 'an API key or an OAuth access token',
        has: 'expired, an API key of ana@example.com (administrator), expired',
        credentials: ['admin', 'member', 'scoped', 'oauth', 'memberOauth'],
      },
    ],
    [
      'a real key',
      { path: '/api/scim/v2/Users', authorization: 'Bearer sk-T0pSecret' },
      {
        rule: 'credentials',
        needs: 'a SCIM token',
        has: 'a token that is not a credential of the world w',
        credentials: ['scim'],
      },
    ],
    [
      'outside the scope',
      { path: '/api/v1/deployments/2/versions', as: 'scoped' },
      {
        rule: 'deployment',
        needs: 'a key for deployment 2, or for all',
        has: 'scoped, an API key of ana@example.com (administrator), for deployment 1 only',
        credentials: keys,
      },
    ],
    [
      'a scope that the operation does not allow',
      { path: '/api/v1/audit-logs/export', as: 'scoped' },
      {
        rule: 'unscoped',
        needs: 'a key for all deployments',
        has: 'scoped, an API key of ana@example.com (administrator), for deployment 1 only',
        credentials: ['admin', 'oauth'],
      },
    ],
    [
      'no administrator',
      post(`${one}/notifications/31/recipients`, { recipients: [{ userId: 2 }] }, 'member'),
      {
        rule: 'role',
        needs: 'the admin role',
        has: 'member, an API key of ben@example.com (no administrator)',
        credentials: ['admin', 'scoped', 'oauth', 'adminEmbed'],
      },
    ],
    [
      'no edit access',
      put(`${one}/folders/12`, { name: 'x' }, 'member'),
      {
        rule: 'edit',
        needs: 'edit access to folder 12',
        has: 'member, an API key of ben@example.com (no administrator)',
        credentials: ['admin', 'scoped', 'oauth'],
      },
    ],
  ])('%s', async ([, send, missingRight]) => {
    const refusal = await refusalOf(send, 'acme', { 'AUTH-21': 'forbidden' });
    expect(refusal.missingRight).toEqual(missingRight);
    expect(cited(refusal)).toMatch(/^x-requires:/);
    expect(JSON.stringify(refusal)).not.toMatch(/sk-|T0pSecret/);
  });

  test('a refusal says so if no credential of the world would be accepted', async () => {
    const refusal = await refusalOf({ path: '/api/v1/audit-logs/export' }, 'basic-plan');
    expect(refusal.missingRight).toMatchObject({ rule: 'feature', credentials: [] });
    expect(explanationLines(refusal)).toContain('credentials that would do: none of this world');
  });

  test.for(corpus.map((entry) => ({ ...entry })))(
    'a suggested credential is accepted: $name',
    async (entry) => {
      const { world } = await replay(entry);
      for (const as of world.journal.last()?.refusal?.missingRight?.credentials ?? []) {
        const { authorization: _, withToken: __, ...send } = entry.send;
        const { status } = await replay({ ...entry, send: { ...send, as } });
        expect([401, 403], `as ${as}`).not.toContain(status);
      }
    },
  );
});

describe('no operation: the nearest one, and every difference from it', () => {
  test.for<[string, CorpusRequest, string | undefined, string[]]>([
    [
      'a slip',
      { path: '/api/v1/deployment/1/version' },
      'listVersions',
      ['path: has deployments where "deployment" is', 'path: has versions where "version" is'],
    ],
    [
      'the prefix is left out',
      { path: '/deployments' },
      'listDeployments',
      ['path: has api, which is left out', 'path: has v1, which is left out'],
    ],
    [
      'too much',
      { path: '/api/v1/api/v1/deployments/1/versions' },
      'listVersions',
      ['path: has no "api"', 'path: has no "v1"'],
    ],
    [
      'method and body',
      { method: 'PATCH', path: `${one}/folders/11`, body: { name: 7 } },
      'updateFolder',
      ['method: is PUT, not PATCH', 'body: name must be a string, not 7'],
    ],
    [
      'path and credential',
      { method: 'POST', path: `${one}/notification/31/recipients`, body: {}, as: 'member' },
      'addNotificationRecipients',
      [
        'path: has notifications where "notification" is',
        'credential: needs the admin role, but was sent member, an API key of ben@example.com (no administrator)',
        'body: The body must have recipients',
      ],
    ],
    [
      'nobody asks',
      { path: '/api/scim/v2/User', as: null },
      'listScimUsers',
      [
        'path: has Users where "User" is',
        'credential: needs a SCIM token, but was sent no Authorization header',
      ],
    ],
    ['nothing near', { path: '/favicon.ico' }, undefined, []],
    ['the root', { path: '/' }, undefined, []],
    ['a very long path', { path: `/${'a/'.repeat(5000)}` }, undefined, []],
  ])('%s', async ([, send, operation, misses]) => {
    const { nearest } = await refusalOf(send);
    expect(nearest?.operation).toBe(operation);
    const told = (nearest?.misses ?? []).map(({ what, message }) => `${what}: ${message}`);
    expect(told).toEqual(misses);
  });

  test('the answer names the nearest operation too, if a slip is likely', async () => {
    const { text } = await replay({ name: '', send: { path: '/api/v1/deployment' } });
    expect(text).toContain('the nearest is listDeployments, GET /api/v1/deployments');
  });
});

test('long texts of a client are cut', async () => {
  const long = 'x'.repeat(100_000);
  const journalled = async (send: CorpusRequest) => {
    const { world } = await replay({ name: '', send });
    const { refusal, passedOver } = world.journal.last() ?? {};
    return JSON.stringify([refusal, passedOver]).length;
  };
  for (const send of [
    put(`${one}/folders/11`, { [long]: 1 }),
    put(`${one}/folders/11`, { [long]: 1, position: long }),
    put(one, { releaseChannelVersion: long }),
    post(`${one}/notifications/31/recipients`, { recipients: [{ email: long }] }),
    { path: `/api/v1/deployments?${long}=1` },
    { path: `/api/v1/${long}` },
  ]) {
    expect(await journalled(send)).toBeLessThan(6000);
  }
});

test.for<[string, string, string, readonly string[]]>([
  [
    'a body that does not fit',
    `${one}/folders/11`,
    '{"nmae":"x","position":"a"}',
    ['field nmae is not known; name'],
  ],
  [
    'a body that the operation refuses',
    `${one}/folders/11`,
    '{"name":"","positoin":1}',
    ['field positoin'],
  ],
  [
    'a query next to it',
    `${one}/folders/11?dryrun=1`,
    '{"position":"a"}',
    ['parameter dryrun is not known'],
  ],
])('%s is refused, and what is not known is named as well', async ([, path, body, unknown]) => {
  await using mock = await createMock({ assumptions: { 'FOLDER-16': 'refused' } });
  const { world } = mock;
  expect((await world.fetch(path, { method: 'PUT', body })).status).toBe(400);
  const { refusal, passedOver } = world.requests.last() ?? {};
  expect(refusal?.message).toMatch(/^(position must be an integer|name must not be empty)/);
  expect(passedOver).toEqual(unknown.map((text) => expect.stringContaining(text)));
});

test('a refused parameter does not hide an unknown one', async () => {
  await using mock = await createMock();
  await mock.world.fetch('/api/v1/deployments?limit=many&ofset=3');
  expect(mock.world.requests.last()).toMatchObject({
    status: 400,
    passedOver: [expect.stringContaining('ofset is not known; offset is')],
  });
});

describe('faults', () => {
  test('an entry names the fault that struck it, and the status that the service reached', async () => {
    await using mock = await createMock();
    const { world } = mock;
    const struck = async (fault: Parameters<typeof world.faults.add>[0]) => {
      world.faults.clear();
      world.faults.add(fault);
      await world.fetch('/api/v1/deployments').then(
        (response) => response.text().catch(() => ''),
        () => '',
      );
      const entry = world.requests.last();
      if (entry?.fault === null || entry === undefined) throw new Error('it was not struck');
      return tellFault(entry.fault);
    };
    expect(await struck({ status: 503 })).toBe('fault-1 (before): the service did nothing');
    expect(await struck({ phase: 'after-commit', status: 504 })).toBe(
      'fault-2 (after-commit): the service did its work and answered 200',
    );
    expect(await struck({ phase: 'after-commit' })).toMatch(
      /answered 200; the connection was reset/,
    );
    expect(await struck({ phase: 'mid-body' })).toMatch(/200; the answer was cut in the middle/);
    expect(await struck({ phase: 'socket', kind: 'half-close' })).toMatch(
      /closed without an answer/,
    );
    expect(await struck({ delayMs: 1 })).toBe(
      'fault-6 (a delay): the answer, 200, was held back for 1 ms',
    );
    expect(await struck({ phase: 'after-commit', delayMs: 1 })).toMatch(
      /answered 200; the answer was held back for 1 ms/,
    );
    world.faults.clear();
    await world.fetch('/api/v1/deployments');
    expect(world.requests.last()?.fault).toBeNull();
  });
});
