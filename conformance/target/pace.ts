/** How a step that waits polls its target, on the target's own clock, and when a call is sent again. */

import { equal, isObject, parseJson } from '../../spec/base/json.ts';
import { toMillis } from '../../spec/base/time.ts';
import { gatewayStatuses, isSuccess, mayBeGateway } from '../judge/gateway.ts';
import type { WireAnswer } from '../language/answer.ts';
import type { TargetCall } from './call.ts';
import type { Occasion } from './evidence.ts';
import type { NetworkError, Target, WireRequest } from './target.ts';

const mostAttempts = 3;

/**
 * Counts its own waits, so that it does not hurry if other steps move the same clock. The waits are equal
 * on the wall's clock. They grow on a clock that is moved, such as a mock's: there only their total
 * counts. If the run waits for a tenant, it calls `tell` once, with the time that is left.
 */
export function targetPace(
  target: Target,
  every: number,
  signal: AbortSignal | undefined,
  tell: (left: number) => void,
) {
  const isMock = target.kind === 'mock';
  const isMoved = isMock || target.now !== undefined;
  const start = performance.now();
  let moved = 0;
  let next = every;
  let told = isMock;
  return {
    /** Milliseconds since the wait began, on the target's clock. */
    elapsed: () => moved + (performance.now() - start),
    /** The next wait: at least `least`, but never longer than the time that is left. */
    wait: async (left: number, least = 1) => {
      if (!told) tell(left);
      told = true;
      const milliseconds = Math.max(1, Math.min(Math.max(next, least), left));
      const before = performance.now();
      await target.wait(milliseconds, signal);
      // On the wall's clock, `performance.now()` already counts the wait.
      if (!isMoved) return;
      moved += Math.max(0, milliseconds - (performance.now() - before));
      next *= 2;
    },
  };
}

/**
 * An answer; or, if none came, the status 0 and the reason. In a replay, `isEarlier` says that it showed
 * an earlier state.
 */
export type Came = WireAnswer & { readonly problem?: NetworkError; readonly isEarlier?: boolean };

/** The state of one call: its attempts and waits so far. */
export interface Sending {
  readonly call: TargetCall;
  /** As it was sent last. */
  request: WireRequest;
  /** Of the evidence. */
  readonly file: string;
  readonly occasion: Occasion;
  /** The longest that it waits for 429 and gateways to pass. */
  readonly patienceMs: number;
  /** The references of its exchanges in the evidence. */
  readonly references: string[];
  /** Whether it may be sent again if its outcome is unknown. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** It was answered 500, and sent again. */
  failed?: boolean;
  attempt: number;
  waited: number;
  throttled: number;
}

/** How long to wait before a call is sent again; undefined if this answer counts. */
export function pauseFor(
  answer: Came,
  { repeatable, attempt, waited, patienceMs }: Sending,
): number | undefined {
  const { status, problem } = answer;
  const gateway = gatewayStatuses.includes(status);
  if (problem !== undefined) {
    const last = !repeatable || problem.final || attempt >= mostAttempts;
    return last ? undefined : 250 * 2 ** attempt;
  }
  const again = status === 429 || (repeatable && mayBeGateway(answer));
  if (!again) return undefined;
  if (!gateway && attempt >= 2) return undefined;
  // With any other status the header has no meaning, because a gateway may send it with each answer.
  const asked = gateway ? retryAfter(answer) : undefined;
  const own = gateway ? Math.min(500 * 2 ** attempt, 15_000) : 100 * 2 ** attempt;
  // If a target does not name a pause, the pauses become longer.
  const pause = asked === undefined ? own : attempt < 2 ? asked : Math.max(asked, own);
  return waited + pause > patienceMs ? undefined : pause;
}

/**
 * The pause that Retry-After asks for, in milliseconds; undefined if there is none. The header has
 * seconds or a date.
 */
export function retryAfter(
  answer: Pick<WireAnswer, 'headers'>,
  now = Date.now(),
): number | undefined {
  const header = answer.headers['retry-after'];
  const value = typeof header === 'string' ? header.trim() : undefined;
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = toMillis(value);
  return until === undefined ? undefined : Math.max(0, until - now);
}

/** If so many changes never showed, the service loses changes, and the run waits for no further change. */
const mostLost = 3;

interface Field {
  /** The value that the answer to the last change showed. */
  readonly value: unknown;
  /** The values before the last changes. */
  readonly earlier: readonly unknown[];
  /** The time at which its last change was answered. */
  readonly at: number;
}

/**
 * Objects that one operation both changes and shows, such as a folder. The answer to a change shows the change. The
 * description does not say how soon the answer to another call does, so it may show an earlier state for a while.
 */
export class EarlierStates {
  /** For how long an earlier state may show, in milliseconds; 0 if it may not. */
  readonly #longest: number;
  /** By object, and by the name of the field in a body. */
  readonly #objects = new Map<string, Map<string, Field>>();
  /** The number of changes that never showed. */
  #lost = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** How long to wait if an answer shows a state from before a change of the run; undefined if it counts. */
  pauseAfter(wire: Came, call: TargetCall, sentAt: number, now: number): number | undefined {
    if (!isSuccess(wire.status) || call.operation?.idempotent !== true) return undefined;
    if (wire.isEarlier === true) return 0;
    const isEarlier = this.note(call, parseJson(wire.text), sentAt, now);
    return isEarlier ? Math.min(1000, this.#longest / 10) : undefined;
  }

  /**
   * Notes an answer of 2xx that came now to a call of `sentAt`. Returns whether a field that the call did
   * not send shows its value from before a change.
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
        // The change was lost, or somebody else made another change, or the field is seen for the first
        // time.
        fields.set(name, { value, earlier: [], at: Number.NEGATIVE_INFINITY });
      }
    }
    return isEarlier && this.#lost < mostLost;
  }
}

/** Why a call is sent again, in words. */
export const whyAgain = (wire: Came): string =>
  isSuccess(wire.status)
    ? 'an object still shows an earlier state'
    : `the target answered ${wire.status}`;
