import type { CorpusEntry } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';

export const corpus: readonly CorpusEntry[] = [
  { name: 'limit above 100', send: { path: `${deployments}?limit=101` } },
  { name: 'limit above 200', send: { path: `${deployments}?limit=201` } },
  { name: 'limit 0', send: { path: `${deployments}?limit=0` } },
  { name: 'offset after the end', send: { path: `${deployments}?offset=45` } },
];
