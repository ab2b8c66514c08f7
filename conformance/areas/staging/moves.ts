/** Switches of the staging environment of the shared branch, in any order. */

import fc from 'fast-check';
import { type ExploredArea, type MoveKind, moveKind, type Setting } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';
import { path, readStaging, Staging } from './reading.ts';

const call = 'setStagingEnvironment' as const;

type Naming = 'name' | 'id';
const namings: readonly Naming[] = ['name', 'id'];

function branchOf(binding: string, by: Naming): Readonly<Record<string, string>> {
  return by === 'name' ? { branchName: `{${binding}.name}` } : { branchId: `{${binding}.id}` };
}

interface Switch {
  readonly actor: string;
  readonly by: Naming;
  readonly enabled: boolean;
}

async function switchShared(session: Session, { actor, by, enabled }: Switch): Promise<void> {
  const staging = session.beliefs(Staging);
  const before = staging.enabled;
  const event = `${enabled ? 'enable' : 'disable'} by ${by}`;
  const body = { ...branchOf('sharedBranch', by), enabled };
  const entry = await session.call({ as: actor, call, path, body });
  staging.enabled = enabled;
  // A switch to the state that it is in already may be refused (STAGE-20).
  if (!entry.answer.ok && (before === undefined || before === enabled)) return;
  const naming = by === 'name' ? 'STAGE-11' : 'STAGE-12';
  const served = entry.answer.ok ? 'STAGE-1' : naming;
  session.judge(entry, { [served]: { status: 200, because: `${event} for the shared branch` } });
  session.judge(entry, {
    [naming]: { body: { data: { id: '{sharedBranch.id}', name: '{sharedBranch.name}' } } },
    [enabled ? 'STAGE-3' : 'STAGE-4']: { body: { data: { isStagingEnvironmentEnabled: enabled } } },
  });
  if (!enabled) staging.renewed = true;
  staging.since = enabled ? 'STAGE-5' : 'STAGE-6';
  session.unsettled = true;
}

/** A switch that has to be refused leaves all as it was, whatever was switched before it. */
async function switchInVain(session: Session, branch: Refused): Promise<void> {
  const body = { ...branchOf(branch, 'name'), enabled: true };
  const statement = branch === 'productionBranch' ? 'STAGE-8' : 'STAGE-7';
  await session.call({ as: 'admin', call, path, body, checks: { [statement]: 'refused' } });
}

type Refused = 'productionBranch' | 'personalBranch';

const reads = { needs: ['admin', 'deployment.id'], effect: 'none' } as const;

function moves({ actors }: Setting): MoveKind[] {
  return [
    moveKind(
      'switch',
      18,
      { needs: [...reads.needs, 'sharedBranch.name', 'sharedBranch.id'], effect: 'reversible' },
      fc.record({
        actor: fc.constantFrom('admin', ...actors(call, 'allowed')),
        by: fc.constantFrom(...namings),
        enabled: fc.boolean(),
      }),
      switchShared,
    ),
    ...(['productionBranch', 'personalBranch'] as const).map((branch) =>
      moveKind(
        'switch in vain',
        3,
        { needs: ['admin', 'deployment.id', `${branch}.name`], effect: 'reversible' },
        fc.constant(branch),
        switchInVain,
      ),
    ),
    moveKind(
      'list staging environments',
      12,
      reads,
      fc.record({
        size: fc.constantFrom(undefined, undefined, undefined, 1, 2, 20),
        typed: fc.boolean(),
      }),
      readStaging,
    ),
  ];
}

export const staging: ExploredArea = {
  moves,
  holders: {
    deployment_id: ['deployment', 'otherDeployment'],
    branchName: ['sharedBranch', 'productionBranch', 'personalBranch'],
    branchId: ['sharedBranch', 'productionBranch', 'personalBranch'],
  },
};
