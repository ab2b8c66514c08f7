/** What every walk over the list of users is judged by, paged as RFC 7644 says. */

import type { ExploredArea } from '../../explore/move.ts';

export const scim: ExploredArea = {
  walks: {
    scimList: {
      'SCIM-6': { walk: { longPages: [] } },
      'SCIM-4': { walk: { duplicates: [] } },
      'SCIM-11': [{ walk: { totals: { $length: 1 } } }, { walk: { missing: 0 } }],
      'SCIM-9': { walk: { wrongOffsets: [] } },
    },
  },
};
