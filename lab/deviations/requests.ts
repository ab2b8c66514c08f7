/** Operators on requests: the target gets other values than the caller sent. */
import type { JsonObject } from '../../spec/base/json.ts';
import { sentIn } from './conditions.ts';
import { type Asked, asks, type Does } from './does.ts';
import { changeAt, GONE, pathOf, same } from './places.ts';
import type { Call, Other } from './wire.ts';

/** The same call with another query or body. */
function sending(call: Call, sent: unknown): Other {
  if (call.operation.method !== 'GET') return { body: sent };
  const texts = Object.entries(sent as JsonObject).map(([name, value]) => [name, String(value)]);
  return { query: Object.fromEntries(texts) };
}

/** Replaces the query or the body before the target gets it. */
export const sees = (change: (sent: JsonObject, asked: Asked) => unknown): Does =>
  asks(async (asked) => {
    const sent = sentIn(asked.call);
    const seen = await change(sent, asked);
    return seen === undefined || same(seen, sent) ? undefined : sending(asked.call, seen);
  });

/** Replaces the value at a place of the query or body, if there is one. */
export const reads = (place: string, change: (value: never, asked: Asked) => unknown): Does =>
  sees((sent, asked) => changeAt(sent, pathOf(place), (old) => change(old as never, asked)));

/** Removes these fields before the target gets the call. */
export const ignores = (...names: readonly string[]): Does =>
  sees((sent) =>
    names.reduce<unknown>((left, name) => changeAt(left, pathOf(name), () => GONE), sent),
  );

/** Adds fields before the target gets the call. */
export const seesToo = (more: JsonObject | ((asked: Asked) => Promise<JsonObject>)): Does =>
  sees(async (sent, asked) => ({
    ...sent,
    ...(typeof more === 'function' ? await more(asked) : more),
  }));
