/**
 * Operators on refusals: a call is served that must be refused, refused without need, or carried
 * out although refused.
 */

import type { Asked, Does, Done, Others, When } from './does.ts';
import { answers, makes } from './does.ts';
import { setIn } from './memory.ts';
import { refusal } from './replies.ts';
import type { Call, Caller, Other, Reply } from './wire.ts';
import { callerOf, isRefused, isServed, otherCall } from './wire.ts';

/** The statements that a refusal rests on, separated by spaces, or `any`. */
type Why = string;

const rests = ({ why = '' }: Reply, on: Why): boolean =>
  on === 'any' || on.split(' ').includes(why);

type Instead = (done: Done) => Other | Reply | undefined | Promise<Other | Reply | undefined>;

/** If a call is refused by these statements, gives the answer of another call, or another refusal. */
export const accepts = (why: Why, instead: Instead = asAdmin): Does =>
  answers(async (done) => {
    const { call, target, reply } = done;
    if (!isRefused(reply) || !rests(reply, why)) return undefined;
    const other = await instead(done);
    if (other === undefined || 'status' in other) return other;
    target.took();
    return target.handle(otherCall(call, other));
  });

/**
 * Refuses the first call by these statements, and accepts all later ones. `of` says which calls
 * count as the same.
 */
export const refusesOnce = (why: Why, of: (call: Call) => string = () => 'calls'): Does =>
  accepts(why, (done) => {
    const refused = setIn(done.target.memory, 'refused');
    const again = refused.has(of(done.call));
    refused.add(of(done.call));
    return again ? asAdmin(done) : undefined;
  });

/**
 * Carries out a call although these statements refuse it. By default, an administrator makes the same call.
 */
export const despite = (
  why: Why,
  others: (done: Done) => Others | Promise<Others> = asAdmin,
): Does =>
  answers(async (done) => {
    if (isRefused(done.reply) && rests(done.reply, why)) await makes(done, await others(done));
    return undefined;
  });

/**
 * Refuses a call that would succeed, and undoes it. A refusal for lack of rights also replaces
 * other refusals, because rights are checked first.
 */
export const refuses =
  (status: number, why: string, when: When = () => true): Does =>
  async (call, target) => {
    const before = target.snapshot();
    const reply = await target.handle(call);
    const isForRights = [401, 403].includes(status) && ![401, 403].includes(reply.status);
    if (!isServed(reply) && !isForRights) return reply;
    // The condition may make calls, and must see the state before this call.
    const after = target.snapshot();
    target.restore(before);
    if (await when({ call, target })) return refusal(call, status, why);
    target.restore(after);
    return reply;
  };

/** Gives another status to a refusal by these statements. */
export const refusedWith = (status: number, why: Why): Does =>
  answers(({ reply }) =>
    isRefused(reply) && rests(reply, why) ? { ...reply, status } : undefined,
  );

/** The call with a credential that has all rights for the operation. */
export function asAdmin({ call, target }: Asked): Other {
  const { credentials } = call.operation.requires;
  const mayAll = ({ kind, admin, scope, expired }: Caller) =>
    !expired && scope === undefined && credentials.includes(kind) && (admin || kind === 'scim');
  return { secret: target.callers.find(mayAll)?.secret };
}

/** The call with the credential that occurs anywhere in its header, if it has not expired. */
export function asOwner({ call, target }: Asked): Other | undefined {
  const owner = callerOf(call, target);
  const isTaken = owner && call.operation.requires.credentials.includes(owner.kind);
  return isTaken && !owner.expired ? { secret: owner.secret } : undefined;
}

/** A success without a body of its own. */
export const served =
  (status = 200, body: unknown = {}): Instead =>
  () => ({ status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body });
