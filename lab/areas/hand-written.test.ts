/** Each hand-written deviation of the writes, exports and SCIM takes effect, and only where it says. */
import { describe, expect, test } from 'vitest';
import { createService } from '../../mock/kits/index.ts';
import { textOf } from '../../mock/pipeline/exchange.ts';
import type { Deviation } from '../deviations/rows.ts';
import { byArea } from './catalogue.ts';

interface Step {
  readonly as?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

const one = '/api/v1/deployments/1';
const two = '/api/v1/deployments/2';

// ── recipients ──────────────────────────────────────────────────────────────────

const ben = { userId: 2 };
const benByEmail = { email: 'ben@example.com' };
const ana = { userId: 1 };
const known = { embedTenantName: 'partner-a', externalId: 'ext-1' };
const pat = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };
const kim = { embedTenantName: 'partner-a', externalId: 'kim@example.com' };
const lee = { embedTenantName: 'partner-a', externalId: 'lee', email: 'lee@example.com' };
const leeWithout = { embedTenantName: 'partner-a', externalId: 'lee' };
const leeNonsense = { ...leeWithout, email: 'lee' };
const chat = { channelId: 'C1', channelName: 'ops' };
const nobody = { userId: 999 };

const add = (...items: unknown[]): Step => ({
  method: 'POST',
  path: `${one}/notifications/31/recipients`,
  body: { recipients: items },
});
const addBy = (as: string, ...items: unknown[]): Step => ({ ...add(...items), as });
const addElsewhere = (...items: unknown[]): Step => ({
  ...add(...items),
  path: `${two}/notifications/41/recipients`,
});
const copies = (length: number, ...last: unknown[]): Step =>
  add(...Array.from({ length: length - last.length }, () => ben), ...last);

const dressed = {
  ...pat,
  securityContext: { tenant: 42, limits: { rows: [1, 2] } },
  userAttributes: [
    { name: 'region', value: 'EMEA' },
    { name: 'tier', value: 'gold' },
  ],
  groups: ['analysts', 'managers'],
};
const contextChanged = {
  ...dressed,
  securityContext: { tenant: 42, limits: { rows: [1, 3] } },
};
const contextAsText = { ...dressed, securityContext: { tenant: '42', limits: { rows: [1, 2] } } };
const attributeChanged = {
  ...dressed,
  userAttributes: [
    { name: 'region', value: 'APAC' },
    { name: 'tier', value: 'gold' },
  ],
};
const groupChanged = { ...dressed, groups: ['analysts', 'guests'] };
const groupLess = { ...dressed, groups: ['analysts'] };

