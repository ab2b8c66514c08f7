import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMock, type World } from '../../kits/index.ts';
import type { EmbedUserRow, RecipientRow, UserRow } from '../../world/rows.ts';
import {
  type Directory,
  isEmail,
  kindOf,
  partThatCounts,
  type RecipientItem,
  type RecipientRules,
  resolve,
  silenceAbout,
  subscribe,
} from './machine.ts';

const rules: RecipientRules = {
  acceptStrangers: false,
  clearUnsent: false,
  ordered: false,
  replaceEmail: true,
  anyHost: false,
  emptyDiffers: false,
};
const userOf = (id: number, email: string): UserRow => ({
  id,
  email,
  givenName: 'Given',
  familyName: 'Family',
  admin: false,
  auditLogManage: false,
  edits: [],
  createdAt: '2026-01-01T00:00:00.000Z',
});
const users = [userOf(1, 'ana@example.com'), userOf(2, 'ben@example.com'), userOf(3, 'no-email')];
const embedUsers: EmbedUserRow[] = [
  { id: 501, embedTenantName: 'partner-a', externalId: 'ext-1', email: 'ext1@example.com' },
  { id: 502, embedTenantName: 'partner-a', externalId: 'ext-2', email: null },
];
const directory: Directory = {
  userById: (id) => users.find((user) => user.id === id),
  userByEmail: (email) => users.find((user) => user.email === email),
  embedUser: (tenant, externalId) =>
    embedUsers.find((user) => user.embedTenantName === tenant && user.externalId === externalId),
};

describe('the kind of an item, by its fields', () => {
  test.for<[RecipientItem, string]>([
    [{ userId: 2 }, 'USER'],
    [{ email: 'ben@example.com' }, 'USER'],
    [{ userId: 2, email: 'ben@example.com' }, 'USER'],
    [{ embedTenantName: 'partner-a', externalId: 'ext-1' }, 'EMBED_USER'],
    [{ externalId: 'ext-1' }, 'EMBED_USER'],
    [{ embedTenantName: 'partner-a' }, 'EMBED_USER'],
    [{ embedTenantName: 'partner-a', externalId: 'x', email: 'x@example.com' }, 'EMBED_USER'],
    [{ channelId: 'C1' }, 'SLACK'],
    [{ channelName: 'ops' }, 'SLACK'],
    [{ userId: 2, channelId: 'C1' }, 'SLACK'],
    [{ embedTenantName: 'partner-a', externalId: 'x', channelName: 'ops' }, 'SLACK'],
    [{}, 'NONE'],
    [{ groups: ['a'] }, 'NONE'],
  ])('%j: %s', ([item, kind]) => {
    expect(kindOf(item)).toBe(kind);
  });
});

describe('item x the fields that its type has (RECIP-41, RECIP-42)', () => {
  const pat = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };
  test.for<[RecipientItem, string | undefined, object]>([
    [{ userId: 2, type: 'USER' }, undefined, {}],
    [{ ...pat, type: 'EMBED_USER' }, undefined, {}],
    [{ ...pat, userId: 2, type: 'USER' }, 'RECIP-41', { userId: 2 }],
    [{ ...pat, userId: 2, type: 'EMBED_USER' }, 'RECIP-41', pat],
    [{ ...pat, type: 'USER' }, 'RECIP-41', {}],
    [{ userId: 2, type: 'SLACK' }, 'RECIP-41', { userId: 2, channelId: '' }],
    [{ userId: 2, type: 'EMBED_USER' }, 'RECIP-41', { externalId: '' }],
    [
      { externalId: 'x', email: 'ben@example.com', type: 'USER' },
      'RECIP-42',
      { email: 'ben@example.com' },
    ],
    [{ userId: 2, type: 'PERSON' }, undefined, {}],
  ])('%j: %s, %j', ([item, silence, counts]) => {
    expect(silenceAbout(item, directory)).toBe(silence);
    const { type: _type, ...fields } = partThatCounts(item, 'type');
    if (silence !== undefined) expect(fields).toEqual(counts);
  });
});

