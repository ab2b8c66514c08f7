/** The facts about all areas that safety needs. */

import type { SafetyFacts } from '../safety/areas.ts';
import { checkDays, checkEvents, checkExporters } from './audit/preflight.ts';
import { checkSync } from './dbt/preflight.ts';
import { checkDeployments, checkScope, checkSwappedScope } from './deployments/preflight.ts';
import { checkEnvironments } from './environments/preflight.ts';
import { checkEditors, checkSwappedEditors, nestedAtTop } from './folders/preflight.ts';
import { checkUsers } from './recipients/preflight.ts';
import { checkBranches } from './staging/preflight.ts';
import { stagingRestorer } from './staging/restore.ts';
import { checkVersions } from './versions/preflight.ts';
import { versionRestorer } from './versions/restore.ts';

export const safetyFacts: SafetyFacts = {
  restore: {
    setStagingEnvironment: stagingRestorer,
    updateDeployment: versionRestorer,
  },
  probes: [
    { call: 'listDeployments', query: { limit: 1 } },
    { call: 'listBranches' },
    { call: 'listScimUsers', query: { count: 1 } },
  ],
  checks: [
    checkScope,
    checkEditors,
    checkDays,
    checkExporters,
    checkSwappedEditors,
    checkSwappedScope,
    checkDeployments,
    checkBranches,
    checkSync,
    checkEnvironments,
    checkUsers,
    checkVersions,
    checkEvents,
  ],
  objectChecks: [nestedAtTop],
};
