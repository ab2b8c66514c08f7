/** Facts about operations that the explorer needs and that are not in the contract. */

import type { Explored, PageRules } from '../call.ts';
import { exported } from './audit.ts';
import { folder } from './folders.ts';
import { recipients } from './recipients.ts';
import { toggle } from './staging.ts';
import { token } from './tokens.ts';
import { update, versions } from './versions.ts';

/** The checks that every reading of all pages of a list must pass. */
const paged: PageRules = {
  verb: 'walkPages',
  size: 'limit',
  rules: [
    ['PAGE-6', { walk: { duplicates: [], shortPages: [] } }],
    ['PAGE-5', { walk: { totals: { $length: 1 }, missing: 0 } }],
  ],
};

/** The same checks for the SCIM user list, by RFC 7644. */
const ofUsers: PageRules = {
  verb: 'scimList',
  size: 'count',
  rules: [
    ['SCIM-4', { walk: { duplicates: [] } }],
    ['SCIM-11', { walk: { totals: { $length: 1 }, missing: 0 } }],
  ],
};

export const exploredAreas: Explored = {
  addNotificationRecipients: recipients,
  createMetaSyncToken: token,
  exportAuditLogs: exported,
  listDeployments: { pages: paged },
  listEnvironments: { pages: paged },
  listScimUsers: { pages: ofUsers },
  listVersions: { judge: versions },
  setStagingEnvironment: toggle,
  updateDeployment: update,
  updateFolder: folder,
};
