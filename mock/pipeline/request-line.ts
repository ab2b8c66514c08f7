/** Reads a request line: finds its operation, and reads the parameters of path and query. */
import { contract, type Operation, type Parameter, type Schema } from '../../spec/contract.ts';
import { operationRoutes } from '../../spec/routes.ts';

export type Match =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly params: Readonly<Record<string, string>>;
      readonly head: boolean;
    }
  | { readonly kind: 'method'; readonly allowed: readonly string[]; readonly operation: Operation }
  | { readonly kind: 'path' };

/** The matches of earlier request lines; cleared when there are too many. */
const found = new Map<string, Match>();
const MOST_FOUND = 200;

/** `path` without a slash at its end, undecoded. */
export function match(method: string, path: string): Match {
  const line = `${method} ${path}`;
  const known = found.get(line);
  if (known !== undefined) return known;
  if (found.size >= MOST_FOUND) found.clear();
  const matched = find(method, path);
  found.set(line, matched);
  return matched;
}

function find(method: string, path: string): Match {
  const head = method === 'HEAD';
  const route = operationRoutes.find(head ? 'GET' : method, path);
  if (route !== undefined) {
    return { kind: 'operation', operation: route.value, params: route.params, head };
  }
  const others = [...operationRoutes.at(path).values()].map(({ value }) => value);
  const [operation] = others;
  return operation === undefined
    ? { kind: 'path' }
    : { kind: 'method', allowed: others.map((other) => other.method), operation };
}

export const operationIds: readonly Operation['id'][] = [...contract.operations.keys()];

const INTEGER = /^(0|-?[1-9]\d*)$/;

/**
 * Reads the path's parameters. `bad` lists the names of those whose text does not have their type.
 */
export function readPath(
  parameters: readonly Parameter[],
  raw: Readonly<Record<string, string>>,
): { readonly path: Record<string, string | number>; readonly bad: readonly string[] } {
  const path: Record<string, string | number> = {};
  const bad: string[] = [];
  for (const { in: place, name, schema } of parameters) {
    if (place !== 'path') continue;
    const text = decode(raw[name] ?? '');
    const value = text === undefined ? undefined : readValue(schema, text);
    if (value === undefined) bad.push(name);
    // Text that is not an integer is kept, so that a key's scope can still be compared with it.
    if (text !== undefined) path[name] = value ?? text;
  }
  return { path, bad };
}

/** All values of each parameter. Values are not decoded; names are, if they can be. */
export function readQuery(raw: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = equals < 0 ? part : part.slice(0, equals);
    const name = decode(rawName.replaceAll('+', ' ')) ?? rawName;
    const values = query.get(name);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** A value of a query; undefined if its percent escapes are not UTF-8. */
export function decodeValue(raw: string): string | undefined {
  return decode(raw.replaceAll('+', ' '));
}

/** Undefined if the text does not fit the schema. */
export function readValue(schema: Schema, text: string): string | number | undefined {
  if (schema.type === 'integer') {
    return INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(text)) return undefined;
  return text;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
