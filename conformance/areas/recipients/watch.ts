/** The promises about a call that adds the same recipients again. */

import { hash } from 'node:crypto';
import { canonical, isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { Compared, Seen, Sequence } from '../../watch/facts.ts';

/** A call that names a person twice may change the recipient each time (RECIP-9). */
function namesEachOnce(sent: unknown): boolean {
  const recipients = isObject(sent) ? sent.recipients : undefined;
  if (!Array.isArray(recipients)) return false;
  const names = recipients.flatMap((one) =>
    isObject(one) ? [one.userId, one.email, one.externalId].filter((name) => name != null) : [],
  );
  return new Set(names.map((name) => String(name).toLowerCase())).size === names.length;
}

function addedAgain([before, now]: readonly Seen[]): Compared {
  if (before?.answer.status !== 200 || now?.answer.status !== 200) return undefined;
  const { body } = now.answer;
  if (canonical(before.sent) !== canonical(now.sent) || !namesEachOnce(now.sent)) return undefined;
  if (before.path.id !== now.path.id || !isObject(body)) return undefined;
  for (const name of ['createdRecipients', 'updatedRecipients']) {
    const list = body[name];
    if (!Array.isArray(list)) return undefined;
    if (list.length > 0)
      return { pointer: `/body/${name}`, expected: 'none', actual: `${list.length} of them` };
  }
  return 'holds';
}

const shapedLikeEmail = /^[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,24}$/i;

const namedIn = ({ sent }: Seen): readonly JsonObject[] =>
  isObject(sent) && Array.isArray(sent.recipients) ? sent.recipients.filter(isObject) : [];

const tenantsIn = (call: Seen) =>
  new Set(namedIn(call).map(({ embedTenantName }) => embedTenantName));

/** Whether a request names embed users alone, all by identifiers that are emails. */
function isByEmail(call: Seen): boolean {
  const named = namedIn(call);
  const isOne = (one: JsonObject): boolean =>
    Object.keys(one).sort().join() === 'embedTenantName,externalId' &&
    shapedLikeEmail.test(String(one.externalId));
  return named.length > 0 && named.every(isOne);
}

/**
 * A request whose identifiers are emails was refused, although the requests before and after it added
 * users of the same tenants.
 */
function refusedByEmail(calls: readonly Seen[]): Compared {
  const now = calls.at(-1);
  if (now?.answer.status !== 200) return undefined;
  if (isByEmail(now)) return 'holds';
  const from = calls.slice(0, -1).findLastIndex(({ answer }) => answer.status === 200);
  const taken = calls[from] === undefined ? new Set() : tenantsIn(calls[from]);
  const known = tenantsIn(now).intersection(taken);
  const isRefused = (call: Seen): boolean =>
    call.answer.status === 400 && isByEmail(call) && tenantsIn(call).isSubsetOf(known);
  if (!calls.slice(from + 1, -1).some(isRefused)) return undefined;
  return { pointer: '/status', expected: 200, actual: 400 };
}

/** Within this time, nobody else is likely to have given a person an email. */
const soonMs = 10_000;

const personOf = ({ embedTenantName, externalId }: JsonObject): string =>
  canonical([embedTenantName ?? null, externalId ?? null]);

/** The embed users to whom neither the request nor their own identifier gives an email. */
function withoutEmail(call: Seen): ReadonlySet<string> {
  const none = namedIn(call).filter(
    ({ email, externalId, userId }) =>
      typeof externalId === 'string' &&
      !externalId.includes('@') &&
      email === undefined &&
      userId === undefined,
  );
  return new Set(none.map(personOf));
}

/** A request was taken, of which a part had just been refused that has a person without an email. */
function takenAmongMore(calls: readonly Seen[]): Compared {
  const now = calls.at(-1);
  if (now === undefined) return undefined;
  const sent = new Set(namedIn(now).map(canonical));
  const isPart = (call: Seen): boolean =>
    call.answer.status === 400 &&
    namesEachOnce(call.sent) &&
    withoutEmail(call).size > 0 &&
    namedIn(call).length < namedIn(now).length &&
    namedIn(call).every((item) => sent.has(canonical(item)));
  const from = calls.slice(0, -1).findLastIndex(isPart);
  const part = calls[from];
  if (part === undefined || now.sentAt - part.endedAt > soonMs) return undefined;
  if (now.answer.status === 400) return 'holds';
  const people = withoutEmail(part);
  const isGiven = (call: Seen): boolean =>
    call.answer.ok && namedIn(call).some((item) => people.has(personOf(item)));
  if (now.answer.status !== 200 || calls.slice(from + 1, -1).some(isGiven)) return undefined;
  return { pointer: '/status', expected: 400, actual: 200 };
}

export const recipientSequences: readonly Sequence[] = [
  {
    statement: 'RECIP-7',
    operations: ['addNotificationRecipients'],
    subject: ({ sent }) => hash('sha256', canonical(sent)),
    compare: (calls) => addedAgain(calls.slice(-2)),
  },
  {
    statement: 'RECIP-18',
    operations: ['addNotificationRecipients'],
    key: ({ path }) => path.id ?? '',
    compare: refusedByEmail,
  },
  {
    statement: 'RECIP-16',
    operations: ['addNotificationRecipients'],
    key: ({ path }) => path.id ?? '',
    // Requests of one length may be refused as promised while longer ones are taken.
    subject: (call) => String(namedIn(call).length),
    compare: takenAmongMore,
  },
];
