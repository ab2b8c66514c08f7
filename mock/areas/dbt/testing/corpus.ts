import type { CorpusEntry } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;

export const corpus: readonly CorpusEntry[] = [
  { name: 'dbt sync result', send: { path: `${one}/dbt-sync/sync-completed/result` } },
  { name: 'running sync', send: { path: `${one}/dbt-sync/sync-running/result` } },
  { name: 'unknown sync', send: { path: `${one}/dbt-sync/none/result` } },
  { name: 'failed sync', send: { path: `${one}/dbt-sync/sync-failed/result` } },
];
