/** Adding recipients: who is served, what a refusal leaves behind, and how many there may be. */

import fc from 'fast-check';
import { accessStatement, type MoveKind, moveKind, type Setting } from './move.ts';
import {
  bulk,
  type Choice,
  choice,
  consolePeople,
  type Person,
  people,
  poolSizes,
  propertiesOf,
} from './recipient-item.ts';
import { expectedList, judgeLists, propertyNames, type Sent } from './recipient-judge.ts';
import type { Session } from './session.ts';

const path = { deploymentId: '{deployment.numericId}', id: '{notification.id}' };
const call = 'addNotificationRecipients' as const;

// ── items ───────────────────────────────────────────────────────────────────────

function sentOf(session: Session, person: Person, pick: Choice | undefined): Sent {
  const belief = session.model.recipient(person.key, person.fresh);
  const none = { securityContext: undefined, userAttributes: undefined, groups: undefined };
  if (person.kind === 'console') {
    const other = session.model.otherNames.get(person.key);
    const item = pick?.withEmail === false && other !== undefined ? other : person.names;
    return { person, belief, item, properties: none, email: undefined };
  }
  const properties = pick === undefined ? none : propertiesOf(pick);
  const email = pick?.withEmail === true ? person.email : undefined;
  const item: Record<string, unknown> = { ...person.names };
  if (email !== undefined) item.email = email;
  for (const name of propertyNames) {
    if (properties[name] !== undefined) item[name] = properties[name];
  }
  const resolved = email === undefined ? undefined : String(session.value(email));
  return { person, belief, item, properties, email: resolved };
}

/** undefined: the description leaves open whether it resolves. */
function resolves({ person, belief, email }: Sent): boolean | undefined {
  if (person.kind === 'console' || person.kind === 'shaped' || person.kind === 'bulk') return true;
  if (person.kind === 'shaped with email' || email !== undefined) return true;
  return belief.resolves;
}

const events = {
  shaped: 'embed user with shaped id',
  'shaped with email': 'embed user with email',
  bulk: 'in a thousand',
} as const;

function enter(session: Session, sent: Sent): void {
  const { belief, person } = sent;
  const { subscribed } = belief;
  const state = subscribed === undefined ? 'unknown' : subscribed ? 'subscribed' : 'absent';
  const event =
    person.kind === 'console'
      ? `console user by ${'userId' in sent.item ? 'id' : 'email'}`
      : person.kind === 'plain'
        ? `embed user ${sent.email === undefined ? 'without' : 'with'} email`
        : events[person.kind];
  session.coverage.enter('recipient', state, event);
  if (subscribed !== true) return;
  const expected = expectedList(sent);
  if (expected === undefined) session.coverage.enter('recipient', state, 'left out');
  if (expected?.list !== 'updatedRecipients') return;
  const words = { 'RECIP-11': 'context', 'RECIP-12': 'attributes', 'RECIP-13': 'groups' };
  const word = words[expected.statement as keyof typeof words];
  if (word !== undefined) session.coverage.enter('recipient', state, `changed ${word}`);
}

/** A refused call has written none of these. */
function refused(session: Session, all: readonly Sent[], statement: string, event: string): void {
  for (const { belief } of all.slice(0, 5)) {
    const { subscribed } = belief;
    const state = subscribed === undefined ? 'unknown' : subscribed ? 'subscribed' : 'absent';
    session.coverage.enter('recipient', state, event);
  }
  for (const { belief } of all) belief.refused = statement;
}

// ── moves ───────────────────────────────────────────────────────────────────────

interface Add {
  readonly actor: string;
  readonly picks: readonly Choice[];
}

async function add(session: Session, all: readonly Person[], { actor, picks }: Add): Promise<void> {
  const sent = picks.flatMap((pick) => {
    const person = all[pick.person];
    return person === undefined ? [] : [sentOf(session, person, pick)];
  });
  for (const item of sent) enter(session, item);
  const resolved = sent.map(resolves);
  const entry = await session.call({
    as: actor,
    call,
    path,
    body: { recipients: sent.map(({ item }) => item) },
  });
  const { status } = entry.answer;
  const unresolvable = sent.find((item) => resolves(item) === false);
  if (unresolvable !== undefined) {
    const statement = unresolvable.belief.refused ?? 'RECIP-16';
    session.expectStatus(entry, statement, 400, `${unresolvable.person.key} has no email`);
    return refused(session, sent, 'RECIP-17', 'beside an unresolvable one');
  }
  if (resolved.includes(undefined) && status >= 400) {
    return refused(session, sent, 'RECIP-17', 'beside an unresolvable one');
  }
  session.expectStatus(
    entry,
    accessStatement(actor, status, addStatement(sent)),
    200,
    'all resolve',
  );
  judgeLists(session, entry, sent);
  session.model.lastAdded = picks;
}

