/**
 * OpenAPI documents with their descriptions and examples, each reference replaced by its target. It is loaded
 * by the first request for a page of them, because it needs a YAML parser.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { atPointer, isObject, type JsonObject } from '../../../spec/base/json.ts';

export interface CallNode {
  readonly method: string;
  readonly path: string;
  /** The parameters of the call, with those of its path. */
  readonly node: JsonObject;
}

export interface ApiDocument {
  readonly root: JsonObject;
  readonly calls: readonly CallNode[];
}

export function controlDocument(): ApiDocument {
  return readDocument(new URL('../openapi.yaml', import.meta.url));
}

export function readDocument(file: URL | string): ApiDocument {
  const written: unknown = parse(readFileSync(file, 'utf8'));
  const root = nodeOf(followed(written, written));
  const calls = entriesOf(root.paths).flatMap(([path, item]) => {
    const { parameters: shared, ...methods } = nodeOf(item);
    return entriesOf(methods).map(([method, call]) => {
      const node = nodeOf(call);
      const parameters = [...listOf(shared), ...listOf(node.parameters)];
      return { method: method.toUpperCase(), path, node: { ...node, parameters } };
    });
  });
  return { root, calls };
}

/** Keys next to a reference override the keys of its target. */
function followed(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => followed(item, root));
  if (!isObject(value)) return value;
  const { $ref: reference, ...others } = value;
  const own = Object.entries(others).map(([key, item]) => [key, followed(item, root)]);
  const target =
    typeof reference === 'string' ? atPointer(root, reference.slice('#'.length)) : undefined;
  return { ...nodeOf(followed(target, root)), ...Object.fromEntries(own) };
}

/** The value if it is a node, else an empty one. */
export function nodeOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(nodeOf(value));
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
