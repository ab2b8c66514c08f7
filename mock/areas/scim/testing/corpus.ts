import type { CorpusEntry } from '../../../testing/corpus-entry.ts';

const users = '/api/scim/v2/Users';

export const corpus: readonly CorpusEntry[] = [
  { name: 'SCIM users', send: { path: `${users}?count=5`, as: 'scim' } },
  {
    name: 'SCIM users, Api-Key scheme',
    send: { path: `${users}?count=0`, authorization: 'Api-Key w-scim' },
  },
  { name: 'SCIM users without count', send: { path: users, as: 'scim' } },
  { name: 'SCIM error', send: { path: users, as: null } },
  { name: 'SCIM users on one page', send: { path: `${users}?count=1000`, as: 'scim' } },
  { name: 'SCIM filter', send: { path: `${users}?filter=userName%20eq%20%22x%22`, as: 'scim' } },
];
