/** What the three lists must say of the recipients of a call, and what they teach. */

import { canonical, equal, isObject, type JsonObject } from '../../spec/base/json.ts';
import type { Conditions } from '../language/scenario.ts';
import type { Entry } from './contradiction.ts';
import type { Properties, RecipientBelief } from './model.ts';
import type { Person } from './recipient-item.ts';
import type { Session } from './session.ts';

export interface Sent {
  readonly person: Person;
  readonly belief: RecipientBelief;
  /** The item as it was written. */
  readonly item: JsonObject;
  readonly properties: Properties;
  readonly email: string | undefined;
}

type List = 'createdRecipients' | 'updatedRecipients' | 'unchangedRecipients';
const lists: readonly List[] = ['createdRecipients', 'updatedRecipients', 'unchangedRecipients'];

interface Expected {
  readonly list: List;
  readonly statement: string;
}

const changes = {
  securityContext: 'RECIP-11',
  userAttributes: 'RECIP-12',
  groups: 'RECIP-13',
} as const;
export const propertyNames = Object.keys(changes) as (keyof typeof changes)[];

/** In which list somebody must be; undefined where the description leaves it open. */
export function expectedList({ belief, properties, person, email }: Sent): Expected | undefined {
  if (belief.subscribed === undefined) return undefined;
  if (!belief.subscribed) {
    return { list: 'createdRecipients', statement: belief.refused ?? 'RECIP-10' };
  }
  if (person.kind === 'console') return { list: 'unchangedRecipients', statement: 'RECIP-7' };
  // Whether another email than before is a change is not said.
  let open = email !== undefined && email !== belief.email;
  for (const name of propertyNames) {
    const sent = properties[name];
    const stored = belief.properties[name];
    // What happens to a property that is not sent is a silence (RECIP-32).
    if (sent === undefined) open ||= stored !== null;
    else if (stored === undefined) open = true;
    else if (!equal(sent, stored)) {
      return { list: 'updatedRecipients', statement: belief.refused ?? changes[name] };
    }
  }
  if (open) return undefined;
  return { list: 'unchangedRecipients', statement: belief.refused ?? 'RECIP-7' };
}

