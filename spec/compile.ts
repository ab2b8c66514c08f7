/**
 * Turns the two hand-written files into what the tool runs on: operations, statements and
 * validators. Used ahead of time by `generate.ts`, and at start when a file was edited since.
 */
import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { parse } from 'yaml';
import { schemaProblems } from './base/schema-problems.ts';
import type {
  Choice,
  ContractData,
  OperationData,
  OperationLines,
  ParameterData,
  ResponseData,
  Schema,
  StatementData,
} from './contract-data.ts';
import { checkFacts, readFacts } from './facts.ts';
import { type Lines, parseWithLines } from './lines.ts';
import operationSchema from './operation.schema.json' with { type: 'json' };

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: Json };

/** The OpenAPI document, and where everything in it stands. */
interface Source {
  readonly document: Node;
  readonly lines: Lines;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Reads both files (as text) into plain data. Throws an Error that names the node at fault. */
export function readContract(openapiText: string, statementsText: string): ContractData {
  const { value, lines } = parseWithLines(openapiText);
  const source: Source = { document: value as Node, lines };
  const { document } = source;
  throwProblems(formProblems(source));
  const { statements, ...silences } = readStatements(statementsText);
  const schemas: Record<string, Schema> = {};
  const operations = collectOperations(source, schemas);
  const data: ContractData = {
    version: (document.info as { version: string }).version,
    sha256: { openapi: sha256(openapiText), statements: sha256(statementsText) },
    statements,
    ...silences,
    surfaces: document['x-surfaces'] as unknown as ContractData['surfaces'],
    operations,
    schemas,
  };
  throwProblems([...factProblems(source, data), ...linkProblems(data)]);
  return data;
}

type WrittenChoice = Choice & { readonly status?: number };
interface WrittenStatement extends Omit<StatementData, 'operations'> {
  readonly operations: string | string[];
  readonly assumption?: WrittenChoice;
  readonly alternatives?: readonly WrittenChoice[];
}

function readStatements(
  text: string,
): Pick<ContractData, 'statements' | 'statuses' | 'names' | 'strict'> {
  const { groups, names, strict, statements } = parse(text) as {
    groups: Record<string, string[]>;
    names: Record<string, string>;
    strict: Record<string, string>;
    statements: WrittenStatement[];
  };
  const statuses: Record<string, Record<string, number>> = {};
  for (const { id, assumption, alternatives = [] } of statements) {
    const choices = assumption === undefined ? [] : [assumption, ...alternatives];
    if (choices.every(({ status }) => status === undefined)) continue;
    statuses[id] = Object.fromEntries(choices.map((choice) => [choice.id, choice.status ?? 0]));
  }
  return {
    names,
    strict,
    statuses,
    statements: statements.map((statement) => ({
      ...statement,
      ...(statement.assumption && { assumption: withoutStatus(statement.assumption) }),
      ...(statement.alternatives && { alternatives: statement.alternatives.map(withoutStatus) }),
      operations: resolveGroup(groups, statement.operations, statement.id),
    })),
  };
}

function withoutStatus({ status: _status, ...choice }: WrittenChoice): Choice {
  return choice;
}

/** The Ajv instance of the contract: draft 2020-12, strict, every error reported. */
export function contractAjv(schemas: Record<string, Schema>, standalone = false): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    schemas: Object.entries(schemas).map(([key, schema]) => ({ ...schema, $id: key })),
    ...(standalone ? { code: { source: true, esm: true } } : {}),
  });
  ajv.addVocabulary(['x-statements', 'example']);
  addFormats(ajv as never);
  return ajv;
}

