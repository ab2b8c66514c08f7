/** Adding recipients: who is served, what a refusal leaves behind, and how many there may be. */

import fc from 'fast-check';
import {
  type ExploredArea,
  type MoveKind,
  moveKind,
  pick,
  type Setting,
} from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';
import { type Add, add, addMany, call, here, itemsOf, refused, send, sentAll } from './add.ts';
import { Recipients, resolves, sentOf } from './belief.ts';
import {
  bulk,
  consolePeople,
  type Person,
  type Property,
  people,
  picks,
  pools,
  properties,
} from './person.ts';
import { placeMoves } from './places.ts';
import { tables } from './tables.ts';

/** Those of the call before, in the same order or in another. */
async function addAgain(
  session: Session,
  all: readonly Person[],
  { actor, reversed }: { actor: string; reversed: boolean },
): Promise<void> {
  const { lastAdded } = session.beliefs(Recipients);
  if (lastAdded.length === 0) return;
  await add(session, all, { actor, picks: reversed ? lastAdded.toReversed() : lastAdded });
}

interface Change {
  readonly property: Property;
  readonly to: number;
  readonly which: number;
}

/** Those of the call before, one of them changed in one property. */
async function change(session: Session, all: readonly Person[], wish: Change): Promise<void> {
  const { lastAdded } = session.beliefs(Recipients);
  const { property, to, which } = wish;
  const able = lastAdded.filter(({ person }) => all[person]?.kind !== 'console');
  const one = pick(able, which);
  if (one === undefined) return;
  const index = to % pools[property].length;
  const changed = lastAdded.map((item) => (item === one ? { ...item, [property]: index } : item));
  await add(session, all, { actor: 'admin', picks: changed });
}

// ── calls that are refused as a whole ───────────────────────────────────────────

const embedTenantName = '{recipients.embedUsers[0].embedTenantName}';
const spoilers = [
  { statement: 'RECIP-15', item: { channelId: 'C-{run.id}', channelName: 'lockstep-{run.id}' } },
  { statement: 'RECIP-15', item: { channelId: 'C-{run.id}' } },
  { statement: 'RECIP-15', item: { channelName: 'lockstep-{run.id}' } },
  { statement: 'RECIP-16', item: { userId: '{missing.id}' } },
  { statement: 'RECIP-16', item: { email: 'lockstep-{run.id}' } },
  { statement: 'RECIP-16', item: { embedTenantName, externalId: 'nobody-{run.id}' } },
  {
    statement: 'RECIP-16',
    item: { embedTenantName, externalId: 'nowhere-{run.id}', email: 'nowhere-{run.id}' },
  },
] as const;

interface Spoilt extends Add {
  readonly spoiler: (typeof spoilers)[number];
  readonly at: number;
  /** Whether one of the others is added at once, to see that it was not written. */
  readonly look: boolean;
}

async function spoil(session: Session, all: readonly Person[], wish: Spoilt): Promise<void> {
  const { spoiler, at, look } = wish;
  const sent = sentAll(session, all, wish.picks).filter((item) => resolves(item) !== undefined);
  const items = itemsOf(sent);
  items.splice(at % (items.length + 1), 0, spoiler.item);
  await send(session, 'admin', items, { [spoiler.statement]: { status: 400 } });
  const chat = spoiler.statement === 'RECIP-15';
  refused(session, sent, chat ? 'beside a chat recipient' : 'beside an unresolvable one');
  // Whoever has no email but the one that was sent shows a user that was made all the same.
  const made = wish.picks.find(
    ({ person, withEmail }) => withEmail && all[person]?.kind === 'plain',
  );
  const first = made ?? wish.picks[0];
  if (!look || first === undefined) return;
  await add(session, all, { actor: 'admin', picks: [{ ...first, withEmail: false }] });
}

