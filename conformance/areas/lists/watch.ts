/** Lists that are read page by page. */

import type { PagedList } from '../../watch/facts.ts';

export const pagedLists: readonly PagedList[] = [
  {
    operations: ['listDeployments', 'listEnvironments'],
    ...{ position: 'offset', size: 'limit', least: 20, first: 0, total: '/pagination/total' },
    ...{ once: 'PAGE-6', counts: 'PAGE-5' },
  },
  {
    operations: ['listScimUsers'],
    ...{ position: 'startIndex', size: 'count', first: 1, total: '/totalResults' },
    ...{ once: 'SCIM-4', counts: 'SCIM-11' },
  },
];
