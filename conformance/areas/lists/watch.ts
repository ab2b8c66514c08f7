/** Lists that are read page by page. */

import type { PagedList } from '../../watch/facts.ts';

export const pagedLists: readonly PagedList[] = [
  { operations: ['listDeployments', 'listEnvironments'], once: 'PAGE-6', counts: 'PAGE-5' },
  { operations: ['listScimUsers'], once: 'SCIM-4', counts: 'SCIM-11' },
];
