/** Every operation of the contract and what answers it; a missing one does not compile. */
import type { Bindings } from '../pipeline/binding.ts';
import { exportAuditLogs } from './audit/handler.ts';
import { getDbtSyncResult } from './dbt/handler.ts';
import { listDeployments, listVersions, updateDeployment } from './deployments/handler.ts';
import { createMetaSyncToken, listEnvironments } from './environments/handler.ts';
import { updateFolder } from './folders/handler.ts';
import { addNotificationRecipients } from './recipients/handler.ts';
import { listScimUsers } from './scim/handler.ts';
import { listBranches, setStagingEnvironment } from './staging/handler.ts';

export const bindings = {
  listDeployments,
  listEnvironments,
  createMetaSyncToken,
  setStagingEnvironment,
  listBranches,
  listVersions,
  updateDeployment,
  exportAuditLogs,
  getDbtSyncResult,
  updateFolder,
  addNotificationRecipients,
  listScimUsers,
} satisfies Bindings;
