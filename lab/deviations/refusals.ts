/** Operators on refusals: calls that are served all the same, refused without need, or done although refused. */

import type { Asked, Does, Done, Others, When } from './does.ts';
import { answers, makes } from './does.ts';
import { setIn } from './memory.ts';
import { refusal } from './replies.ts';
import type { Call, Caller, Other, Reply } from './wire.ts';
import { callerOf, isRefused, isServed, otherCall } from './wire.ts';

/** By which statements, one or more with spaces between them, or `any`. */
type Why = string;

const rests = ({ why = '' }: Reply, on: Why): boolean =>
  on === 'any' || on.split(' ').includes(why);

type Instead = (done: Done) => Other | Reply | undefined | Promise<Other | Reply | undefined>;

/** Answers a call that is refused on these grounds as another call, or in another way. */
export const accepts = (why: Why, instead: Instead = asAdmin): Does =>
  answers(async (done) => {
    const { call, target, reply } = done;
    if (!isRefused(reply) || !rests(reply, why)) return undefined;
    const other = await instead(done);
    if (other === undefined || 'status' in other) return other;
    target.took();
    return target.handle(otherCall(call, other));
  });

/** Accepts it once a call was refused on these grounds; `of` says which. */
export const refusesOnce = (why: Why, of: (call: Call) => string = () => 'calls'): Does =>
  accepts(why, (done) => {
    const refused = setIn(done.target.memory, 'refused');
    const again = refused.has(of(done.call));
    refused.add(of(done.call));
    return again ? asAdmin(done) : undefined;
  });

/** Does something although a call is refused on these grounds: the call itself, as somebody who may. */
export const despite = (
  why: Why,
  others: (done: Done) => Others | Promise<Others> = asAdmin,
): Does =>
  answers(async (done) => {
    if (isRefused(done.reply) && rests(done.reply, why)) await makes(done, await others(done));
    return undefined;
  });

/**
 * Refuses a call that is served, and leaves all as it was; for want of rights also one that would be
 * refused on other grounds.
 */
export const refuses =
  (status: number, why: string, when: When = () => true): Does =>
  async (call, target) => {
    const before = target.snapshot();
    const reply = await target.handle(call);
    const isForRights = [401, 403].includes(status) && ![401, 403].includes(reply.status);
    if (!isServed(reply) && !isForRights) return reply;
    // The condition may ask the target: of the time before the call.
    const after = target.snapshot();
    target.restore(before);
    if (await when({ call, target })) return refusal(call, status, why);
    target.restore(after);
    return reply;
  };

/** A refusal on these grounds has another status. */
export const refusedWith = (status: number, why: Why): Does =>
  answers(({ reply }) =>
    isRefused(reply) && rests(reply, why) ? { ...reply, status } : undefined,
  );

/** The call as it would be made by somebody who may do anything that the operation does. */
export function asAdmin({ call, target }: Asked): Other {
  const { credentials } = call.operation.requires;
  const mayAll = ({ kind, admin, scope, expired }: Caller) =>
    !expired && scope === undefined && credentials.includes(kind) && (admin || kind === 'scim');
  return { secret: target.callers.find(mayAll)?.secret };
}

/** The call as the owner of the credential that a header of any form holds, if it has not expired. */
export function asOwner({ call, target }: Asked): Other | undefined {
  const owner = callerOf(call, target);
  const isTaken = owner && call.operation.requires.credentials.includes(owner.kind);
  return isTaken && !owner.expired ? { secret: owner.secret } : undefined;
}

/** A success without a body of its own. */
export const served =
  (status = 200, body: unknown = {}): Instead =>
  () => ({ status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body });
