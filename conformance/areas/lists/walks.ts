/** What every walk over the pages of a list of the build API is judged by. */

import type { ExploredArea } from '../../explore/move.ts';

export const lists: ExploredArea = {
  walks: {
    walkPages: {
      'PAGE-4': { walk: { longPages: [], wrongOffsets: [] } },
      'PAGE-6': { walk: { duplicates: [], shortPages: [] } },
      'PAGE-5': [{ walk: { totals: { $length: 1 } } }, { walk: { missing: 0 } }],
    },
  },
};
