/** The changes that a run leaves on purpose, because nothing puts them back (`x-restore: none`). */

import { isObject } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { TenantObject } from '../target/call.ts';

/** The most names that are reported for one request. */
const mostNames = 20;

/** The names of what a write leaves if it is accepted; empty if the write is put back. */
export function staying({ operation, effect }: TenantObject, sent: unknown): readonly string[] {
  if (operation?.restore !== undefined) return [];
  if (operation?.people === undefined)
    return [effect === 'reversible' ? 'until it expires' : 'for good'];
  const people = [...new Set(peopleIn(operation, sent))];
  const more = people.length - mostNames;
  return more > 0 ? [...people.slice(0, mostNames), `${more} more`] : people;
}

/** Each person whom a body names, by the most readable key. */
export function peopleIn(operation: Operation | undefined, sent: unknown): string[] {
  const { list = '', keys = [] } = operation?.people ?? {};
  const people = isObject(sent) ? sent[list] : undefined;
  return (Array.isArray(people) ? people : []).filter(isObject).flatMap((person) => {
    const key = keys.findLast((name) => ['string', 'number'].includes(typeof person[name]));
    return key === undefined ? [] : [String(person[key])];
  });
}
