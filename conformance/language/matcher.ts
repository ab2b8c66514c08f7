/**
 * Matchers: a plain value must be equal, a mapping is partial, keys with `$` are conditions.
 *
 * References in matchers are already resolved. The result is the first mismatch, with its pointer.
 * A matcher throws only if the loader should have refused it.
 */

import { parseDuration } from '../../spec/base/duration.ts';
import {
  canonical,
  equal,
  isObject,
  parseJson,
  pointerToken,
  typeOf,
} from '../../spec/base/json.ts';
import { toMillis } from '../../spec/base/time.ts';
import { wholeList } from '../answers/whole-list.ts';

export interface Mismatch {
  /** JSON pointer from the value that was matched. */
  readonly pointer: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Returns whether the condition holds for the whole value, or the part that does not match. */
type Condition = (
  value: unknown,
  argument: unknown,
  pointer: string,
) => boolean | Mismatch | undefined;

export function matches(value: unknown, matcher: unknown): boolean {
  return match(value, matcher) === undefined;
}

/** The first mismatch between a value and a matcher; undefined if the value matches. */
export function match(value: unknown, matcher: unknown, pointer = ''): Mismatch | undefined {
  if (Array.isArray(matcher)) {
    const alike = Array.isArray(value) && value.length === matcher.length;
    if (!alike) return { pointer, expected: matcher, actual: value };
    return first(matcher, (item, index) =>
      match(value[index], item, pointer + pointerToken(index)),
    );
  }
  if (!isObject(matcher)) {
    return value === matcher ? undefined : { pointer, expected: matcher, actual: value };
  }
  const keys = Object.keys(matcher);
  if (keys.some((key) => !key.startsWith('$')) || keys.length === 0) {
    if (!isObject(value)) return { pointer, expected: matcher, actual: value };
  }
  return first(keys, (key) => {
    const argument = matcher[key];
    if (!key.startsWith('$'))
      return match(property(value, key), argument, pointer + pointerToken(key));
    const condition = conditions[key];
    if (condition === undefined) throw new Error(`there is no matcher ${key}`);
    const found = condition(value, argument, pointer) ?? true;
    if (found === false) return { pointer, expected: { [key]: argument }, actual: value };
    return found === true ? undefined : found;
  });
}

function property(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The first mismatch among the items of a list. */
export function first<T>(
  list: readonly T[],
  mismatch: (item: T, index: number) => Mismatch | undefined,
): Mismatch | undefined {
  for (const [index, item] of list.entries()) {
    const found = mismatch(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const asList = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value : undefined;

function ordered(holds: (order: number) => boolean): (value: unknown, limit: unknown) => boolean {
  return (value, limit) => {
    if (typeof value === 'number' && typeof limit === 'number') return holds(value - limit);
    if (typeof value === 'string' && typeof limit === 'string') {
      const [a, b] = [versionKey(value), versionKey(limit)];
      const [x, y] = a === undefined || b === undefined ? [value, limit] : [a, b];
      return holds(x < y ? -1 : x > y ? 1 : 0);
    }
    return false;
  };
}

/** A version as a sortable text: `1.9.14` sorts below `1.35.2`. */
function versionKey(text: string): string | undefined {
  if (!/^\d+\.\d+\.\d+$/.test(text)) return undefined;
  return text.replaceAll(/\d+/g, (part) => part.padStart(12, '0'));
}

/** Whether the other list has each value of this list at least as often. */
function within(part: readonly unknown[], all: readonly unknown[]): boolean {
  const available = Map.groupBy(all, canonical);
  return [...Map.groupBy(part, canonical)].every(
    ([key, same]) => same.length <= (available.get(key)?.length ?? 0),
  );
}

function compareLists(
  holds: (value: readonly unknown[], other: readonly unknown[]) => boolean,
): (value: unknown, other: unknown) => boolean {
  return (value, other) => Array.isArray(value) && Array.isArray(other) && holds(value, other);
}

function isSorted(list: readonly unknown[], order: unknown): boolean {
  const keys = list.map((key) =>
    typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : key,
  );
  return keys.every((key, index) => {
    if (index === 0) return true;
    const before = keys[index - 1];
    const [low, high] = order === 'descending' ? [key, before] : [before, key];
    return (low as string) <= (high as string);
  });
}

function anywhere(value: unknown, matcher: unknown): boolean {
  if (matches(value, matcher)) return true;
  if (Array.isArray(value)) return value.some((item) => anywhere(item, matcher));
  if (isObject(value)) return Object.values(value).some((item) => anywhere(item, matcher));
  // A service may encode a value as a JSON string, for example in a claim.
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  const inner = parseJson(value);
  return inner !== undefined && anywhere(inner, matcher);
}

const conditions: Readonly<Record<string, Condition>> = {
  $type: (value, types) => {
    const actual = typeOf(value);
    return [types]
      .flat()
      .some((type) => type === actual || (type === 'number' && actual === 'integer'));
  },
  $matches: (value, pattern) =>
    typeof value === 'string' && new RegExp(String(pattern)).test(value),
  $in: (value, list) => asList(list)?.some((item) => equal(item, value)) === true,
  $keys: (value, keys) =>
    isObject(value) &&
    Array.isArray(keys) &&
    equal(Object.keys(value).sort(), keys.map(String).sort()),
  $absent: (value) => value === undefined,
  $present: (value) => value !== undefined,
  $min: ordered((order) => order >= 0),
  $max: ordered((order) => order <= 0),
  $above: ordered((order) => order > 0),
  $below: ordered((order) => order < 0),
  $length: (value, argument) =>
    (Array.isArray(value) || typeof value === 'string') && matches(value.length, argument),
  $contains: (value, matcher) =>
    typeof value === 'string'
      ? value.includes(String(matcher))
      : asList(value)?.some((item) => matches(item, matcher)) === true,
  $sameSet: compareLists((a, b) => a.length === b.length && within(a, b)),
  $supersetOf: compareLists((a, b) => within(b, a)),
  $disjointFrom: compareLists((a, b) =>
    new Set(a.map(canonical)).isDisjointFrom(new Set(b.map(canonical))),
  ),
  $unique: (value, by) => {
    if (!Array.isArray(value)) return false;
    const keys = value.map((item) => canonical(typeof by === 'string' ? property(item, by) : item));
    return new Set(keys).size === keys.length;
  },
  $sorted: (value, order) => Array.isArray(value) && isSorted(value, order),
  $anywhere: anywhere,
  $wholeList: (value) => wholeList(value) !== undefined,
  $sameTime: (value, argument) => {
    const { as, within: tolerance, orLater } = argument as { [key in string]: unknown };
    const [a, b] = [toMillis(value), toMillis(as)];
    if (a === undefined || b === undefined) return false;
    const late = orLater === true ? Math.min(a - b, 0) : a - b;
    return Math.abs(late) <= (parseDuration(tolerance) ?? 0);
  },
  $not: (value, matcher) => !matches(value, matcher),
  $any: (value, list) => asList(list)?.some((item) => matches(value, item)) === true,
  $absentOr: (value, matcher, pointer) =>
    value === undefined ? undefined : match(value, matcher, pointer),
  $every: (value, matcher, pointer) =>
    Array.isArray(value) &&
    first(value, (item, index) => match(item, matcher, pointer + pointerToken(index))),
};

export const matcherNames: readonly string[] = Object.keys(conditions);
