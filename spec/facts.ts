/**
 * What the contract says once about an operation, in extensions: read, and checked against the rest
 * of the contract. Their form is checked before, by `operation.schema.json`.
 */
import { atPointer, type JsonObject } from './base/json.ts';
import type {
  Effect,
  Items,
  Lock,
  OperationData,
  People,
  Requires,
  Restore,
  Schema,
} from './contract-data.ts';

type Facts = Pick<
  OperationData,
  | 'area'
  | 'effect'
  | 'idempotent'
  | 'items'
  | 'lock'
  | 'object'
  | 'people'
  | 'requires'
  | 'restore'
  | 'secret'
  | 'success'
>;

export function readFacts(node: JsonObject, pathParameters: readonly string[]): Facts {
  const effect = node['x-effect'] as Effect;
  const text = node['x-object'] as string | undefined;
  const fields = text === undefined ? [] : namesIn(text);
  return {
    area: node['x-area'] as string,
    requires: node['x-requires'] as Requires,
    effect,
    success: node['x-success'] as string | undefined,
    lock: node['x-lock'] as Lock | undefined,
    idempotent: effect === 'none' || node['x-idempotent'] === true,
    items: node['x-items'] as Items | undefined,
    object:
      text === undefined
        ? undefined
        : { text, fields: fields.filter((name) => !pathParameters.includes(name)) },
    restore: node['x-restore'] as Restore | undefined,
    people: node['x-people'] as People | undefined,
    secret: node['x-secret'] === true,
  };
}

/** The names in the braces of a text: `{a|b}` are two. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split('|'));
}

/** Something wrong with an extension of an operation, and what to write instead. */
export interface FactProblem {
  readonly operation: string;
  readonly extension: string;
  readonly message: string;
}

/** Whether what the operations say of each other, of their fields and of statements is there. */
export function checkFacts(
  operations: readonly OperationData[],
  schemas: Readonly<Record<string, Schema>>,
  statements: ReadonlySet<string>,
): FactProblem[] {
  const areas = new Set(operations.map(({ area }) => area));
  const problems: FactProblem[] = [];
  for (const operation of operations) {
    const { id, success, lock, items, object, restore, people, requires } = operation;
    const expect = (holds: boolean, extension: string, message: string): void => {
      if (!holds) problems.push({ operation: id, extension, message });
    };
    const path = operation.parameters.filter((item) => item.in === 'path').map(({ name }) => name);
    const body = fieldsOf(schemas[operation.body?.schema ?? '']);
    for (const [key, name] of Object.entries({
      deployment: requires.deployment,
      edit: requires.edit,
    })) {
      expect(
        name === undefined || path.includes(name),
        'x-requires',
        `${key} names the path parameter ${name}: expected one of ${path.join(', ')}`,
      );
    }
    expect(
      success === undefined || statements.has(success),
      'x-success',
      `there is no statement ${success}: expected one whose check sees that ${id} succeeds`,
    );
    for (const area of [lock?.reads, lock?.writes]) {
      expect(
        area === undefined || areas.has(area),
        'x-lock',
        `there is no area ${area}: expected one of ${[...areas].sort().join(', ')}`,
      );
    }
    expect(
      items === undefined || listAt(schemas[operation.responses['200']?.schema ?? ''], items.at),
      'x-items',
      `there is no list at ${items?.at}: expected the JSON pointer of one in the answer 200`,
    );
    for (const name of object?.fields ?? []) {
      expect(
        body.includes(name),
        'x-object',
        `nothing is called ${name}: expected a path parameter or a field of the body`,
      );
    }
    if (restore !== undefined) {
      const read = operations.find((other) => other.id === restore.read.call);
      expect(
        read?.parameters.every((item) => item.in !== 'path' || path.includes(item.name)) === true,
        'x-restore',
        `read: expected an operation whose path takes no other parameters than this one: found ${restore.read.call}`,
      );
      for (const name of Object.values(restore.find).flatMap((value) =>
        typeof value === 'string' ? namesIn(value) : [],
      )) {
        expect(
          [...path, ...body].includes(name),
          'x-restore',
          `find: nothing is called ${name}: expected a path parameter or a field of the body`,
        );
      }
      for (const name of Object.keys(restore.put)) {
        expect(body.includes(name), 'x-restore', `put: the body has no field ${name}`);
      }
    }
    expect(
      people === undefined || body.includes(people.list),
      'x-people',
      `list: the body has no field ${people?.list}`,
    );
  }
  return problems;
}

function fieldsOf(schema: Schema | undefined): string[] {
  return Object.keys((schema?.properties ?? {}) as object);
}

/** Whether a pointer into a value leads to a list, as the schema of the value has it. */
function listAt(schema: Schema | undefined, pointer: string): boolean {
  const node = atPointer(schema, pointer.replaceAll('/', '/properties/')) as Schema | undefined;
  return node?.type === 'array';
}
