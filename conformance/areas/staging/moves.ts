/** Switches of staging environments. The shared branch is switched; the others must refuse. */

import fc from 'fast-check';
import { objectsIn } from '../../../spec/base/json.ts';
import type { CallData, Checks } from '../../explore/contradiction.ts';
import { type ExploredArea, type MoveKind, moveKind, type Setting } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';
import { lookFirst, path, readStaging, Staging } from './reading.ts';
import { tables } from './tables.ts';

const call = 'setStagingEnvironment' as const;

type Naming = 'name' | 'id';
const namings: readonly Naming[] = ['name', 'id'];

function branchOf(binding: string, by: Naming): Readonly<Record<string, string>> {
  return by === 'name' ? { branchName: `{${binding}.name}` } : { branchId: `{${binding}.id}` };
}

/** The set of staging environments must be as it was; `statement` says why. */
async function refused(session: Session, statement: string, look: boolean): Promise<void> {
  // A switch that nobody has seen to arrive is blamed before a refusal is.
  session.beliefs(Staging).since ??= statement;
  if (look) await readStaging(session, { size: undefined, typed: false });
}

/** Nobody knows any more which state the branch is in. */
function forget(session: Session): void {
  const staging = session.beliefs(Staging);
  staging.enabled = undefined;
  staging.unknown = undefined;
  session.unsettled = true;
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
  session.coverage.enter('staging/shared', staging.state, event);
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
  staging.since = enabled ? 'STAGE-5' : 'STAGE-6';
  session.unsettled = true;
}

interface Other {
  readonly binding: string;
  readonly by: Naming;
  readonly enabled: boolean;
  /** Whether the list is read before and after. */
  readonly look: boolean;
}

async function switchOther(session: Session, { binding, by, enabled, look }: Other): Promise<void> {
  const kind = binding === 'personalBranch' ? 'personal' : 'production';
  await lookFirst(session, look);
  const before = look && enabled ? await readSwitches(session) : undefined;
  const event = `${enabled ? 'enable' : 'disable'} by ${by}`;
  session.coverage.enter(`staging/${kind}`, 'disabled', event);
  const body = { ...branchOf(binding, by), enabled };
  // What disabling does there is open (STAGE-21); it is no refused switch either.
  const statement = kind === 'personal' ? 'STAGE-7' : 'STAGE-8';
  const checks: Checks = enabled ? { [statement]: { status: 'refused' } } : {};
  await session.call({ as: 'admin', call, path, body }, { checks });
  if (!enabled) return;
  if (before !== undefined) await sameSwitches(session, before);
  await refused(session, 'STAGE-10', look);
}

/** The switches of the branches, as far as their list shows them (BRANCH-1 leaves it open). */
async function readSwitches(session: Session): Promise<ReadonlyMap<unknown, boolean>> {
  await session.rest();
  const { answer } = await session.call({ as: 'admin', call: 'listBranches', path });
  return switchesIn(answer.body);
}

function switchesIn(body: unknown): Map<unknown, boolean> {
  const switches = new Map<unknown, boolean>();
  for (const { id, isStagingEnvironmentEnabled: on } of objectsIn(body)) {
    if (id !== undefined && typeof on === 'boolean') switches.set(id, on);
  }
  return switches;
}

/** A refused switch leaves every switch as it was. */
async function sameSwitches(
  session: Session,
  before: ReadonlyMap<unknown, boolean>,
): Promise<void> {
  const entry = await session.call({ as: 'admin', call: 'listBranches', path });
  const now = switchesIn(entry.answer.body);
  for (const [id, isStagingEnvironmentEnabled] of before) {
    if (!now.has(id)) continue;
    session.judge(entry, {
      'STAGE-10': {
        body: { $anywhere: { id, isStagingEnvironmentEnabled } },
        because: `the refused switch has changed the branch ${String(id)}`,
      },
    });
  }
}

const incomplete = [
  { event: 'without branch', statement: 'STAGE-13', body: { enabled: true } },
  { event: 'without branch', statement: 'STAGE-13', body: { enabled: false } },
  { event: 'without enabled', statement: 'STAGE-14', body: { branchName: '{sharedBranch.name}' } },
  { event: 'without enabled', statement: 'STAGE-14', body: { branchId: '{sharedBranch.id}' } },
] as const;

interface Incomplete {
  readonly item: (typeof incomplete)[number];
  readonly look: boolean;
}

