/** One operation of the OpenAPI document as data, and the schemas that it uses. */
import { isObject, type JsonObject, pointerToken } from './base/json.ts';
import type {
  HeaderData,
  OperationData,
  OperationLines,
  Parameter,
  ResponseData,
  Restore,
  Schema,
} from './contract-data.ts';
import { namesIn } from './facts.ts';
import {
  type Link,
  type OpenapiDocument,
  type OperationNode,
  statementsOf,
} from './openapi-document.ts';
import type { WrittenOperation } from './operation.generated.ts';

/** `statements` are those of its nodes; the schemas that it uses are added to `schemas`. */
export function readOperation(
  openapi: OpenapiDocument,
  { path, method, node }: OperationNode,
  schemas: Record<string, Schema>,
): OperationData {
  const id = node.operationId;
  const parameters = ((node.parameters ?? []) as JsonObject[]).map((raw): Parameter => {
    const parameter = openapi.dereference(raw) as JsonObject;
    const { example } = parameter;
    const place = { in: parameter.in as 'path' | 'query' };
    const more = example === undefined ? place : { ...place, example };
    return { ...named(parameter, parameter.name as string), ...more };
  });
  /** Stores a schema under its component's name, or under `fallback` if it has none. */
  const register = (schema: JsonObject, fallback: string): string => {
    const key = (schema.$ref as string | undefined)?.split('/').at(-1) ?? fallback;
    schemas[key] ??= openapi.dereference(schema) as Schema;
    return key;
  };
  const responses = Object.entries(node.responses as Record<string, JsonObject>).map(
    ([status, raw]): [string, ResponseData] => {
      const response = openapi.follow(raw);
      const { mediaType, schema } = contentOf(response) ?? {};
      const headers = Object.entries((response.headers ?? {}) as JsonObject);
      const data = {
        mediaType: mediaType ?? null,
        schema: schema === undefined ? null : register(schema, `${id}.${status}`),
        statements: statementsOf(response),
        headers: headers.map(([name, node]) =>
          named(openapi.dereference(node) as JsonObject, name),
        ),
      };
      return [status, data];
    },
  );
  const bodyNode = node.requestBody as JsonObject | undefined;
  const content = contentOf(bodyNode);
  const body = content && {
    required: bodyNode?.required === true,
    schema: register(content.schema, `${id}.body`),
    examples: content.examples.map((example) => openapi.follow(example).value),
  };
  const links = new Map([...factLinks(openapi, node), ...openapi.links(node)]);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: node.summary as string,
    tag: ((node.tags ?? []) as string[])[0] ?? '',
    ...readFacts(
      node,
      parameters.filter((item) => item.in === 'path').map(({ name }) => name),
    ),
    statements: [...links.keys()].sort(),
    parameters,
    body: body ?? null,
    responses: Object.fromEntries(responses),
    lines: linesOf(openapi, node, body && schemas[body.schema], links),
  };
}

function readFacts(node: WrittenOperation, pathParameters: readonly string[]) {
  const { 'x-effect': effect, 'x-success': success, 'x-object': text, 'x-restore': restore } = node;
  const fields = namesIn(text);
  return {
    area: node['x-area'],
    requires: node['x-requires'],
    effect,
    success: success === 'none' ? undefined : success,
    lock: node['x-lock'],
    idempotent: effect === 'none' || node['x-idempotent'] === true,
    items: node['x-items'],
    object:
      text === undefined
        ? undefined
        : { text, fields: fields.filter((name) => !pathParameters.includes(name)) },
    restore: restore === 'none' ? undefined : (restore as Restore | undefined),
    people: node['x-people'],
    secret: node['x-secret'] === true,
  };
}

/** The statements that an operation names in `x-success` and `x-requires`: it rests on them too. */
function* factLinks(openapi: OpenapiDocument, node: WrittenOperation): Generator<Link> {
  const { 'x-success': success, 'x-requires': requires } = node;
  if (success !== 'none') yield [success, openapi.line(node, 'x-success')];
  const { statements = {} } = requires;
  for (const [rule, said] of Object.entries(statements)) {
    const ids = typeof said === 'string' ? [said] : Object.values(said ?? {});
    yield* ids.map((id): Link => [id, openapi.line(statements, rule)]);
  }
}

/** The common parts of parameters and headers. */
function named(node: JsonObject, name: string): HeaderData {
  return {
    name,
    required: node.required === true,
    schema: node.schema as Schema,
    statements: statementsOf(node),
  };
}

/** The first media type of a content map, its schema and its examples. */
function contentOf(node: JsonObject | undefined) {
  const [first] = Object.entries((node?.content ?? {}) as Record<string, JsonObject>);
  if (first === undefined) return undefined;
  const [mediaType, { schema, examples }] = first;
  const given = Object.values((examples ?? {}) as Record<string, JsonObject>);
  return { mediaType, schema: schema as JsonObject, examples: given };
}

/** The lines of everything that can refuse a request: rights, parameters, each keyword of the body's schema. */
function linesOf(
  openapi: OpenapiDocument,
  node: JsonObject,
  body: Schema | undefined,
  links: ReadonlyMap<string, number>,
): OperationLines {
  const parameters = ((node.parameters ?? []) as JsonObject[]).map((raw) => [
    openapi.follow(raw).name,
    openapi.lineOfTarget(raw),
  ]);
  return {
    operation: openapi.line(node, 'operationId'),
    requires: openapi.line(node, 'x-requires'),
    parameters: Object.fromEntries(parameters),
    body: body === undefined ? {} : Object.fromEntries(schemaLines(openapi, body, '')),
    statements: Object.fromEntries([...links].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function* schemaLines(
  openapi: OpenapiDocument,
  schema: object,
  pointer: string,
): Generator<[string, number], void> {
  if (pointer === '') yield ['', openapi.line(schema)];
  for (const [key, item] of Object.entries(schema)) {
    if (['x-statements', 'description', 'examples'].includes(key)) continue;
    const below = `${pointer}${pointerToken(key)}`;
    if (openapi.source.has(schema, key)) yield [below, openapi.line(schema, key)];
    // A list of names has the line of its keyword.
    const names = Array.isArray(item) && item.every((name) => typeof name === 'string');
    if ((isObject(item) || Array.isArray(item)) && !names) {
      yield* schemaLines(openapi, item, below);
    }
  }
}
