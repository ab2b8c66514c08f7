/** Switches of staging environments. The shared branch is switched; the others must refuse. */

import fc from 'fast-check';
import { objectsIn } from '../../spec/base/json.ts';
import type { CallData } from './contradiction.ts';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import type { Session } from './session.ts';
import { readStaging } from './staging-list.ts';

const path = { deployment_id: '{deployment.id}' };
const call = 'setStagingEnvironment' as const;

type Naming = 'name' | 'id';

function branchOf(binding: string, by: Naming): Readonly<Record<string, string>> {
  return by === 'name' ? { branchName: `{${binding}.name}` } : { branchId: `{${binding}.id}` };
}

function stateOf(session: Session): string {
  const { enabled } = session.model.staging;
  return enabled === undefined ? 'unknown' : enabled ? 'enabled' : 'disabled';
}

/** The set of staging environments must be as it was; `statement` says why. */
async function refused(session: Session, statement: string, look: boolean): Promise<void> {
  // A switch that nobody has seen to arrive is blamed before a refusal is.
  session.model.staging.since ??= statement;
  if (look) await readStaging(session, { size: undefined, typed: false });
}

/** What is not known before cannot be seen to change. */
async function lookFirst(session: Session, look: boolean): Promise<void> {
  const { enabled, unknown, on, off } = session.model.staging;
  const known = enabled === undefined ? unknown : enabled ? on : off;
  if (look && known === undefined) await readStaging(session, { size: undefined, typed: false });
}

interface Switch {
  readonly actor: string;
  readonly by: Naming;
  readonly enabled: boolean;
}

async function switchShared(session: Session, { actor, by, enabled }: Switch): Promise<void> {
  const { staging } = session.model;
  const before = staging.enabled;
  const verb = enabled ? 'enable' : 'disable';
  session.coverage.enter('staging/shared', stateOf(session), `${verb} by ${by}`);
  const entry = await session.call({
    as: actor,
    call,
    path,
    body: { ...branchOf('sharedBranch', by), enabled },
  });
  const { answer } = entry;
  // A switch to the state that it is in already may be refused (STAGE-20).
  if (!answer.ok && (before === undefined || before === enabled) && answer.status !== 401) {
    staging.enabled = enabled;
    return;
  }
  const naming = by === 'name' ? 'STAGE-11' : 'STAGE-12';
  const statement = answer.status >= 400 && before !== undefined ? naming : 'STAGE-1';
  session.expectStatus(
    entry,
    accessStatement(actor, answer.status, statement),
    200,
    `${verb} by ${by} for the shared branch`,
  );
  const data = (answer.body as { data?: Record<string, unknown> }).data ?? {};
  for (const field of ['id', 'name'] as const) {
    const own = session.target.bindings.sharedBranch?.[field];
    if (own === undefined || own === data[field]) continue;
    const reference = `{sharedBranch.${field}}`;
    throw session.contradiction(
      entry,
      naming,
      { body: { data: { [field]: reference } } },
      'the answer describes another branch than the one that was named',
    );
  }
  if (data.isStagingEnvironmentEnabled !== enabled) {
    throw session.contradiction(
      entry,
      enabled ? 'STAGE-3' : 'STAGE-4',
      { body: { data: { isStagingEnvironmentEnabled: enabled } } },
      `after ${verb} the branch says otherwise`,
    );
  }
  staging.enabled = enabled;
  staging.since = enabled ? 'STAGE-5' : 'STAGE-6';
  session.model.unsettled = true;
}

interface Other {
  readonly binding: 'personalBranch' | 'productionBranch';
  readonly by: Naming;
  readonly enabled: boolean;
  /** Whether the list is read before and after. */
  readonly look: boolean;
}

async function switchOther(session: Session, { binding, by, enabled, look }: Other): Promise<void> {
  const kind = binding === 'personalBranch' ? 'personal' : 'production';
  const verb = enabled ? 'enable' : 'disable';
  await lookFirst(session, look);
  const before = look && enabled ? await readFlags(session) : undefined;
  session.coverage.enter(`staging/${kind}`, 'disabled', `${verb} by ${by}`);
  const entry = await session.call({
    as: 'admin',
    call,
    path,
    body: { ...branchOf(binding, by), enabled },
  });
  // What disabling does there is open (STAGE-21); it is no refused switch either.
  if (!enabled) return;
  const statement = kind === 'personal' ? 'STAGE-7' : 'STAGE-8';
  session.expectStatus(entry, statement, 'refused', `enabling a ${kind} branch is refused`);
  if (before !== undefined) await sameFlags(session, before);
  await refused(session, 'STAGE-10', look);
}

/** The switches of the branches, as far as their list shows them (BRANCH-1 leaves it open). */
async function readFlags(session: Session): Promise<ReadonlyMap<unknown, boolean>> {
  await session.rest();
  const { answer } = await session.call({ as: 'admin', call: 'listBranches', path });
  return flagsOf(answer.body);
}

function flagsOf(body: unknown): Map<unknown, boolean> {
  const flags = new Map<unknown, boolean>();
  for (const item of objectsIn(body)) {
    const { id, isStagingEnvironmentEnabled: flag } = item;
    if (id !== undefined && typeof flag === 'boolean') flags.set(id, flag);
  }
  return flags;
}

/** A refused switch leaves every switch as it was. */
async function sameFlags(session: Session, before: ReadonlyMap<unknown, boolean>): Promise<void> {
  const entry = await session.call({ as: 'admin', call: 'listBranches', path });
  const now = flagsOf(entry.answer.body);
  for (const [id, isStagingEnvironmentEnabled] of before) {
    if (!now.has(id) || now.get(id) === isStagingEnvironmentEnabled) continue;
    const conditions = { body: { $anywhere: { id, isStagingEnvironmentEnabled } } };
    const because = `the refused switch has changed the branch ${String(id)}`;
    throw session.contradiction(entry, 'STAGE-10', conditions, because);
  }
}