/** A list of sixty with a bad one near its end; then the first of them alone. */
async function spoilMany(session: Session, block: number): Promise<void> {
  const from = 600 + 60 * block;
  const sent = Array.from({ length: 60 }, (_, index) => sentOf(session, bulk(from + index)));
  const items = itemsOf(sent);
  items.splice(55, 0, { userId: '{missing.id}' });
  await send(session, 'admin', items, { 'RECIP-16': { status: 400 } });
  refused(session, sent, 'beside an unresolvable one');
  await addMany(session, 1, from);
}

async function addWithoutRight(session: Session, all: readonly Person[], wish: Add): Promise<void> {
  const sent = sentAll(session, all, wish.picks).filter((item) => resolves(item) === true);
  if (sent.length === 0) return;
  await send(session, wish.actor, itemsOf(sent));
  refused(session, sent, 'without authorisation', 'AUTH-14');
}

async function addNobody(session: Session, empty: boolean): Promise<void> {
  if (empty) return addMany(session, 0);
  const checks = { 'RECIP-25': { status: 'refused', because: 'recipients are required' } };
  await session.call({ as: 'admin', call, path: here, body: {} }, { checks });
}

// ── choices ─────────────────────────────────────────────────────────────────────

const needs = ['admin', 'deployment.numericId', 'notification.id'];
const about = (kind: string, weight: number) =>
  ({ kind, weight, needs, effect: 'permanent' }) as const;

/** A crowd of made-up people is for a mock only. */
const crowdMoves: readonly MoveKind[] = [
  moveKind(
    about('add a thousand recipients', 2.2),
    fc.constantFrom(1000, 1000, 1001, 1001, 1001),
    addMany,
  ),
  moveKind(about('add sixty, one of whom cannot be served', 1.5), fc.nat(5), spoilMany),
];

function moves(setting: Setting): MoveKind[] {
  const { target, actors } = setting;
  const { users, embedUsers } = target.bindings.recipients ?? {};
  const embed = Array.isArray(embedUsers) && embedUsers.length > 0;
  const all = [...(embed ? [...people, bulk(0), bulk(999)] : []), ...consolePeople(users)];
  if (all.length === 0) return [];
  const admin = fc.constantFrom('admin', ...actors(call, 'allowed'));
  const strangers = actors(call, 'refused');
  const members = strangers.filter((name) => name !== 'none' && name !== 'expired');
  const usable = spoilers.filter(({ item }) => embed || !('embedTenantName' in item));
  return [
    moveKind(
      about('add recipients', 12),
      fc.record({ actor: admin, picks: picks(all.length, 1, 3) }),
      (session, wish) => add(session, all, wish),
    ),
    moveKind(
      about('add the same again', 4),
      fc.record({ actor: admin, reversed: fc.boolean() }),
      (session, wish) => addAgain(session, all, wish),
    ),
    moveKind(
      about('add a changed one', 16),
      fc.record({
        property: fc.constantFrom<Property>('securityContext', ...properties),
        to: fc.nat(11),
        which: fc.nat(5),
      }),
      (session, wish) => change(session, all, wish),
    ),
    moveKind(
      about('add recipients that cannot be served', 8),
      fc.record({
        actor: fc.constant('admin'),
        picks: picks(all.length, 0, 3),
        spoiler: fc.constantFrom(...usable),
        at: fc.nat(3),
        look: fc.boolean(),
      }),
      (session, wish) => spoil(session, all, wish),
    ),
    moveKind(
      about('add recipients without the right', 7),
      fc.record({
        actor: fc.constantFrom(...strangers, ...members, ...members, ...members),
        picks: picks(all.length, 1, 2),
      }),
      (session, wish) => addWithoutRight(session, all, wish),
    ),
    moveKind(about('add nobody', 2.5), fc.boolean(), addNobody),
    ...(embed && target.kind === 'mock' ? crowdMoves : []),
    ...placeMoves(setting),
  ];
}

export const recipients: ExploredArea = {
  moves,
  tables,
  holders: {
    deploymentId: ['deployment', 'otherDeployment'],
    id: ['notification', 'foreignNotification'],
  },
};
