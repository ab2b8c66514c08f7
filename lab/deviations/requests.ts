/** Operators on requests: the target sees something else than was sent. */
import type { JsonObject } from '../../spec/base/json.ts';
import { type Asked, asks, type Does, type When } from './does.ts';
import { changeAt, GONE, pathOf, same } from './places.ts';
import type { Call, Other } from './wire.ts';

const reading = ({ operation }: Call) => operation.method === 'GET';

/** What a call sends: its query or its body. */
export const sentIn = (call: Call): JsonObject => (reading(call) ? call.query : call.body);

/** The same call that sends this. */
export function sending(call: Call, sent: unknown): Other {
  if (!reading(call)) return { body: sent };
  const texts = Object.entries(sent as JsonObject).map(([name, value]) => [name, String(value)]);
  return { query: Object.fromEntries(texts) };
}

/** The target sees something else than what was sent. */
export const sees = (change: (sent: JsonObject, asked: Asked) => unknown): Does =>
  asks(async (asked) => {
    const sent = sentIn(asked.call);
    const seen = await change(sent, asked);
    return seen === undefined || same(seen, sent) ? undefined : sending(asked.call, seen);
  });

/** The target sees another value at a place of what is sent, where there is one. */
export const reads = (place: string, change: (value: never, asked: Asked) => unknown): Does =>
  sees((sent, asked) => changeAt(sent, pathOf(place), (old) => change(old as never, asked)));

/** The target does not see these. */
export const ignores = (...names: readonly string[]): Does =>
  sees((sent) =>
    names.reduce<unknown>((left, name) => changeAt(left, pathOf(name), () => GONE), sent),
  );

/** The target sees more than was sent. */
export const seesToo = (more: JsonObject | ((asked: Asked) => Promise<JsonObject>)): Does =>
  sees(async (sent, asked) => ({
    ...sent,
    ...(typeof more === 'function' ? await more(asked) : more),
  }));

export function sends(...names: readonly string[]): When {
  return ({ call }) => names.every((name) => sentIn(call)[name] !== undefined);
}

export function sendsNo(...names: readonly string[]): When {
  return ({ call }) => names.every((name) => sentIn(call)[name] === undefined);
}

export function sendsOnly(...names: readonly string[]): When {
  return ({ call }) => same(Object.keys(sentIn(call)).sort(), [...names].sort());
}

/** A field is sent with this value. */
export function sendsValue(name: string, fits: (value: unknown) => boolean): When {
  return ({ call }) => fits(sentIn(call)[name]);
}
