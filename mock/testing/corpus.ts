/**
 * Requests that meet every silence of the contract. Two tests run on it: each alternative changes
 * the answer of one of them, and the Lockstep-Basis of each is exactly what switching shows.
 */
import type { ServiceEvent } from '../world/service-event.ts';

export interface Sent {
  /** Name of a credential; null for no Authorization header. Default admin. */
  readonly as?: string | null;
  /** Whole Authorization header, instead of `as`. */
  readonly authorization?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  /** Body as text, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly plain?: boolean;
  readonly tooLarge?: boolean;
  /** The metadata token of the call before it is the credential. */
  readonly withToken?: boolean;
}

export interface CorpusEntry {
  readonly name: string;
  readonly fixture?: string;
  readonly before?: readonly (Sent | { readonly event: ServiceEvent })[];
  readonly send: Sent;
}

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const tokens = `${one}/environments/201/tokens-for-meta-sync`;
const staging = '/build/api/v1/deployments/1/branches/staging-environment';
const recipients = `${one}/notifications/31/recipients`;
const users = '/api/scim/v2/Users';
const log = '/api/v1/audit-logs/export';
const put = (path: string, body: unknown, more: Partial<Sent> = {}): Sent => ({
  method: 'PUT',
  path,
  body,
  ...more,
});
const post = (path: string, body: unknown, more: Partial<Sent> = {}): Sent => ({
  method: 'POST',
  path,
  body,
  ...more,
});
const toggle = (body: unknown, more: Partial<Sent> = {}) => put(staging, body, more);
const subscribe = (...items: unknown[]) => post(recipients, { recipients: items });
const context = { security_context: { tenant: 1 } };
const pat = { embedTenantName: 'partner-a', externalId: 'pat@example.com' };

