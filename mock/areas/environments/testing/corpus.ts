import { type CorpusEntry, type CorpusRequest, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const staging = '/build/api/v1/deployments/1/branches/staging-environment';
const toggle = (body: unknown, more: Partial<CorpusRequest> = {}) => put(staging, body, more);

export const corpus: readonly CorpusEntry[] = [
  {
    name: 'environments of a deployment without branches',
    send: { path: `${deployments}/2/environments` },
  },
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
];
