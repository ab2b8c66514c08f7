/**
 * References in scenario files: `{steps.list.body.data[isCurrent=true][0].version}`.
 *
 * Plain data with references is compiled once and resolved against a scope at each use. A
 * reference that is the whole string keeps its type.
 */

import { isObject } from '../../spec/base/json.ts';
import type { Fields } from '../answers/fields.ts';

/** Answers with the value of a root such as `deployment` or `steps`; undefined where unknown. */
export interface Scope {
  lookup(root: string): unknown;
}

/** A reference that finds nothing. It makes checks not-testable; it never fails one. */
export class Unresolved extends Error {
  readonly reference: string;

  constructor(reference: string, why?: string) {
    super(why ?? `{${reference}} finds nothing`);
    this.reference = reference;
  }
}

export interface Template {
  /** Every reference in it, without braces. */
  readonly references: readonly string[];
  /** Throws Unresolved. */
  resolve(scope: Scope): unknown;
}

type Segment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'filter'; readonly field: string; readonly value: string };

interface Reference {
  readonly text: string;
  readonly root: string;
  readonly path: readonly Segment[];
}

const reference =
  /\{([A-Za-z][\w-]*(?:\.[\w-]+|\[[^\]{}]*(?:\{[^{}]*\})?[^\]{}]*\])*)\}|\{\{|\}\}/g;
const segment = /\.([\w-]+)|\[(-?\d+)\]|\[([\w-]+)=((?:\{[^{}]*\}|[^\]{}])*)\]/gy;

const strings = new Map<string, Template>();
const objects = new WeakMap<object, Template>();

/** Compiles plain data. Throws an Error for a reference that cannot be read. */
export function compile(value: unknown): Template {
  if (typeof value === 'string') {
    let found = strings.get(value);
    if (found === undefined) {
      found = compileString(value);
      strings.set(value, found);
    }
    return found;
  }
  if (typeof value !== 'object' || value === null) return constant(value);
  let found = objects.get(value);
  if (found === undefined) {
    found = Array.isArray(value) ? compileList(value) : compileMap(value as object);
    objects.set(value, found);
  }
  return found;
}

export function resolve(value: unknown, scope: Scope): unknown {
  return compile(value).resolve(scope);
}

/** The root and the first name of a reference: `steps`, `list` of `steps.list.body`. */
export function heads(text: string): { root: string; next: string | undefined } {
  const { root, path } = parseReference(text);
  const first = path[0];
  return { root, next: first?.kind === 'name' ? first.name : undefined };
}

/** Follows a path such as `body.data[0].id` from a value; undefined where it leads nowhere. */
export function follow(value: unknown, path: string, scope: Scope): unknown {
  const { root, path: rest } = parseReference(path);
  return walk(step(value, { kind: 'name', name: root }, scope), rest, scope);
}

function constant(value: unknown): Template {
  return { references: [], resolve: () => value };
}

function compileList(list: readonly unknown[]): Template {
  const items = list.map(compile);
  const references = items.flatMap((item) => item.references);
  if (references.length === 0 && items.every((item, i) => item.resolve(nowhere) === list[i])) {
    return constant(list);
  }
  return { references, resolve: (scope) => items.map((item) => item.resolve(scope)) };
}

function compileMap(map: object): Template {
  const entries = Object.entries(map).map(
    ([key, value]) => [compile(key), compile(value)] as const,
  );
  const references = entries.flatMap(([key, value]) => [...key.references, ...value.references]);
  if ('$copies' in map && 'of' in map) {
    const [count, of] = [compile(map.$copies), compile(map.of)];
    return {
      references,
      resolve: (scope) => {
        const item = of.resolve(scope);
        return Array.from({ length: Number(count.resolve(scope)) }, () => item);
      },
    };
  }
  if ('$like' in map) {
    const { $like, ...own } = map as { readonly $like: unknown };
    const [like, changes] = [compile($like), compile(own)];
    return {
      references,
      resolve: (scope) => ({
        ...(like.resolve(scope) as object),
        ...(changes.resolve(scope) as object),
      }),
    };
  }
  const literal = Object.values(map);
  const fixed = entries.every(
    ([key, value], i) =>
      key.references.length === 0 &&
      value.references.length === 0 &&
      value.resolve(nowhere) === literal[i],
  );
  if (fixed) return constant(map);
  return {
    references,
    resolve: (scope) =>
      Object.fromEntries(
        entries.map(([key, value]) => [String(key.resolve(scope)), value.resolve(scope)]),
      ),
  };
}

const nowhere: Scope = { lookup: () => undefined };

function compileString(text: string): Template {
  if (!text.includes('{') && !text.includes('}}')) return constant(text);
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const match of text.matchAll(reference)) {
    parts.push(text.slice(end, match.index));
    const inner = match[1];
    parts.push(inner === undefined ? match[0].charAt(0) : parseReference(inner));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  const used = parts.filter((part) => part !== '');
  const references = used.flatMap((part) =>
    typeof part === 'string' ? [] : [part.text, ...inner(part)],
  );
  const only = used[0];
  if (used.length === 1 && only !== undefined && typeof only !== 'string') {
    return { references, resolve: (scope) => find(only, scope) };
  }
  if (references.length === 0) return constant(used.join(''));
  return {
    references,
    resolve: (scope) =>
      used.map((part) => (typeof part === 'string' ? part : asText(find(part, scope)))).join(''),
  };
}

/** References inside the filters of a reference. */
function inner(of: Reference): readonly string[] {
  return of.path.flatMap((item) => (item.kind === 'filter' ? compile(item.value).references : []));
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
    if (name !== undefined) path.push({ kind: 'name', name });
    else if (index !== undefined) path.push({ kind: 'index', index: Number(index) });
    else path.push({ kind: 'filter', field: field ?? '', value: value ?? '' });
  }
  if (root === '') throw new Error(`{${text}} does not begin with a name`);
  return { text, root, path };
}

function find(ref: Reference, scope: Scope): unknown {
  const start = scope.lookup(ref.root);
  if (start === undefined) throw new Unresolved(ref.text);
  const value = walk(start, ref.path, scope);
  if (value === undefined) throw new Unresolved(ref.text);
  return value;
}

function walk(start: unknown, path: readonly Segment[], scope: Scope): unknown {
  let value = start;
  for (const item of path) {
    if (value === undefined) return undefined;
    value = step(value, item, scope);
  }
  return value;
}

function step(value: unknown, item: Segment, scope: Scope): unknown {
  if (item.kind === 'index') return Array.isArray(value) ? value.at(item.index) : undefined;
  if (item.kind === 'filter') {
    if (!Array.isArray(value)) return undefined;
    const wanted = asText(resolve(item.value, scope));
    return value.filter((element) => {
      const found = field(element, item.field);
      return found !== undefined && asText(found) === wanted;
    });
  }
  if (Array.isArray(value) && item.name !== 'length') {
    return value.map((element) => field(element, item.name)).filter((found) => found !== undefined);
  }
  return field(value, item.name);
}

function field(value: unknown, name: string): unknown {
  if (name === 'length' && (Array.isArray(value) || typeof value === 'string')) return value.length;
  if (hasFields(value)) return value.field(name);
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function hasFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    'field' in value &&
    typeof value.field === 'function'
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
