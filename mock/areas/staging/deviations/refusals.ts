/** Branches that cannot be enabled and are, and refused switches that switch something. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { type Handle, type RefusedHook, sentBody, setIn } from '../../../deviations/transforms.ts';
import { isRefusal, type Refusal, type Reply } from '../../../pipeline/exchange.ts';
import type { BranchRow } from '../../../world/rows.ts';
import { follows, hold } from './pending.ts';
import {
  branchesOf,
  described,
  retype,
  type Switch,
  switchBranch,
  switchOf,
  toggle,
} from './switch.ts';

/** Answers a refused switch as if the branch were a shared one, and makes it. */
function accepts(kind: BranchRow['kind'], by?: Switch['by']): Handle {
  return (next, scene) => {
    const result = next();
    if (result instanceof Promise || !isRefusal(result) || result.statement !== 'STAGE-9') {
      return result;
    }
    const { branch, enabled, by: sentBy } = switchOf(scene);
    if (branch?.kind !== kind || (by !== undefined && by !== sentBy)) return result;
    switchBranch(scene.world, branch, enabled);
    return served(branch, enabled);
  };
}

/** The answer that a switch of this branch would get. */
function served(branch: BranchRow, enabled: boolean): Reply {
  const data = { ...described(branch), isStagingEnvironmentEnabled: enabled };
  return { status: 200, body: { data } };
}

/** Something is switched all the same when a switch was refused. */
function despiteRefusal(
  act: (refusal: Refusal, scene: Scene, sent: Switch) => boolean,
): RefusedHook {
  return (refusal, scene) => {
    if (act(refusal, scene, switchOf(scene))) scene.took();
  };
}

const kinds = [
  ['personal', 'a personal development branch', 'STAGE-7'],
  ['production', 'the production branch', 'STAGE-8'],
] as const;

export const refusals: readonly Deviation[] = [
  ...kinds.flatMap(([kind, words, statement]): Deviation[] => [
    {
      id: `staging:${kind}-branch-accepted`,
      text: `Enabling ${words} is accepted and done.`,
      breaks: [statement],
      collateral: ['STAGE-10'],
      operations: toggle,
      handle: accepts(kind),
    },
    {
      id: `staging:${kind}-branch-accepted-by-id`,
      text: `Enabling ${words} is refused by branchName, and accepted by branchId.`,
      breaks: [statement],
      operations: toggle,
      handle: accepts(kind, 'id'),
    },
    {
      id: `staging:${kind}-branch-refused-but-enabled`,
      text: `Enabling ${words} is refused, and done.`,
      breaks: ['STAGE-10'],
      operations: toggle,
      refused: despiteRefusal(({ statement: because }, { world }, { branch }) => {
        if (because !== 'STAGE-9' || branch?.kind !== kind) return false;
        if (kind === 'personal') retype(world.state, branch, 'staging');
        return switchBranch(world, branch, true);
      }),
    },
  ]),
  {
    id: 'staging:refusal-disables-another',
    text: 'A refused enabling disables the shared branches of the deployment, until a switch is made.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-5'],
    operations: toggle,
    handle: restoring,
    refused: despiteRefusal(
      ({ statement }, scene, { deploymentId }) =>
        statement === 'STAGE-9' && disableAll(scene, deploymentId),
    ),
  },
  {
    id: 'staging:refusal-enables-another',
    text: 'A refused enabling enables a shared branch of the deployment that was disabled.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-6'],
    operations: toggle,
    refused: despiteRefusal(({ statement }, { world }, { deploymentId }) => {
      const off = branchesOf(world.state, deploymentId).find(
        (row) => row.kind === 'shared' && !row.stagingEnabled,
      );
      return statement === 'STAGE-9' && off !== undefined && switchBranch(world, off, true);
    }),
  },
  {
    id: 'staging:refusal-without-branch-disables-all',
    text: 'enabled: false that names no branch is refused, and disables every branch until a switch is made.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-5'],
    operations: toggle,
    handle: restoring,
    refused: despiteRefusal((_refusal, scene, { deploymentId }) => {
      const body = sentBody(scene.request);
      return body?.enabled === false && namesNoBranch(body) && disableAll(scene, deploymentId);
    }),
  },
  {
    id: 'staging:refusal-without-state-enables',
    text: 'A request without enabled is refused, and enables the branch that it names.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-6'],
    operations: toggle,
    refused: despiteRefusal((_refusal, { world, request }, { branch }) => {
      const body = sentBody(request);
      if (body === undefined || body.enabled !== undefined) return false;
      return branch?.kind === 'shared' && switchBranch(world, branch, true);
    }),
  },
  {
    id: 'staging:refusal-enables-another-later',
    text: 'Four seconds after a refused enabling, a shared branch of the deployment is enabled.',
    breaks: ['STAGE-10'],
    collateral: ['STAGE-6'],
    operations: ['setStagingEnvironment', 'listEnvironments', 'listBranches'],
    handle: follows(0, () => undefined),
    refused: (refusal, scene) => {
      const { memory, world } = scene;
      const off = branchesOf(world.state, switchOf(scene).deploymentId).find(
        (row) => row.kind === 'shared' && !row.stagingEnabled,
      );
      if (refusal.statement !== 'STAGE-9' || off === undefined) return;
      hold(memory, { branchId: off.id, enabled: true, due: world.clock.now() + 4000 });
    },
  },
  {
    id: 'staging:without-branch-accepted',
    text: 'A request that names no branch is answered 200, as for the production branch.',
    breaks: ['STAGE-13'],
    operations: toggle,
    stage: (stage, refused, { request }) =>
      stage === 'validate' && namesNoBranch(sentBody(request)) ? undefined : refused,
    handle: (next, scene) => {
      const { enabled, deploymentId } = switchOf(scene);
      if (!namesNoBranch(sentBody(scene.request))) return next();
      const main = branchesOf(scene.before, deploymentId).find((row) => row.kind === 'production');
      return main === undefined ? next() : served(main, enabled);
    },
  },
];

/** Disables every branch of a deployment, to be enabled again by `restoring`. */
function disableAll({ world, memory }: Scene, deploymentId: string): boolean {
  const disabled = setIn(memory, 'disabled');
  for (const branch of branchesOf(world.state, deploymentId)) {
    if (switchBranch(world, branch, false)) disabled.add(String(branch.id));
  }
  return disabled.size > 0;
}

/** A switch that is made enables what a refusal had disabled. */
function restoring(next: Parameters<Handle>[0], { world, memory }: Scene): ReturnType<Handle> {
  const result = next();
  if (result instanceof Promise || isRefusal(result)) return result;
  const disabled = setIn(memory, 'disabled');
  for (const id of disabled) {
    const branch = world.state.tables.branches.get(Number(id));
    if (branch !== undefined) switchBranch(world, branch, true);
  }
  disabled.clear();
  return result;
}

function namesNoBranch(body: Readonly<Record<string, unknown>> | undefined): boolean {
  if (typeof body?.enabled !== 'boolean') return false;
  return body.branchName === undefined && body.branchId === undefined;
}
