/** Checks a HAR against the schema that the package `har-schema` publishes. */
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormatsModule from 'ajv-formats';

const schemas = createRequire(import.meta.url)('har-schema') as Readonly<Record<string, object>>;
const ajv = new Ajv({ strict: false, allErrors: true, meta: false });
addFormatsModule.default(ajv);
ajv.addMetaSchema(draft6);
for (const schema of Object.values(schemas)) ajv.addSchema(schema);

export function harProblems(har: unknown): string[] {
  const check = ajv.getSchema('har.json#');
  if (check === undefined) throw new Error('har-schema has no schema of a whole file');
  if (check(har) === true) return [];
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