describe('item x its recipient', () => {
  const outcome = (item: RecipientItem, changed: Partial<RecipientRules> = {}) => {
    const result = resolve(item, directory, { ...rules, ...changed });
    return 'resolved' in result ? result.resolved.key : result.problem;
  };

  test.for<[RecipientItem, string]>([
    [{ userId: 2 }, 'USER:2'],
    [{ email: 'ben@example.com' }, 'USER:2'],
    [{ userId: 2, email: 'ben@example.com' }, 'USER:2'],
    [{ userId: 2, email: 'ana@example.com' }, 'disagree'],
    [{ userId: 2, email: 'nobody@example.com' }, 'disagree'],
    [{ userId: 3 }, 'unresolved'],
    [{ userId: 999 }, 'unresolved'],
    [{ email: 'nobody@example.com' }, 'stranger'],
    [{ email: 'nobody' }, 'unresolved'],
    [{ email: '' }, 'unresolved'],
    [{ email: 'no-email' }, 'unresolved'],
    [{ embedTenantName: 'partner-a', externalId: 'ext-1' }, 'EMBED_USER:partner-a/ext-1'],
    [{ embedTenantName: 'partner-a', externalId: 'ext-2' }, 'unresolved'],
    [
      { embedTenantName: 'partner-a', externalId: 'ext-2', email: 'two@example.com' },
      'EMBED_USER:partner-a/ext-2',
    ],
    [
      { embedTenantName: 'partner-b', externalId: 'pat@example.com' },
      'EMBED_USER:partner-b/pat@example.com',
    ],
    [{ embedTenantName: 'partner-b', externalId: 'pat' }, 'unresolved'],
    [{ embedTenantName: 'partner-b', externalId: 'pat@example.com', email: 'no' }, 'unresolved'],
    [{ externalId: 'pat@example.com' }, 'half'],
    [{ embedTenantName: 'partner-a', email: 'two@example.com' }, 'half'],
    [{ embedTenantName: 'partner-a' }, 'unresolved'],
    [{ channelId: 'C1' }, 'slack'],
    [{}, 'unresolved'],
  ])('%j: %s', ([item, expected]) => {
    expect(outcome(item)).toBe(expected);
  });

  test('an unknown email may become a recipient (RECIP-30)', () => {
    expect(outcome({ email: 'nobody@example.com' }, { acceptStrangers: true })).toBe(
      'EMAIL:nobody@example.com',
    );
  });

  test('an email that is sent with an embed user becomes its email', () => {
    const item = { embedTenantName: 'partner-a', externalId: 'ext-1', email: 'new@example.com' };
    expect(resolve(item, directory, rules)).toMatchObject({
      resolved: { embedUser: { id: 501, email: 'new@example.com' } },
    });
  });

  test.for([
    ['a@b.c', true],
    ['a@b', false],
    ['a b@c.d', false],
    ['@b.c', false],
    ['a@@b.c', false],
    ['', false],
    [null, false],
  ] as const)('%j is an email: %s', ([text, valid]) => {
    expect(isEmail(text)).toBe(valid);
  });
});

