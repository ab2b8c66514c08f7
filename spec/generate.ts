/** Writes the generated files of the contract, and the types of the published JSON Schemas. */
import { basename } from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import openapiTS, { astToString } from 'openapi-typescript';
import { grammarAjv, grammarSchema, sha256Of } from './base/grammar.ts';
import { isObject, type JsonObject } from './base/json.ts';
import { Incomplete } from './base/refused.ts';
import { contractAjv, readContract } from './compile.ts';
import type { ContractData } from './contract-data.ts';
import { committedText, withRegion, writeGenerated } from './write-generated.ts';

const banner = (sources: string) =>
  `// Generated from ${sources} by \`npm run generate\`. Do not edit.\n`;
const ofContract = banner('openapi.yaml and statements.yaml');

const data = contractOrExit();
const ajv = contractAjv(data.schemas, true);
const names = Object.fromEntries(
  Object.keys(data.schemas).map((key) => [`validate_${key.replaceAll('.', '_')}`, key]),
);
const ast = await openapiTS(new URL('./openapi.yaml', import.meta.url), { alphabetize: false });

const statusStatements = Object.keys(data.statuses).map((id) => `\n  | '${id}'`);
const statementNames = Object.entries(data.names).map(
  ([name, id]) => `  readonly ${name}: '${id}';`,
);
const choices = data.statements.flatMap(({ id, assumption, alternatives = [] }) => {
  const ids = [assumption, ...alternatives].flatMap((choice) => choice?.id ?? []);
  return ids.length === 0
    ? []
    : `  readonly '${id}'?: ${ids.map((one) => `'${one}'`).join(' | ')};`;
});
const contractModule = `import type { ContractData } from './contract-data.ts';

export const data: ContractData = JSON.parse(${JSON.stringify(JSON.stringify(data))});

/** Silent statements that decide a status. */
export type StatusStatement =${statusStatements.join('')};

/** Statements that code asks for by name. */
export interface StatementNames {
${statementNames.join('\n')}
}

/** The choices that a mock can make at each silent statement. */
export interface Choices {
${choices.join('\n')}
}
`;

/** Checks as a module. */
function moduleOf(checks: unknown, ids: Readonly<Record<string, string>>): string {
  const write = standaloneCode as unknown as (ajv: unknown, refs: object) => string;
  return `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
${write(checks, ids).replace(/^"use strict";/, '')}
`;
}

const scenarios = 'conformance/scenario.schema.json';
const words: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [scenarios]: {
    'the operations of spec/openapi.yaml': data.operations.map(({ id }) => id),
    'the words of tenant.schema.json': needs(),
  },
};

/** Published schemas: the folder of their types, and the name of the type of the whole. */
const published: readonly (readonly [folder: string, schema: string, name?: string])[] = [
  ['spec', 'spec/operation', 'WrittenOperation'],
  ['spec', 'spec/statement', 'WrittenStatement'],
  ['fixtures', 'fixtures/fixture', 'FixtureInput'],
  ['conformance/judge', 'conformance/report', 'Report'],
  ['conformance/judge', 'conformance/gate', 'Gate'],
  ['conformance/language', 'conformance/scenario', 'ScenarioText'],
  ['conformance/language', 'conformance/authorisation', 'MatrixText'],
  ['conformance/language', 'conformance/tenant', 'TenantText'],
  ['conformance/safety', 'conformance/ledger', 'LedgerLine'],
];
/** Absent fields of these are never present as undefined, because they are only read from files. */
const parsed = ['Gate', 'ScenarioText', 'MatrixText', 'TenantText'];

const types: Record<string, string> = {};
for (const [folder, path, name] of published) {
  const schema = `${path}.schema.json`;
  const text = await schemaTypes(textWithWords(schema), name, parsed.includes(name ?? ''));
  types[`${folder}/${basename(path)}.generated.ts`] = banner(schema) + text;
}

/** Whole files, and files in which a marked region is generated. */
writeGenerated({
  ...types,
  'spec/openapi.types.ts': ofContract + astToString(ast),
  'spec/contract.generated.ts': ofContract + contractModule,
  'spec/validators.generated.js': ofContract + moduleOf(ajv, names),
  'conformance/language/grammars.generated.js': grammarsModule(),
  [scenarios]: textWithWords(scenarios),
  'mock/README.md': withRegion(committedText('mock/README.md'), 'operations', operationsTable()),
});