/** Compiles every schema of the contract. Throws when one of them does not compile. */
export function compileValidators(
  schemas: Record<string, Schema>,
): Record<string, ValidateFunction> {
  const ajv = contractAjv(schemas);
  return Object.fromEntries(
    Object.keys(schemas).map((key) => {
      const validate = ajv.getSchema(key);
      if (validate === undefined) throw new Error(`the schema ${key} does not compile`);
      return [key, validate];
    }),
  );
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function resolveGroup(
  groups: Record<string, string[]>,
  operations: string | string[],
  id: string,
): string[] {
  if (Array.isArray(operations)) return operations;
  const group = groups[operations];
  if (group === undefined) {
    throw new Error(`statements.yaml: ${id} names the group ${operations}, which does not exist`);
  }
  return group;
}

/** Throws one Error whose message has a line for each problem. */
function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** What is wrong with the extensions of the operations, taken one by one. */
function formProblems(source: Source): string[] {
  const fits = new Ajv2020({
    strict: true,
    strictRequired: false,
    allErrors: true,
    verbose: true,
  }).compile(operationSchema);
  return operationNodes(source).flatMap(({ node }) => {
    if (fits(node)) return [];
    return schemaProblems(fits.errors ?? []).map(({ path: [key = 'operationId'], message }) => {
      const line = source.lines.line(node, String(key)) ?? source.lines.own(node) ?? 1;
      const at = key === 'operationId' ? '' : ` ${key}:`;
      return `spec/openapi.yaml:${line}: ${String(node.operationId)}:${at} ${message}`;
    });
  });
}

function factProblems(source: Source, data: ContractData): string[] {
  const nodes = operationNodes(source);
  const statements = new Set(data.statements.map(({ id }) => id));
  return checkFacts(data.operations, data.schemas, statements).map((problem) => {
    const { operation, extension, message } = problem;
    const node = nodes.find((item) => item.node.operationId === operation)?.node ?? {};
    const line = source.lines.line(node, extension) ?? 1;
    return `spec/openapi.yaml:${line}: ${operation}: ${extension}: ${message}`;
  });
}

interface OperationNode {
  readonly path: string;
  readonly method: string;
  readonly node: Node;
}

function operationNodes({ document }: Source): OperationNode[] {
  return Object.entries(document.paths as Record<string, Node>).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = item[method] as Node | undefined;
      return node === undefined ? [] : [{ path, method, node }];
    }),
  );
}

function collectOperations(source: Source, schemas: Record<string, Schema>): OperationData[] {
  const shared = linksOf(source, source.document);
  return operationNodes(source).map((found) => readOperation(source, found, shared, schemas));
}

function readOperation(
  source: Source,
  { path, method, node }: OperationNode,
  shared: readonly Link[],
  schemas: Record<string, Schema>,
): OperationData {
  const id = node.operationId as string;
  const parameters = ((node.parameters ?? []) as Node[]).map((raw): ParameterData => {
    const parameter = dereference(source, raw) as Node;
    return {
      name: parameter.name as string,
      in: parameter.in as 'path' | 'query',
      required: parameter.required === true,
      schema: parameter.schema as Schema,
      statements: statementsOf(parameter),
    };
  });
  const bodyNode = node.requestBody as Node | undefined;
  const bodySchema = jsonSchemaOf(bodyNode)?.schema;
  const body =
    bodyNode === undefined || bodySchema === undefined
      ? undefined
      : {
          required: bodyNode.required === true,
          schema: register(source, schemas, bodySchema, `${id}.body`),
        };
  const responses: Record<string, ResponseData> = {};
  for (const [status, raw] of Object.entries(node.responses as Record<string, Node>)) {
    const response = follow(source, raw);
    const content = jsonSchemaOf(response);
    const headers = Object.entries((response.headers ?? {}) as Record<string, Node>);
    responses[status] = {
      mediaType: content?.mediaType ?? null,
      schema:
        content === undefined ? null : register(source, schemas, content.schema, `${id}.${status}`),
      statements: statementsOf(response),
      headers: headers.map(([name, header]) => {
        const resolved = dereference(source, header) as Node;
        return {
          name,
          required: resolved.required === true,
          schema: resolved.schema as Schema,
          statements: statementsOf(resolved),
        };
      }),
    };
  }
  const all = new Map([...shared, ...walkStatements(source, node)]);
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
    statements: [...all.keys()].sort(),
    parameters,
    body: body ?? null,
    responses,
    lines: linesOf(source, node, body === undefined ? {} : (schemas[body.schema] ?? {}), all),
  };
}