describe('existing subscription x sent fields', () => {
  const fresh = { notificationId: 31, kind: 'EMBED_USER' as const, subject: 501 };
  const existing: RecipientRow = {
    ...fresh,
    securityContext: { team: 1 },
    userAttributes: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
    groups: ['x', 'y'],
  };

  test.for<[string, RecipientRow | undefined, RecipientItem, Partial<RecipientRules>, string]>([
    ['nothing before', undefined, {}, {}, 'created'],
    ['nothing sent', existing, {}, {}, 'unchanged'],
    ['nothing sent, if unsent is cleared', existing, {}, { clearUnsent: true }, 'updated'],
    ['the same context', existing, { securityContext: { team: 1 } }, {}, 'unchanged'],
    ['another context', existing, { securityContext: { team: 2 } }, {}, 'updated'],
    ['an empty context', existing, { securityContext: {} }, {}, 'updated'],
    ['the same groups', existing, { groups: ['x', 'y'] }, {}, 'unchanged'],
    ['groups in another order', existing, { groups: ['y', 'x'] }, {}, 'unchanged'],
    [
      'groups in another order, ordered',
      existing,
      { groups: ['y', 'x'] },
      { ordered: true },
      'updated',
    ],
    ['a group more', existing, { groups: ['x', 'y', 'z'] }, {}, 'updated'],
    ['no group', existing, { groups: [] }, {}, 'updated'],
    ['another attribute', existing, { userAttributes: [{ name: 'a', value: '2' }] }, {}, 'updated'],
    [
      'attributes in another order',
      existing,
      {
        userAttributes: [
          { name: 'b', value: '2' },
          { name: 'a', value: '1' },
        ],
      },
      {},
      'unchanged',
    ],
  ])('%s', ([, before, item, changed, change]) => {
    const result = subscribe(before, fresh, item, { ...rules, ...changed });
    expect(result.change).toBe(change);
    if (change === 'unchanged') expect(result.row).toBe(before);
  });

  test('a console user brings no properties', () => {
    const item = { userId: 2, groups: ['a'], securityContext: { team: 1 } };
    const { row } = subscribe(
      undefined,
      { notificationId: 31, kind: 'USER', subject: 2 },
      item,
      rules,
    );
    expect(row).toMatchObject({ securityContext: null, userAttributes: null, groups: null });
  });

  test('a separator inside names and values does not make two recipients equal', () => {
    const first = { userAttributes: [{ name: 'a:b', value: 'c' }] };
    const second = { userAttributes: [{ name: 'a', value: 'b:c' }] };
    const { row } = subscribe(undefined, fresh, first, rules);
    expect(subscribe(row, fresh, second, rules).change).toBe('updated');
  });

  // A failing property names the seed and path that replay it.
  test('a subscription that is sent twice is unchanged the second time, after any history', () => {
    const attribute = fc.record({ name: fc.string(), value: fc.string() });
    const item: fc.Arbitrary<RecipientItem> = fc.record(
      {
        securityContext: fc.dictionary(fc.string(), fc.jsonValue()),
        userAttributes: fc.array(attribute),
        groups: fc.array(fc.string()),
      },
      { requiredKeys: [] },
    );
    const anyRules = fc.record({
      acceptStrangers: fc.boolean(),
      clearUnsent: fc.boolean(),
      ordered: fc.boolean(),
      replaceEmail: fc.boolean(),
      anyHost: fc.boolean(),
      emptyDiffers: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.option(item, { nil: undefined }), item, anyRules, (before, sent, any) => {
        const row = before && subscribe(undefined, fresh, before, any).row;
        const once = subscribe(row, fresh, sent, any);
        expect(subscribe(once.row, fresh, sent, any)).toEqual({
          change: 'unchanged',
          row: once.row,
        });
        expect(once.change === 'created').toBe(row === undefined);
      }),
    );
  });
});

