/** Reads and changes the part at a place in a JSON value. A change makes a new value. */
import { isObject, type JsonObject } from '../../spec/base/json.ts';

/** A change returns this value to remove a field. */
export const GONE = Symbol('left out');

/** Names of fields, from the outside in; `*` means every item of a list. */
export type Path = readonly string[];

export const pathOf = (text: string): Path => (text === '' ? [] : text.split('.'));

/**
 * The value, with a change made at each place of the path. If the change returns undefined, the
 * place keeps its value.
 */
export function changeAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [name, ...inner] = path;
  if (name === undefined) {
    const changed = change(value);
    return changed === undefined ? value : changed;
  }
  if (name === '*') {
    if (!Array.isArray(value)) return value;
    const items = value.map((item: unknown) => changeAt(item, inner, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value) || value[name] === undefined) return value;
  const changed = changeAt(value[name], inner, change);
  if (changed === value[name]) return value;
  const { [name]: _old, ...rest } = value;
  return changed === GONE ? rest : { ...value, [name]: changed };
}

/** The value at the end of a path that has no `*`. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), value);
}

/** The objects of a list; none if it is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Changes every object, at whatever depth. */
export function eachObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => eachObject(item, change));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, item]) => [name, eachObject(item, change)]);
  return change(Object.fromEntries(inner));
}

/** Whether two values have the same JSON text. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
