/** Adds recipients, and judges how the call is answered. */

import type { Entry } from '../../explore/contradiction.ts';
import type { Session } from '../../explore/session.ts';
import type { Conditions } from '../../language/scenario.ts';
import {
  changes,
  expectedList,
  Recipients,
  resolves,
  type Sent,
  sentOf,
  stateOf,
} from './belief.ts';
import { judgeLists } from './judge.ts';
import { bulk, type Person, type Pick } from './person.ts';

export const call = 'addNotificationRecipients' as const;
export const here = { deploymentId: '{deployment.numericId}', id: '{notification.id}' };

/** Sends recipients as they are, and expects this of the status. */
export function send(
  session: Session,
  actor: string,
  recipients: readonly unknown[],
  checks: Readonly<Record<string, Conditions>> = {},
  path: Readonly<Record<string, string>> = here,
): Promise<Entry> {
  return session.call({ as: actor, call, path, body: { recipients } }, { checks });
}

export const itemsOf = (sent: readonly Sent[]): unknown[] => sent.map(({ item }) => item);

/** A refused call has written none of these. */
export function refused(
  session: Session,
  all: readonly Sent[],
  event: string,
  statement = 'RECIP-17',
): void {
  for (const sent of all.slice(0, 5)) session.coverage.enter('recipient', stateOf(sent), event);
  for (const { belief } of all) belief.refused = statement;
}

export function sentAll(
  session: Session,
  people: readonly Person[],
  picks: readonly Pick[],
): Sent[] {
  return picks.flatMap((pick) => {
    const person = people[pick.person];
    return person === undefined ? [] : [sentOf(session, person, pick)];
  });
}

export interface Add {
  readonly actor: string;
  readonly picks: readonly Pick[];
}

export async function add(
  session: Session,
  people: readonly Person[],
  { actor, picks }: Add,
): Promise<void> {
  const sent = sentAll(session, people, picks);
  for (const item of sent) enter(session, item);
  const resolved = sent.map(resolves);
  const unresolvable = sent.find((item) => resolves(item) === false);
  const entry = await send(session, actor, itemsOf(sent));
  if (unresolvable !== undefined) {
    const statement = unresolvable.belief.refused ?? 'RECIP-16';
    const because = `${unresolvable.person.key} has no email`;
    session.judge(entry, { [statement]: { status: 400, because } });
    return refused(session, sent, 'beside an unresolvable one');
  }
  if (resolved.includes(undefined) && !entry.answer.ok) {
    return refused(session, sent, 'beside an unresolvable one');
  }
  session.judge(entry, { [servedStatement(sent)]: { status: 200, because: 'all resolve' } });
  judgeLists(session, entry, sent);
  session.beliefs(Recipients).lastAdded = picks;
}

/** Which promise is broken where these are refused. */
function servedStatement(sent: readonly Sent[]): string {
  const only = sent.length === 1 ? sent[0] : undefined;
  if (only?.person.kind === 'console') return 'userId' in only.item ? 'RECIP-3' : 'RECIP-4';
  if (sent.some(({ email }) => email !== undefined)) return 'RECIP-19';
  return only?.person.kind === 'plain' ? 'RECIP-5' : 'RECIP-18';
}

/** A crowd of so many, whom no other move adds but the first and the last. */
export async function addMany(session: Session, count: number, from = 0): Promise<void> {
  const sent = Array.from({ length: count }, (_, index) => sentOf(session, bulk(from + index)));
  const [first] = sent;
  if (first !== undefined && count === 1000) {
    session.coverage.enter('recipient', stateOf(first), 'in a thousand');
  }
  if (count > 0 && count <= 1000) {
    const statement = count === 1000 ? 'RECIP-23' : 'RECIP-18';
    const entry = await send(session, 'admin', itemsOf(sent), { [statement]: { status: 200 } });
    return judgeLists(session, entry, sent);
  }
  const statement = count === 0 ? 'RECIP-25' : 'RECIP-24';
  await send(session, 'admin', itemsOf(sent), { [statement]: { status: 'refused' } });
  refused(session, sent, 'in too many');
  if (count > 0) await addMany(session, 1, 500);
}

function enter(session: Session, sent: Sent): void {
  const state = stateOf(sent);
  session.coverage.enter('recipient', state, eventOf(sent));
  if (state !== 'subscribed') return;
  const expected = expectedList(sent);
  if (expected === undefined) session.coverage.enter('recipient', state, 'left out');
  for (const [property, statement] of Object.entries(changes)) {
    if (expected?.statement !== statement) continue;
    session.coverage.enter('recipient', state, `changed ${property}`);
  }
}

function eventOf({ person, item, email }: Sent): string {
  if (person.kind === 'console') return `console user by ${'userId' in item ? 'id' : 'email'}`;
  if (person.kind === 'shaped') return 'embed user with shaped id';
  return person.kind === 'plain' && email === undefined
    ? 'embed user without email'
    : 'embed user with email';
}
