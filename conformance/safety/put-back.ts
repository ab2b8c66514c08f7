/**
 * The decision of a put-back. A run uses it for its own writes, and `undo` uses it to finish a run that
 * was killed.
 */

import type { JsonObject } from '../../spec/base/json.ts';
import type { Operation } from '../../spec/contract.ts';
import type { TenantObject } from '../target/call.ts';
import type { Ask, Restorer } from './areas.ts';
import { isMarkedBy } from './marks.ts';
import { stateIn } from './restorer.ts';
import type { Settling } from './settling.ts';

/** An object, its earlier state, and the writes to it. */
export interface Changed {
  readonly object: TenantObject;
  readonly restorer: Restorer;
  /** Undefined if it could not be read, null if the object did not exist. */
  readonly before: unknown;
  /** Every body that was sent. */
  readonly sent: readonly unknown[];
  /** The states that the answers showed. */
  readonly seen: readonly unknown[];
  /** A write was accepted, or may have been. */
  readonly written: boolean;
  /** Whether a reading can be trusted: the last write put the object back, or was sent long enough ago. */
  readonly back?: boolean;
}

export interface Way {
  readonly ask: Ask;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly settling: Settling;
  /** The run whose writes are put back. */
  readonly runId: string;
  /** Called if a state has the run's mark, but also holds a value that the run did not send. */
  readonly onMarked?: (now: unknown) => void;
  /**
   * Time has passed since the write. An object that cannot be read is left alone. A state that the run
   * cannot have made counts as somebody else's.
   */
  readonly later: boolean;
  /** Waits until a restored object shows its new state, before the state is read. */
  readonly settle?: () => Promise<void>;
}

/**
 * `untouched`: the object is as it was. `restored`: it is again as it was. `others`: somebody else has
 * changed it since, so it is left alone. `unreadable`: it is left alone. `different`: it was put back,
 * but its state still differs.
 */
export type PutBack = 'untouched' | 'restored' | 'others' | 'unreadable' | 'different';

/** Rejects with CouldNotRun. */
export async function putBack(changed: Changed, way: Way): Promise<PutBack> {
  const { object, restorer, before, written, back = false } = changed;
  const { operation } = object;
  const { ask, wait, later } = way;
  if (before === undefined || before === null || operation === undefined) return 'untouched';
  const waitMs = way.settling.waitMs(operation);
  if (written && restorer.lag?.atOnce(before) === false) await wait(waitMs);
  const now = await restorer.read(object, ask);
  const known = now !== undefined && now !== null;
  const asBefore = known && restorer.same(before, now);
  if (later && !known) return 'unreadable';
  const mustBeOurs = known && !asBefore && (later || restorer.answersShow);
  if (mustBeOurs && !isOurs(changed, now)) {
    // A value with the mark is ours, even if other fields have changed.
    if (!isMarkedBy(way.runId, now)) return 'others';
    way.onMarked?.(now);
  }
  // The old state may show only because the write takes effect late. So the object is put back after each
  // write.
  if (asBefore && (!written || back)) return 'untouched';
  const bodies = restorer.bodies(object, before, now ?? before);
  let answered: unknown;
  for (const body of bodies)
    answered = stateIn(await ask(operation.id, object.parameters, { body }), object, restorer);
  const rest = way.settle ?? (() => wait(waitMs));
  await way.settle?.();
  if (await arrives(changed, operation, way)) return asBefore ? 'untouched' : 'restored';
  // The answer shows that the service put it back, and now it has a value that the run never sent.
  if (restorer.answersShow && answered !== undefined && restorer.same(before, answered)) {
    const last = await restorer.read(object, ask);
    const isNews = last !== undefined && last !== null && !restorer.same(before, last);
    if (isNews && !isOurs(changed, last) && !isMarkedBy(way.runId, last)) return 'others';
  }
  // The run itself stops here, because a put-back without effect breaks a promise.
  const single = later ? bodies.flatMap((body) => oneByOne(object, body)) : [];
  for (const body of single) await ask(operation.id, object.parameters, { body });
  if (single.length > 0 && (await arrives(changed, operation, way))) return 'restored';
  return (await restorer.apart?.(object, before, ask, rest)) ? 'restored' : 'different';
}

function isOurs({ restorer, before, sent, seen }: Changed, now: unknown): boolean {
  return seen.some((state) => restorer.same(state, now)) || restorer.ours(now, before, sent);
}

/** A service may accept only one of several fields, so each is also sent alone. */
function oneByOne({ fields }: TenantObject, body: JsonObject): JsonObject[] {
  const names = Object.keys(body).filter((name) => !(name in fields));
  return names.length < 2 ? [] : names.map((name) => ({ ...fields, [name]: body[name] }));
}

/** Reads until the state is back, for as long as a put-back may take. */
async function arrives(
  changed: Changed,
  operation: Operation,
  { ask, wait, settling, later }: Way,
): Promise<boolean> {
  const { object, restorer, before } = changed;
  const start = performance.now();
  for (;;) {
    const now = await restorer.read(object, ask);
    if (now !== undefined && now !== null && restorer.same(before, now)) return true;
    if (performance.now() - start >= settling.arrivalMs(operation, later)) return false;
    await wait(1000);
  }
}