const recipientSteps: Readonly<Record<string, readonly Step[]>> = {
  'console-user-of-another-type': [add(ben), add(ben)],
  'partial-write-before': [add(ben, nobody, pat), add(ben, pat)],
  'partial-write-after': [add(ben, nobody, pat), add(ben, pat)],
  'partial-write-all-good': [add(ben, nobody, pat), add(ben, pat)],
  'partial-write-first': [add(ben, nobody, pat), add(ben, pat)],
  'partial-write-last': [add(ben, nobody, pat), add(ben, pat)],
  'partial-write-of-fifties': [copies(60, nobody), add(ben)],
  'refused-chat-writes': [add(ben, chat), add(ben)],
  'refused-unresolvable-writes': [add(nobody, ben), add(ben)],
  'refused-role-writes': [addBy('member', pat), add(pat)],
  'refused-scope-writes': [{ ...addElsewhere(pat), as: 'scoped' }, addElsewhere(pat)],
  'refused-number-writes': [copies(1001, ana), add(ben)],
  'refused-change-writes': [add(dressed), add(groupChanged, nobody), add(dressed)],
  'refused-embed-user-made': [add(lee, nobody), add(leeWithout)],
  'chat-dropped': [add(chat, ben)],
  'chat-accepted': [add(chat, ben), add(chat)],
  'chat-refused-first-only': [add(chat, ben), add(ben, chat)],
  'chat-refused-last-only': [add(ben, chat), add(chat, ben)],
  'chat-refused-alone-only': [add(chat), add(chat, ben)],
  'chat-by-id-dropped': [add(chat), add({ channelId: 'C1' })],
  'chat-by-name-dropped': [add(chat), add({ channelName: 'ops' })],
  'chat-refused-once': [add(chat), add(chat, ben)],
  'unresolvable-dropped': [add(nobody, ben)],
  'unresolvable-user-dropped': [add(leeWithout), add(nobody, ben)],
  'unresolvable-embed-user-dropped': [add(nobody), add(leeWithout, ben)],
  'unresolvable-address-dropped': [add(nobody), add({ email: 'nobody' }, ben)],
  'unresolvable-refused-first-only': [add(nobody, ben), add(ben, nobody)],
  'unresolvable-refused-alone-only': [add(nobody), add(nobody, ben)],
  'unresolvable-refused-once': [add(nobody, ben), add(nobody, ben)],
  'unresolvable-embed-user-accepted': [add(leeWithout, ben)],
  'embed-user-without-address-accepted': [add(leeNonsense, ben)],
  'embed-tenant-ignored': [add(kim), add({ ...kim, embedTenantName: 'partner-b' })],
  'again-created': [add(ben), add(ben)],
  'again-updated': [add(ben), add(ben)],
  'again-created-embed-users': [add(ben, pat), add(ben, pat)],
  'again-created-console-users': [add(ben, pat), add(ben, pat)],
  'again-updated-embed-users': [add(ben, pat), add(ben, pat)],
  'again-updated-console-users': [add(ben, pat), add(ben, pat)],
  'third-time-created': [add(ben), add(ben), add(ben)],
  'third-time-updated': [add(ben), add(ben), add(ben)],
  'reordered-created': [add(ben, pat), add(pat, ben)],
  'created-not-kept': [add(ben), add(ben)],
  'others-unsubscribed': [add(ben), add(pat), add(ben)],
  'unchanged-beside-change-updated': [add(ben), add(ben, pat)],
  'one-notification-each': [add(ben), addElsewhere(ben), add(ben)],
  'known-from-another-notification': [add(ben), addElsewhere(ben)],
  'context-change-unnoticed': [add(dressed), add(contextChanged)],
  'attribute-change-unnoticed': [add(dressed), add(attributeChanged)],
  'group-change-unnoticed': [add(dressed), add(groupChanged)],
  'context-change-not-kept': [add(dressed), add(contextChanged), add(contextChanged)],
  'attribute-change-not-kept': [add(dressed), add(attributeChanged), add(attributeChanged)],
  'group-change-not-kept': [add(dressed), add(groupChanged), add(groupChanged)],
  'context-change-created': [add(dressed), add(contextChanged)],
  'attribute-change-created': [add(dressed), add(attributeChanged)],
  'group-change-created': [add(dressed), add(groupChanged)],
  'context-compared-on-top': [add(dressed), add(contextChanged)],
  'context-compared-as-text': [add(dressed), add(contextAsText)],
  'attributes-compared-by-name': [add(dressed), add(attributeChanged)],
  'groups-compared-by-number': [add(dressed), add(groupChanged)],
  'context-return-unnoticed': [add(dressed), add(contextChanged), add(dressed)],
  'second-change-unnoticed': [add(dressed), add(groupLess), add(groupChanged)],
  'change-of-first-only': [add(dressed), add(ben, groupChanged)],
  'created-twice': [add(ben)],
  'updated-twice': [add(dressed), add(groupLess)],
  'updated-and-created': [add(dressed), add(groupLess)],
  'created-nowhere': [add(ben)],
  'unchanged-nowhere': [add(ben), add(ben)],
  'updated-nowhere': [add(dressed), add(groupLess)],
  'last-nowhere': [add(ben, pat)],
  'first-alone-served': [add(ben, pat)],
  'created-of-the-call-before': [add(ben), add(ben)],
  'embed-user-not-made': [add(known), add(pat)],
  'embed-user-made-anew': [add(pat), add(pat)],
  'embed-users-share-an-id': [add(pat, kim)],
  'email-shaped-id-refused': [add(known), add(lee), add(pat)],
  'email-shaped-id-resolves-once': [add(pat), add(pat, kim)],
  'sent-email-resolves-nothing': [add(pat), add(lee)],
  'sent-email-forgotten': [add(lee), add(lee), add(leeWithout)],
  'external-id-beats-sent-email': [add({ ...pat, email: 'other@example.com' })],
  'known-embed-user-refused': [add(pat), add(known)],
  'id-and-email-are-two': [add(ben), add(benByEmail)],
  'user-id-names-neighbour': [add(benByEmail), add(ben)],
  'email-names-neighbour': [add(ben), add(benByEmail)],
  'limit-999': [copies(999), copies(1000)],
  'limit-100': [copies(100), copies(101)],
  'limit-1001': [copies(1001), copies(1002)],
  'behind-1000-dropped': [copies(1002)],
  'thousandth-dropped': [copies(1000, pat)],
  'empty-list-accepted': [add()],
  'missing-list-accepted': [{ ...add(), body: {} }],
  'role-asked-once-of-keys': [addBy('member', ben), addBy('member', ben)],
  'role-asked-once-of-oauth': [addBy('memberOauth', ben), addBy('memberOauth', ben)],
  'role-asked-once-of-embed': [addBy('embed', ben), addBy('embed', ben)],
};