/** Those of the call before, in the same order or in another. */
async function addAgain(
  session: Session,
  all: readonly Person[],
  { actor, reversed }: { actor: string; reversed: boolean },
): Promise<void> {
  const picks = session.model.lastAdded as readonly Choice[];
  if (picks.length === 0) return;
  await add(session, all, { actor, picks: reversed ? picks.toReversed() : picks });
}

interface Change {
  readonly property: 'context' | 'attributes' | 'groups';
  readonly to: number;
  readonly which: number;
}

/** Those of the call before, one of them changed in one property. */
async function change(session: Session, all: readonly Person[], wish: Change): Promise<void> {
  const picks = session.model.lastAdded as readonly Choice[];
  const { property, to, which } = wish;
  const size = poolSizes[property];
  const able = picks.filter((pick) => all[pick.person]?.kind !== 'console');
  const one = able[which % Math.max(1, able.length)];
  if (one === undefined) return;
  const changed = picks.map((pick) => (pick === one ? { ...pick, [property]: to % size } : pick));
  await add(session, all, { actor: 'admin', picks: changed });
}

/** Which promise is broken where these are refused. */
function addStatement(sent: readonly Sent[]): string {
  const only = sent.length === 1 ? sent[0] : undefined;
  if (only === undefined)
    return sent.some((item) => item.email !== undefined) ? 'RECIP-19' : 'RECIP-18';
  if (only.person.kind === 'console') return 'userId' in only.item ? 'RECIP-3' : 'RECIP-4';
  if (only.email !== undefined) return 'RECIP-19';
  return only.person.kind === 'plain' ? 'RECIP-5' : 'RECIP-18';
}

const spoilers = [
  { statement: 'RECIP-15', item: { channelId: 'C-{run.id}', channelName: 'lockstep-{run.id}' } },
  { statement: 'RECIP-15', item: { channelId: 'C-{run.id}' } },
  { statement: 'RECIP-15', item: { channelName: 'lockstep-{run.id}' } },
  { statement: 'RECIP-16', item: { userId: '{missing.id}' } },
  { statement: 'RECIP-16', item: { email: 'lockstep-{run.id}' } },
  {
    statement: 'RECIP-16',
    item: {
      embedTenantName: '{recipients.embedUsers[0].embedTenantName}',
      externalId: 'nobody-{run.id}',
    },
  },
  {
    statement: 'RECIP-16',
    item: {
      embedTenantName: '{recipients.embedUsers[0].embedTenantName}',
      externalId: 'nowhere-{run.id}',
      email: 'nowhere-{run.id}',
    },
  },
] as const;
/** Those at the end that name an embed tenant. */
const embedSpoilers = 2;

interface Spoilt extends Add {
  readonly spoiler: number;
  readonly at: number;
  /** Whether one of the others is added at once, to see that it was not written. */
  readonly look: boolean;
}

async function spoil(session: Session, all: readonly Person[], wish: Spoilt): Promise<void> {
  const spoiler = spoilers[wish.spoiler];
  if (spoiler === undefined) return;
  const sent = wish.picks
    .flatMap((pick) => {
      const person = all[pick.person];
      return person === undefined ? [] : [sentOf(session, person, pick)];
    })
    .filter((item) => resolves(item) !== undefined);
  const items: unknown[] = sent.map(({ item }) => item);
  items.splice(wish.at % (items.length + 1), 0, spoiler.item);
  const entry = await session.call({ as: 'admin', call, path, body: { recipients: items } });
  const chat = spoiler.statement === 'RECIP-15';
  session.expectStatus(entry, spoiler.statement, 400, 'one recipient cannot be served');
  refused(
    session,
    sent,
    'RECIP-17',
    chat ? 'beside a chat recipient' : 'beside an unresolvable one',
  );
  // Whoever has no email but the one that was sent shows a user that was made all the same.
  const made = wish.picks.find(
    ({ person, withEmail }) => withEmail && all[person]?.kind === 'plain',
  );
  const first = made ?? wish.picks[0];
  if (!wish.look || first === undefined) return;
  await add(session, all, { actor: 'admin', picks: [{ ...first, withEmail: false }] });
}

async function addMany(session: Session, count: number, from = 0): Promise<void> {
  const sent = Array.from({ length: count }, (_, index) =>
    sentOf(session, bulk(from + index), undefined),
  );
  const [first] = sent;
  if (first !== undefined && count === 1000)
    enter(session, { ...first, person: { ...first.person, kind: 'bulk' } });
  const recipients = sent.map(({ item }) => item);
  const entry = await session.call({ as: 'admin', call, path, body: { recipients } });
  if (count === 0) return session.expectStatus(entry, 'RECIP-25', 'refused', 'nobody was sent');
  if (count > 1000) {
    session.expectStatus(entry, 'RECIP-24', 'refused', 'there are too many');
    refused(session, sent, 'RECIP-17', 'in too many');
    // One of them that no other move adds.
    return addMany(session, 1, 500);
  }
  session.expectStatus(entry, count === 1000 ? 'RECIP-23' : 'RECIP-18', 200, `${count} may come`);
  judgeLists(session, entry, sent);
}

