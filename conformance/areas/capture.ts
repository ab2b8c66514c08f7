/** The operations with which a capture reads the objects of a tenant. */

import type { CaptureCalls } from '../watch/capture/reads.ts';

export const captureCalls: CaptureCalls = {
  deployments: 'listDeployments',
  versions: 'listVersions',
  environments: 'listEnvironments',
  branches: 'listBranches',
  users: 'listScimUsers',
  syncResult: 'getDbtSyncResult',
  auditLog: 'exportAuditLogs',
};