export const corpus: readonly CorpusEntry[] = [
  // What the description promises outright.
  { name: 'deployments', send: { path: deployments } },
  { name: 'deployments of a scoped key', send: { path: deployments, as: 'scoped' } },
  { name: 'a page of deployments', send: { path: `${deployments}?offset=20&limit=7` } },
  { name: 'staging environments', send: { path: `${one}/environments?type=staging` } },
  {
    name: 'environments of a deployment without branches',
    send: { path: `${deployments}/2/environments` },
  },
  { name: 'versions', send: { path: `${one}/versions` } },
  { name: 'dbt sync result', send: { path: `${one}/dbt-sync/sync-completed/result` } },
  { name: 'SCIM users', send: { path: `${users}?count=5`, as: 'scim' } },
  {
    name: 'SCIM users, Api-Key scheme',
    send: { path: `${users}?count=0`, authorization: 'Api-Key w-scim' },
  },
  {
    name: 'enabling a shared branch',
    send: toggle({ branchName: 'feature-orders', enabled: true }),
  },
  { name: 'disabling a shared branch', send: toggle({ branchId: 103, enabled: false }) },
  { name: 'no credential', send: { path: deployments, as: null } },
  { name: 'malformed credential', send: { path: deployments, authorization: 'Basic dTpw' } },
  { name: 'expired credential', send: { path: deployments, as: 'expired' } },
  { name: 'outside the scope', send: { path: `${deployments}/2/versions`, as: 'scoped' } },
  { name: 'unlisted version', send: put(one, { releaseChannelVersion: '9.9.9' }) },
  { name: 'folder of another deployment', send: put(`${one}/folders/21`, { name: 'x' }) },
  {
    name: 'folder without edit access',
    send: put(`${one}/folders/12`, { name: 'x' }, { as: 'member' }),
  },
  {
    name: 'recipients as a member',
    send: post(recipients, { recipients: [{ userId: 2 }] }, { as: 'member' }),
  },
  {
    name: 'recipients with an embed JWT',
    send: post(recipients, { recipients: [{ userId: 2 }] }, { as: 'embed' }),
  },
  { name: 'a chat recipient', send: subscribe({ channelId: 'C1', channelName: 'ops' }) },
  { name: 'an unresolvable recipient', send: subscribe({ userId: 999 }) },
  { name: 'export without the permission', send: { path: log, as: 'member' } },

  // The service as a whole.
  { name: 'unknown path', send: { path: '/api/v1/reports' } },
  { name: 'path outside the service', send: { path: '/favicon.ico' } },
  {
    name: 'the 61st call of a minute',
    before: Array.from({ length: 60 }, () => ({ path: deployments })),
    send: { path: deployments },
  },

  // Credentials.
  { name: 'unknown key', send: { path: deployments, authorization: 'Bearer no-such-key' } },
  {
    name: 'unknown key on the build API',
    send: toggle({ branchId: 102, enabled: true }, { authorization: 'Bearer no-such-key' }),
  },
  {
    name: 'revoked key',
    before: [{ event: { type: 'revokeCredential', credential: 'member' } }],
    send: { path: deployments, as: 'member' },
  },
  { name: 'plain HTTP', send: { path: deployments, plain: true } },
  {
    name: 'Api-Key scheme on the management API',
    send: { path: deployments, authorization: 'Api-Key w-admin' },
  },
  {
    name: 'Api-Key scheme with an expired key',
    send: { path: deployments, authorization: 'Api-Key w-expired' },
  },
  { name: 'SCIM token on the management API', send: { path: deployments, as: 'scim' } },
  { name: 'admin key on SCIM', send: { path: `${users}?count=1`, as: 'admin' } },
  { name: 'member key on SCIM', send: { path: `${users}?count=1`, as: 'member' } },
  { name: 'scoped key on the export', send: { path: `${log}?eventName=None`, as: 'scoped' } },
  { name: 'embed JWT on the deployments list', send: { path: deployments, as: 'embed' } },
  {
    name: 'metadata token as a credential',
    before: [post(tokens, context)],
    send: { path: deployments, withToken: true },
  },
  {
    name: 'metadata token on SCIM',
    before: [post(tokens, context)],
    send: { path: users, withToken: true },
  },

  // What refuses first.
  { name: 'no role and a bad body', send: post(recipients, { recipients: 1 }, { as: 'member' }) },
  {
    name: 'no role and no such notification',
    send: post(
      `${one}/notifications/99/recipients`,
      { recipients: [{ userId: 2 }] },
      { as: 'member' },
    ),
  },
  { name: 'a bad body and no such folder', send: put(`${one}/folders/99`, { position: 'x' }) },
  {
    name: 'outside the scope and a bad parameter',
    send: { path: `${deployments}/2/environments?limit=x`, as: 'scoped' },
  },
  {
    name: 'outside the scope and no such deployment',
    send: { path: `${deployments}/99/versions`, as: 'scoped' },
  },
  {
    name: 'outside the scope and a path that is no number',
    send: put(`${deployments}/abc/folders/11`, { name: 'x' }, { as: 'scoped' }),
  },
  {
    name: 'unknown parameter and no such deployment',
    send: { path: `${deployments}/99/versions?colour=red` },
  },
  { name: 'trailing slash and no such deployment', send: { path: `${deployments}/99/versions/` } },

  // Requests that the description does not foresee.
  { name: 'build API error', send: { path: '/build/api/v1/deployments/1/branches', as: null } },
  { name: 'limit that is no number', send: { path: `${deployments}?limit=many` } },
  { name: 'negative offset', send: { path: `${deployments}?offset=-1` } },
  { name: 'SCIM count that is no number', send: { path: `${users}?count=many`, as: 'scim' } },
  { name: 'percent escape that is not UTF-8', send: { path: `${log}?search=%ff` } },
  { name: 'body that is not JSON', send: { method: 'PUT', path: staging, text: '{' } },
  { name: 'body of the wrong type', send: put(`${one}/folders/11`, { position: 'first' }) },
  { name: 'body that is a list', send: put(`${one}/folders/11`, []) },
  {
    name: 'body as text',
    send: put(
      `${one}/folders/11`,
      { name: 'Money' },
      { headers: { 'content-type': 'text/plain' } },
    ),
  },
  { name: 'body that is too large', send: put(`${one}/folders/11`, {}, { tooLarge: true }) },
  { name: 'no such deployment', send: { path: `${deployments}/99/versions` } },
  { name: 'method that the path has not', send: { method: 'DELETE', path: `${one}/folders/11` } },
  { name: 'folder id that is no number', send: put(`${one}/folders/eleven`, { name: 'x' }) },
  {
    name: 'percent escape in a path that is not UTF-8',
    send: { path: `${deployments}/%ff/versions` },
  },
  { name: 'trailing slash', send: { path: `${deployments}/` } },
  { name: 'trailing slash without a credential', send: { path: `${deployments}/`, as: null } },
  { name: 'unknown query parameter', send: { path: `${deployments}?colour=red` } },
  {
    name: 'unknown query parameter and a bad limit',
    send: { path: `${deployments}?colour=red&limit=x` },
  },
  { name: 'unknown body field', send: put(`${one}/folders/11`, { parentId: 12 }) },
  { name: 'unknown field of a recipient', send: subscribe({ userId: 2, nickname: 'B' }) },
  {
    name: 'unknown body field and a bad position',
    send: put(`${one}/folders/11`, { colour: 1, position: 'x' }),
  },
  { name: 'write without a body', send: { method: 'PUT', path: `${one}/folders/11` } },
  { name: 'deployment update without a body', send: { method: 'PUT', path: one } },
  {
    name: 'number for an external id',
    send: subscribe({ embedTenantName: 'x', externalId: 7, email: 'x@example.com' }),
  },
  { name: 'number for a name', send: put(`${one}/folders/11`, { name: 2026 }) },
  { name: 'number for a branch name', send: toggle({ branchName: 7, enabled: true }) },
  { name: 'repeated parameter', send: { path: `${deployments}?limit=2&limit=3` } },
  {
    name: 'Prefer without what it is for',
    send: { path: deployments, headers: { prefer: 'respond-async' } },
  },
  {
    name: 'Prefer with a code',
    send: { path: `${one}/versions`, headers: { prefer: 'code=403' } },
  },
  { name: 'HEAD', send: { method: 'HEAD', path: deployments } },

  // Lists.
  { name: 'limit above 100', send: { path: `${deployments}?limit=101` } },
  { name: 'limit 0', send: { path: `${deployments}?limit=0` } },
  { name: 'offset behind the end', send: { path: `${deployments}?offset=45` } },
  { name: 'all environments', send: { path: `${one}/environments` } },
  { name: 'development environments', send: { path: `${one}/environments?type=development` } },
  { name: 'production environments', send: { path: `${one}/environments?type=production` } },
  { name: 'unknown type', send: { path: `${one}/environments?type=test` } },
  {
    name: 'environments right after enabling',
    before: [toggle({ branchId: 102, enabled: true })],
    send: { path: `${one}/environments?type=staging` },
  },
  {
    name: 'development environments right after disabling',
    before: [toggle({ branchId: 103, enabled: false })],
    send: { path: `${one}/environments?type=development` },
  },
  {
    name: 'all environments right after disabling',
    before: [toggle({ branchId: 103, enabled: false })],
    send: { path: `${one}/environments` },
  },

  // Metadata tokens.
  { name: 'metadata token', send: post(tokens, context) },
  { name: 'metadata token for a year', send: post(tokens, { ...context, expires_in: 31_536_000 }) },
  { name: 'metadata token for no time', send: post(tokens, { ...context, expires_in: 0 }) },
  { name: 'metadata token with an empty context', send: post(tokens, { security_context: {} }) },
  { name: 'metadata token without a context', send: post(tokens, {}) },
  {
    name: 'metadata token of no environment',
    send: post(`${one}/environments/999/tokens-for-meta-sync`, context),
  },

  {
    name: 'no edit access and a bad body',
    send: put(`${one}/folders/12`, { name: 5 }, { as: 'member' }),
  },

  // Staging environments and branches.
  { name: 'branches', send: { path: '/build/api/v1/deployments/1/branches' } },
  { name: 'enabling a personal branch', send: toggle({ branchName: 'dev-ana', enabled: true }) },
  { name: 'enabling the production branch', send: toggle({ branchId: 101, enabled: true }) },
  {
    name: 'name and id of one branch',
    send: toggle({ branchName: 'feature-orders', branchId: 102, enabled: true }),
  },
  {
    name: 'name and id of two branches',
    send: toggle({ branchName: 'feature-orders', branchId: 103, enabled: false }),
  },
  { name: 'neither name nor id', send: toggle({ enabled: true }) },
  { name: 'no such branch', send: toggle({ branchName: 'nowhere', enabled: true }) },
  { name: 'enabling what is enabled', send: toggle({ branchId: 103, enabled: true }) },
  { name: 'disabling a personal branch', send: toggle({ branchId: 104, enabled: false }) },
  { name: 'branch id as a string', send: toggle({ branchId: '102', enabled: true }) },

  // Versions.
  { name: 'versions with paging', send: { path: `${one}/versions?offset=1&limit=2` } },
  {
    name: 'versions with a limit that holds them all',
    send: { path: `${one}/versions?limit=100` },
  },
  { name: 'switching the version', send: put(one, { releaseChannelVersion: 'v1.6.3' }) },
  {
    name: 'renaming a deployment',
    before: [put(one, { name: 'Sold' })],
    send: { path: `${deployments}?limit=1` },
  },
  { name: 'name in a deployment update', send: put(one, { name: 'Sold' }) },
  { name: 'deployment update that says nothing', send: put(one, {}) },
  {
    name: 'version and channel',
    send: put(one, { releaseChannelVersion: '1.6.3', releaseChannel: 'preview' }),
  },
  { name: 'no such channel', send: put(one, { releaseChannel: 'nightly' }) },
  {
    name: 'versions right after a switch',
    before: [put(one, { releaseChannel: 'preview' })],
    send: { path: `${one}/versions` },
  },

  // The audit log.
  { name: 'export', send: { path: log } },
  { name: 'export without the feature', fixture: 'basic-plan', send: { path: log } },
  { name: 'export to a day', send: { path: `${log}?end=2025-12-20` } },
  { name: 'export from a time of day', send: { path: `${log}?start=2025-12-20T12:00:00Z` } },
  { name: 'export backwards', send: { path: `${log}?start=2025-12-20&end=2025-12-10` } },
  { name: 'export of part of a word', send: { path: `${log}?search=xample` } },
  {
    name: 'export after a write',
    before: [put(`${one}/folders/11`, { name: 'Money' })],
    send: { path: log },
  },
  { name: 'export with a bad date', send: { path: `${log}?start=yesterday` } },

  { name: 'export of a user in capitals', send: { path: `${log}?userEmail=ANA@example.com` } },

  // dbt syncs.
  { name: 'running sync', send: { path: `${one}/dbt-sync/sync-running/result` } },
  { name: 'unknown sync', send: { path: `${one}/dbt-sync/none/result` } },
  { name: 'failed sync', send: { path: `${one}/dbt-sync/sync-failed/result` } },

  // Folders.
  { name: 'renaming a folder at the top', send: put(`${one}/folders/11`, { name: 'Money' }) },
  { name: 'renaming a folder in a folder', send: put(`${one}/folders/13`, { name: 'Yearly' }) },
  { name: 'position behind the siblings', send: put(`${one}/folders/11`, { position: 9 }) },
  { name: 'empty name', send: put(`${one}/folders/11`, { name: '' }) },
  { name: 'name of a sibling', send: put(`${one}/folders/11`, { name: 'Operations' }) },

  // Recipients.
  { name: 'a console user', send: subscribe({ userId: 2 }) },
  { name: 'an embed user', send: subscribe(pat) },
  { name: 'one recipient twice', send: subscribe({ userId: 2 }, { email: 'ben@example.com' }) },
  { name: 'no recipient', send: post(recipients, { recipients: [] }) },
  {
    name: '1001 recipients',
    send: subscribe(...Array.from({ length: 1001 }, () => ({ userId: 2 }))),
  },
  { name: 'a stranger', send: subscribe({ email: 'nobody@example.com' }) },
  { name: 'two users in one item', send: subscribe({ userId: 2, email: 'ana@example.com' }) },
  {
    name: 'no such notification',
    send: post(`${one}/notifications/99/recipients`, { recipients: [{ userId: 2 }] }),
  },
  {
    name: 'a context that is not sent again',
    before: [subscribe({ ...pat, securityContext: { a: 1 } })],
    send: subscribe(pat),
  },
  {
    name: 'groups in another order',
    before: [subscribe({ ...pat, groups: ['a', 'b'] })],
    send: subscribe({ ...pat, groups: ['b', 'a'] }),
  },
  { name: 'email in capitals', send: subscribe({ email: 'BEN@example.com' }) },
  { name: 'console user with a context', send: subscribe({ userId: 2, securityContext: {} }) },

  {
    name: 'another email for an embed user',
    before: [subscribe({ embedTenantName: 'partner-a', externalId: 'ext-1' })],
    send: subscribe({
      embedTenantName: 'partner-a',
      externalId: 'ext-1',
      email: 'new@example.com',
    }),
  },
  {
    name: 'an email whose host has no point',
    send: subscribe({ embedTenantName: 'x', externalId: 'root@localhost' }),
  },
  {
    name: 'no groups after none',
    before: [subscribe(pat)],
    send: subscribe({ ...pat, groups: [] }),
  },
  { name: 'half an embed user', send: subscribe({ externalId: 'pat@example.com' }) },
  { name: 'an item of two kinds', send: subscribe({ ...pat, userId: 2 }) },

  // SCIM.
  { name: 'SCIM users without count', send: { path: users, as: 'scim' } },
  { name: 'SCIM error', send: { path: users, as: null } },
  { name: 'SCIM filter', send: { path: `${users}?filter=userName%20eq%20%22x%22`, as: 'scim' } },
];
