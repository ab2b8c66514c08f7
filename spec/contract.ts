/**
 * The contract: operations, statements and compiled validators.
 *
 * Only this file reads `openapi.yaml` and `statements.yaml`. It uses the output of `npm run generate` while
 * that is fresh; if a file was edited since, it is compiled at start. If a schema does not compile, the
 * start fails.
 */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ErrorObject } from 'ajv';
import { pointerKeys, pointerToken } from './base/json.ts';
import {
  data as generated,
  type StatementNames,
  type StatusStatement,
} from './contract.generated.ts';
import type {
  Choice,
  ContractData,
  CredentialKind,
  OperationData,
  OperationId,
  ResponseData,
  Schema,
  Statement,
} from './contract-data.ts';
import * as validators from './validators.generated.js';

export type { Choices, StatusStatement } from './contract.generated.ts';
export type * from './contract-data.ts';
export type { components, operations, paths } from './openapi.types.ts';

/** One way in which a value does not fit its schema. */
export interface Failure {
  /** JSON pointer to the value; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
  /** JSON pointer to the keyword within the schema. */
  readonly schemaPointer: string;
  /** The keyword of the schema that failed, such as `type` or `required`. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Statements of the nearest schema node that names any. */
  readonly statements: readonly string[];
}

/** Returns the failures of a value; empty if it fits. Never changes the value. */
export type Validate = (value: unknown) => readonly Failure[];

interface Checked {
  readonly schema: Schema;
  readonly validate: Validate;
}

export interface Response extends Omit<ResponseData, 'schema'> {
  readonly schema: Schema | null;
  readonly validate: Validate;
}

export interface Operation extends Omit<OperationData, 'id' | 'body' | 'responses'> {
  readonly id: OperationId;
  readonly body: (Checked & Omit<NonNullable<OperationData['body']>, 'schema'>) | null;
  /** The response for a status: the exact one, else the one of its class (`4XX`), else undefined. */
  readonly responseFor: (status: number) => Response | undefined;
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Contract extends Omit<ContractData, 'operations' | 'statements' | 'schemas'> {
  readonly operations: ReadonlyMap<OperationId, Operation>;
  readonly statements: ReadonlyMap<string, Statement>;
}

type AjvError = Omit<ErrorObject, 'data'>;
type AjvValidate = ((value: unknown) => boolean) & { errors?: AjvError[] | null };

/** Absolute path of the OpenAPI document. */
export const contractFile: string = fileURLToPath(new URL('./openapi.yaml', import.meta.url));
const statementsFile = fileURLToPath(new URL('./statements.yaml', import.meta.url));

export const contract: Contract = load();

/** Statements that hold for requests of every kind, by the names that code uses. */
export const named = contract.names as unknown as StatementNames;

export function operation(id: OperationId): Operation {
  const found = contract.operations.get(id);
  if (found === undefined) throw new Error(`the contract has no operation ${id}`);
  return found;
}

export function statement(id: string): Statement {
  const found = contract.statements.get(id);
  if (found === undefined) throw new Error(`the contract has no statement ${id}`);
  return found;
}

/** A short name of the contract, for files that depend on it. */
export const contractName = `${contract.version} ${contract.sha256.statements.slice(0, 8)}`;

/** Custom names begin with this prefix; no statement of the contract does. */
export function isCustomName(id: string): boolean {
  return /^X-\w[\w-]*$/.test(id);
}

/** The choices of a silence, the assumption first. */
export const choicesOf = ({ assumption, alternatives = [] }: Statement): readonly Choice[] =>
  assumption === undefined ? alternatives : [assumption, ...alternatives];

export const kindsInWords: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'an API key',
  oauth: 'an OAuth access token',
  embed: 'an embed JWT',
  scim: 'a SCIM token',
};

/** Whether a statement leaves a status open, and the contract has a status for each of its choices. */
export function decidesStatus(id: string): id is StatusStatement {
  return id in contract.statuses;
}

