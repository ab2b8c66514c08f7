import { type CorpusEntry, type CorpusRequest, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const staging = '/build/api/v1/deployments/1/branches/staging-environment';
const toggle = (body: unknown, more: Partial<CorpusRequest> = {}) => put(staging, body, more);

export const corpus: readonly CorpusEntry[] = [
  { name: 'staging environments', send: { path: `${one}/environments?type=staging` } },
  {
    name: 'enabling a shared branch',
    send: toggle({ branchName: 'feature-orders', enabled: true }),
  },
  { name: 'disabling a shared branch', send: toggle({ branchId: 103, enabled: false }) },
  { name: 'branches', send: { path: '/build/api/v1/deployments/1/branches' } },
  {
    name: 'branches with paging',
    send: { path: '/build/api/v1/deployments/1/branches?offset=1&limit=2' },
  },
  {
    name: 'branches by cursor',
    send: { path: '/build/api/v1/deployments/1/branches?first=2&after=MTAx' },
  },
  {
    name: 'branches after an unknown cursor',
    send: { path: '/build/api/v1/deployments/1/branches?after=nowhere' },
  },
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
  { name: 'enabling an enabled branch', send: toggle({ branchId: 103, enabled: true }) },
  { name: 'disabling a personal branch', send: toggle({ branchId: 104, enabled: false }) },
  { name: 'disabling the production branch', send: toggle({ branchId: 101, enabled: false }) },
  { name: 'branch id as a string', send: toggle({ branchId: '102', enabled: true }) },
];
