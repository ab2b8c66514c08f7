import { expect, test, vi } from 'vitest';
import { Redactor } from '../../spec/base/redactor.ts';
import { watchFacts } from '../areas/watch.ts';
import { readTenantFile, tenantTarget } from '../target/tenant.ts';
import { type Exchange, noBody, textOf } from './traffic.ts';
import { type WatchedEntry, Watcher, type WatchOptions } from './watcher.ts';

const tenantYaml = `
baseUrl: https://acme.example.com
credentials:
  admin: { env: ADMIN, role: admin, auditLogManage: true }
  member: { env: MEMBER, role: member, edits: [11], auditLogManage: false }
  scoped: { env: SCOPED, deployments: [1] }
  expired: { env: EXPIRED }
features: { auditLog: true }
bindings:
  deployment: { id: "1" }
  otherDeployment: { id: "2" }
  folder: { id: 11 }
  lockedFolder: { id: 12 }
  notification: { id: 31 }
  sharedBranch: { id: 102, name: feature }
`;
const env = {
  ADMIN: 'admin-1234',
  MEMBER: 'member-1234',
  SCOPED: 'scoped-1234',
  EXPIRED: 'expired-1234',
};
const file = readTenantFile('tenant.yaml', tenantYaml);
const { target } = tenantTarget(
  'https://acme.example.com',
  file,
  env,
  () => Promise.reject(),
  async () => {},
);

/** The parts of an exchange that a test sets; the rest has defaults. */
interface Said {
  readonly call?: string;
  readonly as?: string | null;
  readonly headers?: Record<string, string>;
  readonly sent?: unknown;
  readonly status?: number;
  readonly answer?: Record<string, string>;
  readonly body?: unknown;
  readonly ending?: Exchange['ending'];
}

