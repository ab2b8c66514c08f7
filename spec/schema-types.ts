/** TypeScript types of a published JSON Schema: the schema is the one source of a format. */
import openapiTS, { astToString } from 'openapi-typescript';

/** The types of a schema's definitions, and of the whole where it gets a name. */
export async function schemaTypes(schema: string, name?: string): Promise<string> {
  const text = schema.replaceAll('#/$defs/', '#/components/schemas/');
  // Conditions say which properties come together, and nothing of their types.
  const { $defs, allOf: _allOf, anyOf: _anyOf, ...root } = JSON.parse(text);
  const schemas = { ...$defs, ...(name === undefined ? {} : { [name]: root }) };
  const ast = await openapiTS(
    { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas } as never },
    {
      immutable: true,
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      rootTypesKeepCasing: true,
    },
  );
  // What is left out may be given as undefined as well.
  return astToString(ast).replaceAll(/(^\s+readonly [\w"$-]+\?: .*);$/gm, '$1 | undefined;');
}