function listOf(body: JsonObject, name: List): JsonObject[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Throws Contradiction; otherwise the beliefs are what the answer showed. */
export function judgeLists(session: Session, entry: Entry, sent: readonly Sent[]): void {
  const body = entry.answer.body as JsonObject;
  const wrong = (statement: string, conditions: Conditions, because: string): never => {
    throw session.contradiction(entry, statement, conditions, because);
  };
  const found = new Map<Sent, { list: List; record: JsonObject }[]>();
  const index = new Map<string, { list: List; record: JsonObject }[]>();
  for (const list of lists) {
    for (const record of listOf(body, list)) {
      for (const key of recordKeys(record)) {
        const known = index.get(key);
        if (known === undefined) index.set(key, [{ list, record }]);
        else known.push({ list, record });
      }
    }
  }
  for (const item of sent) {
    found.set(item, index.get(sentKey(session, item)) ?? []);
  }
  const total = lists.reduce((sum, name) => sum + listOf(body, name).length, 0);
  const identified = [...found.values()].every((places) => places.length > 0);
  if (total !== sent.length || (!identified && everyRecordHasKey(body, sent))) {
    judgeNumbers(session, entry, sent, found, total, wrong);
  }
  for (const item of sent) {
    const places = found.get(item) ?? [];
    const [place] = places;
    if (places.length > 1) {
      wrong('RECIP-8', partition(entry), `${item.person.key} stands in ${places.length} places`);
    }
    const expected = expectedList(item);
    if (place !== undefined && expected !== undefined && place.list !== expected.list) {
      const identity = identityOf(session, item);
      const conditions = { body: { [expected.list]: { $contains: identity } } };
      const because = `${item.person.key} is in ${place.list}`;
      wrong(statementFor(item, expected, place.list), conditions, because);
    }
    if (place !== undefined) judgeRecord(session, item, place.record, place.list, wrong);
    if (place !== undefined) learnOtherName(session, entry, item.person, place);
  }
  if (!identified) judgeUnidentified(body, sent, found, wrong);
  for (const item of sent) learn(session, item, found.get(item)?.[0]);
}

/** A recipient that is new to a list was written by nobody, unless a refused call did. */
function statementFor(item: Sent, expected: Expected, actual: List): string {
  if (item.belief.refused !== undefined) return item.belief.refused;
  if (expected.list === 'createdRecipients') return 'RECIP-10';
  if (expected.list === 'updatedRecipients') return expected.statement;
  if (actual === 'createdRecipients' && item.person.kind === 'console') {
    return item.item.userId === undefined ? 'RECIP-4' : 'RECIP-3';
  }
  return 'RECIP-7';
}

function judgeNumbers(
  _session: Session,
  entry: Entry,
  sent: readonly Sent[],
  found: ReadonlyMap<Sent, readonly unknown[]>,
  total: number,
  wrong: (statement: string, conditions: Conditions, because: string) => never,
): void {
  const lost = sent.filter((item) => (found.get(item) ?? []).length === 0);
  const because = `${sent.length} recipients were sent, and ${total} are answered; ${lost
    .slice(0, 3)
    .map((item) => item.person.key)
    .join(', ')} cannot be found`;
  const named = lost.find((item) => item.person.kind === 'console');
  const statement =
    total === sent.length && named !== undefined
      ? 'userId' in named.item
        ? 'RECIP-3'
        : 'RECIP-4'
      : 'RECIP-8';
  if (statement === 'RECIP-8') wrong(statement, partition(entry), because);
  const [name, value] = Object.entries(named?.item ?? {})[0] ?? ['userId', 0];
  const somewhere = lists.map((list) => ({ [list]: { $contains: { [name]: value } } }));
  wrong(statement, { body: { $any: somewhere } }, because);
}

/** RECIP-8 as scenarios write it. */
function partition(_entry: Entry): Conditions {
  return {
    partition: {
      of: '{request.body.recipients}',
      into: {
        created: '{body.createdRecipients}',
        updated: '{body.updatedRecipients}',
        unchanged: '{body.unchangedRecipients}',
      },
      by: [['userId'], ['email', 'externalId']],
    },
  };
}

/** Where records do not say who they are, the lists can still be counted. */
function judgeUnidentified(
  body: JsonObject,
  sent: readonly Sent[],
  found: ReadonlyMap<Sent, readonly unknown[]>,
  wrong: (statement: string, conditions: Conditions, because: string) => never,
): void {
  const expected = sent.map(expectedList);
  if (expected.some((item) => item === undefined)) return;
  for (const name of lists) {
    const length = expected.filter((item) => item?.list === name).length;
    if (listOf(body, name).length === length) continue;
    const item = sent.find((one) => (found.get(one) ?? []).length === 0);
    const statement = (item === undefined ? undefined : expectedList(item))?.statement ?? 'RECIP-8';
    wrong(statement, { body: { [name]: { $length: length } } }, `${name} should hold ${length}`);
  }
}

function judgeRecord(
  session: Session,
  item: Sent,
  record: JsonObject,
  list: List,
  wrong: (statement: string, conditions: Conditions, because: string) => never,
): void {
  const { belief, person } = item;
  if (person.kind === 'console') return;
  const identity = identityOf(session, item);
  const inList = (fields: JsonObject): Conditions => ({
    body: { [list]: { $contains: { ...identity, ...fields } } },
  });
  const id = record.embedUserId;
  if (typeof id === 'number') {
    if (belief.embedUserId !== undefined && belief.embedUserId !== id) {
      wrong('RECIP-5', inList({ embedUserId: belief.embedUserId }), 'the embed user has a new id');
    }
    const twin = session.model.embedUserIds.get(id);
    if (twin !== undefined && twin !== person.key) {
      wrong('RECIP-6', inList({ embedUserId: { $not: id } }), `${twin} has the same embedUserId`);
    }
    session.model.embedUserIds.set(id, person.key);
    belief.embedUserId = id;
  }
  const email = item.email ?? (person.kind === 'shaped' ? identity.externalId : undefined);
  if (typeof record.email !== 'string' || typeof email !== 'string' || !person.fresh) return;
  if (belief.subscribed !== false || record.email.toLowerCase() === email.toLowerCase()) return;
  const statement = item.email === undefined ? 'RECIP-18' : 'RECIP-19';
  wrong(statement, inList({ email }), `the email of ${person.key} should be ${email}`);
}

function learn(
  session: Session,
  item: Sent,
  place: { list: List; record: JsonObject } | undefined,
): void {
  const { belief, properties, person } = item;
  const created = belief.subscribed !== true && place?.list === 'createdRecipients';
  const wasOpen = belief.subscribed === undefined;
  belief.subscribed = true;
  belief.refused = undefined;
  if (person.kind === 'console') return;
  belief.resolves = true;
  const shapedId = person.kind === 'plain' ? undefined : identityOf(session, item).externalId;
  const email = item.email ?? (created ? shapedId : undefined);
  if (typeof email === 'string') belief.email = email;
  for (const name of propertyNames) {
    const sent = properties[name];
    if (sent !== undefined) belief.properties[name] = sent;
    else if (created) belief.properties[name] = null;
    else if (wasOpen) belief.properties[name] = undefined;
    else if (place?.list !== 'unchangedRecipients' && belief.properties[name] !== null) {
      belief.properties[name] = undefined;
    }
  }
}

/** A user whose record shows both names can be named by either from now on. */
function learnOtherName(
  session: Session,
  entry: Entry,
  person: Person,
  { list, record }: { list: List; record: JsonObject },
): void {
  if (person.kind !== 'console' || session.model.otherNames.has(person.key)) return;
  const other = 'userId' in person.names ? 'email' : 'userId';
  if (record[other] === undefined || record[other] === null) return;
  const place = listOf(entry.answer.body as JsonObject, list).indexOf(record);
  const reference = `{steps.${entry.id}.body.${list}[${place}].${other}}`;
  session.model.otherNames.set(person.key, { [other]: reference });
}

// ── identity ────────────────────────────────────────────────────────────────────

export function identityOf(session: Session, { item }: Sent): JsonObject {
  const resolved = session.value(item) as JsonObject;
  if (resolved.externalId !== undefined) return { externalId: resolved.externalId };
  if (resolved.userId !== undefined) return { userId: resolved.userId };
  return { email: resolved.email };
}

function sentKey(session: Session, sent: Sent): string {
  return canonical(identityOf(session, sent)).toLowerCase();
}

function recordKeys(record: JsonObject): string[] {
  const keys: string[] = [];
  if (typeof record.externalId === 'string') {
    keys.push(canonical({ externalId: record.externalId }).toLowerCase());
    return keys;
  }
  if (typeof record.userId === 'number')
    keys.push(canonical({ userId: record.userId }).toLowerCase());
  if (typeof record.email === 'string') keys.push(canonical({ email: record.email }).toLowerCase());
  return keys;
}

/** Whether each record says who it is by the fields that were sent. */
function everyRecordHasKey(body: JsonObject, sent: readonly Sent[]): boolean {
  const records = lists.flatMap((name) => listOf(body, name));
  const byEmail = sent.some(
    ({ item }) => item.userId === undefined && item.externalId === undefined,
  );
  return records.every(
    (record) =>
      typeof record.externalId === 'string' ||
      (typeof record.userId === 'number' && (!byEmail || typeof record.email === 'string')),
  );
}
