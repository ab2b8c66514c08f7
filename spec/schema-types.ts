/** TypeScript types of a published JSON Schema: the schema is the one source of a format. */
import openapiTS, { astToString } from 'openapi-typescript';
import { isObject, type JsonObject } from './base/json.ts';

/**
 * The types of a schema's definitions, and of the whole where it gets a name. `parsed`: what is left
 * out is never there as undefined, as in everything that is read from a file.
 */
export async function schemaTypes(text: string, name?: string, parsed = false): Promise<string> {
  const schema = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'));
  // Conditions say which properties come together, and nothing of their types.
  const { $defs, allOf: _allOf, anyOf: _anyOf, ...root } = schema;
  const schemas = { ...$defs, ...(name === undefined ? {} : { [name]: root }) };
  const components = { schemas: typed(schemas) } as never;
  const ast = await openapiTS(
    { openapi: '3.1.0', info: { title: '', version: '' }, components },
    {
      immutable: true,
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      rootTypesKeepCasing: true,
    },
  );
  const types = astToString(ast);
  return parsed ? types : types.replaceAll(/(^\s+readonly [\w"$-]+\?: .*);$/gm, '$1 | undefined;');
}

/**
 * The schema in the words that openapi-typescript reads. A node with the comment "any value" has no
 * type: it is too wide, or would be its own.
 */
function typed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(typed);
  if (!isObject(schema)) return schema;
  if (schema.$comment === 'any value') return {};
  const entries = Object.entries(schema).filter(([key]) => key !== 'unevaluatedProperties');
  const node: JsonObject = Object.fromEntries(entries.map(([key, item]) => [key, typed(item)]));
  if (isObject(node.if) && isObject(node.then) && isObject(node.else)) {
    const { if: condition, then, else: other, ...rest } = node;
    return { ...rest, anyOf: [{ ...(condition as object), ...(then as object) }, other] };
  }
  const { $ref, properties, ...others } = node;
  if ($ref === undefined || properties === undefined) return node;
  return { allOf: [{ $ref }, { type: 'object', ...others, properties }] };
}
