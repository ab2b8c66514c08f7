/** The schema nodes of the contract's answers, and which of them the description leaves open. */
import { isObject } from '../../spec/base/json.ts';
import {
  contract,
  type Operation,
  type Response,
  type Schema,
  statement,
} from '../../spec/contract.ts';

export interface Node {
  readonly operation: Operation;
  readonly status: string;
  /** Field names joined by dots; `*` is an item of a list. Empty for the body itself. */
  readonly place: string;
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Silent statements that the node or a node around it names, the nearest first. */
  readonly silences: readonly string[];
}

export const operations: readonly Operation[] = [...contract.operations.values()];

/** Every answer that the contract declares. */
export const responses: readonly (readonly [Operation, string, Response])[] = operations.flatMap(
  (operation) =>
    Object.entries(operation.responses).map(
      ([status, response]) => [operation, status, response] as const,
    ),
);

/** Every node of the JSON answers, the outermost first. */
export const nodes: readonly Node[] = responses.flatMap(([operation, status, response]) => {
  const { schema, mediaType, statements } = response;
  if (schema === null || mediaType?.includes('json') !== true) return [];
  const root = { operation, status, place: '', name: '', required: true };
  return inside({ ...root, schema, silences: silencesOf(schema, statements) });
});

/** The nodes of 2xx answers. */
export const servedNodes: readonly Node[] = nodes.filter(({ status }) => status.startsWith('2'));

function inside(node: Node): Node[] {
  const { schema, place, silences } = node;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const parts = [...fields, ...(isObject(schema.items) ? [['*', schema.items] as const] : [])];
  const inner = parts.flatMap(([name, part]) => {
    if (!isObject(part)) return [];
    const at = place === '' ? name : `${place}.${name}`;
    return inside({
      ...{ ...node, place: at, name, schema: part },
      required: name === '*' || required.includes(name),
      silences: silencesOf(part, silences),
    });
  });
  return [node, ...inner];
}

function silencesOf(schema: Schema, around: readonly string[]): readonly string[] {
  const named = schema['x-statements'];
  const own = Array.isArray(named) ? (named as string[]) : [];
  return [...own, ...around].filter((id) => statement(id).level === 'silent');
}

export const typesOf = ({ schema }: Node): readonly unknown[] => [schema.type].flat();
export const isObjectNode = (node: Node): boolean => typesOf(node).includes('object');

/** Whether the node allows any JSON. */
export const isOpen = ({ schema }: Node): boolean =>
  ['type', 'enum', 'const', 'pattern', 'properties', 'oneOf', 'anyOf'].every(
    (keyword) => !(keyword in schema),
  );

/** The name of a node: `updateFolder 200 folderPath.*.id`. */
export const nodeName = ({ operation, status, place }: Node): string =>
  `${operation.id} ${status} ${place === '' ? 'body' : place}`;

/** Why a node may vary: the silence that it names, or the node itself. */
export const groundOf = (node: Node): string => node.silences[0] ?? `open: ${nodeName(node)}`;

/** Open nodes that no silence names. Either a silence is missing, or the schema is too loose. */
export function unspoken(): string[] {
  const open = servedNodes.filter(
    (node) => node.silences.length === 0 && (isOpen(node) || !node.required || isExtensible(node)),
  );
  const bodies = nodes.filter((node) => !node.status.startsWith('2') && isOpen(node));
  const strange = bodies.filter(({ silences }) => silences.length === 0);
  return [...open, ...strange].map((node) => {
    const what = isOpen(node) ? 'any JSON' : node.required ? 'further fields' : 'may be absent';
    return `${nodeName(node)}: ${what}`;
  });
}

/** Whether the node may have fields that the contract does not name. */
export const isExtensible = (node: Node): boolean =>
  isObjectNode(node) && node.schema.additionalProperties !== false;

/** Whether a field repeats a value of the request, such as a name or an id. */
export function echoes({ operation, name }: Node): boolean {
  const { properties, ...rest } = operation.body?.schema ?? {};
  const sent = new Set<string>(operation.parameters.map((parameter) => parameter.name));
  for (const part of [properties, rest]) for (const field of fieldsIn(part)) sent.add(field);
  return [...sent].some((field) => field.toLowerCase().endsWith(name.toLowerCase()));
}

function fieldsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsIn);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, part]) =>
    isObject(part) ? [name, ...fieldsIn(part)] : [],
  );
}
