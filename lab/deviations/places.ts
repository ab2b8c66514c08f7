/** Places in a JSON value: reading and changing what stands there, without touching the value. */
import { isObject, type JsonObject } from '../../spec/base/json.ts';

/** What a change gives for a field that is to be left out. */
export const GONE = Symbol('left out');

/** Names of fields, outside in; `*` for every item of a list. */
export type Path = readonly string[];

export const pathOf = (text: string): Path => (text === '' ? [] : text.split('.'));

/** The value with a change made wherever the path leads; undefined leaves what stands there. */
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

/** What stands at the end of a path that has no `*`. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), value);
}

/** The objects of a list; none where it is no list. */
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
