/** Small helpers for JSON values; nothing here knows scenarios. */

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value for a message, with a limited number of characters. */
export function brief(value: unknown, most = 120, nothing = 'absent'): string {
  const text = JSON.stringify(value) ?? nothing;
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

/** The JSON type of a value; a whole number is an `integer`, and `undefined` is `absent`. */
export function typeOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}

/** A string that is the same for equal values, in any order of their keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isObject(value)) {
    const parts = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

/** One token of a JSON pointer (RFC 6901). */
export function pointerToken(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The keys and indices of a JSON pointer. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a JSON pointer; undefined if there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  let node = value;
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(node)) node = node[Number(key)];
    else if (isObject(node) && Object.hasOwn(node, key)) node = node[key];
    else return undefined;
  }
  return node;
}

/** The names and types of the fields of a value, without its data. */
export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return kindsOf(value.map(shape));
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key, shape(value[key])]));
  }
  return typeOf(value);
}

/** Each value once, in an order that does not depend on the order of the list. */
function kindsOf(values: readonly unknown[]): unknown[] {
  const kinds = new Map(values.map((value) => [canonical(value), value]));
  return [...kinds.keys()].sort().map((key) => kinds.get(key));
}

/** A field of a shape that has no fields of its own, as in `/items/0/id:string`. */
export interface Leaf {
  readonly keys: readonly string[];
  readonly type: string;
}

/** The leaves of a shape. The key `*` stands for each item of a list. */
export function leavesOf(node: unknown, keys: readonly string[] = []): Leaf[] {
  if (Array.isArray(node) && node.length > 0)
    return node.flatMap((item) => leavesOf(item, [...keys, '*']));
  if (isObject(node) && Object.keys(node).length > 0)
    return Object.entries(node).flatMap(([key, item]) => leavesOf(item, [...keys, key]));
  return [{ keys, type: typeof node === 'string' ? node : typeOf(node) }];
}

export const leafText = ({ keys, type }: Leaf): string =>
  `${keys.map(pointerToken).join('')}:${type}`;

export function readLeaf(text: string): Leaf {
  const [pointer = '', type = ''] = text.split(':');
  return { keys: pointerKeys(pointer), type };
}

const typeNames = ['absent', 'null', 'array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * The part of an observed value that describes a service, without anybody's data: a status, true or
 * false, or the shape of the value. A shape stays as it is. A field name that may be data, such as
 * an email, becomes `*`.
 */
export function outline(value: unknown, top = true): unknown {
  if (Array.isArray(value)) return kindsOf(value.map((item) => outline(item, false)));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [/^[A-Za-z_]{1,40}$/.test(key) ? key : '*', outline(value[key], false)]),
    );
  }
  if (typeof value === 'boolean' && top) return value;
  if (typeof value === 'number' && top && Number.isInteger(value) && value >= 100 && value < 600)
    return value;
  return typeof value === 'string' && typeNames.includes(value) ? value : typeOf(value);
}

/** Replaces every string in a value. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
    );
  }
  return value;
}

/** Freezes a value with all its parts. A frozen part is assumed to be frozen inside. */
export function deepFreeze<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  for (const key in value) if (typeof value[key] === 'object') deepFreeze(value[key]);
  return Object.freeze(value);
}

/** The objects in a value, at any depth, the outermost first. */
export function* objectsIn(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  else if (isObject(value)) {
    yield value;
    for (const item of Object.values(value)) yield* objectsIn(item);
  }
}

/** The deepest nesting of JSON that is accepted, because code that reads it may recurse. */
export const DEEPEST = 100;

/** Whether a JSON text nests brackets deeper than the limit. */
export function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
