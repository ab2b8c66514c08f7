import { type CorpusEntry, put } from '../../../testing/corpus-entry.ts';

const deployments = '/api/v1/deployments';
const one = `${deployments}/1`;
const log = '/api/v1/audit-logs/export';

export const corpus: readonly CorpusEntry[] = [
  { name: 'export without the permission', send: { path: log, as: 'member' } },
  { name: 'export', send: { path: log } },
  { name: 'export without the feature', fixture: 'basic-plan', send: { path: log } },
  { name: 'export to a day', send: { path: `${log}?end=2025-12-20` } },
  { name: 'export from a time of day', send: { path: `${log}?start=2025-12-20T12:00:00Z` } },
  { name: 'export backwards', send: { path: `${log}?start=2025-12-20&end=2025-12-10` } },
  { name: 'export of part of a word', send: { path: `${log}?search=xample` } },
  { name: 'export of several words', send: { path: `${log}?search=login%20ana` } },
  { name: 'export of a type in capitals', send: { path: `${log}?eventName=LOGIN` } },
  {
    name: 'export after a write',
    before: [put(`${one}/folders/11`, { name: 'Money' })],
    send: { path: log },
  },
  { name: 'export with a bad date', send: { path: `${log}?start=yesterday` } },
  { name: 'export of a user in capitals', send: { path: `${log}?userEmail=ANA@example.com` } },
];