const invalid = [
  { event: 'without branch', statement: 'STAGE-13', body: { enabled: true } },
  { event: 'without branch', statement: 'STAGE-13', body: { enabled: false } },
  { event: 'without enabled', statement: 'STAGE-14', body: { branchName: '{sharedBranch.name}' } },
  { event: 'without enabled', statement: 'STAGE-14', body: { branchId: '{sharedBranch.id}' } },
] as const;

/** Calls whose outcome is open; where they are refused, they must not have changed anything. */
const open: readonly {
  readonly event: string;
  readonly table?: string;
  readonly data: CallData;
}[] = [
  {
    event: 'in another deployment',
    data: {
      as: 'admin',
      call,
      path: { deployment_id: '{otherDeployment.id}' },
      body: { branchId: '{sharedBranch.id}', enabled: true },
    },
  },
  {
    event: 'in another deployment',
    data: {
      as: 'admin',
      call,
      path: { deployment_id: '{otherDeployment.id}' },
      body: { branchId: '{sharedBranch.id}', enabled: false },
    },
  },
  {
    event: 'enable by name',
    table: 'staging/missing',
    data: { as: 'admin', call, path, body: { branchName: '{missing.name}', enabled: true } },
  },
];

async function playOpen(
  session: Session,
  { index, look }: { index: number; look: boolean },
): Promise<void> {
  const item = open[index];
  if (item === undefined) return;
  await lookFirst(session, look);
  if (item.table !== undefined) session.coverage.enter(item.table, 'absent', item.event);
  else session.coverage.enter('staging/shared', stateOf(session), item.event);
  const { answer } = await session.call(item.data);
  if (answer.ok) forget(session);
  else await refused(session, 'STAGE-10', look);
}

/** Nobody knows any more which state the branch is in. */
function forget(session: Session): void {
  const { staging } = session.model;
  staging.enabled = undefined;
  staging.unknown = undefined;
  session.model.unsettled = true;
}

async function switchUnauthorised(
  session: Session,
  { actor, by, look, ...wish }: { actor: unknown; enabled: boolean; by: Naming; look: boolean },
): Promise<void> {
  await lookFirst(session, look);
  // What is so already could not be seen to be switched.
  const known = session.model.staging.enabled;
  const enabled = known === undefined ? wish.enabled : !known;
  session.coverage.enter('staging/shared', stateOf(session), 'without authorisation');
  const entry = await session.call({
    as: actor,
    call,
    path,
    body: { ...branchOf('sharedBranch', by), enabled },
  });
  if (actor === 'none') session.expectStatus(entry, 'AUTH-1', 401, 'no credential was sent');
  if (actor === 'expired') session.expectStatus(entry, 'AUTH-4', 401, 'the credential has expired');
  // What an embed JWT gets here is open (AUTH-22).
  if (entry.answer.ok) forget(session);
  else await refused(session, 'AUTH-14', look);
}

export function stagingMoves({ target, principals }: Setting): MoveKind[] {
  const by = fc.constantFrom<Naming>('name', 'id');
  const look = fc.boolean();
  const effect = 'reversible';
  const shared = ['admin', 'sharedBranch.name', 'sharedBranch.id', 'deployment.id'];
  const strangers = ['embed', 'expired'].filter((name) => target.credentials.has(name));
  const about = (kind: string, weight: number, needs: readonly string[] = shared) => ({
    kind,
    weight,
    needs,
    effect: effect as 'reversible',
  });
  const others = (['personalBranch', 'productionBranch'] as const).flatMap((binding) =>
    (['name', 'id'] as const)
      .filter((field) => (target.bindings[binding]?.[field] ?? null) !== null)
      .map((field) => ({ binding, by: field })),
  );
  return [
    moveKind(
      about('switch', 12),
      fc.record({ actor: fc.constantFrom(...principals, 'admin'), by, enabled: fc.boolean() }),
      switchShared,
    ),
    ...(others.length === 0
      ? []
      : [
          moveKind(
            about('switch another branch', 5, ['admin', 'deployment.id']),
            fc
              .record({
                other: fc.constantFrom(...others),
                enabled: fc.constantFrom(true, true, false),
                look,
              })
              .map(({ other, ...rest }) => ({ ...other, ...rest })),
            switchOther,
          ),
        ]),
    moveKind(
      {
        kind: 'list staging environments',
        weight: 8,
        needs: ['admin', 'deployment.id'],
        effect: 'none',
      },
      fc.record({
        size: fc.constantFrom(undefined, undefined, undefined, 1, 2, 20),
        typed: fc.boolean(),
      }),
      readStaging,
    ),
    moveKind(
      about('switch incompletely', 4),
      fc.record({ item: fc.constantFrom(...invalid), look }),
      async (session, { item: { event, statement, body }, look }) => {
        await lookFirst(session, look);
        session.coverage.enter('staging/shared', stateOf(session), event);
        const entry = await session.call({ as: 'admin', call, path, body });
        session.expectStatus(entry, statement, 'refused', `a switch ${event} is refused`);
        await refused(session, 'STAGE-10', look);
      },
    ),
    moveKind(
      about('switch elsewhere', 2.5, [...shared, 'otherDeployment.id']),
      fc.record({ index: fc.nat(open.length - 1), look }),
      playOpen,
    ),
    moveKind(
      about('switch without authorisation', 3),
      fc.record({ actor: fc.constantFrom('none', ...strangers), enabled: fc.boolean(), by, look }),
      switchUnauthorised,
    ),
  ];
}
