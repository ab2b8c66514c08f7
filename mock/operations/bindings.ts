/** Every operation of the contract and what answers it; a missing one does not compile. */
import type { OperationId } from '../../spec/contract.ts';
import type { Binding } from '../call.ts';
import { exportAuditLogs } from './audit-logs.ts';
import { listBranches, setStagingEnvironment } from './branches.ts';
import { getDbtSyncResult } from './dbt-syncs.ts';
import { listDeployments, listVersions, updateDeployment } from './deployments.ts';
import { createMetaSyncToken, listEnvironments } from './environments.ts';
import { updateFolder } from './folders.ts';
import { addNotificationRecipients } from './notifications.ts';
import { listScimUsers } from './scim-users.ts';

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
} satisfies { readonly [K in OperationId]: Binding<K> };