/** A list of sixty with a bad one near its end; then the first of them alone. */
async function spoilMany(session: Session, block: number): Promise<void> {
  const from = 600 + 60 * block;
  const sent = Array.from({ length: 60 }, (_, index) =>
    sentOf(session, bulk(from + index), undefined),
  );
  const items: unknown[] = sent.map(({ item }) => item);
  items.splice(55, 0, { userId: '{missing.id}' });
  const entry = await session.call({ as: 'admin', call, path, body: { recipients: items } });
  session.expectStatus(entry, 'RECIP-16', 400, 'one recipient cannot be served');
  refused(session, sent, 'RECIP-17', 'beside an unresolvable one');
  await addMany(session, 1, from);
}

async function addWithoutRight(
  session: Session,
  all: readonly Person[],
  { actor, picks }: Add,
): Promise<void> {
  const sent = picks.flatMap((pick) => {
    const person = all[pick.person];
    return person === undefined ? [] : [sentOf(session, person, pick)];
  });
  const usable = sent.filter((item) => resolves(item) === true);
  if (usable.length === 0) return;
  const recipients = usable.map(({ item }) => item);
  const entry = await session.call({ as: actor, call, path, body: { recipients } });
  const expected: Record<string, readonly [string, number]> = {
    none: ['AUTH-1', 401],
    expired: ['AUTH-4', 401],
    member: ['RECIP-20', 403],
    memberOauth: ['RECIP-21', 403],
    embed: ['RECIP-22', 403],
  };
  const [statement, status] = expected[actor] ?? ['RECIP-20', 403];
  session.expectStatus(entry, statement, status, `${actor} is no administrator`);
  refused(session, usable, 'AUTH-14', 'without authorisation');
}

export function recipientMoves({ target, principals }: Setting): MoveKind[] {
  const { recipients = {} } = target.bindings;
  const embed = Array.isArray(recipients.embedUsers) && recipients.embedUsers.length > 0;
  const all = [
    ...(embed ? [...people, bulk(0), bulk(999)] : []),
    ...consolePeople(recipients.users),
  ];
  if (all.length === 0) return [];
  const admins = principals.filter(
    (name) =>
      target.credentials.get(name)?.claims?.role !== 'member' &&
      (name !== 'scoped' || target.credentials.get(name)?.claims?.role === 'admin'),
  );
  const about = (kind: string, weight: number) =>
    ({
      kind,
      weight,
      needs: ['admin', 'deployment.numericId', 'notification.id'],
      effect: 'permanent',
    }) as const;
  const picks = (least: number, most: number) =>
    fc.uniqueArray(choice(all.length), {
      minLength: least,
      maxLength: most,
      selector: ({ person }) => person,
    });
  const strangers = ['member', 'memberOauth', 'embed', 'expired'].filter((name) =>
    target.credentials.has(name),
  );
  const users = strangers.filter((name) => name !== 'expired');
  const moves = [
    moveKind(
      about('add recipients', 12),
      fc.record({ actor: fc.constantFrom(...admins, 'admin'), picks: picks(1, 3) }),
      (session, wish) => add(session, all, wish),
    ),
    moveKind(
      about('add the same again', 4),
      fc.record({ actor: fc.constantFrom(...admins, 'admin'), reversed: fc.boolean() }),
      (session, wish) => addAgain(session, all, wish),
    ),
    moveKind(
      about('add a changed one', 12),
      fc.record({
        property: fc.constantFrom<Change['property']>('context', 'context', 'attributes', 'groups'),
        to: fc.nat(11),
        which: fc.nat(5),
      }),
      (session, wish) => change(session, all, wish),
    ),
    moveKind(
      about('add recipients that cannot be served', 8),
      fc.record({
        actor: fc.constant('admin'),
        picks: picks(0, 3),
        spoiler: fc.nat(spoilers.length - 1 - (embed ? 0 : embedSpoilers)),
        at: fc.nat(3),
        look: fc.boolean(),
      }),
      (session, wish) => spoil(session, all, wish),
    ),
    moveKind(
      about('add recipients without the right', 7),
      fc.record({
        actor: fc.constantFrom('none', ...strangers, ...users, ...users, ...users),
        picks: picks(1, 2),
      }),
      (session, wish) => addWithoutRight(session, all, wish),
    ),
    moveKind(about('add nobody', 1), fc.boolean(), async (session, empty) => {
      if (empty) return addMany(session, 0);
      const entry = await session.call({ as: 'admin', call, path, body: {} });
      session.expectStatus(entry, 'RECIP-25', 'refused', 'recipients are required');
    }),
  ];
  // A thousand made-up people are for a mock only.
  if (!embed || target.kind !== 'mock') return moves;
  return [
    ...moves,
    moveKind(
      about('add a thousand recipients', 2.2),
      fc.constantFrom(1000, 1000, 1001, 1001, 1001),
      addMany,
    ),
    moveKind(about('add sixty, one of whom cannot be served', 1.5), fc.nat(5), spoilMany),
  ];
}
