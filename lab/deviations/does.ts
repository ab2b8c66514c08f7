/**
 * An operator sits in front of a target and changes a call or its reply. Every deviation is an
 * operator, combined from those in this folder.
 */
import type { Memory } from '../../mock/world/deviations.ts';
import { type Call, isServed, type Other, otherCall, type Reply, type Target } from './wire.ts';

/** A target whose calls go wrong. */
export interface Broken extends Target {
  handle(call: Call): Promise<Reply>;
  /** The operator's notes of earlier calls. */
  readonly memory: Memory;
  /** An operator calls this if it took effect and the reply does not show that. */
  took(): void;
}

export type Does = (call: Call, target: Broken) => Promise<Reply>;

/** A call that comes to a target. */
export interface Asked {
  readonly call: Call;
  readonly target: Broken;
}

/** A call that a target has answered. */
export interface Done extends Asked {
  readonly reply: Reply;
}

type Maybe<Value> = Value | undefined | Promise<Value | undefined>;
export type When = (asked: Asked) => boolean | Promise<boolean>;

/**
 * Changes the reply to a call. If `change` returns undefined, the reply stays as it is. Every operator here
 * works so.
 */
export const answers =
  (change: (done: Done) => Maybe<Reply>): Does =>
  async (call, target) => {
    const reply = await target.handle(call);
    return (await change({ call, target, reply })) ?? reply;
  };

/** Changes the reply to a call that succeeded. */
export const answersServed = (change: (done: Done) => Maybe<Reply>): Does =>
  answers((done) => (isServed(done.reply) ? change(done) : undefined));

/** Sends another call to the target in place of the one that came. */
export const asks =
  (change: (asked: Asked) => Maybe<Other>): Does =>
  async (call, target) => {
    const other = await change({ call, target });
    if (other === undefined) return target.handle(call);
    target.took();
    return target.handle(otherCall(call, other));
  };

/** Applies the operator if the condition holds. The condition is evaluated once for each call. */
export const given =
  (holds: When, does: Does): Does =>
  async (call, target) =>
    (await holds({ call, target })) ? does(call, target) : target.handle(call);

type Holds<What> = (what: What) => boolean | Promise<boolean>;

export function not<What = Asked>(holds: Holds<What>): Holds<What> {
  return async (what) => !(await holds(what));
}

/** Holds if all conditions hold. It stops at the first condition that does not hold. */
export const all =
  <What = Asked>(...conditions: readonly Holds<What>[]): Holds<What> =>
  async (what) => {
    for (const holds of conditions) if (!(await holds(what))) return false;
    return true;
  };

/** Applies several operators. Each one wraps those before it. */
export const both = (...parts: readonly [Does, ...Does[]]): Does =>
  parts.reduce(
    (inner, outer) => (call, target) =>
      outer(call, { ...target, handle: (asked) => inner(asked, target) }),
  );

/** Calls to make in addition; undefined means none. */
export type Others = Other | readonly Other[] | undefined;

/** Makes other calls. The caller does not see their answers. */
export async function makes({ call, target }: Asked, others: Others): Promise<void> {
  const list = [others ?? []].flat();
  for (const other of list) await target.handle(otherCall(call, other));
  if (list.length > 0) target.took();
}

/**
 * The reply that a call gets if the target is in this state. The target's own state is restored
 * afterwards.
 */
export async function answeredIn(state: unknown, call: Call, target: Broken): Promise<Reply> {
  const now = target.snapshot();
  target.restore(state);
  const reply = await target.handle(call);
  target.restore(now);
  return reply;
}

/** Makes another call, then restores the target's state. */
export const trial = ({ call, target }: Asked, other: Other): Promise<Reply> =>
  answeredIn(target.snapshot(), otherCall(call, other), target);
