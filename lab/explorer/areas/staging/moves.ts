/** Switches of the staging environment of the shared branch, in any order. */

import fc from 'fast-check';
import { type ExploredArea, inTurns, type MoveKind, moveKind, type Setting } from '../../move.ts';
import type { Session } from '../../session.ts';
import { readStaging, Staging } from './reading.ts';

const call = 'setStagingEnvironment' as const;

/** The list as it comes. */
const whole = { size: undefined, typed: false };

type Naming = 'name' | 'id';

function branchOf(binding: string, by: Naming): Readonly<Record<string, string>> {
  return by === 'name' ? { branchName: `{${binding}.name}` } : { branchId: `{${binding}.id}` };
}

interface Switch {
  /** Each switches to and fro, one after the other. */
  readonly actors: readonly string[];
  readonly by: Naming;
  /** What is listed is read behind each of them, not only before and behind several. */
  readonly watched: boolean;
  /** To the state that it is in, as far as is known. */
  readonly same: boolean;
}

async function switchShared(session: Session, wish: Switch): Promise<void> {
  const { actors, by, watched, same } = wish;
  const isRow = actors.length > 1;
  if (isRow) await readStaging(session, whole);
  for (const [turn, actor] of actors.entries()) {
    await switchOnce(session, actor, by, same && turn === 0);
    if (watched || (isRow && turn === actors.length - 1)) await readStaging(session, whole);
  }
}

async function switchOnce(session: Session, actor: string, by: Naming, same: boolean) {
  const staging = session.beliefs(Staging);
  const before = staging.enabled;
  const enabled = same === (before ?? false);
  const event = `${enabled ? 'enable' : 'disable'} by ${by}`;
  const body = { ...branchOf('sharedBranch', by), enabled };
  const entry = await session.call({ as: actor, call, body });
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
  // What nobody has read before cannot be seen to change.
  if (session.beliefs(Staging).known === undefined) await readStaging(session, whole);
  const body = { ...branchOf(branch, 'name'), enabled: true };
  const statement = branch === 'productionBranch' ? 'STAGE-8' : 'STAGE-7';
  await session.call({ call, body, checks: { [statement]: 'refused' } });
}

type Refused = 'productionBranch' | 'personalBranch';

/** The branches, as far as they show what was switched: the form of that list is open (BRANCH-1). */
async function readBranches(session: Session): Promise<void> {
  const { enabled } = session.beliefs(Staging);
  const contrary = { name: '{sharedBranch.name}', isStagingEnvironmentEnabled: !enabled };
  const shown = { [enabled ? 'STAGE-3' : 'STAGE-4']: { body: { $not: { $anywhere: contrary } } } };
  await session.call({ call: 'listBranches' }, enabled === undefined ? {} : shown);
}

const reads = { needs: ['admin', 'deployment.id'], effect: 'none' } as const;

function moves({ actors }: Setting): MoveKind[] {
  return [
    moveKind(
      'switch',
      18,
      { needs: [...reads.needs, 'sharedBranch.name', 'sharedBranch.id'], effect: 'reversible' },
      fc.record({
        actors: inTurns(actors(call)),
        by: fc.constantFrom<Naming>('name', 'id'),
        watched: fc.boolean(),
        same: fc.constantFrom(false, false, false, true),
      }),
      switchShared,
    ),
    moveKind(
      'list branches',
      6,
      { needs: [...reads.needs, 'sharedBranch.name'], effect: 'none' },
      fc.constant(undefined),
      readBranches,
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
        size: fc.constantFrom(undefined, undefined, undefined, undefined, 2, 20),
        typed: fc.boolean(),
      }),
      readStaging,
    ),
  ];
}

export const staging: ExploredArea = { moves };
