/** Checks whether the completed sync of a tenant file exists. */

import type { PreflightCheck } from '../../safety/areas.ts';

export const checkSync: PreflightCheck = async ({ target, ask }) => {
  const { dbtSync, deployment } = target.bindings;
  const [sync, deploymentId] = [dbtSync?.id, deployment?.numericId];
  if (ask === undefined || sync === undefined || deploymentId === undefined) return [];
  const { status } = await ask('getDbtSyncResult', { deploymentId, syncJobId: sync });
  // The description does not say how a service answers for a sync that is missing or not completed.
  if (status === 200 || status === 401 || status >= 429) return [];
  const message = `the result of ${String(sync)} is answered ${status}: the tenant file names no completed sync, or the service does not show one`;
  return [{ name: 'dbtSync', kind: 'binding', message }];
};
