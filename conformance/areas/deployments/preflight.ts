/**
 * Checks whether the deployments of a tenant file exist, and whether the scoped key has the
 * declared scope.
 */

import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';
import { isListed } from '../../safety/ask.ts';
import { swappedFor } from '../../safety/swapped.ts';

const reads = ['listVersions', 'listEnvironments', 'listBranches'] as const;

/** The description does not say how a service answers for a deployment that is missing or hidden. */
const isUnknown = (status: number): boolean => [400, 403, 404].includes(status);

/** Finds a bound deployment that is not in the list and whose reads all fail. */
export const checkDeployments: PreflightCheck = async ({ target, ask, reader, proven }) => {
  const findings: PreflightFinding[] = [];
  if (ask === undefined) return findings;
  for (const name of ['deployment', 'otherDeployment']) {
    const id = target.bindings[name]?.id;
    if (id === undefined || (name === 'otherDeployment' && reader === 'scoped')) continue;
    const statuses: number[] = [];
    for (const call of reads) {
      if (statuses.every(isUnknown)) statuses.push((await ask(call, { deployment_id: id })).status);
    }
    proven.add(name);
    if (!statuses.every(isUnknown)) continue;
    const isGone = statuses.every((status) => status === 404);
    if (!isGone && (await isListed(ask, 'listDeployments', {}, id)) !== false) continue;
    const message = `each read of deployment ${String(id)} is answered ${statuses[0]}: the tenant file is wrong, or the service does not open it`;
    findings.push({ name, kind: 'binding', message });
  }
  return findings;
};

/**
 * Finds two swapped keys: the scoped key opens another deployment, and the unscoped key does not.
 */
export const checkSwappedScope: PreflightCheck = async (context) => {
  const id = context.target.bindings.otherDeployment?.id;
  if (id === undefined) return [];
  const right = {
    what: `otherDeployment (${String(id)})`,
    has: ({ deployments }: { readonly deployments?: readonly unknown[] }, name: string) =>
      deployments === undefined && ['admin', 'oauth', 'member', 'memberOauth'].includes(name),
    lacks: ({ deployments }: { readonly deployments?: readonly unknown[] }) =>
      deployments?.map(String).includes(String(id)) === false,
  };
  return swappedFor(context, right, 'listEnvironments', { deployment_id: id }, {});
};

/** Finds contradictions within the tenant file. */
export const checkScope: PreflightCheck = async ({ target }) => {
  const { deployment, otherDeployment } = target.bindings;
  const scope = target.credentials.get('scoped')?.claims?.deployments?.map(String);
  if (scope === undefined) return [];
  const messages: string[] = [];
  if (deployment !== undefined && !scope.includes(String(deployment.id))) {
    const id = String(deployment.id);
    messages.push(`its deployments do not hold the binding deployment (${id})`);
  }
  if (otherDeployment !== undefined && scope.includes(String(otherDeployment.id))) {
    const id = String(otherDeployment.id);
    messages.push(`its deployments hold otherDeployment (${id}), which it must not open`);
  }
  return messages.map((message) => ({ name: 'scoped', kind: 'credential', message }));
};
