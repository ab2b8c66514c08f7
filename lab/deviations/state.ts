/** Operators on the target's memory: a change is lost, late, taken back, or made twice. */
import type { OperationId } from '../../spec/contract.ts';
import type { Asked, Does, Done, Others, When } from './does.ts';
import { answeredIn, answersServed, makes } from './does.ts';
import { objectOf, puttingBack } from './objects.ts';
import { field } from './replies.ts';
import { type Call, isServed, type Other, otherCall } from './wire.ts';

/** The call gets the right answer, but has no effect. */
export const lost: Does = async (call, target) => {
  const before = target.snapshot();
  const reply = await target.handle(call);
  if (!isServed(reply)) return reply;
  target.restore(before);
  target.took();
  return reply;
};

/** The call gets the right answer, but another call is carried out in its place. */
export const instead =
  (other: (asked: Asked) => Other | undefined | Promise<Other | undefined>): Does =>
  async (call, target) => {
    const wanted = await other({ call, target });
    if (wanted === undefined) return target.handle(call);
    const reply = await lost(call, target);
    if (isServed(reply)) await makes({ call, target }, wanted);
    return reply;
  };

/** After a call that succeeds, other calls are carried out as well. */
export const besides = (others: (done: Done) => Others | Promise<Others>): Does =>
  answersServed(async (done) => {
    await makes(done, await others(done));
    return undefined;
  });

/**
 * A write undoes everything since the first write with the same key, and is then made again. It does so only
 * if it `fits` that first write.
 */
export const replaces =
  (
    keyOf: (asked: Asked) => string,
    fits: (call: Call, first: Call) => boolean = () => true,
  ): Does =>
  async (call, target) => {
    const asked = { call, target };
    const [key, before] = [keyOf(asked), target.snapshot()];
    const first = target.memory.get(key) as { before: unknown; call: Call } | undefined;
    const reply = await target.handle(call);
    if (!isServed(reply)) return reply;
    if (first === undefined) target.memory.set(key, { before, call });
    else if (fits(call, first.call)) {
      target.restore(first.before);
      await makes(asked, { body: call.body });
    }
    return reply;
  };

/** The reply shows the old value of a field. */
export const showsOld =
  (name: string, place = name): Does =>
  async (call, target) => {
    const old = await objectOf({ call, target });
    return field(place, () => old?.[name])(call, target);
  };

// ── what happens later ──────────────────────────────────────────────────────────

interface Held {
  readonly call: Call;
  /** The time at which the call was held back. */
  readonly at: number;
}
/** Whether a held call is carried out before the call that came. */
export type Due = (asked: Asked, held: Held) => boolean;

const heldIn = ({ target }: Asked): readonly Held[] =>
  (target.memory.get('held') as readonly Held[] | undefined) ?? [];

async function release(asked: Asked, due: Due): Promise<void> {
  const { target } = asked;
  const { now = [], later = [] } = Object.groupBy(heldIn(asked), (held) =>
    due(asked, held) ? 'now' : 'later',
  );
  target.memory.set('held', later);
  for (const { call } of now) await target.handle(call);
  if (now.length > 0) target.took();
}

/** `does` answers some writes of these operations. The call that `held` returns is carried out later. */
const later =
  (does: Does, held: (asked: Asked) => Call | Promise<Call | undefined>) =>
  (ids: readonly OperationId[], due: Due, when: When = () => true): Does =>
  async (call, target) => {
    const asked = { call, target };
    await release(asked, due);
    if (!ids.includes(call.operation.id) || !(await when(asked))) return target.handle(call);
    const kept = await held(asked);
    const reply = await does(call, target);
    if (kept === undefined || !isServed(reply)) return reply;
    const others = heldIn(asked).filter((one) => one.call.target !== kept.target);
    target.memory.set('held', [...others, { call: kept, at: target.now() }]);
    return reply;
  };

/** Writes of these operations are answered at once, and carried out when they are due. */
export const late = later(lost, ({ call }) => call);

/** Writes of these operations are carried out, and taken back when that is due. */
export const undone = later(
  (call, target) => target.handle(call),
  async (asked) => {
    const back = await puttingBack(asked);
    return back && otherCall(asked.call, back);
  },
);

/** Due when this many milliseconds have passed. */
export function afterMs(ms: number): Due {
  return ({ target }, { at }) => target.now() >= at + ms;
}

/** Due at the next call of these operations. */
export function atNext(...ids: readonly OperationId[]): Due {
  return ({ call }) => ids.includes(call.operation.id);
}

/** Reads show the state before the last of these writes. */
export const stale =
  (writes: When, reads: When): Does =>
  async (call, target) => {
    const before = target.memory.get('before');
    const isWrite = await writes({ call, target });
    if (isWrite) target.memory.set('before', target.snapshot());
    if (isWrite || before === undefined || !(await reads({ call, target })))
      return target.handle(call);
    target.took();
    return answeredIn(before, call, target);
  };