// ── folders ─────────────────────────────────────────────────────────────────────

const update = (id: number, body: unknown, as = 'admin', deployment = one): Step => ({
  as,
  method: 'PUT',
  path: `${deployment}/folders/${id}`,
  body,
});
const read = (id: number, deployment = one): Step => update(id, {}, 'admin', deployment);
const rename = update(13, { name: 'A name & more, ÄÖ ' });
const renameAgain = update(13, { name: 'Another' });
const move = update(13, { position: 4 });
const moveAgain = update(13, { position: 2 });
const both = update(13, { name: 'Both', position: 3 });

const folderSteps: Readonly<Record<string, readonly Step[]>> = {
  'rename-resets-position': [move, rename],
  'position-undoes-rename': [rename, move],
  'rename-undoes-position': [move, rename],
  'empty-update-undoes': [rename, read(13)],
  'sibling-renamed': [update(11, { name: 'New' }), read(12)],
  'children-renamed': [update(11, { name: 'New' }), read(13)],
  'parent-lost-later': [rename, renameAgain],
  'sent-parent-obeyed': [update(13, { name: 'New', parentId: 12 }), read(13)],
  'sent-null-parent-obeyed': [update(13, { name: 'New', parentId: null }), read(13)],
  'name-in-capitals': [update(13, { name: 'small' })],
  'position-zero-ignored': [move, update(13, { position: 0 })],
  'move-back-ignored': [move, update(13, { position: 0 })],
  'second-update-lost': [rename, renameAgain, read(13)],
  'second-update-ignored': [rename, renameAgain],
  'first-update-answered-again': [rename, renameAgain],
  'no-edit-access-but-done': [update(12, { name: 'Refused' }, 'member'), read(12)],
  'no-edit-access-but-renamed': [update(12, { name: 'Refused' }, 'member'), read(12)],
  'no-edit-access-but-moved': [update(12, { position: 7 }, 'member'), read(12)],
  'out-of-scope-but-done': [update(21, { name: 'Refused' }, 'scoped', two), read(21, two)],
  'foreign-folder-refused-but-done': [update(21, { name: 'Refused' }), read(21, two)],
  'bad-position-but-renamed': [update(13, { name: 'Half', position: 'x' }), read(13)],
  'members-edit-elsewhere': [update(21, { name: 'There' }, 'member', two)],
  'bad-name-but-moved': [update(13, { name: 5, position: 5 }), read(13)],
  'edit-access-asked-once': [update(12, {}, 'member'), update(12, {}, 'member')],
  'foreign-folder-updated': [update(21, { name: 'Foreign' }), read(21, two)],
  'foreign-folder-refused-once': [read(21), read(21)],
  'foreign-folder-shown': [read(21)],
  'missing-folder-answered': [read(99)],
  'missing-folder-refused-once': [read(99), read(99)],
  'path-with-old-names': [update(11, { name: 'New' }), read(13)],
};

// ── the others ──────────────────────────────────────────────────────────────────

const mint = (body: unknown, environment = '201'): Step => ({
  method: 'POST',
  path: `${one}/environments/${environment}/tokens-for-meta-sync`,
  body,
});
const context = {
  tenant: 42,
  Name: 'Zoë',
  code: '007',
  active: true,
  none: null,
  nested: { regions: ['EU', 'US'] },
};
const log = (query = '', as = 'admin'): Step => ({ as, path: `/api/v1/audit-logs/export${query}` });
const period = 'start=2025-12-10&end=2025-12-20';
const result: Step = { path: `${one}/dbt-sync/sync-completed/result` };
const users = (query = '', as = 'scim'): Step => ({ as, path: `/api/scim/v2/Users${query}` });