/** The status of a choice of a silent statement; 0 if that choice refuses nothing. */
export function assumedStatus(id: StatusStatement, choice: string): number {
  const status = contract.statuses[id]?.[choice];
  if (status === undefined) throw new Error(`${id} has no status for the choice ${choice}`);
  return status;
}

/** There is no top-level await here, so that CommonJS can require code that imports the contract. */
function load(): Contract {
  const [openapi, statements] = [readFileSync(contractFile), readFileSync(statementsFile)];
  const fresh =
    generated.sha256.openapi === hash('sha256', openapi) &&
    generated.sha256.statements === hash('sha256', statements);
  if (fresh) {
    const ready = validators as unknown as Readonly<Record<string, AjvValidate>>;
    return assemble(generated, (key) => ready[exportName(key)]);
  }
  const { readContract, compileValidators } = compiler();
  const data = readContract(openapi.toString(), statements.toString());
  const compiled = compileValidators(data.schemas);
  return assemble(data, (key) => compiled[key] as AjvValidate | undefined);
}

/** Needed only if a file was edited, because it loads Ajv and the YAML parser. */
function compiler(): typeof import('./compile.ts') {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return createRequire(import.meta.url)(`./compile.${extension}`) as typeof import('./compile.ts');
}

/** Name under which the generated module exports the validator of a schema. */
function exportName(key: string): string {
  return `validate_${key.replaceAll('.', '_')}`;
}

function assemble(
  { schemas, ...data }: ContractData,
  validatorOf: (key: string) => AjvValidate | undefined,
): Contract {
  const none: readonly Failure[] = [];
  const schemaOf = (key: string): Checked => {
    const check = validatorOf(key);
    if (check === undefined) throw new Error(`the schema ${key} of the contract has no validator`);
    const schema = schemas[key] ?? {};
    const validate: Validate = (value) =>
      check(value) ? none : (check.errors ?? []).map((error) => failure(error, schema));
    return { schema, validate };
  };
  const nothing = { schema: null, validate: () => none };
  const operations = data.operations.map((source): [OperationId, Operation] => {
    const id = source.id as OperationId;
    const responses: Operation['responses'] = Object.fromEntries(
      Object.entries(source.responses).map(([status, response]) => [
        status,
        { ...response, ...(response.schema === null ? nothing : schemaOf(response.schema)) },
      ]),
    );
    const responseFor: Operation['responseFor'] = (status) =>
      responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
    const body = source.body && { ...source.body, ...schemaOf(source.body.schema) };
    return [id, { ...source, id, body, responses, responseFor }];
  });
  return {
    ...data,
    operations: new Map(operations),
    statements: new Map(data.statements.map((item) => [item.id, item])),
  };
}

function failure(error: AjvError, schema: Schema): Failure {
  return {
    pointer: error.instancePath,
    message: error.message ?? `does not fit ${error.keyword}`,
    schemaPointer: schemaKeys(error).map(pointerToken).join(''),
    keyword: error.keyword,
    params: error.params,
    statements: statementsAt(schema, error),
  };
}

/** Statements of the deepest schema node on the way to the keyword that failed. */
function statementsAt(schema: Schema, error: AjvError): readonly string[] {
  const tokens = schemaKeys(error);
  // If a property is missing, the statements of the property's own node count.
  const missing = error.params.missingProperty;
  if (error.keyword === 'required' && typeof missing === 'string') {
    tokens.splice(-1, 1, 'properties', missing);
  }
  let node: unknown = schema;
  let nearest: readonly string[] = [];
  for (const token of [undefined, ...tokens]) {
    if (token !== undefined) node = (node as Record<string, unknown> | undefined)?.[token];
    if (node === null || typeof node !== 'object') break;
    const own = (node as Schema)['x-statements'];
    if (Array.isArray(own)) nearest = own as string[];
  }
  return nearest;
}

function schemaKeys({ schemaPath }: AjvError): string[] {
  return pointerKeys(decodeURIComponent(schemaPath.slice(schemaPath.indexOf('#') + 1)));
}
