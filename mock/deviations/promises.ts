import type { OperationId } from '../../spec/contract.ts';

/** Statement whose check sees that an operation succeeds, where its success is promised. */
export const successOf: Partial<Record<OperationId, string>> = {
  listDeployments: 'DEPL-1',
  listEnvironments: 'ENV-1',
  createMetaSyncToken: 'META-1',
  setStagingEnvironment: 'STAGE-1',
  listVersions: 'VER-1',
  exportAuditLogs: 'AUDIT-1',
  getDbtSyncResult: 'DBT-1',
  updateFolder: 'FOLDER-1',
  addNotificationRecipients: 'RECIP-1',
  listScimUsers: 'SCIM-1',
};
