/** Links operations and statements: by the links of an operation's nodes, or by its groups. */
import { hint } from './base/similar.ts';
import type { YamlSource } from './base/yaml-source.ts';
import type { ContractData, OperationData } from './contract-data.ts';
import type { ContractProblem, OpenapiDocument } from './openapi-document.ts';
import type { WrittenStatement } from './statement.generated.ts';

export interface StatementsFile
  extends Pick<ContractData, 'names' | 'areas' | 'strict' | 'clientsSend'> {
  readonly statements: readonly WrittenStatement[];
  /** The headings of the description that statements cite, and the line of each. */
  readonly sections: Readonly<Record<string, number>>;
  /** Ids of statements that are gone. */
  readonly retired?: readonly string[];
}

/**
 * The groups of operations that a statement may name instead of operations. The facts about a new operation
 * decide which groups it belongs to.
 */
const groups: Readonly<Record<string, (operation: OperationData) => boolean>> = {
  all: () => true,
  management: ({ requires }) => requires.surface === 'management',
  build: ({ requires }) => requires.surface === 'build',
  scim: ({ requires }) => requires.surface === 'scim',
  /** Operations of the management and build API. */
  console: ({ requires }) => requires.surface !== 'scim',
  noEmbed: ({ requires }) => requires.surface !== 'scim' && !requires.credentials.includes('embed'),
  deployment: ({ requires }) => requires.deployment !== undefined,
  reads: ({ effect }) => effect === 'none',
  writes: ({ effect }) => effect !== 'none',
  /** Writes that need no body, because all its fields are optional. */
  optionalBody: ({ body }) => body?.required === false,
  query: ({ parameters }) => parameters.some((item) => item.in === 'query'),
  pages: ({ parameters }) =>
    parameters.some((item) => item.in === 'query' && item.name === 'limit'),
};

/** The operations of each statement, in the order of the contract, and every wrong link. */
export function linkStatements(
  openapi: OpenapiDocument,
  source: YamlSource,
  operations: readonly OperationData[],
) {
  const file = source.value as StatementsFile;
  const problems = [...unknownStatements(openapi, file), ...restated(openapi, file, operations)];
  const names = [...Object.keys(groups), ...operations.map((operation) => operation.id)];
  const found = new Map<string, readonly string[]>();
  for (const statement of file.statements) {
    const { id } = statement;
    const say = (message: string, key = 'id'): void => {
      const { line } = source.at(statement, key);
      problems.push(`spec/statements.yaml:${line}: ${id}: ${message}`);
    };
    if (found.has(id)) say(`${id} is defined twice; ids are never reused`);
    if (file.sections[statement.section] === undefined) {
      const message = `sections has no heading ${statement.section}`;
      say(message + hint(statement.section, Object.keys(file.sections)), 'section');
    }
    if (file.retired?.includes(id)) say(`${id} is retired; ids are never reused`);
    const unknown = namesOf(statement).filter((name) => !names.includes(name));
    for (const name of unknown) {
      say(`there is no operation or group ${name}${hint(name, names)}`, 'operations');
    }
    const named = operations.filter((operation) => isNamed(statement, operation));
    const linked = operations.filter((operation) => operation.statements.includes(id));
    if (statement.operations !== undefined) {
      for (const { id: operation, lines } of linked.filter((item) => !named.includes(item))) {
        problems.push(
          `spec/openapi.yaml:${lines.statements[id]}: ${operation}: ${id} is only about ${namesOf(statement).join(', ')}; take the link out, or name ${operation} in statements.yaml`,
        );
      }
    }
    const all = operations.filter((item) => named.includes(item) || linked.includes(item));
    if (all.length === 0 && unknown.length === 0) {
      const some = Object.keys(groups).join(', ');
      say(
        `no operation rests on it; name it in the x-statements of openapi.yaml, or write operations: <${some}>`,
      );
    }
    const ids = all.map((operation) => operation.id);
    found.set(id, ids);
  }
  return { operations: found, problems };
}

function namesOf({ operations = [] }: WrittenStatement): readonly string[] {
  return [operations].flat();
}

function isNamed(statement: WrittenStatement, operation: OperationData): boolean {
  return namesOf(statement).some(
    (name) => name === operation.id || (groups[name]?.(operation) ?? false),
  );
}

function unknownStatements(openapi: OpenapiDocument, file: StatementsFile): ContractProblem[] {
  const known = file.statements.map(({ id }) => id);
  const links = new Map([...openapi.links(openapi.root)].map((link) => [link.join(), link]));
  return [...links.values()]
    .filter(([id]) => !known.includes(id))
    .map(
      ([id, line]) =>
        `spec/openapi.yaml:${line}: x-statements: there is no statement ${id}${hint(id, known)}; write it in spec/statements.yaml`,
    );
}

/** An operation names only its own statements: the others come with its groups. */
function restated(
  openapi: OpenapiDocument,
  file: StatementsFile,
  operations: readonly OperationData[],
): ContractProblem[] {
  return openapi.operations().flatMap(({ node }) => {
    const operation = operations.find(({ id }) => id === node.operationId);
    return openapi.ownLinks(node).flatMap(([id, line]) => {
      const statement = file.statements.find((item) => item.id === id);
      const said =
        operation !== undefined && statement !== undefined && isNamed(statement, operation);
      if (!said) return [];
      return `spec/openapi.yaml:${line}: ${operation.id}: x-statements: ${id} is about ${namesOf(statement).join(', ')} already; take it out`;
    });
  });
}
