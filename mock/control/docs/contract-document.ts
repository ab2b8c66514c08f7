/** The OpenAPI document of the contract with its descriptions and examples, references followed. */
import { readFileSync } from 'node:fs';
import { atPointer, isObject, type JsonObject } from '../../../spec/base/json.ts';
import { contract, contractFile } from '../../../spec/contract.ts';

export interface ContractDocument {
  /** The node itself, or what its `$ref` names, with what stands beside the reference on top. */
  readonly follow: (node: unknown) => JsonObject;
  /** The operation of an operationId. */
  readonly operation: (id: string) => JsonObject;
}

let read: Promise<ContractDocument> | undefined;

/** Read at the first call. */
export function contractDocument(): Promise<ContractDocument> {
  read ??= readDocument();
  return read;
}

async function readDocument(): Promise<ContractDocument> {
  const { parse } = await import('yaml');
  const root = parse(readFileSync(contractFile, 'utf8')) as JsonObject;
  const follow = (value: unknown): JsonObject => {
    const node = nodeOf(value);
    const { $ref: reference, ...beside } = node;
    if (typeof reference !== 'string') return node;
    return { ...follow(atPointer(root, reference.slice('#'.length))), ...beside };
  };
  const items = Object.values(nodeOf(root.paths)).flatMap((item) => Object.values(nodeOf(item)));
  const operations = new Map(items.map(nodeOf).map((item) => [item.operationId, item]));
  return { follow, operation: (id) => operations.get(id) ?? {} };
}

/** A request of each operation, made of the examples of its parameters and its body. */
export async function exampleRequests() {
  const { follow, operation } = await contractDocument();
  const first = (value: unknown) => follow(entriesOf(value)[0]?.[1]);
  return [...contract.operations.values()].map(({ id, method, path }) => {
    const { parameters, requestBody } = operation(id);
    const given = listOf(parameters).map(follow);
    const exampleOf = (wanted: string) => given.find(({ name }) => name === wanted)?.example;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name) => String(exampleOf(name)));
    const { value: body } = first(first(follow(requestBody).content).examples);
    return { id, method, path: filled, body };
  });
}

/** The value where it is a node, else an empty one. */
function nodeOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(nodeOf(value));
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
