/**
 * References in scenario files: `{steps.list.body.data[isCurrent=true][0].version}`.
 *
 * Plain data with references is resolved against a scope at each use. A reference that is the whole
 * string keeps its type.
 */

import { isObject } from '../../spec/base/json.ts';

/** A value that gives its fields by name without being plain data, such as an answer. */
export interface Fields {
  field(name: string): unknown;
}

/** Looks up a root such as `deployment` or `steps`; undefined if it is unknown. */
export interface Scope {
  lookup(root: string): unknown;
}

/** A reference that finds nothing. It makes checks not-testable, and never makes one fail. */
export class Unresolved extends Error {
  constructor(reference: string, why = `{${reference}} finds nothing`) {
    super(why);
  }
}

/** A segment of a reference: a field, an index, or a filter. */
type Segment = string | number | { readonly field: string; readonly value: string };

interface Reference {
  readonly text: string;
  readonly root: string;
  readonly path: readonly Segment[];
}

const reference =
  /\{([A-Za-z][\w-]*(?:\.[\w-]+|\[[^\]{}]*(?:\{[^{}]*\})?[^\]{}]*\])*)\}|\{\{|\}\}/g;
const segment = /\.([\w-]+)|\[(-?\d+)\]|\[([\w-]+)=((?:\{[^{}]*\}|[^\]{}])*)\]/gy;

type Part = string | Reference;

const parsed = new Map<string, readonly Part[]>();

/** The plain parts of a text and its references. Throws an Error for a reference that cannot be read. */
function partsOf(text: string): readonly Part[] {
  const found = parsed.get(text) ?? parse(text);
  parsed.set(text, found);
  return found;
}

/** Every reference in a text, without braces, also the references inside filters. */
export function referencesIn(text: string): string[] {
  return partsOf(text).flatMap((part) => {
    if (typeof part === 'string') return [];
    const filters = part.path.filter((item) => typeof item === 'object');
    return [part.text, ...filters.flatMap(({ value }) => referencesIn(value))];
  });
}

/** Plain data with all its references replaced. Throws Unresolved. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return resolveText(value, scope);
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope));
  if (!isObject(value)) return value;
  if ('$copies' in value && 'of' in value) {
    const length = Number(resolve(value.$copies, scope));
    const make = (copy: number): unknown =>
      resolve(value.of, { lookup: (root) => (root === 'copy' ? copy : scope.lookup(root)) });
    const first = make(0);
    const isNumbered = JSON.stringify(value.of).includes('{copy}');
    return Array.from({ length }, (_, copy) => (isNumbered ? make(copy) : first));
  }
  const { $like, $without = [], ...own } = value;
  const like = { ...(resolve($like, scope) as object | undefined) };
  for (const key of $without as readonly string[]) Reflect.deleteProperty(like, key);
  const entries = Object.entries(own).map(([key, item]) => [
    String(resolveText(key, scope)),
    resolve(item, scope),
  ]);
  return { ...like, ...Object.fromEntries(entries) };
}

function resolveText(text: string, scope: Scope): unknown {
  const parts = partsOf(text);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return find(only, scope);
  return parts
    .map((part) => (typeof part === 'string' ? part : asText(find(part, scope))))
    .join('');
}

/** The result of a computation; undefined if a reference in it finds nothing. */
export function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Unresolved) return undefined;
    throw error;
  }
}

/** The root and the first name of a reference: `steps` and `list` for `steps.list.body`. */
export function heads(text: string): { root: string; next: string | undefined } {
  const { root, path } = parseReference(text);
  const [next] = path;
  return { root, next: typeof next === 'string' ? next : undefined };
}

/** Follows a path such as `body.data[0].id` from a value; undefined if it leads nowhere. */
export function follow(value: unknown, path: string, scope: Scope): unknown {
  const { root, path: rest } = parseReference(path);
  return walk(value, [root, ...rest], scope);
}

function parse(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(reference)) {
    parts.push(text.slice(end, match.index));
    const inner = match[1];
    parts.push(inner === undefined ? match[0].charAt(0) : parseReference(inner));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== '');
}

function parseReference(text: string): Reference {
  const root = /^[A-Za-z][\w-]*/.exec(text)?.[0] ?? '';
  const path: Segment[] = [];
  segment.lastIndex = root.length;
  while (segment.lastIndex < text.length) {
    const from = segment.lastIndex;
    const match = segment.exec(text);
    if (match === null) throw new Error(`{${text}} cannot be read from "${text.slice(from)}" on`);
    const [, name, index, field, value] = match;
    if (name !== undefined) path.push(name);
    else if (index !== undefined) path.push(Number(index));
    else path.push({ field: field ?? '', value: value ?? '' });
  }
  if (root === '') throw new Error(`{${text}} does not begin with a name`);
  return { text, root, path };
}

function find(ref: Reference, scope: Scope): unknown {
  const value = walk(scope.lookup(ref.root), ref.path, scope);
  if (value === undefined) throw new Unresolved(ref.text);
  return value;
}

function walk(start: unknown, path: readonly Segment[], scope: Scope): unknown {
  return path.reduce((value, item) => step(value, item, scope), start);
}

function step(value: unknown, item: Segment, scope: Scope): unknown {
  if (typeof item === 'number') return Array.isArray(value) ? value.at(item) : undefined;
  if (typeof item === 'object') {
    if (!Array.isArray(value)) return undefined;
    const wanted = asText(resolve(item.value, scope));
    return value.filter((element) => {
      const found = field(element, item.field);
      return found !== undefined && asText(found) === wanted;
    });
  }
  if (Array.isArray(value) && item !== 'length') {
    return value.map((element) => field(element, item)).filter((found) => found !== undefined);
  }
  return field(value, item);
}

function field(value: unknown, name: string): unknown {
  if (name === 'length' && (Array.isArray(value) || typeof value === 'string')) return value.length;
  if (hasFields(value)) return value.field(name);
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function hasFields(value: unknown): value is Fields {
  return isObject(value) && typeof value.field === 'function';
}

/** A value as it appears inside a text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
