/**
 * Objects that one operation both changes and shows, such as a folder. The answer to a change shows the change. The
 * description does not say how soon the answer to another call does, so it may show an earlier state for a while.
 */

import { equal, isObject } from '../../spec/base/json.ts';
import type { TargetCall } from './call.ts';

/** After so many changes that never showed, the service loses changes, and the run waits for no other. */
const mostLost = 3;

interface Field {
  /** As the answer to its last change showed it. */
  readonly value: unknown;
  /** What it was before the last changes. */
  readonly earlier: readonly unknown[];
  /** When its last change was answered. */
  readonly at: number;
}

export class EarlierStates {
  /** How long an earlier state may show, in milliseconds; 0 if none may. */
  readonly #longest: number;
  /** By object, and by the name of the field in a body. */
  readonly #objects = new Map<string, Map<string, Field>>();
  /** How many changes never showed. */
  #lost = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /**
   * Notes an answer of 2xx that came now to a call of `sentAt`. Whether it shows a field, which the call did not
   * send, as it was before a change.
   */
  note({ object, sent }: TargetCall, body: unknown, sentAt: number, now: number): boolean {
    const { id, restore } = object?.operation ?? {};
    if (this.#longest === 0 || object === undefined || restore?.read.call !== id) return false;
    if (!isObject(body)) return false;
    const fields = this.#objects.get(object.key) ?? new Map<string, Field>();
    this.#objects.set(object.key, fields);
    const changes = isObject(sent) ? sent : {};
    let isEarlier = false;
    for (const [name, shownAs] of Object.entries(restore?.put ?? {})) {
      const value = body[shownAs];
      const known = fields.get(name);
      const isRecent = known !== undefined && sentAt - known.at < this.#longest;
      if (name in changes) {
        const before = known === undefined ? [] : [known.value];
        const earlier = isRecent ? [...known.earlier, ...before] : before;
        fields.set(name, { value, earlier, at: now });
      } else if (value === undefined) {
        fields.delete(name);
      } else if (known === undefined || !equal(known.value, value)) {
        const wasSo = known?.earlier.some((one) => equal(one, value)) === true;
        isEarlier ||= wasSo && isRecent;
        if (wasSo && isRecent) continue;
        if (wasSo) this.#lost += 1;
        // The change was lost, somebody else made another, or the field is seen for the first time.
        fields.set(name, { value, earlier: [], at: Number.NEGATIVE_INFINITY });
      }
    }
    return isEarlier && this.#lost < mostLost;
  }
}