/**
 * The types of a schema's definitions, and of the whole if it gets a name. `parsed`: absent fields are never
 * present as undefined, as in all values that are read from a file.
 */
async function schemaTypes(text: string, name?: string, parsed = false): Promise<string> {
  const schema = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'));
  // Conditions say which properties come together, but nothing about their types.
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
 * type, because its type would be too wide or would contain itself.
 */
function typed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(typed);
  if (!isObject(schema)) return schema;
  if (schema.$comment === 'any value') return {};
  const { unevaluatedProperties: _others, patternProperties: _patterns, ...said } = schema;
  const entries = Object.entries(said);
  const node: JsonObject = Object.fromEntries(entries.map(([key, item]) => [key, typed(item)]));
  if (isObject(node.if) && isObject(node.then) && isObject(node.else)) {
    const { if: condition, then, else: other, ...rest } = node;
    return { ...rest, anyOf: [{ ...(condition as object), ...(then as object) }, other] };
  }
  const { $ref, properties, ...others } = node;
  if ($ref === undefined || properties === undefined) return node;
  return { allOf: [{ $ref }, { type: 'object', ...others, properties }] };
}

/** The checks of the suite's grammars, because compiling them takes longer than reading the suite. */
function grammarsModule(): string {
  const checks = grammarAjv(true);
  const hashes: string[] = [];
  const add = (name: string, path: string, definition?: string): void => {
    const schema = grammarSchema(JSON.parse(textWithWords(path)), definition);
    checks.addSchema(schema, name);
    hashes.push(`${name}.of = '${sha256Of(schema)}';\n`);
  };
  add('scenario', scenarios);
  add('standing', scenarios, 'standing');
  add('authorisation', 'conformance/authorisation.schema.json');
  const ids = { scenario: 'scenario', standing: 'standing', authorisation: 'authorisation' };
  return banner('the schemas of conformance/') + moduleOf(checks, ids) + hashes.join('');
}

/** Prints the problems of the contract one a line, without a stack. */
function contractOrExit(): ContractData {
  try {
    return readContract(committedText('spec/openapi.yaml'), committedText('spec/statements.yaml'));
  } catch (error) {
    if (!(error instanceof Incomplete)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** A schema with the enumerations that are generated, each found by its comment. */
function textWithWords(name: string): string {
  return Object.entries(words[name] ?? {}).reduce((text, [comment, list]) => {
    const [before, after] = text.split(`"generated: ${comment}",`);
    if (after === undefined) throw new Error(`${name} has no words "generated: ${comment}"`);
    const lines = list.map((word) => `\n        ${JSON.stringify(word)}`).join(',');
    const rest = after.slice(after.indexOf(']'));
    return `${before}"generated: ${comment}",\n      "enum": [${lines}\n      ${rest}`;
  }, committedText(name));
}

/** The needs that a scenario can have of a tenant: credentials, features, bindings and their fields. */
function needs(): string[] {
  const schema = JSON.parse(committedText('conformance/tenant.schema.json')) as {
    readonly properties: Record<string, { readonly properties: Record<string, { $ref: string }> }>;
    readonly $defs: Record<string, { readonly properties: object }>;
  };
  const words = (of: string) => Object.keys(schema.properties[of]?.properties ?? {});
  const fields = Object.entries(schema.properties.bindings?.properties ?? {}).flatMap(
    ([name, { $ref }]) => {
      const { properties = {} } = schema.$defs[$ref.split('/').at(-1) ?? ''] ?? {};
      return [name, ...Object.keys(properties).map((field) => `${name}.${field}`)];
    },
  );
  const absent = words('features').map((name) => `!${name}`);
  return ['https', ...words('credentials'), ...words('features'), ...absent, ...fields];
}

function operationsTable(): string {
  const silences = new Set(
    data.statements.flatMap(({ id, level }) => (level === 'silent' ? [id] : [])),
  );
  const rows = data.operations.map(({ id, method, path, statements }) => {
    const open = statements.filter((statement) => silences.has(statement)).length;
    return `| \`${id}\` | \`${method} ${path}\` | ${statements.length - open} | ${open} |\n`;
  });
  return ['| operation | | promises | silences |\n|---|---|---|---|\n', ...rows].join('');
}