const bytesOf = (body: unknown) => {
  if (body === undefined) return noBody;
  return { bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
};

let clock = 1_000_000;

function exchange(said: Said): Exchange {
  const {
    call = 'GET /api/v1/deployments',
    as = 'admin-1234',
    status = 200,
    ending = 'whole',
  } = said;
  const [method = '', path = ''] = call.split(' ');
  const authorization = as === null ? {} : { authorization: `Bearer ${as}` };
  const type = said.sent === undefined ? {} : { 'content-type': 'application/json' };
  clock += 1000;
  return {
    request: {
      method,
      target: path,
      headers: { ...authorization, ...type, ...said.headers },
      sentAt: clock,
    },
    sent: bytesOf(said.sent),
    ...{ status, ending, durationMs: 5 },
    headers: { 'content-type': 'application/json', ...said.answer },
    body: bytesOf(said.body),
  };
}

/** Watches exchanges one after the other; `told` is each violation. */
function watch(all: readonly Said[], more: Partial<WatchOptions> = {}) {
  const told: string[] = [];
  const journal: WatchedEntry[] = [];
  const watcher = new Watcher({
    ...{ target, facts: watchFacts, redactor: new Redactor(), runId: 'test', version: '0' },
    ...{ suiteSha256: '0'.repeat(64), evidence: false, onViolation: (text) => told.push(text) },
    onEntry: ({ page: _page, ...kept }) => journal.push({ ...kept, page: undefined }),
    ...more,
  });
  for (const said of all) {
    const one = exchange(said);
    watcher.end(one, watcher.begin(one.request));
  }
  const notJudged = journal.flatMap((entry) => entry.notJudged);
  return { watcher, journal, told, notJudged, report: watcher.report() };
}

const page = {
  data: { deployments: [{ id: '1', name: 'Sales', created_at: '2026-01-05T09:30:00.000Z' }] },
  pagination: { offset: 0, limit: 20, total: 1 },
};
const error = { error: 'no' };
const list = 'GET /api/v1/deployments';
const folder = 'PUT /api/v1/deployments/1/folders/11';
const locked = 'PUT /api/v1/deployments/1/folders/12';

test('traffic that keeps every promise is verified, and ends with 0', () => {
  const { told, report } = watch([{ body: page }]);
  expect(told).toEqual([]);
  const verdicts = new Map(report.statements.map(({ id, verdict }) => [id, verdict]));
  expect([verdicts.get('DEPL-1'), verdicts.get('AUTH-2'), report.exitCode]).toEqual([
    'verified',
    'verified',
    0,
  ]);
});

test.for<[title: string, said: Said, statement: string]>([
  [
    'a field is missing',
    { body: { ...page, pagination: { offset: 0, limit: 20 } } },
    'PAGE-3 at /body/pagination',
  ],
  ['another status of success', { status: 201, body: page }, 'DEPL-1 at /status'],
  ['an error of two properties', { status: 404, body: { error: 'no', code: 1 } }, 'ERR-1'],
  [
    'another media type',
    { body: page, answer: { 'content-type': 'text/plain' } },
    'SVC-4 at /media',
  ],
  ['no credential is let in', { as: null, body: page }, 'AUTH-1 at /status'],
  ['an expired one is let in', { as: 'expired-1234', body: page }, 'AUTH-4 at /status'],
  [
    'a malformed one',
    { headers: { authorization: 'Basic admin-1234' }, body: page },
    'AUTH-3 at /status',
  ],
  [
    'a member changes what is locked',
    { call: locked, as: 'member-1234', sent: {}, body: { id: 12 } },
    'FOLDER-8',
  ],
  [
    'a scope is passed',
    { call: 'GET /api/v1/deployments/2/versions', as: 'scoped-1234', body: { data: [] } },
    'AUTH-8',
  ],
  [
    'a page is too long',
    {
      call: `${list}?limit=1`,
      body: {
        data: { deployments: [...page.data.deployments, ...page.data.deployments] },
        pagination: { offset: 0, limit: 1, total: 2 },
      },
    },
    'PAGE-4',
  ],
  [
    'another name comes back',
    { call: folder, sent: { name: 'Plan B' }, body: { id: 11, name: 'Plan C' } },
    'FOLDER-2 at /body/name',
  ],
])('a violation is told at once: %s', ([, said, statement]) => {
  const { told, report } = watch([said]);
  expect(told.join('\n')).toContain(statement);
  expect(report.exitCode).toBe(1);
});

test.for<[title: string, said: Said, why: string]>([
  ['a gateway', { status: 502, body: '<h1>' }, 'a gateway may have answered 502'],
  [
    'a firewall that refuses with a page',
    { status: 403, body: '<html>', answer: { 'content-type': 'text/html' } },
    'a gateway may have answered 403',
  ],
  [
    'a page in place of the answer',
    { body: '<!doctype html><p>' },
    'a gateway may have answered 200',
  ],
  ['not modified', { status: 304 }, 'a gateway may have answered 304'],
  ['a broken answer', { body: '{"da', ending: 'died' }, 'the connection broke'],
  ['a slash at the end', { call: `${list}/`, body: {} }, 'ends in a slash'],
  [
    'a parameter that nobody knows',
    { call: `${list}?first=5&after=x`, body: { items: [] } },
    'query parameter',
  ],
  ['a part was asked for', { headers: { range: 'bytes=0-1' }, status: 206, body: '{' }, 'range'],
  ['another media type was asked for', { headers: { accept: 'text/html' }, body: 'x' }, 'Accept'],
  ['an unknown operation', { call: 'GET /api/v1/reports', body: {} }, 'no such operation'],
  [
    'a session of a browser',
    { as: null, headers: { cookie: 'sid=1' }, body: page },
    'the caller is hidden',
  ],
  [
    'somebody else',
    { as: 'another-1234', status: 403, body: error },
    'does not name the credential',
  ],
  [
    'a coding that is not known',
    { body: 'x', answer: { 'content-encoding': 'xyz' } },
    'Content-Encoding',
  ],
  [
    'a sync that may run',
    { call: 'GET /api/v1/deployments/1/dbt-sync/a/result', body: { progress: 1 } },
    'may not have completed',
  ],
  [
    'a field by the real name',
    {
      call: 'GET /api/v1/deployments/1/dbt-sync/a/result',
      body: {
        syncJobId: 'a',
        generatedFiles: [],
        manifestStats: { models: 1, sources: 1, macros: 1 },
        chartCount: 3,
        completedAt: '2026-01-05T09:30:00Z',
        durationMs: 1,
      },
    },
    'how the tenant calls unitCount',
  ],
  [
    'a folder that the tenant file does not name',
    { call: 'PUT /api/v1/deployments/1/folders/99', sent: {}, status: 403, body: error },
    'nothing to do with the caller',
  ],
])('it is not judged, and the report gives the reason: %s', ([, said, why]) => {
  const { told, notJudged, report } = watch([said]);
  expect(told).toEqual([]);
  expect(notJudged.join('\n')).toContain(why);
  expect(report.warnings.join('\n')).toContain(why);
  expect(report.exitCode).not.toBe(1);
});

test('a caller whom the tenant file does not name stays unknown', () => {
  const said = { as: 'another-1234', body: page };
  const unknown = 'the tenant file does not name the credential';
  expect(watch([said, said]).notJudged).toEqual([unknown, unknown]);
});

test('a wrong refusal counts if the same credential was accepted before and after', () => {
  const call = 'GET /api/v1/deployments/1/versions';
  const refused = { call, status: 403, body: error };
  const versions = { call: list, body: page };
  expect(watch([refused, versions]).told).toEqual([]);
  expect(watch([versions, refused]).told).toEqual([]);
  expect(watch([versions, refused, versions]).told.join()).toContain('AUTH-2 at /status');
});

test.for<[said: Said, statement: string, choice: string]>([
  [{ call: `${list}/`, body: page }, 'REQ-1', 'served'],
  [{ call: `${list}?q=1`, body: page }, 'REQ-2', 'ignored'],
  [{ call: `${list}?q=1`, status: 400, body: error }, 'REQ-2', 'refused'],
  [{ call: list, as: 'scoped-1234', body: page }, 'AUTH-21', 'allowed'],
  [{ call: list, as: 'scoped-1234', status: 403, body: error }, 'AUTH-21', 'forbidden'],
])('the answer to %j is observed, for the profile too', ([said, statement, choice]) => {
  const { report, journal } = watch([said]);
  const found = report.statements.find(({ id }) => id === statement);
  expect([found?.verdict, found?.checks[0]?.actual]).toEqual(['observed', { choice, value: null }]);
  expect(journal[0]?.choices.get(statement)).toBe(choice);
});

test.for<[said: Said]>([
  [{ call: `${list}?q=1`, status: 403, body: error }],
  [{ call: `${list}/?q=1`, status: 400, body: error }],
  [{ call: `${list}?q=1`, status: 503, body: error }],
])('the answer to %j may have another cause', ([said]) => {
  const { report } = watch([said]);
  expect(report.statements.filter(({ verdict }) => verdict === 'observed')).toEqual([]);
});

test('a scheme in another letter case is not a promise of the description', () => {
  const headers = { authorization: 'bearer admin-1234' };
  const answer = { 'www-authenticate': 'Bearer' };
  const refused = { as: null, headers, status: 401, body: error, answer };
  const right = { body: page };
  const all = [right, refused, right, refused, right, refused, right, refused, right];
  const { told, notJudged, journal } = watch(all, { lagMs: 0 });
  expect([told, new Set(notJudged)]).toEqual([
    [],
    new Set(['its scheme is spelt in other letters']),
  ]);
  expect(journal[1]?.caller).toBe('admin');
});

test('after a client renews its token, the end of the earlier one is not a violation', async () => {
  const newest = vi.fn(async () => new Map([['admin', 'admin-newer-1']]));
  const { watcher, journal, told } = watch([{ body: page }], { newest });
  const add = (said: Said) => {
    const one = exchange(said);
    watcher.end(one, watcher.begin(one.request));
    return journal.at(-1)?.caller;
  };
  const newer = { as: 'admin-newer-1', body: page };
  expect(add(newer)).toBe('caller-1');
  await newest.mock.results[0]?.value;
  expect(add(newer)).toBe('admin');
  const ended = { status: 401, body: error, answer: { 'www-authenticate': 'Bearer' } };
  expect(add(ended)).toBe('admin');
  expect(add(newer)).toBe('admin');
  expect([told, newest.mock.calls.length]).toEqual([[], 1]);
  // The rights of the new one are judged.
  const versions = { as: 'admin-newer-1', call: 'GET /api/v1/deployments/1/versions' };
  add({ ...versions, status: 403, body: error });
  add(newer);
  expect(told.join()).toContain('AUTH-2 at /status');
});

test('a metadata token opens no call, for any maker', () => {
  const mint = 'POST /api/v1/deployments/1/environments/201/tokens-for-meta-sync';
  const token = `eyJhbGciOiJFZERTQSJ9.${Buffer.from('{"a":1}').toString('base64url')}.c2lnbmF0dXJlLW9mLWl0`;
  const times = { created_at: '2026-01-05T09:30:00Z', expires_at: '2026-01-06T09:30:00Z' };
  const minted = {
    call: mint,
    sent: { security_context: { a: 1 } },
    body: { data: { token, ...times } },
  };
  const { told, watcher, journal } = watch([minted, { as: token, body: page }]);
  expect(told).toEqual([expect.stringContaining('META-8 at /status')]);
  expect(JSON.stringify([journal, watcher.report(), told])).not.toContain(token.slice(0, 30));
  const short = {
    ...minted,
    body: { data: { token, ...times, expires_at: '2026-01-05T10:30:00Z' } },
  };
  expect(watch([short]).told.join()).toContain('META-4');
});

test('a failure that another user may have caused counts after three times', () => {
  const lost = [named('A', { name: 'A' }), named('Old', {})];
  const told = (...all: Said[]) => watch(all, { lagMs: 0 }).told;
  expect(told(...lost, ...lost)).toEqual([]);
  expect(told(...lost, ...lost, named('A', { name: 'A' }), named('A', {}), ...lost)).toEqual([]);
  expect(told(...lost, ...lost, ...lost).join()).toContain('FOLDER-2 at /body/name');
});

test('a name that the next update does not show may be on its way', () => {
  const late = [named('A', { name: 'A' }), named('Old', {}), named('A', {})];
  expect(watch(Array(5).fill(late).flat()).told).toEqual([]);
});

test("the client's own calls at the same time prove nothing", () => {
  const told: string[] = [];
  const watcher = new Watcher({
    ...{ target, facts: watchFacts, redactor: new Redactor(), runId: 'test', version: '0' },
    ...{ suiteSha256: '0'.repeat(64), evidence: false, onViolation: (text) => told.push(text) },
  });
  for (let round = 0; round < 5; round++) {
    const [a, b] = ['A', 'B'].map((name) =>
      exchange({ call: folder, sent: { name }, body: { id: 11, name } }),
    );
    if (a === undefined || b === undefined) throw new Error('two');
    const begun = [watcher.begin(a.request), watcher.begin(b.request)] as const;
    watcher.end(b, begun[1]);
    watcher.end(a, begun[0]);
    const look = exchange({
      call: folder,
      sent: {},
      body: { id: 11, name: round % 2 ? 'A' : 'B' },
    });
    watcher.end(look, watcher.begin(look.request));
  }
  expect(told).toEqual([]);
});

test('a switch that does not show may be on its way', () => {
  const call = 'PUT /build/api/v1/deployments/1/branches/staging-environment';
  const branch = { id: 102, name: 'feature', parentBranch: 'main', lastHash: 'a' };
  const on = {
    call,
    sent: { branchName: 'feature', enabled: true },
    body: { data: { ...branch, isStagingEnvironmentEnabled: true } },
  };
  const none = {
    call: 'GET /api/v1/deployments/1/environments?type=staging',
    body: { data: { environments: [] }, pagination: { offset: 0, limit: 20, total: 0 } },
  };
  const rounds = [on, none, on, none, on, none];
  const soon = watch(rounds);
  expect(soon.told).toEqual([]);
  const { verdict, reason } = soon.report.statements.find(({ id }) => id === 'STAGE-5') ?? {};
  expect([verdict, reason]).toEqual([
    'not-testable',
    'the change may still be on its way (3 times)',
  ]);
  expect(watch(rounds, { lagMs: 0 }).told.join()).toContain('STAGE-5 at /list');
});

test('a defect counts only if two walks over the same items show it', () => {
  const walk = (ids: readonly string[]) =>
    [0, 2].map((offset) => ({
      call: `${list}?offset=${offset}&limit=2`,
      body: {
        data: {
          deployments: ids
            .slice(offset, offset + 2)
            .map((id) => ({ ...page.data.deployments[0], id })),
        },
        pagination: { offset, limit: 2, total: 4 },
      },
    }));
  const twice = ['1', '2', '2', '3'];
  expect(watch([...walk(twice), ...walk(['1', '2', '3', '4'])]).told).toEqual([]);
  expect(watch([...walk(twice), ...walk(twice)]).told.join()).toContain('PAGE-6 at /walk');
});

const toggle = 'PUT /build/api/v1/deployments/1/branches/staging-environment';
const recipients = 'POST /api/v1/deployments/1/notifications/31/recipients';
const versionsOf = 'GET /api/v1/deployments/1/versions';
const update = 'PUT /api/v1/deployments/1';
const refusal = { status: 400, body: error };
const switched = (sent: object, on: boolean, status = 200) => ({
  ...{ call: toggle, sent: { ...sent, enabled: on }, status },
  body: {
    data: {
      ...{ id: 102, name: 'feature', parentBranch: 'main', lastHash: 'a' },
      isStagingEnvironmentEnabled: on,
    },
  },
});
const byName = { branchName: 'feature' };
const offered = (...numbers: readonly string[]) => ({
  call: versionsOf,
  body: {
    data: ['1.6.3', ...numbers].map((version) => ({
      ...{
        version,
        releaseChannelVersion: `r.example.com/run:v${version}`,
        releaseChannel: 'latest',
      },
      ...{ isLatestInChannel: version === '1.6.3', isCurrent: version === '1.6.3' },
    })),
  },
});
const adding = (...added: readonly object[]) => ({
  call: recipients,
  sent: { recipients: added },
  body: {
    ...{ createdRecipients: [], updatedRecipients: [] },
    unchangedRecipients: added.map((one) => ({ type: 'USER', ...one })),
  },
});
const embedded = (externalId: string) => ({ embedTenantName: 'partner', externalId });
const named = (name: string, sent: object) => ({
  ...{ call: folder, sent, body: { id: 11, name, position: 1 } },
});

test.for<[what: string, statement: string, broken: readonly Said[], honest: readonly Said[]]>([
  [
    'a branch that is switched over is answered as promised; one that is so already need not be',
    'STAGE-1',
    [switched(byName, true, 207), switched(byName, false, 207)],
    [switched(byName, true), switched({ branchId: 102 }, false), switched(byName, false, 207)],
  ],
  [
    'a branch that is switched by name is known by its identifier; but a personal one is not switched on',
    'STAGE-12',
    [
      switched(byName, true),
      { call: toggle, sent: { branchId: 102, enabled: true }, ...refusal },
      switched(byName, true),
    ],
    [
      switched(byName, false),
      { call: toggle, sent: { branchId: 102, enabled: true }, ...refusal },
      switched(byName, false),
    ],
  ],
  [
    'a version that is offered before and afterwards is taken in each spelling; one that has gone is not',
    'UPD-3',
    [offered('1.5.9'), { call: update, sent: { releaseChannelVersion: 'v1.5.9' }, ...refusal }],
    [
      ...[
        offered('1.5.9'),
        { call: update, sent: { releaseChannelVersion: 'v1.5.9' }, ...refusal },
      ],
      offered(),
    ],
  ],
  [
    'a refused update of a folder is not carried out; somebody else may choose another name',
    'FOLDER-12',
    [named('Old', {}), { call: folder, sent: { name: 'New' }, ...refusal }, named('New', {})],
    [
      named('Old', {}),
      { call: folder, sent: { name: 'New' }, ...refusal },
      named('Other', {}),
      named('Other', {}),
    ],
  ],
  [
    'an identifier that is an email makes a recipient, if others of its tenant are taken',
    'RECIP-18',
    [
      adding({ ...embedded('pat'), email: 'pat@example.com' }),
      { ...adding(embedded('kim@example.com')), ...refusal },
    ],
    [
      ...[adding({ userId: 2 }), { ...adding(embedded('kim@example.com')), ...refusal }],
      ...[{ ...adding(embedded('kim')), ...refusal }],
    ],
  ],
  [
    'a person without an email is refused among more recipients too; but may be given one first',
    'RECIP-16',
    [{ ...adding(embedded('kim')), ...refusal }, adding({ userId: 2 }, embedded('kim'))],
    [
      ...[{ ...adding(embedded('kim')), ...refusal }],
      ...[adding({ ...embedded('kim'), email: 'kim@example.com' })],
      ...[adding({ userId: 2 }, embedded('kim'))],
      ...[{ ...adding(embedded('pat')), ...refusal }, adding(embedded('pat'))],
      ...[{ ...adding({ userId: 3 }), ...refusal }, adding({ userId: 3 }, { userId: 2 })],
    ],
  ],
])('%s', ([, statement, broken, honest]) => {
  const rounds = (round: readonly Said[], times: number) => Array(times).fill(round).flat();
  expect(watch(broken).told).toEqual([]);
  expect(watch(rounds(broken, 5)).told.join()).toContain(`violates ${statement} at`);
  expect(watch(rounds(honest, 5)).told).toEqual([]);
});

test('each set of recipients counts by itself: others that hold do not excuse it', () => {
  const none = { createdRecipients: [], updatedRecipients: [], unchangedRecipients: [] };
  const item = { type: 'EMBED_USER', embedTenantName: 'partner', externalId: 'pat' };
  const again = {
    ...adding({ ...embedded('pat'), email: 'pat@example.com' }),
    body: { ...none, updatedRecipients: [item] },
  };
  const holds = {
    ...adding({ userId: 2 }),
    body: { ...none, unchangedRecipients: [{ type: 'USER', userId: 2 }] },
  };
  const round = [again, again, holds, holds];
  expect(watch([...round, ...round]).told).toEqual([]);
  expect(watch([...round, ...round, ...round]).told.join()).toContain('RECIP-7');
});

test('totals that differ each time are of a list that moves, unless its items never do', () => {
  let total = 1;
  const walk = (id: string) => {
    total += 1;
    const { pagination, data } = page;
    return {
      body: {
        data: { deployments: data.deployments.map((item) => ({ ...item, id })) },
        pagination: { ...pagination, total },
      },
    };
  };
  const ended = (id: string) => [walk(id), { call: `${list}?offset=1`, body: empty(1, total) }];
  const empty = (offset: number, all: number) => ({
    data: { deployments: [] },
    pagination: { offset, limit: 20, total: all },
  });
  expect(watch([...ended('1'), ...ended('1')]).told).toEqual([]);
  expect(watch([...ended('1'), ...ended('2'), ...ended('1'), ...ended('2')]).told).toEqual([]);
  expect(watch([...ended('1'), ...ended('1'), ...ended('1')]).told.join()).toContain('at /walk');
});

test('somebody who comes and goes during walks changes the total, and no item', () => {
  const walk = (...totals: readonly number[]) =>
    totals.map((total, offset) => {
      const items = offset < 2 ? [{ ...page.data.deployments[0], id: String(offset) }] : [];
      const pagination = { offset, limit: 1, total };
      return {
        call: `${list}?offset=${offset}&limit=1`,
        body: { data: { deployments: items }, pagination },
      };
    });
  const [came, went] = [walk(2, 3, 2), walk(3, 2)];
  expect(watch([came, went, came, went, came, came].flat()).told).toEqual([]);
  expect(watch([came, came, came].flat()).told.join()).toContain('at /walk');
});

test.for<[what: string, call: string, as: string | null, status: number, place: string]>([
  ['an anonymous caller', versionsOf, null, 500, 'AUTH-1 at /status'],
  ['somebody who may make the call', versionsOf, 'member-1234', 409, 'AUTH-10 at /status'],
  ['somebody to whom two statements permit it', versionsOf, 'admin-1234', 409, 'AUTH-2 at /status'],
  [
    'the same of another deployment',
    'GET /api/v1/deployments/7/versions',
    'member-1234',
    403,
    'AUTH-10 at /status',
  ],
  [
    'a key beyond its scope',
    'GET /api/v1/deployments/2/versions',
    'scoped-1234',
    404,
    'AUTH-8 at /status',
  ],
])(
  'another answer than is promised counts if others get theirs, three times: %s',
  ([, call, as, status, place]) => {
    const isMember = as === 'member-1234';
    const others = { call, as: isMember ? 'admin-1234' : 'member-1234', body: offered().body };
    const alone = { call, as, status, body: error };
    const three = [others, alone, others, alone, others, alone, others];
    const soon = watch(three);
    expect(soon.told).toEqual([]);
    expect(watch(three.slice(2), { lagMs: 0 }).told).toEqual([]);
    expect(watch(three, { lagMs: 0 }).told.join()).toContain(place);
    // A gateway, an object that is not there, and an answer in between that was right.
    expect(
      watch(
        three.map((one) => ({ ...one, status: one === alone ? 503 : 200 })),
        { lagMs: 0 },
      ).told,
    ).toEqual([]);
    expect(watch([alone, alone, alone, alone], { lagMs: 0 }).told).toEqual([]);
    const scope =
      as === 'scoped-1234'
        ? { status: 403, body: error }
        : { status: 401, body: error, answer: { 'www-authenticate': 'Bearer' } };
    const right = isMember || as === 'admin-1234' ? others : { ...alone, ...scope };
    expect(
      watch([...three.slice(0, 5), { ...right, as }, ...three.slice(4)], { lagMs: 0 }).told,
    ).toEqual([]);
  },
);

test('a HEAD that a web application answers says nothing about its caller', () => {
  const call = 'HEAD /api/v1/deployments/2/versions';
  const { told, notJudged } = watch([
    { call, as: 'scoped-1234' },
    { call, as: null },
  ]);
  expect([told, notJudged]).toEqual([[], Array(2).fill('it is a HEAD, and has no body to judge')]);
});

test('a scoped key is not shown a deployment beyond its scope', () => {
  const both = ['1', '2'].map((id) => ({ ...page.data.deployments[0], id }));
  const body = { data: { deployments: both }, pagination: { ...page.pagination, total: 2 } };
  expect(watch([{ body }]).told).toEqual([]);
  expect(watch([{ as: 'scoped-1234', body }]).told.join()).toContain('DEPL-4');
});

test('recipients that are added again are unchanged', () => {
  const call = 'POST /api/v1/deployments/1/notifications/31/recipients';
  const sent = { recipients: [{ userId: 2 }] };
  const none = { createdRecipients: [], updatedRecipients: [], unchangedRecipients: [] };
  const created = {
    call,
    sent,
    body: { ...none, createdRecipients: [{ type: 'USER', userId: 2 }] },
  };
  expect(watch([created, created, created]).told).toEqual([]);
  expect(watch([created, created, created, created]).told.join()).toContain('RECIP-7');
});

test('no personal data is kept: bodies are shapes, without secrets and names', () => {
  const name = 'Ana Example';
  const email = 'ana@example.com';
  const bad = {
    data: { deployments: [{ id: '1', name: { first: name }, created_at: email }] },
    pagination: 'x',
  };
  const call = `${list}?userEmail=${email}`;
  const { watcher, journal, told } = watch(
    [
      { body: bad, headers: { 'x-session': 'secret-of-a-session', cookie: 'sid=1' } },
      { call, body: page },
      { call: 'GET /api/v1/users/ana%40example.com', body: {} },
      { call: folder, sent: { name }, body: { id: 11, name: 'Ben Example' } },
      { as: 'unknown-credential-1', body: page },
    ],
    { evidence: true },
  );
  const { report, evidence } = watcher.finish();
  const all = JSON.stringify([report, journal, told, ...evidence.map((file) => file.text)]);
  for (const secret of [
    name,
    email,
    '%40',
    'Ben Example',
    'Sales',
    'secret-of-a-session',
    'sid=1',
    'unknown-credential-1',
    ...Object.values(env),
  ])
    expect(all).not.toContain(secret);
  expect(all).toContain('caller-1');
  expect(told.join()).toContain('DEPL-2');
});

test('with --keep-bodies a body is kept without secrets', () => {
  const { watcher } = watch([{ body: page, answer: { 'x-echo': 'admin-1234' } }], {
    evidence: true,
    keepBodies: true,
  });
  const text = watcher
    .finish()
    .evidence.map((file) => file.text)
    .join();
  expect(text).toContain('Sales');
  expect(text).not.toContain('admin-1234');
});

test('with --keep-bodies, secrets that the tenant file does not name are removed as well', () => {
  const said: Said = {
    call: `${list}?api_key=query-secret-1`,
    as: 'sk-unknown-1',
    headers: { 'x-api-key': 'header-secret-1' },
    body: { echo: 'sk-unknown-1 header-secret-1 query-secret-1' },
  };
  const { watcher } = watch([said], { evidence: true, keepBodies: true });
  const [kept] = watcher.finish().evidence;
  expect(kept?.text).toContain('echo');
  expect(kept?.text).not.toMatch(/sk-unknown-1|header-secret-1|query-secret-1/);
});

test('a body that is too large is judged by its head', () => {
  const said = exchange({
    call: 'GET /api/v1/audit-logs/export',
    answer: { 'content-type': 'application/json' },
  });
  const { watcher, told } = watch([]);
  const large = { ...said, body: { bytes: undefined, missing: 'the body is larger' } };
  watcher.end(large, watcher.begin(large.request));
  expect(told.join('\n')).toMatch(/AUDIT-1 at \/media.*AUDIT-2/s);
});

const tokens = 'POST /api/v1/deployments/1/environments/1/tokens-for-meta-sync' as const;
const deep = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;

test.for<[what: string, said: Said]>([
  ['an answer that is nested deep', { body: deep }],
  ['a request that is nested deep', { call: locked, sent: deep, body: {} }],
  ['a page in the place of a token', { call: tokens, sent: {}, body: '<html>' }],
])('the watcher survives %s', ([, said]) => {
  const { watcher, journal } = watch([said], { evidence: true, keepBodies: true });
  expect(journal).toHaveLength(1);
  expect(watcher.finish().evidence).toHaveLength(1);
});

test('too many codings in a header are not undone', () => {
  const read = textOf({ bytes: Buffer.from('x') }, { 'content-encoding': 'gzip,'.repeat(9000) });
  expect(read).toMatch(/more than 4/);
});

test('the kept data does not grow with the traffic', () => {
  const { watcher } = watch([]);
  const add = (many: number): void => {
    for (let count = 0; count < many; count++) {
      const one = exchange({ as: `caller-${count}`, call: `${list}?offset=${count}`, body: page });
      watcher.end(one, watcher.begin(one.request));
    }
  };
  add(1500);
  expect(JSON.stringify(watcher.report()).length).toBeLessThan(500_000);
});

test.for<[said: Said, basis: string | undefined]>([
  [{ body: page }, 'documented'],
  [{ as: null, status: 401 }, 'documented'],
  [{ call: `${list}/` }, 'assumed; REQ-1'],
  [{ call: `${list}?x=1` }, 'assumed; REQ-2'],
  [{ call: 'GET /api/v1/reports', status: 404 }, 'assumed; SVC-6'],
  [{ call: 'DELETE /api/v1/deployments', status: 405 }, 'assumed; ERR-10'],
  [{ call: locked, as: 'member-1234', sent: {}, status: 403 }, 'documented'],
  [{ call: '/elsewhere', status: 200 }, undefined],
  [{ status: 503 }, undefined],
])('an answer is graded before its body: %j', ([said, basis]) => {
  const { journal } = watch([said]);
  expect(journal[0]?.basis?.text).toBe(basis);
});
