import { type CorpusEntry, type CorpusRequest, post, put } from '../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const staging = '/build/api/v1/deployments/1/branches/staging-environment';
const recipients = `${one}/notifications/31/recipients`;
const users = '/api/scim/v2/Users';
const log = '/api/v1/audit-logs/export';
const toggle = (body: unknown, more: Partial<CorpusRequest> = {}) => put(staging, body, more);
const subscribe = (...items: unknown[]) => post(recipients, { recipients: items });

export const corpus: readonly CorpusEntry[] = [
  // The service as a whole.
  { name: 'unknown path', send: { path: '/api/v1/reports' } },
  { name: 'path outside the service', send: { path: '/favicon.ico' } },
  {
    name: 'the 61st call of a minute',
    before: Array.from({ length: 60 }, () => ({ path: deployments })),
    send: { path: deployments },
  },

  // The check that refuses first.
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
    name: 'outside the scope and a path that is not a number',
    send: put(`${deployments}/abc/folders/11`, { name: 'x' }, { as: 'scoped' }),
  },
  {
    name: 'unknown parameter and no such deployment',
    send: { path: `${deployments}/99/versions?colour=red` },
  },
  { name: 'trailing slash and no such deployment', send: { path: `${deployments}/99/versions/` } },

  // Requests that the description does not foresee.
  { name: 'build API error', send: { path: '/build/api/v1/deployments/1/branches', as: null } },
  { name: 'limit that is not a number', send: { path: `${deployments}?limit=many` } },
  { name: 'negative offset', send: { path: `${deployments}?offset=-1` } },
  { name: 'SCIM count that is not a number', send: { path: `${users}?count=many`, as: 'scim' } },
  { name: 'percent escape that is not UTF-8', send: { path: `${log}?search=%ff` } },
  { name: 'body that is not JSON', send: { method: 'PUT', path: staging, text: '{' } },
  { name: 'body of the wrong type', send: put(`${one}/folders/11`, { position: 'first' }) },
  {
    name: 'an integer beyond 2^53 in a body',
    send: {
      method: 'PUT',
      path: `${one}/folders/11`,
      text: '{"position": 9007199254740993}',
    },
  },
  {
    name: 'null in a field that is required',
    send: post(`${one}/environments/201/tokens-for-meta-sync`, { security_context: null }),
  },
  {
    name: 'a number in a body that is too large for any',
    send: { method: 'PUT', path: `${one}/folders/11`, text: '{"position": 1e400}' },
  },
  {
    name: 'a body in gzip',
    send: put(`${one}/folders/11`, {}, { headers: { 'content-encoding': 'gzip' } }),
  },
  { name: 'null in a field of a body', send: put(`${one}/folders/11`, { name: null }) },
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
  {
    name: 'method that the path does not have',
    send: { method: 'DELETE', path: `${one}/folders/11` },
  },
  { name: 'folder id that is not a number', send: put(`${one}/folders/eleven`, { name: 'x' }) },
  { name: 'deployment id that is not a number', send: { path: `${deployments}/sales/versions` } },
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
];
