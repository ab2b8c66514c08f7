/** Adds recipients repeatedly: adding the same recipients again must change nothing. */

import fc from 'fast-check';
import type { Target } from '../../../conformance/target/target.ts';
import { canonical, isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { ExploredOperation } from '../call.ts';

/**
 * The people who agreed to get mail. If several have the same name, only one of them is used,
 * because an answer need not tell them apart.
 */
function peopleOf({ bindings: { recipients } }: Target): JsonObject[] {
  const all = [recipients?.users, recipients?.embedUsers].flat().filter(isObject);
  return [...new Map(all.map((one) => [one.externalId ?? canonical(one), one])).values()];
}

export const recipients: ExploredOperation = {
  body: (target) => {
    const people = peopleOf(target);
    if (people.length === 0) return undefined;
    return fc.shuffledSubarray(people, { minLength: 1 }).map((some) => () => ({
      body: { recipients: some },
      serves: 'RECIP-23',
    }));
  },
  judge: (entry, { path }, model) => {
    const sent = (entry.text.body as { recipients: readonly unknown[] }).recipients.map(canonical);
    const before = sent.map((person) => model.since(`${person} at ${canonical(path)}`, entry));
    if (before.includes(undefined)) return [];
    return [['RECIP-7', { body: { createdRecipients: [], updatedRecipients: [] } }]];
  },
};
