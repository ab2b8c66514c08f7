/**
 * Checks the extensions of an operation against the rest of the contract. `operation.schema.json`
 * has already checked their form.
 */
import { atPointer } from './base/json.ts';
import type { OperationData, Requires, Schema } from './contract-data.ts';
import type { ContractProblem, OpenapiDocument } from './openapi-document.ts';

/** The names in the braces of a text; `{a|b}` has two names. */
export function namesIn(text = ''): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split('|'));
}

type Stated = NonNullable<Requires['statements']>;

/** The names that an extension may refer to. */
interface Known {
  readonly operations: readonly OperationData[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly statements: ReadonlySet<string>;
}

/** A problem with an extension of an operation, and what to write instead. */
type Finding = readonly [extension: string, message: string];

/** Whether the operations, fields and statements that extensions refer to exist. */
export function checkFacts(openapi: OpenapiDocument, known: Known): ContractProblem[] {
  const rules = [checkRequires, checkSuccess, checkLock, checkItems, checkObject, checkPeople];
  return openapi.operations().flatMap(({ node }, index) => {
    const operation = known.operations[index];
    if (operation === undefined) return [];
    return rules
      .flatMap((rule) => [...rule(operation, known)])
      .map(([extension, message]) => {
        const line = openapi.line(node, extension);
        return `spec/openapi.yaml:${line}: ${operation.id}: ${extension}: ${message}`;
      });
  });
}

/** Names that are not in a list. `part` is the key of the extension, if it has several. */
function* strangers(
  extension: string,
  part: string,
  names: readonly string[],
  known: readonly string[],
): Generator<Finding> {
  for (const name of names) {
    if (known.includes(name)) continue;
    yield [extension, `${part}expected one of ${known.join(', ')}: found ${name}`];
  }
}

function* checkRequires(operation: OperationData): Generator<Finding> {
  for (const key of ['deployment', 'edit'] as const) {
    const name = operation.requires[key];
    if (name !== undefined) yield* strangers('x-requires', `${key}: `, [name], pathOf(operation));
  }
  for (const rule of ['permission', 'feature', 'edit', 'role'] as const) {
    if (operation.requires[rule] === undefined) continue;
    for (const key of unstated(operation.requires, rule)) {
      yield ['x-requires', `expected statements.${key}: the statement about a refusal by ${rule}`];
    }
  }
}

/** The keys of the missing statements about a refusal; for the role, one for each kind of credential. */
function unstated({ statements, credentials }: Requires, rule: keyof Stated): string[] {
  if (rule !== 'role') return statements?.[rule] === undefined ? [rule] : [];
  return credentials
    .filter((kind) => statements?.role?.[kind] === undefined)
    .map((kind) => `role.${kind}`);
}

function* checkSuccess({ id, success }: OperationData, { statements }: Known): Generator<Finding> {
  if (success === undefined || statements.has(success)) return;
  const write = `write one in spec/statements.yaml that says that ${id} succeeds`;
  yield ['x-success', `there is no statement ${success}; ${write}`];
}

function* checkLock({ lock, area }: OperationData, { operations }: Known): Generator<Finding> {
  const areas = [...new Set(operations.map((operation) => operation.area))].sort();
  const named = [lock?.reads, lock?.writes].filter((name) => name !== undefined);
  yield* strangers('x-lock', '', named, areas);
  const writer = operations.find((operation) => operation.lock?.writes === area);
  if (lock === undefined && writer !== undefined) {
    yield ['x-lock', `expected { reads: ${area} }: ${writer.id} writes that area`];
  }
}

function* checkItems({ items, responses }: OperationData, { schemas }: Known): Generator<Finding> {
  const schema = schemas[responses['200']?.schema ?? ''];
  if (items === undefined || listAt(schema, items.at)) return;
  yield ['x-items', `expected the JSON pointer of a list in the answer 200: found ${items.at}`];
}

function* checkObject(operation: OperationData, known: Known): Generator<Finding> {
  const { object, restore } = operation;
  const path = pathOf(operation);
  const body = bodyFields(operation, known);
  yield* strangers('x-object', '', object?.fields ?? [], [...path, ...body]);
  if (restore === undefined) return;
  const { read, find, put, mark, promises = {} } = restore;
  const reader = known.operations.find((other) => other.id === read.call);
  if (reader === undefined || pathOf(reader).some((name) => !path.includes(name))) {
    const message = `read: expected an operation whose path parameters are among ${path.join(', ')}: found ${read.call}`;
    yield ['x-restore', message];
  }
  const templates = Object.values(find).filter((value) => typeof value === 'string');
  yield* strangers('x-restore', 'find: ', templates.flatMap(namesIn), [...path, ...body]);
  if (mark !== undefined && !(mark in put))
    yield ['x-restore', `mark: expected a field of put: found ${mark}`];
  for (const [name, id] of Object.entries(promises)) {
    if (!(name in put)) yield ['x-restore', `promises: expected a field of put: found ${name}`];
    if (!known.statements.has(id)) yield ['x-restore', `promises: no statement is called ${id}`];
  }
  yield* strangers('x-restore', 'put: ', Object.keys(put), body);
}

function* checkPeople(operation: OperationData, known: Known): Generator<Finding> {
  const { people } = operation;
  if (people === undefined) return;
  yield* strangers('x-people', 'list: ', [people.list], bodyFields(operation, known));
}

function pathOf({ parameters }: OperationData): string[] {
  return parameters.filter((item) => item.in === 'path').map(({ name }) => name);
}

function bodyFields({ body }: OperationData, { schemas }: Known): string[] {
  return Object.keys((schemas[body?.schema ?? '']?.properties ?? {}) as object);
}

/** Whether a pointer into a value leads to a list, by the schema of the value. */
function listAt(schema: Schema | undefined, pointer: string): boolean {
  const node = atPointer(schema, pointer.replaceAll('/', '/properties/')) as Schema | undefined;
  return node?.type === 'array';
}
