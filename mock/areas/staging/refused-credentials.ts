/** Switches that are refused for their credential, and made. */
import { type Does, onAuthentication } from '../../deviations/does.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { sentBody } from '../../deviations/sent.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import { branchesOf, switchBranch } from './switch.ts';

/** Switches the shared branch that a request names, although its credential is refused. */
const switchesAnyway = (statement: string): Does =>
  onAuthentication((result, { request, world, took }) => {
    if (!isRefusal(result) || result.statement !== statement) return result;
    const { branchName, branchId, enabled } = sentBody(request) ?? {};
    const deploymentId = /\/deployments\/([^/?]+)\//.exec(request.target)?.[1] ?? '';
    const branch = branchesOf(world.state, deploymentId).find(
      (row) => row.kind === 'shared' && (row.name === branchName || row.id === branchId),
    );
    if (branch !== undefined && typeof enabled === 'boolean') {
      if (switchBranch(world, branch, enabled)) took();
    }
    return result;
  });

export const refusedCredentials = rowsOf('credentials', ['setStagingEnvironment'])(['AUTH-14'], {
  'embed-jwt-refused-but-switches-staging': [
    'An embed JWT that asks to switch a shared branch is refused, and the branch is switched.',
    switchesAnyway('AUTH-22'),
  ],
  'expired-refused-but-switches-staging': [
    'An expired credential that asks to switch a shared branch is refused, and the branch is switched.',
    switchesAnyway('AUTH-4'),
  ],
});
