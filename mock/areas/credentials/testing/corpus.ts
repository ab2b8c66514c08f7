import { type CorpusEntry, type CorpusRequest, post, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const tokens = `${one}/environments/201/tokens-for-meta-sync`;
const staging = '/build/api/v1/deployments/1/branches/staging-environment';
const users = '/api/scim/v2/Users';
const log = '/api/v1/audit-logs/export';
const toggle = (body: unknown, more: Partial<CorpusRequest> = {}) => put(staging, body, more);
const context = { security_context: { tenant: 1 } };

export const corpus: readonly CorpusEntry[] = [
  { name: 'no credential', send: { path: deployments, as: null } },
  { name: 'malformed credential', send: { path: deployments, authorization: 'Basic dTpw' } },
  { name: 'expired credential', send: { path: deployments, as: 'expired' } },
  { name: 'outside the scope', send: { path: `${deployments}/2/versions`, as: 'scoped' } },
  { name: "a member's token on a list", send: { path: `${one}/versions`, as: 'memberOauth' } },
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
  { name: 'scoped key on SCIM', send: { path: `${users}?count=1`, as: 'scoped' } },
  { name: 'embed JWT on SCIM', send: { path: `${users}?count=1`, as: 'embed' } },
  {
    name: 'SCIM token in the Api-Key scheme on the management API',
    send: { path: `${deployments}?limit=1`, authorization: 'Api-Key w-scim' },
  },
  { name: 'scoped key on the export', send: { path: `${log}?eventName=None`, as: 'scoped' } },
  { name: 'embed JWT on the deployments list', send: { path: deployments, as: 'embed' } },
  {
    name: 'two Authorization headers',
    send: { path: deployments, authorization: 'Bearer w-admin, Bearer w-member' },
  },
  {
    name: 'embed JWT on the environments list',
    send: { path: `${one}/environments`, as: 'embed' },
  },
  {
    name: 'embed JWT on a folder that its user edits',
    send: put(`${one}/folders/11`, {}, { as: 'embed' }),
  },
  {
    name: 'embed JWT on a folder that its user may not edit',
    send: put(`${one}/folders/12`, {}, { as: 'embed' }),
  },
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
];
