/**
 * Operators that take effect only after certain calls in a certain order. They keep earlier calls,
 * so that an old value can come back in the wrong place.
 */
import type { JsonObject } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import { type Asked, answersServed, type Does, makes } from './does.ts';
import { puttingBack } from './objects.ts';
import { same } from './places.ts';
import { sees } from './requests.ts';
import { type Call, isRefused, type Reply } from './wire.ts';

/** A call as it was made. */
interface Past {
  readonly operation: OperationId;
  /** Undefined until the call is answered. */
  readonly refused: boolean | undefined;
  /** The call's query and body. `path` is its address, `credential` is its caller. */
  readonly sent: JsonObject;
  readonly call: Call;
  /** The target's memory before the call. */
  readonly before: unknown;
  readonly reply: Reply | undefined;
}

/** Whether a call is the next step of a history. `kept` are the calls of the history so far. */
export type Step = (call: Past, kept: readonly Past[]) => boolean;

const made =
  (isRefused: boolean) =>
  (operation: OperationId, ...fits: readonly Step[]): Step =>
  (call, kept) =>
    call.operation === operation &&
    call.refused !== !isRefused &&
    fits.every((fit) => fit(call, kept));

export const served = made(false);
export const refused = made(true);

export function with_(...names: readonly string[]): Step {
  return ({ sent }) => names.every((name) => sent[name] !== undefined);
}

export function without(...names: readonly string[]): Step {
  return ({ sent }) => names.every((name) => sent[name] === undefined);
}

/** These fields have the same values as in the first call of the history. */
export function alike(...names: readonly string[]): Step {
  return (call, [before]) => names.every((name) => same(call.sent[name], before?.sent[name]));
}

/** The field has another value than in the call at `place` of the history; -1 is the last call. */
export function other(place: number, name: string): Step {
  return (call, kept) => !same(call.sent[name], kept.at(place)?.sent[name]);
}

const keptIn = ({ target }: Asked): readonly Past[] =>
  (target.memory.get('history') as readonly Past[] | undefined) ?? [];

/**
 * Applies the operator to the last of these calls, if the others came before it in this order. Then
 * it starts over.
 */
export const after =
  (calls: readonly Step[], does: Does): Does =>
  async (call, target) => {
    const asked = { call, target };
    const kept = keptIn(asked);
    const past = pastOf(asked);
    const isLast = kept.length === calls.length - 1;
    if (isLast && calls.at(-1)?.(past, kept)) {
      const reply = await does(call, target);
      target.memory.delete('history');
      return reply;
    }
    const reply = await target.handle(call);
    const answered = { ...past, refused: isRefused(reply), reply };
    const isNext = !isLast && calls[kept.length]?.(answered, kept);
    if (isNext) target.memory.set('history', [...kept, answered]);
    return reply;
  };

/** A history that repeats one step `times` times. */
export const nth = (times: number, step: Step): readonly Step[] => Array<Step>(times).fill(step);

function pastOf({ call, target }: Asked): Past {
  const where = { path: call.target.split('?')[0], credential: call.headers.authorization };
  return {
    operation: call.operation.id,
    refused: undefined,
    sent: { ...call.query, ...call.body, ...where },
    call,
    before: target.snapshot(),
    reply: undefined,
  };
}

/** Gives the answer that the call at `place` of the history got. */
export const answersAs = (place: number): Does =>
  answersServed((done) => keptIn(done)[place]?.reply);

/** Replaces a field by the value that the call at `place` of the history sent. */
export const seesAs = (place: number, name: string): Does =>
  sees((sent, asked) => ({ ...sent, [name]: keptIn(asked)[place]?.sent[name] }));

/** Restores the object of the call at `place` of the history to its state before that call. */
export const putsBack = (place: number): Does =>
  answersServed(async (done) => {
    const { target } = done;
    const past = keptIn(done)[place];
    if (past === undefined) return undefined;
    const now = target.snapshot();
    target.restore(past.before);
    const back = await puttingBack({ call: past.call, target });
    target.restore(now);
    await makes({ call: past.call, target }, back);
    return undefined;
  });
