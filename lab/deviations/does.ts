/**
 * An operator sits before a target and changes a call or its reply. Every deviation is one, put
 * together from those of this room.
 */
import type { Memory } from '../../mock/world/deviations.ts';
import { type Call, isServed, type Other, otherCall, type Reply, type Target } from './wire.ts';

/** A target whose calls go wrong. */
export interface Broken extends Target {
  handle(call: Call): Promise<Reply>;
  /** The operator's notes of earlier calls. */
  readonly memory: Memory;
  /** Says that it took effect if the reply does not show it. */
  took(): void;
}

export type Does = (call: Call, target: Broken) => Promise<Reply>;

/** A call that comes to a target. */
export interface Asked {
  readonly call: Call;
  readonly target: Broken;
}

/** The same once it was handled. */
export interface Done extends Asked {
  readonly reply: Reply;
}

type Maybe<Value> = Value | undefined | Promise<Value | undefined>;
export type When = (asked: Asked) => boolean | Promise<boolean>;

/** Changes what a call is answered. Undefined leaves it, as everywhere in this room. */
export const answers =
  (change: (done: Done) => Maybe<Reply>): Does =>
  async (call, target) => {
    const reply = await target.handle(call);
    return (await change({ call, target, reply })) ?? reply;
  };

/** Changes what a call is answered that was served. */
export const answersServed = (change: (done: Done) => Maybe<Reply>): Does =>
  answers((done) => (isServed(done.reply) ? change(done) : undefined));

/** The target sees another call. */
export const asks =
  (change: (asked: Asked) => Maybe<Other>): Does =>
  async (call, target) => {
    const other = await change({ call, target });
    if (other === undefined) return target.handle(call);
    target.took();
    return target.handle(otherCall(call, other));
  };

/** The operator, if the condition holds; the condition is asked once for each call. */
export const given =
  (holds: When, does: Does): Does =>
  async (call, target) =>
    (await holds({ call, target })) ? does(call, target) : target.handle(call);

type Holds<What> = (what: What) => boolean | Promise<boolean>;

export function not<What = Asked>(holds: Holds<What>): Holds<What> {
  return async (what) => !(await holds(what));
}

/** All hold; after the first that does not, no other is asked. */
export const all =
  <What = Asked>(...conditions: readonly Holds<What>[]): Holds<What> =>
  async (what) => {
    for (const holds of conditions) if (!(await holds(what))) return false;
    return true;
  };

/** Both; the later goes around the earlier. */
export const both = (...parts: readonly [Does, ...Does[]]): Does =>
  parts.reduce(
    (inner, outer) => (call, target) =>
      outer(call, { ...target, handle: (asked) => inner(asked, target) }),
  );

/** Calls that are made besides; none for undefined. */
export type Others = Other | readonly Other[] | undefined;

/** Makes other calls, whose answers nobody sees. */
export async function makes({ call, target }: Asked, others: Others): Promise<void> {
  const list = [others ?? []].flat();
  for (const other of list) await target.handle(otherCall(call, other));
  if (list.length > 0) target.took();
}

/** The reply to a call if the target remembers this state; its own state comes back afterwards. */
export async function answeredIn(state: unknown, call: Call, target: Broken): Promise<Reply> {
  const now = target.snapshot();
  target.restore(state);
  const reply = await target.handle(call);
  target.restore(now);
  return reply;
}

/** Asks the target for something and leaves it as it was. */
export const trial = ({ call, target }: Asked, other: Other): Promise<Reply> =>
  answeredIn(target.snapshot(), otherCall(call, other), target);
