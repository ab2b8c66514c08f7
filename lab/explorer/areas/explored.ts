/** Facts of the operations that the explorer needs and the contract does not hold. */

import type { Explored } from '../call.ts';
import { exported } from './audit.ts';
import { folder } from './folders.ts';
import { ofUsers, paged } from './lists.ts';
import { recipients } from './recipients.ts';
import { toggle } from './staging.ts';
import { token } from './tokens.ts';
import { update, versions } from './versions.ts';

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
