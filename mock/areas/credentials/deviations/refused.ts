/** Calls that are refused for their credential, and done. */
import type { OperationId } from '../../../../spec/contract.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { sentBody } from '../../../deviations/transforms.ts';
import { bindingOf, findAndHandle } from '../../../pipeline/binding.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import { bindings } from '../../bindings.ts';
import { branchesOf, switchBranch } from '../../staging/deviations/switch.ts';
import type { Asking } from './asking.ts';

const stateful = [
  ['updateDeployment', 'version', 'switch of a version'],
  ['updateFolder', 'folder', 'folder update'],
] as const satisfies readonly (readonly [OperationId, string, string])[];

export const refused: readonly Deviation[] = [
  ...stateful.map(
    ([id, noun, words]): Deviation => ({
      id: `credentials:refused-for-scope-but-done-${noun}`,
      text: `A ${words} outside the scope of a key is refused with 403, and done.`,
      breaks: ['AUTH-14'],
      collateral: id === 'updateFolder' ? ['FOLDER-12'] : ['UPD-6'],
      operations: [id],
      refused: ({ statement, status }, { call, took }) => {
        if (statement !== 'AUTH-8' || status !== 403 || !call.hasInput) return;
        const done = findAndHandle(bindingOf(bindings, id), call);
        if (!(done instanceof Promise) && !isRefusal(done)) took();
      },
    }),
  ),
  {
    id: 'credentials:embed-jwt-refused-but-switches-staging',
    text: 'An embed JWT that asks to switch a shared branch is refused, and the branch is switched.',
    breaks: ['AUTH-14'],
    collateral: ['STAGE-6'],
    operations: ['setStagingEnvironment'],
    authenticate: (result, asking) =>
      isRefusal(result) && result.statement === 'AUTH-22' && switchNamed(asking)
        ? { ...result }
        : result,
  },
  {
    id: 'credentials:expired-refused-but-switches-staging',
    text: 'An expired credential that asks to switch a shared branch is refused, and the branch is switched.',
    breaks: ['AUTH-14'],
    collateral: ['STAGE-6'],
    operations: ['setStagingEnvironment'],
    authenticate: (result, asking) =>
      isRefusal(result) && result.statement === 'AUTH-4' && switchNamed(asking)
        ? { ...result }
        : result,
  },
];

/** Switches the branch that a request names; true where that changed it. */
function switchNamed({ request, world }: Asking): boolean {
  const { branchName, branchId, enabled } = sentBody(request) ?? {};
  const deploymentId = /\/deployments\/([^/?]+)\//.exec(request.target)?.[1];
  const branch = branchesOf(world.state, deploymentId ?? '').find(
    (row) => row.kind === 'shared' && (row.name === branchName || row.id === branchId),
  );
  return (
    branch !== undefined && typeof enabled === 'boolean' && switchBranch(world, branch, enabled)
  );
}
