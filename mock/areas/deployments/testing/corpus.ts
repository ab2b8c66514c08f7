import { type CorpusEntry, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;

export const corpus: readonly CorpusEntry[] = [
  { name: 'deployments', send: { path: deployments } },
  { name: 'deployments of a scoped key', send: { path: deployments, as: 'scoped' } },
  { name: 'a page of deployments', send: { path: `${deployments}?offset=20&limit=7` } },
  {
    name: 'renaming a deployment',
    before: [put(one, { name: 'Sold' })],
    send: { path: `${deployments}?limit=1` },
  },
  { name: 'name in a deployment update', send: put(one, { name: 'Sold' }) },
  { name: 'region in a deployment update', send: put(one, { region: 'eu' }) },
  {
    name: 'deployment update after another one',
    before: [put(one, { region: 'eu', name: 'Sold' })],
    send: put(one, { deployMode: 'staged' }),
  },
  { name: 'deployment update that says nothing', send: put(one, {}) },
];
