/**
 * The OpenAPI document of the contract with its descriptions and examples, references followed.
 * Loaded by the first request for it, because it takes a parser of YAML.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { atPointer, isObject, type JsonObject } from '../../../spec/base/json.ts';
import { contractFile } from '../../../spec/contract.ts';

const root = parse(readFileSync(contractFile, 'utf8')) as JsonObject;
const items = Object.values(nodeOf(root.paths)).flatMap((item) => Object.values(nodeOf(item)));
const operations = new Map(items.map(nodeOf).map((item) => [item.operationId, item]));

/** The operation of an operationId. */
export function operationNode(id: string): JsonObject {
  return operations.get(id) ?? {};
}

/** The node itself, or what its `$ref` names, with what stands next to the reference on top. */
export function follow(value: unknown): JsonObject {
  const node = nodeOf(value);
  const { $ref: reference, ...others } = node;
  if (typeof reference !== 'string') return node;
  return { ...follow(atPointer(root, reference.slice('#'.length))), ...others };
}

/** The value where it is a node, else an empty one. */
function nodeOf(value: unknown): JsonObject {
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
