/** The promises about a call that adds the same recipients again. */

import { canonical, isObject } from '../../../spec/base/json.ts';
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

export const recipientSequences: readonly Sequence[] = [
  {
    statement: 'RECIP-7',
    operations: ['addNotificationRecipients'],
    compare: (calls) => addedAgain(calls.slice(-2)),
  },
];
