/** Whether the completed sync of a tenant file is there. */

import type { PreflightCheck } from '../../safety/areas.ts';

export const checkSync: PreflightCheck = async ({ target, ask }) => {
  const { dbtSync, deployment } = target.bindings;
  const [sync, deploymentId] = [dbtSync?.id, deployment?.numericId];
  if (ask === undefined || sync === undefined || deploymentId === undefined) return [];
  const { status } = await ask('getDbtSyncResult', { deploymentId, syncJobId: sync });
  if (status !== 404) return [];
  const message = `there is no completed sync ${String(sync)}`;
  return [{ name: 'dbtSync', kind: 'binding', message }];
};
