/** The rules for each walk over the pages of a list. */

import type { PageRules } from '../call.ts';

export const paged: PageRules = {
  verb: 'walkPages',
  size: 'limit',
  rules: [
    ['PAGE-4', { walk: { longPages: [] } }],
    ['PAGE-11', { walk: { wrongOffsets: [] } }],
    ['PAGE-6', { walk: { duplicates: [], shortPages: [] } }],
    ['PAGE-5', { walk: { totals: { $length: 1 }, missing: 0 } }],
  ],
};

/** RFC 7644. */
export const ofUsers: PageRules = {
  verb: 'scimList',
  size: 'count',
  rules: [
    ['SCIM-6', { walk: { longPages: [] } }],
    ['SCIM-4', { walk: { duplicates: [] } }],
    ['SCIM-11', { walk: { totals: { $length: 1 }, missing: 0 } }],
    ['SCIM-9', { walk: { wrongOffsets: [] } }],
  ],
};