/** What shows the deviations of an area, where a table does not say otherwise. */
const usual: Readonly<Record<string, readonly Step[]>> = {
  recipients: [],
  folders: [rename, move, moveAgain, both, update(11, { name: 'New' }), read(13), read(12)],
  tokens: [
    mint({ security_context: context, expires_in: 90 }),
    mint({ security_context: { tenant: 7 } }),
    mint({ security_context: { tenant: 8 }, expires_in: 7200 }),
    mint({ expires_in: 60 }),
    { ...mint({ security_context: context }, '301'), as: 'scoped' },
    ...[null, 'text', ['list']].map((value) => mint({ security_context: value })),
  ],
  audit: [
    log(),
    log(`?${period}`),
    log(`?${period}&eventName=Login`),
    log(`?${period}&userEmail=ana@example.com`),
    log(`?${period}&eventName=Login&userEmail=ana@example.com`),
    log(`?${period}&search=Revenue`),
    log('?end=2025-12-20'),
    log('?eventName=Log&end=2025-12-20'),
    log('?eventName=None&start=2025-12-10'),
    log('?userEmail=none@example.com'),
    log('?search=nothing-holds-this'),
    log('?search=ana&start=2025-12-10'),
    log(`?${period}`, 'memberOauth'),
    log('', 'member'),
    log(`?${period}`, 'member'),
  ],
  dbt: [result, result],
  scim: [
    users(),
    ...['1', '2', '3', '6', '21', '41', '42', '0', '-3'].map((start) =>
      users(`?startIndex=${start}&count=5`),
    ),
    ...['0', '-1', '1', '20'].map((count) => users(`?count=${count}`)),
    { path: '/api/scim/v2/Users', as: 'expired' },
  ],
};

const tables: Readonly<Record<string, Readonly<Record<string, readonly Step[]>>>> = {
  recipients: recipientSteps,
  folders: folderSteps,
};

const service = await createService();

interface Run {
  readonly answers: readonly string[];
  readonly effects: number;
}

async function run(steps: readonly Step[], deviation?: Deviation): Promise<Run> {
  const world = await service.createWorld({ id: 'w', clock: '2026-01-01T12:00:00.000Z', seed: 7 });
  try {
    if (deviation !== undefined) world.deviations.set([deviation]);
    const answers: string[] = [];
    for (const { as = 'admin', method = 'GET', path, body } of steps) {
      const response = await service.handle({
        method,
        target: `/w/w${path}`,
        headers: { 'content-type': 'application/json', authorization: `Bearer w-${as}` },
        body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
      });
      const text = await textOf(response);
      const { 'Content-Disposition': disposition = '', 'Content-Type': type } = response.headers;
      answers.push(`${response.status} ${type} ${disposition} ${text}`);
    }
    return { answers, effects: world.deviations.list()[0]?.effects ?? 0 };
  } finally {
    service.deleteWorld(world);
  }
}

/** One read or write of each operation, whose answers depend on no other's. */
const unrelated: Readonly<Record<string, Step>> = {
  listDeployments: { path: '/api/v1/deployments?limit=2' },
  listEnvironments: { path: `${one}/environments` },
  createMetaSyncToken: mint({ security_context: context }),
  setStagingEnvironment: {
    method: 'PUT',
    path: '/build/api/v1/deployments/1/branches/staging-environment',
    body: { branchName: 'feature-orders', enabled: true },
  },
  listBranches: { path: '/build/api/v1/deployments/1/branches' },
  listVersions: { path: `${one}/versions` },
  updateDeployment: { method: 'PUT', path: one, body: { releaseChannelVersion: '1.6.3' } },
  exportAuditLogs: log(`?${period}`),
  getDbtSyncResult: result,
  updateFolder: read(11),
  addNotificationRecipients: add(ben),
  listScimUsers: users('?count=2'),
};

const { recipients, folders, tokens, audit, dbt, scim } = byArea;
const catalogues = { recipients, folders, tokens, audit, dbt, scim };

for (const [area, deviations] of Object.entries(catalogues)) {
  const cases = deviations
    .filter(({ foundBy }) => foundBy === undefined)
    .map((deviation) => ({ id: deviation.id, deviation }));

  describe(area, () => {
    test.for(cases)('$id takes effect, and shows', async ({ id, deviation }) => {
      const steps = tables[area]?.[id.slice(area.length + 1)] ?? usual[area] ?? [];
      const honest = await run(steps);
      const wrong = await run(steps, deviation);
      expect(wrong.answers).not.toEqual(honest.answers);
      expect(wrong.effects).toBeGreaterThan(0);
      expect(wrong.answers.filter((answer) => answer.startsWith('5'))).toEqual([]);
    });

    test.for(cases)('$id leaves other operations alone', async ({ deviation }) => {
      const steps = Object.entries(unrelated).flatMap(([operation, step]) =>
        deviation.operations.some((id) => id === operation) ? [] : [step, step],
      );
      expect(await run(steps, deviation)).toEqual(await run(steps));
    });
  });

  test(`${area}: a table names deviations that there are`, () => {
    const names = deviations.map(({ id }) => id.slice(area.length + 1));
    expect(Object.keys(tables[area] ?? {}).filter((name) => !names.includes(name))).toEqual([]);
  });
}

test('without a deviation every sequence answers the same twice', async () => {
  for (const steps of [...Object.values(usual), ...Object.values(tables).flatMap(Object.values)]) {
    expect(await run(steps)).toEqual(await run(steps));
  }
});
