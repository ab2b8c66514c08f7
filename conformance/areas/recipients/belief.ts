/** What is believed of recipients, and where the answer of a call must name them. */

import { equal, isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { Session } from '../../explore/session.ts';
import { type Person, type Pick, type Property, pools, properties } from './person.ts';

export interface Belief {
  /** undefined: nobody knows whether it is subscribed. */
  subscribed: boolean | undefined;
  /** What is stored of each property; null where nothing is, undefined where nobody knows. */
  readonly stored: Record<Property, unknown>;
  /** Whether the embed user is there and has an email; undefined where nobody knows. */
  resolves: boolean | undefined;
  embedUserId: number | undefined;
  /** The email that the embed user was made with; undefined where nobody knows. */
  email: string | undefined;
  /** The last event that must not have written it. */
  refused: string | undefined;
}

export class Recipients {
  readonly #beliefs = new Map<string, Belief>();
  /** Whose an embedUserId is. */
  readonly embedUserIds = new Map<number, string>();
  /** How else a console user can be named: a reference to an answer that showed it. */
  readonly otherNames = new Map<string, Readonly<Record<string, string>>>();
  /** The picks of the last call that was served, to be sent again. */
  lastAdded: readonly Pick[] = [];

  /** Only a console user can have subscribed before the walk. */
  of({ key, kind }: Person, elsewhere = false): Belief {
    const place = elsewhere ? `${key} elsewhere` : key;
    let found = this.#beliefs.get(place);
    if (found === undefined) {
      const fresh = kind !== 'console';
      const none = fresh ? null : undefined;
      found = {
        subscribed: fresh ? false : undefined,
        stored: { securityContext: none, userAttributes: none, groups: none },
        resolves: fresh ? false : undefined,
        embedUserId: undefined,
        email: undefined,
        refused: undefined,
      };
      this.#beliefs.set(place, found);
    }
    return found;
  }
}

/** One recipient of a call. */
export interface Sent {
  readonly person: Person;
  readonly belief: Belief;
  /** The item as it was written. */
  readonly item: JsonObject;
  readonly email: string | undefined;
}

export function sentOf(session: Session, person: Person, pick?: Pick, elsewhere = false): Sent {
  const recipients = session.beliefs(Recipients);
  const belief = recipients.of(person, elsewhere);
  if (person.kind === 'console') {
    const other = recipients.otherNames.get(person.key);
    const item = pick?.withEmail === false && other !== undefined ? other : person.names;
    return { person, belief, item, email: undefined };
  }
  const item: Record<string, unknown> = { ...person.names };
  const email = pick?.withEmail === true ? person.email : undefined;
  if (email !== undefined) item.email = email;
  for (const property of properties) {
    const index = pick?.[property];
    if (index !== undefined) item[property] = pools[property][index];
  }
  return { person, belief, item, email: email && String(session.value(email)) };
}

/** undefined: the description leaves open whether it resolves. */
export function resolves({ person, belief, email }: Sent): boolean | undefined {
  return person.kind !== 'plain' || email !== undefined || belief.resolves;
}

export function stateOf({ belief: { subscribed } }: Sent): string {
  return subscribed === undefined ? 'unknown' : subscribed ? 'subscribed' : 'absent';
}

// ── the three lists ─────────────────────────────────────────────────────────────

export type List = 'createdRecipients' | 'updatedRecipients' | 'unchangedRecipients';
export const lists: readonly List[] = [
  'createdRecipients',
  'updatedRecipients',
  'unchangedRecipients',
];

export const changes: Readonly<Record<Property, string>> = {
  securityContext: 'RECIP-11',
  userAttributes: 'RECIP-12',
  groups: 'RECIP-13',
};

export interface Expected {
  readonly list: List;
  readonly statement: string;
}

/** In which list somebody must be; undefined where the description leaves it open. */
export function expectedList({ belief, item, person, email }: Sent): Expected | undefined {
  const { subscribed, refused, stored } = belief;
  if (subscribed === undefined) return undefined;
  if (!subscribed) return { list: 'createdRecipients', statement: refused ?? 'RECIP-10' };
  // Whether another email than before is a change is not said.
  let open = email !== undefined && email !== belief.email;
  for (const property of person.kind === 'console' ? [] : properties) {
    const [sent, known] = [item[property], stored[property]];
    // What happens to a property that is not sent is a silence (RECIP-32).
    if (sent === undefined) open ||= known !== null;
    else if (known === undefined) open = true;
    else if (!equal(sent, known)) {
      return { list: 'updatedRecipients', statement: refused ?? changes[property] };
    }
  }
  return open ? undefined : { list: 'unchangedRecipients', statement: refused ?? 'RECIP-7' };
}

/** What identifies somebody in an answer. */
export function identityOf(session: Session, { item }: Sent): Readonly<Record<string, unknown>> {
  const name = ['externalId', 'userId', 'email'].find((field) => item[field] !== undefined) ?? '';
  return { [name]: session.value(item[name]) };
}

/** Where an answer names somebody; undefined where it does not. */
export function placeOf(
  session: Session,
  body: unknown,
  sent: Sent,
): { readonly list: List; readonly index: number; readonly record: JsonObject } | undefined {
  const [[field = '', value] = []] = Object.entries(identityOf(session, sent));
  const wanted = String(value).toLowerCase();
  for (const list of lists) {
    const records = isObject(body) ? body[list] : undefined;
    if (!Array.isArray(records)) continue;
    const index = records.findIndex(
      (record) => isObject(record) && String(record[field]).toLowerCase() === wanted,
    );
    const record: unknown = records[index];
    if (isObject(record)) return { list, index, record };
  }
  return undefined;
}

/** What a call that was served teaches of one of its recipients. */
export function learn(session: Session, sent: Sent, list: List | undefined): void {
  const { belief, item, person, email } = sent;
  const created = belief.subscribed !== true && list === 'createdRecipients';
  const wasOpen = belief.subscribed === undefined;
  belief.subscribed = true;
  belief.refused = undefined;
  if (person.kind === 'console') return;
  belief.resolves = true;
  const shapedId = person.kind === 'plain' ? undefined : session.value(person.names.externalId);
  const made = email ?? (created ? shapedId : undefined);
  if (typeof made === 'string') belief.email = made;
  for (const property of properties) {
    const open = list !== 'unchangedRecipients' && belief.stored[property] !== null;
    if (item[property] !== undefined) belief.stored[property] = item[property];
    else if (created) belief.stored[property] = null;
    else if (wasOpen || open) belief.stored[property] = undefined;
  }
}
