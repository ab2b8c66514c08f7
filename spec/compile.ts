/**
 * Turns the two hand-written files into the form that the tool uses: operations, statements and
 * validators. `generate.ts` does it ahead of time; it happens at start if a file was edited since.
 */
import { hash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { Grammar } from './base/grammar.ts';
import { Incomplete } from './base/refused.ts';
import { YamlSource } from './base/yaml-source.ts';
import type { Choice, ContractData, Schema } from './contract-data.ts';
import { checkFacts } from './facts.ts';
import { type ContractProblem, OpenapiDocument } from './openapi-document.ts';
import operationSchema from './operation.schema.json' with { type: 'json' };
import { readOperation } from './read-operation.ts';
import type { Choice as WrittenChoice, WrittenStatement } from './statement.generated.ts';
import statementSchema from './statement.schema.json' with { type: 'json' };
import { linkStatements, type StatementsFile } from './statement-links.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/**
 * Reads both files (as text) into plain data. Throws an Error with one line for each problem:
 * `file:line: problem; remedy`.
 */
export function readContract(openapiText: string, statementsText: string): ContractData {
  const openapi = new OpenapiDocument(openapiText);
  const source = new YamlSource('spec/statements.yaml', statementsText);
  const file = source.value as StatementsFile;
  throwProblems(formProblems(openapi, source, file));
  const schemas: Record<string, Schema> = {};
  const read = openapi.operations().map((node) => readOperation(openapi, node, schemas));
  const links = linkStatements(openapi, source, read);
  const statements = new Set(links.operations.keys());
  const facts = checkFacts(openapi, { operations: read, schemas, statements });
  throwProblems([...links.problems, ...facts]);
  const operationsOf = (id: string): readonly string[] => links.operations.get(id) ?? [];
  const operations = read.map((operation) => ({
    ...operation,
    statements: [...statements].filter((id) => operationsOf(id).includes(operation.id)).sort(),
  }));
  const { names, areas, strict, clientsSend } = file;
  return {
    version: (openapi.root.info as { version: string }).version,
    sha256: { openapi: hash('sha256', openapiText), statements: hash('sha256', statementsText) },
    statements: file.statements.map((item) => ({
      ...compiledStatement(item, operationsOf(item.id)),
      line: file.sections[item.section] ?? 0,
    })),
    statuses: statusesOf(file),
    names,
    areas,
    strict,
    clientsSend,
    surfaces: openapi.root['x-surfaces'] as ContractData['surfaces'],
    operations,
    schemas,
  };
}

/** A statement in the form that the tool uses. */
function compiledStatement(written: WrittenStatement, operations: readonly string[]) {
  const { assumption, alternatives } = written;
  return {
    ...written,
    ...(assumption && { assumption: withoutStatus(assumption) }),
    ...(alternatives && { alternatives: alternatives.map(withoutStatus) }),
    operations,
  };
}

function withoutStatus({ status: _status, ...choice }: WrittenChoice): Choice {
  return choice;
}

/** The status of each choice, for each silence about a status. */
function statusesOf({ statements }: StatementsFile): ContractData['statuses'] {
  const statuses: Record<string, Record<string, number>> = {};
  for (const { id, assumption, alternatives = [] } of statements) {
    const choices = assumption === undefined ? [] : [assumption, ...alternatives];
    if (choices.every(({ status }) => status === undefined)) continue;
    statuses[id] = Object.fromEntries(choices.map((choice) => [choice.id, choice.status ?? 0]));
  }
  return statuses;
}

function throwProblems(problems: readonly ContractProblem[]): void {
  if (problems.length > 0) throw new Incomplete([...new Set(problems)]);
}

/** The problems with the form of the operations' extensions and of the statements. */
function formProblems(
  openapi: OpenapiDocument,
  source: YamlSource,
  { statements }: StatementsFile,
): ContractProblem[] {
  const ofOperation = new Grammar(operationSchema);
  const ofStatement = new Grammar(statementSchema);
  const wrong = (grammar: Grammar<unknown>, source: YamlSource, value: object, name: unknown) => {
    const read = grammar.read(value);
    if ('value' in read) return [];
    return read.problems.map(({ path, message }) => {
      const { file, line } = source.find(path, { from: value });
      return `${file}:${line}: ${[name, ...path].join(': ')}: ${message}`;
    });
  };
  return [
    ...openapi
      .operations()
      .flatMap(({ node }) => wrong(ofOperation, openapi.source, node, node.operationId)),
    ...statements.flatMap((item) => wrong(ofStatement, source, item, item.id)),
  ];
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
  ajv.addVocabulary(['x-statements', 'x-unpromised', 'example']);
  addFormats(ajv as never);
  // The pattern next to the format says more, so only the pattern is checked.
  ajv.addFormat('date-time', true);
  return ajv;
}

/** Compiles every schema of the contract. Throws when one of them does not compile. */
export function compileValidators(
  schemas: Record<string, Schema>,
): Record<string, ValidateFunction | undefined> {
  const ajv = contractAjv(schemas);
  return Object.fromEntries(Object.keys(schemas).map((key) => [key, ajv.getSchema(key)]));
}