async function switchIncompletely(session: Session, { item, look }: Incomplete): Promise<void> {
  await lookFirst(session, look);
  session.coverage.enter('staging/shared', session.beliefs(Staging).state, item.event);
  const checks = { [item.statement]: { status: 'refused' } };
  await session.call({ as: 'admin', call, path, body: item.body }, { checks });
  await refused(session, 'STAGE-10', look);
}

const elsewhere = { deployment_id: '{otherDeployment.id}' };

/** Calls whose outcome is open; where they are refused, they must not have changed anything. */
const open: readonly { readonly event: string; readonly data: Omit<CallData, 'as' | 'call'> }[] = [
  ...[true, false].map((enabled) => ({
    event: 'in another deployment',
    data: { path: elsewhere, body: { branchId: '{sharedBranch.id}', enabled } },
  })),
  {
    event: 'enable by name',
    data: { path, body: { branchName: '{missing.name}', enabled: true } },
  },
];

async function switchOpenly(
  session: Session,
  { item: { event, data }, look }: { item: (typeof open)[number]; look: boolean },
): Promise<void> {
  await lookFirst(session, look);
  if (data.path === elsewhere) {
    session.coverage.enter('staging/shared', session.beliefs(Staging).state, event);
  } else session.coverage.enter('staging/missing', 'absent', event);
  const { answer } = await session.call({ as: 'admin', call, ...data });
  if (answer.ok) forget(session);
  else await refused(session, 'STAGE-10', look);
}

async function switchWithoutRight(
  session: Session,
  { actor, by, look, enabled }: Switch & { readonly look: boolean },
): Promise<void> {
  await lookFirst(session, look);
  const staging = session.beliefs(Staging);
  session.coverage.enter('staging/shared', staging.state, 'without authorisation');
  // What is so already could not be seen to be switched.
  const other = staging.enabled === undefined ? enabled : !staging.enabled;
  const body = { ...branchOf('sharedBranch', by), enabled: other };
  const { answer } = await session.call({ as: actor, call, path, body });
  // What an embed JWT gets here is open (AUTH-22).
  if (answer.ok) forget(session);
  else await refused(session, 'AUTH-14', look);
}

function moves({ target, actors }: Setting): MoveKind[] {
  const by = fc.constantFrom(...namings);
  const look = fc.boolean();
  const shared = ['admin', 'sharedBranch.name', 'sharedBranch.id', 'deployment.id'];
  const about = (kind: string, weight: number, needs: readonly string[] = shared) =>
    ({ kind, weight, needs, effect: 'reversible' }) as const;
  const others = ['personalBranch', 'productionBranch'].flatMap((binding) =>
    namings
      .filter((field) => (target.bindings[binding]?.[field] ?? null) !== null)
      .map((field) => ({ binding, by: field })),
  );
  const strangers = [...actors(call, 'refused'), ...actors(call, 'open')];
  const readings = about('list staging environments', 8, ['admin', 'deployment.id']);
  return [
    moveKind(
      about('switch', 12),
      fc.record({
        actor: fc.constantFrom('admin', ...actors(call, 'allowed')),
        by,
        enabled: fc.boolean(),
      }),
      switchShared,
    ),
    ...(others.length === 0 ? [] : [fc.constantFrom(...others)]).map((other) =>
      moveKind(
        about('switch another branch', 5, ['admin', 'deployment.id']),
        fc
          .record({ other, enabled: fc.constantFrom(true, true, false), look })
          .map(({ other: branch, ...rest }) => ({ ...branch, ...rest })),
        switchOther,
      ),
    ),
    moveKind(
      { ...readings, effect: 'none' },
      fc.record({
        size: fc.constantFrom(undefined, undefined, undefined, 1, 2, 20),
        typed: fc.boolean(),
      }),
      readStaging,
    ),
    moveKind(
      about('switch incompletely', 4),
      fc.record({ item: fc.constantFrom(...incomplete), look }),
      switchIncompletely,
    ),
    moveKind(
      about('switch elsewhere', 2.5, [...shared, 'otherDeployment.id']),
      fc.record({ item: fc.constantFrom(...open), look }),
      switchOpenly,
    ),
    moveKind(
      about('switch without authorisation', 3),
      fc.record({ actor: fc.constantFrom(...strangers), enabled: fc.boolean(), by, look }),
      switchWithoutRight,
    ),
  ];
}

const branches = ['sharedBranch', 'productionBranch', 'personalBranch'];

export const staging: ExploredArea = {
  moves,
  tables,
  holders: {
    deployment_id: ['deployment', 'otherDeployment'],
    branchName: branches,
    branchId: branches,
  },
};