/** Where what can refuse a request stands: rights, parameters, every keyword of the body's schema. */
function linesOf(
  { document, lines }: Source,
  node: Node,
  body: Schema,
  statements: ReadonlyMap<string, number>,
): OperationLines {
  const parameters = ((node.parameters ?? []) as Node[]).map((raw): [string, number] => {
    const target = follow({ document, lines }, raw);
    return [target.name as string, lines.own(target) ?? 0];
  });
  return {
    operation: lines.line(node, 'operationId') ?? 0,
    requires: lines.line(node, 'x-requires') ?? 0,
    parameters: Object.fromEntries(parameters),
    body: Object.fromEntries(schemaLines(lines, body, '')),
    statements: Object.fromEntries([...statements].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function* schemaLines(
  lines: Lines,
  schema: object,
  pointer: string,
): Generator<[string, number], void> {
  const own = lines.own(schema);
  if (pointer === '' && own !== undefined) yield ['', own];
  for (const [key, item] of Object.entries(schema)) {
    if (key === 'x-statements' || key === 'description') continue;
    const line = lines.line(schema, key);
    const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (line !== undefined) yield [below, line];
    // Lists of names stand where their keyword does.
    const names = Array.isArray(item) && item.every((name) => typeof name === 'string');
    if (item !== null && typeof item === 'object' && !names) {
      yield* schemaLines(lines, item, below);
    }
  }
}

/** The first media type of a content map and its schema. */
function jsonSchemaOf(node: Node | undefined): { mediaType: string; schema: Node } | undefined {
  const content = node?.content as Record<string, Node> | undefined;
  const first = content === undefined ? undefined : Object.entries(content)[0];
  return first === undefined ? undefined : { mediaType: first[0], schema: first[1].schema as Node };
}

/** Stores a schema under its component's name, or under `fallback` where it is written in place. */
function register(
  source: Source,
  schemas: Record<string, Schema>,
  schema: Node,
  fallback: string,
): string {
  const reference = schema.$ref as string | undefined;
  const key = reference?.split('/').at(-1) ?? fallback;
  schemas[key] ??= dereference(source, schema) as Schema;
  return key;
}

/** Replaces each $ref by its target; what stands beside a $ref overrides the target. */
function dereference(source: Source, value: Json, trail: string[] = []): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => dereference(source, item, trail));
    source.lines.inherit(items, value);
    return items;
  }
  const { $ref: reference, ...rest } = value;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, dereference(source, item, trail)]),
  );
  source.lines.inherit(own, value);
  if (typeof reference !== 'string') return own;
  if (trail.includes(reference)) throw new Error(`openapi.yaml: ${reference} refers to itself`);
  const target = dereference(source, resolve(source, reference), [...trail, reference]);
  const whole = { ...(target as Node), ...own };
  source.lines.inherit(whole, target as Node, own);
  return whole;
}

function follow(source: Source, node: Node): Node {
  return typeof node.$ref === 'string' ? (resolve(source, node.$ref) as Node) : node;
}

function resolve(source: Source, reference: string): Json {
  if (!reference.startsWith('#/')) {
    throw new Error(`openapi.yaml: ${reference} does not point into the contract itself`);
  }
  let node: Json | undefined = source.document;
  for (const token of reference.slice(2).split('/')) {
    node = (node as Node)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (node === undefined) throw new Error(`openapi.yaml: ${reference} does not resolve`);
  }
  return node;
}

function statementsOf(node: Node): string[] {
  return (node['x-statements'] ?? []) as string[];
}

/** A statement that a node rests on, and the line that says so. */
type Link = readonly [statement: string, line: number];

function linksOf({ lines }: Source, node: Node): Link[] {
  const list = statementsOf(node);
  return list.map((id, index) => [id, lines.line(list, String(index)) ?? 0]);
}

/** What is nearer to the ground comes later. */
function* walkStatements(
  source: Source,
  value: Json,
  seen = new Set<string>(),
): Generator<Link, void> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walkStatements(source, item, seen);
  } else if (value !== null && typeof value === 'object') {
    yield* linksOf(source, value);
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string') {
        if (seen.has(item)) continue;
        seen.add(item);
        yield* walkStatements(source, resolve(source, item), seen);
      } else if (key !== 'x-statements') {
        yield* walkStatements(source, item, seen);
      }
    }
  }
}

/** Every id that is used exists; statements and operations name each other both ways. */
function linkProblems(data: ContractData): string[] {
  const problems: string[] = [];
  const used = new Set(data.operations.flatMap((operation) => operation.statements));
  const known = new Set<string>();
  const operations = new Map(data.operations.map((operation) => [operation.id, operation]));
  for (const statement of data.statements) {
    if (known.has(statement.id)) problems.push(`${statement.id} is defined twice`);
    known.add(statement.id);
    if (!used.has(statement.id)) problems.push(`${statement.id} is not used by the contract`);
    for (const id of statement.operations) {
      if (operations.get(id)?.statements.includes(statement.id) === true) continue;
      problems.push(`${statement.id} names ${id}, which has no x-statements link to it`);
    }
  }
  for (const operation of data.operations) {
    for (const id of operation.statements) {
      const statement = data.statements.find((item) => item.id === id);
      if (statement === undefined || statement.operations.includes(operation.id)) continue;
      problems.push(`${operation.id} links to ${id}, which does not name it`);
    }
  }
  for (const [name, id] of Object.entries(data.names)) {
    if (!known.has(id)) problems.push(`statements.yaml: ${name} names ${id}, which it lacks`);
  }
  for (const id of used) {
    if (!known.has(id)) problems.push(`the contract uses ${id}, which statements.yaml lacks`);
  }
  return problems;
}
