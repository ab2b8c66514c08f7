/** Checks that the environments of a tenant file are in the lists of their deployments. */

import type { PreflightFinding } from '../../judge/report.ts';
import type { PreflightCheck } from '../../safety/areas.ts';
import { isListed } from '../../safety/ask.ts';

const places = { environment: 'deployment', foreignEnvironment: 'otherDeployment' };

export const checkEnvironments: PreflightCheck = async ({ target, ask, proven }) => {
  const findings: PreflightFinding[] = [];
  for (const [name, place] of Object.entries(places)) {
    const [id, deployment_id] = [target.bindings[name]?.id, target.bindings[place]?.id];
    if (ask === undefined || id === undefined || deployment_id === undefined) continue;
    const found = await isListed(ask, 'listEnvironments', { deployment_id }, id);
    const message = `the environments list of deployment ${String(deployment_id)} holds no ${String(id)}: the tenant file is wrong, or the list leaves it out`;
    if (found === false) findings.push({ name, kind: 'binding', message });
    if (found === true) proven.add(name);
  }
  return findings;
};
