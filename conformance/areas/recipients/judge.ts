/** What the three lists must say of the recipients of a call that was served. */

import type { Entry } from '../../explore/contradiction.ts';
import type { Session } from '../../explore/session.ts';
import type { Conditions } from '../../language/scenario.ts';
import {
  type Expected,
  expectedList,
  identityOf,
  type List,
  learn,
  lists,
  placeOf,
  Recipients,
  type Sent,
} from './belief.ts';

const partition: Conditions = {
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

/** Throws Contradiction; otherwise the beliefs are what the answer showed. */
export function judgeLists(session: Session, entry: Entry, sent: readonly Sent[]): void {
  session.judge(entry, { [lostStatement(sent)]: partition });
  const { body } = entry.answer;
  const expected = sent.map(expectedList);
  for (const [at, item] of sent.entries()) {
    const place = placeOf(session, body, item);
    const wanted = expected[at];
    if (place === undefined) continue;
    if (wanted !== undefined && place.list !== wanted.list) {
      const statement = statementFor(item, wanted, place.list);
      const conditions = { body: { [wanted.list]: { $contains: identityOf(session, item) } } };
      session.judge(entry, { [statement]: conditions });
    }
    judgeRecord(session, entry, item, place.list);
    learnOtherName(session, entry, item, place);
  }
  // Where records do not say who they are, the lists can still be counted.
  if (expected.every((one) => one !== undefined)) {
    for (const list of lists) {
      const inList = expected.filter((one) => one?.list === list);
      const statement = (inList[0] ?? expected[0])?.statement ?? 'RECIP-8';
      session.judge(entry, { [statement]: { body: { [list]: { $length: inList.length } } } });
    }
  }
  for (const item of sent) learn(session, item, placeOf(session, body, item)?.list);
}

/** Whose recipients are not those that were sent: of one console user, that it is not found. */
function lostStatement(sent: readonly Sent[]): string {
  const only = sent.length === 1 ? sent[0] : undefined;
  if (only?.person.kind !== 'console') return 'RECIP-8';
  return only.item.userId === undefined ? 'RECIP-4' : 'RECIP-3';
}

/** A recipient that is new to a list was written by nobody, unless a refused call did. */
function statementFor({ belief, item, person }: Sent, expected: Expected, actual: List): string {
  if (belief.refused !== undefined) return belief.refused;
  if (expected.list === 'createdRecipients') return 'RECIP-10';
  if (expected.list === 'updatedRecipients') return expected.statement;
  const twice = actual === 'createdRecipients' && person.kind === 'console';
  return twice ? (item.userId === undefined ? 'RECIP-4' : 'RECIP-3') : 'RECIP-7';
}

/** What the record of an embed user says of it. */
function judgeRecord(session: Session, entry: Entry, sent: Sent, list: List): void {
  const { belief, person } = sent;
  if (person.kind === 'console') return;
  const record = placeOf(session, entry.answer.body, sent)?.record ?? {};
  const identity = identityOf(session, sent);
  const inList = (fields: Conditions): Conditions => ({
    body: { [list]: { $contains: { ...identity, ...fields } } },
  });
  const { embedUserIds } = session.beliefs(Recipients);
  const { embedUserId: id } = record;
  if (typeof id === 'number') {
    if (belief.embedUserId !== undefined) {
      session.judge(entry, { 'RECIP-5': inList({ embedUserId: belief.embedUserId }) });
    }
    const twin = embedUserIds.get(id) ?? person.key;
    if (twin !== person.key) {
      const because = `${twin} has the same embedUserId`;
      session.judge(entry, { 'RECIP-6': { ...inList({ embedUserId: { $not: id } }), because } });
    }
    embedUserIds.set(id, person.key);
    belief.embedUserId = id;
  }
  const email = sent.email ?? (person.kind === 'shaped' ? identity.externalId : undefined);
  if (typeof record.email !== 'string' || typeof email !== 'string') return;
  if (belief.subscribed !== false || record.email.toLowerCase() === email.toLowerCase()) return;
  const statement = sent.email === undefined ? 'RECIP-18' : 'RECIP-19';
  session.judge(entry, { [statement]: inList({ email }) });
}

/** A user whose record shows both names can be named by either from now on. */
function learnOtherName(
  session: Session,
  entry: Entry,
  { person }: Sent,
  { list, index, record }: NonNullable<ReturnType<typeof placeOf>>,
): void {
  const { otherNames } = session.beliefs(Recipients);
  if (person.kind !== 'console' || otherNames.has(person.key)) return;
  const other = 'userId' in person.names ? 'email' : 'userId';
  if ((record[other] ?? null) === null) return;
  otherNames.set(person.key, { [other]: `{steps.${entry.id}.body.${list}[${index}].${other}}` });
}
