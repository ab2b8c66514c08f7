/** The types of what a person writes, from the JSON Schema that checks it. */
import openapiTS, { astToString } from 'openapi-typescript';
import { isObject, type JsonObject } from './base/json.ts';

/** A module with `components['schemas']`: one type for each definition, and `root` for the whole. */
export async function typesOfSchema(text: string): Promise<string> {
  const schema: unknown = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'));
  const { $defs = {}, $id: _id, $schema: _dialect, ...root } = readable(schema) as JsonObject;
  const info = { title: 'types', version: '0' };
  const schemas = { root, ...($defs as object) };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  return astToString(await openapiTS(JSON.stringify(document), { immutable: true }));
}

/**
 * The schema in the words that openapi-typescript reads. A node with the comment "any value" has no
 * type: it is too wide, or would be its own.
 */
function readable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readable);
  if (!isObject(schema)) return schema;
  if (schema.$comment === 'any value') return {};
  const entries = Object.entries(schema).filter(([key]) => key !== 'unevaluatedProperties');
  const node: JsonObject = Object.fromEntries(entries.map(([key, item]) => [key, readable(item)]));
  if (isObject(node.if) && isObject(node.then) && isObject(node.else)) {
    const { if: condition, then, else: other, ...rest } = node;
    return { ...rest, anyOf: [{ ...(condition as object), ...(then as object) }, other] };
  }
  const { $ref, properties, ...others } = node;
  if (properties === undefined && node.type === 'object')
    return { additionalProperties: true, ...node };
  if ($ref === undefined || properties === undefined) return node;
  return { allOf: [{ $ref }, { type: 'object', ...others, properties }] };
}
