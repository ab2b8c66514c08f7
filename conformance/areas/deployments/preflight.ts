/** Whether the deployments of a tenant file are there, and the scoped key is scoped as it says. */

import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';

const reads = ['listVersions', 'listEnvironments', 'listBranches'] as const;

export const checkDeployments: PreflightCheck = async ({ target, ask, reader }) => {
  const findings: PreflightFinding[] = [];
  if (ask === undefined) return findings;
  for (const name of ['deployment', 'otherDeployment']) {
    const id = target.bindings[name]?.id;
    if (id === undefined || (name === 'otherDeployment' && reader === 'scoped')) continue;
    let status = 404;
    for (const call of reads) {
      if (status === 404) ({ status } = await ask(call, { deployment_id: id }));
    }
    if (status !== 404) continue;
    findings.push({ name, kind: 'binding', message: `there is no deployment ${String(id)}` });
  }
  return findings;
};

/** What the tenant file itself contradicts. */
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