describe('a call with any recipients at all', async () => {
  const mock = await createMock();
  const distinct = fc.constantFrom<RecipientItem>(
    { userId: 1 },
    { userId: 2 },
    { email: 'ana@example.com' },
    { email: 'ben@example.com' },
    { embedTenantName: 'partner-a', externalId: 'ext-1' },
    { embedTenantName: 'partner-a', externalId: 'ext-1', groups: ['a'] },
    { embedTenantName: 'partner-a', externalId: 'ext-1', groups: ['b'] },
    { embedTenantName: 'partner-a', externalId: 'pat@example.com' },
    { embedTenantName: 'partner-b', externalId: 'pat@example.com' },
    { embedTenantName: 'partner-b', externalId: 'p', email: 'p@example.com' },
    { embedTenantName: 'partner-b', externalId: 'pat@example.com', securityContext: { a: 1 } },
  );
  const bad = fc.constantFrom<RecipientItem>(
    { userId: 999 },
    { channelId: 'C1' },
    { embedTenantName: 'partner-a', externalId: 'nobody' },
    { email: 'nobody@example.com' },
    {},
  );
  const items = fc.array(distinct, { minLength: 1, maxLength: 8 });

  interface Lists {
    readonly createdRecipients: readonly object[];
    readonly updatedRecipients: readonly object[];
    readonly unchangedRecipients: readonly object[];
  }
  async function add(world: World, recipients: readonly RecipientItem[]) {
    const response = await world.fetch('/api/v1/deployments/1/notifications/31/recipients', {
      method: 'POST',
      body: JSON.stringify({ recipients }),
    });
    return { status: response.status, lists: (await response.json()) as Lists };
  }
  /** The person of a recipient in an answer. */
  const who = (item: object) => {
    const { userId, embedUserId } = item as { userId?: number; embedUserId?: number };
    return userId === undefined ? `embed ${embedUserId}` : `user ${userId}`;
  };
  const stateOf = (world: World) =>
    JSON.stringify([
      [...world.state.tables.recipients.entries()],
      [...world.state.tables.embedUsers.entries()],
      world.state.audit,
      world.state.nextIds.embedUser,
    ]);

  test('one unknown recipient at any place leads to 400, and nothing is written', async () => {
    await fc.assert(
      fc.asyncProperty(items, bad, items, items, async (before, wrong, head, tail) => {
        using world = await mock.createWorld({ seed: 1 });
        await add(world, before);
        const state = stateOf(world);
        expect((await add(world, [...head, wrong, ...tail])).status).toBe(400);
        expect(stateOf(world)).toBe(state);
      }),
    );
  });

  test('each distinct recipient is in exactly one list', async () => {
    await fc.assert(
      fc.asyncProperty(items, items, async (before, sent) => {
        using world = await mock.createWorld({ seed: 1 });
        await add(world, before);
        const { lists } = await add(world, sent);
        const answered = Object.values(lists).flat().map(who);
        expect(new Set(answered).size).toBe(answered.length);
        const keys = sent.map((item) =>
          item.externalId === undefined
            ? `user ${item.userId ?? (item.email === 'ana@example.com' ? 1 : 2)}`
            : `${item.embedTenantName}/${item.externalId}`,
        );
        expect(answered).toHaveLength(new Set(keys).size);
      }),
    );
  });

  test('the same call again reports every recipient as unchanged, and writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (sent) => {
        using world = await mock.createWorld({ seed: 1 });
        const { lists: first } = await add(world, sent);
        const state = stateOf(world);
        const { lists: second } = await add(world, sent);
        expect(second.createdRecipients).toEqual([]);
        expect(second.updatedRecipients).toEqual([]);
        expect(second.unchangedRecipients).toHaveLength(Object.values(first).flat().length);
        expect(stateOf(world)).toBe(state);
      }),
    );
  });

  test('a slash in a tenant or an external id does not merge two people', async () => {
    using world = await mock.createWorld({ seed: 1 });
    const { lists } = await add(world, [
      { embedTenantName: 'a/b', externalId: 'c@example.com' },
      { embedTenantName: 'a', externalId: 'b/c@example.com' },
    ]);
    expect(lists.createdRecipients).toHaveLength(2);
  });

  test('a user with an address in upper case is found in lower case (RECIP-34)', async () => {
    const fixture = {
      deployments: [{ id: 1, name: 'One' }],
      notifications: [{ id: 31, deploymentId: 1 }],
      users: [{ id: 1, email: 'Ana@Example.com', admin: true }],
    };
    using world = await mock.createWorld({ fixture });
    expect((await add(world, [{ email: 'Ana@Example.com' }])).status).toBe(200);
    expect((await add(world, [{ email: 'ana@example.com' }])).status).toBe(200);
  });

  test('one call for all recipients subscribes the same people as one call each', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (sent) => {
        using together = await mock.createWorld({ seed: 1 });
        using apart = await mock.createWorld({ seed: 1 });
        await add(together, sent);
        for (const item of sent) await add(apart, [item]);
        const keysOf = (world: World) =>
          [...world.state.tables.recipients.entries()].map(([key]) => key).sort();
        expect(keysOf(apart)).toEqual(keysOf(together));
      }),
    );
  });
});
