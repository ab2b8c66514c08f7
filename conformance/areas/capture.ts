/** The operations by which a capture reads what a tenant holds. */

import type { CaptureCalls } from '../watch/capture-reads.ts';

export const captureCalls: CaptureCalls = {
  deployments: 'listDeployments',
  versions: 'listVersions',
  environments: 'listEnvironments',
  branches: 'listBranches',
  users: 'listScimUsers',
  syncResult: 'getDbtSyncResult',
  auditLog: 'exportAuditLogs',
};
