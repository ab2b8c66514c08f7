/**
 * Deviations that operators derive from the contract, for every operation and documented response:
 * fields dropped, null, or of another type; values outside their enum or pattern; envelopes wrapped
 * and unwrapped; error bodies that are not exactly `{ error }`; media types.
 */
import { contract, type Operation, type OperationId, type Schema } from '../../spec/contract.ts';
import type { Reply } from '../pipeline/exchange.ts';
import type { Deviation } from './deviation.ts';
import { successOf } from './promises.ts';

/** A place in a response body: property names, `*` for every item of an array. */
interface Place {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly required: boolean;
  /** Promises of the nearest schema node that names any. */
  readonly promises: readonly string[];
}

/** Fields that this service never has a value for: chat recipients are refused. */
const NEVER_THERE = new Set(['channelId', 'channelName']);
/** Fields of a console user, of whom nothing can be updated. */
const NEVER_UPDATED = new Set(['userId', 'username']);
/** Attributes of a SCIM user that no statement promises. */
const UNPROMISED = new Set([
  'displayName',
  'active',
  'name',
  'emails',
  'meta',
  'scimType',
  'detail',
]);

export const fromContract: readonly Deviation[] = [...contract.operations.values()].flatMap(
  (operation) => [
    ...bodyDeviations(operation),
    ...errorDeviations(operation),
    ...mediaDeviations(operation),
  ],
);

function bodyDeviations(operation: Operation): Deviation[] {
  const response = operation.responses['200'];
  if (response?.schema === null || response === undefined) return [];
  const places = [...placesOf(response.schema, [], [])];
  return [
    ...places.flatMap((place) => fieldDeviations(operation.id, place)),
    ...envelopeDeviations(operation.id, response.schema),
  ];
}

/** Walks a schema's properties, outside in. */
function* placesOf(
  schema: Schema,
  path: readonly string[],
  inherited: readonly string[],
): Generator<Place, void> {
  const promises = promisesOf(schema) ?? inherited;
  const required = (schema.required ?? []) as string[];
  for (const [name, property] of Object.entries(
    (schema.properties ?? {}) as Record<string, Schema>,
  )) {
    if (NEVER_THERE.has(name) || UNPROMISED.has(name)) continue;
    if (path[0] === 'updatedRecipients' && NEVER_UPDATED.has(name)) continue;
    const own = promisesOf(property) ?? promises;
    const place = {
      path: [...path, name],
      schema: property,
      required: required.includes(name),
      promises: own,
    };
    if (own.length > 0) yield place;
    yield* placesOf(property, place.path, own);
  }
  const items = schema.items as Schema | undefined;
  if (items !== undefined) yield* placesOf(items, [...path, '*'], promises);
}

/** Documented and standard statements that a node names and a call can show; undefined where it names none. */
function promisesOf(schema: Schema): readonly string[] | undefined {
  const named = schema['x-statements'] as string[] | undefined;
  return named?.filter((id) => {
    const statement = contract.statements.get(id);
    return statement?.level !== 'silent' && statement?.unobservable === undefined;
  });
}

function fieldDeviations(operation: OperationId, place: Place): Deviation[] {
  const { path, schema, required, promises } = place;
  const name = path.join('.');
  const deviation = (kind: string, text: string, change: Change): Deviation => ({
    id: `${kind}:${operation}:${name}`,
    text: `${operation}: ${name} ${text}.`,
    breaks: promises,
    operations: [operation],
    answer: (answer) => changeBody(answer, path, change),
  });
  const deviations: Deviation[] = [];
  if (required) {
    deviations.push(deviation('drop', 'is left out', (parent, key) => void delete parent[key]));
    deviations.push(
      deviation('null', 'is null', (parent, key) => {
        parent[key] = null;
      }),
    );
    if (path.includes('*')) {
      const last = deviation(
        'drop-last',
        'is left out of the last item',
        (parent, key) => void delete parent[key],
      );
      deviations.push({
        ...last,
        answer: (answer) =>
          changeBody(answer, path, (parent, key) => void delete parent[key], true),
      });
    }
  }
  deviations.push(
    deviation('type', 'has another type', (parent, key) => {
      parent[key] = otherType(parent[key]);
    }),
  );
  for (const [kind, text, value] of brokenValues(path, schema)) {
    deviations.push(
      deviation(kind, text, (parent, key) => {
        parent[key] = value(String(parent[key]));
      }),
    );
  }
  return deviations;
}

type Broken = readonly [kind: string, text: string, value: (old: string) => string];

/** Values of the right type that the field's enum, pattern or format does not allow. */
function brokenValues(path: readonly string[], schema: Schema): Broken[] {
  const name = path.at(-1);
  if (Array.isArray(schema.enum)) {
    const swapCase = (old: string) =>
      old === old.toUpperCase() ? old.toLowerCase() : old.toUpperCase();
    return [
      ['case', 'changes its case', swapCase],
      ['widen', 'has a value outside the enum', () => 'other'],
    ];
  }
  switch (name) {
    case 'created_at':
    case 'expires_at':
    case 'completedAt': {
      const strict = path[0] === 'data' && path.includes('deployments');
      const loose: Broken[] = [
        ['format', 'is not ISO 8601', (old) => new Date(old).toUTCString()],
        ['epoch', 'is a number of milliseconds', (old) => String(Date.parse(old))],
      ];
      const milliseconds: Broken[] = [
        ['precision', 'has no milliseconds', (old) => old.replace(/\.\d+Z$/, 'Z')],
        ['zone', 'has an offset instead of Z', (old) => old.replace(/Z$/, '+00:00')],
      ];
      return strict ? [...loose, ...milliseconds] : loose;
    }
    case 'releaseChannelVersion':
      return [
        ['pattern', 'has no v before the version', (old) => old.replace(':v', ':')],
        ['bare', 'has no image repository', (old) => old.replace(/^.*:/, '')],
      ];
    case 'version':
      return [
        ['pattern', 'has only two numbers', (old) => old.replace(/\.\d+$/, '')],
        ['prefix', 'has a v in front', (old) => `v${old}`],
      ];
    case 'url':
      return [['format', 'is not an address', () => 'not an address']];
    default:
      return [];
  }
}

function envelopeDeviations(operation: OperationId, schema: Schema): Deviation[] {
  const success = successOf[operation];
  if (schema.properties === undefined || success === undefined) return [];
  const inner = ((schema.properties as Record<string, Schema>).data ?? {}) as Schema;
  const promises = [
    ...new Set([success, ...(promisesOf(schema) ?? []), ...(promisesOf(inner) ?? [])]),
  ];
  const hasData = Object.hasOwn((schema.properties ?? {}) as object, 'data');
  const deviation = (
    kind: string,
    text: string,
    change: (body: unknown) => unknown,
  ): Deviation => ({
    id: `${kind}:${operation}`,
    text: `${operation}: ${text}.`,
    breaks: promises,
    operations: [operation],
    answer: (answer) => (isSuccess(answer) ? { ...answer, body: change(answer.body) } : answer),
  });
  return hasData
    ? [
        deviation(
          'unwrap',
          'the answer stands without its data envelope',
          (body) => (body as { data: unknown }).data,
        ),
        deviation('wrap', 'the answer stands in one envelope more', (body) => ({ data: body })),
        deviation('list', 'the answer is a list of one', (body) => [body]),
      ]
    : [
        deviation('wrap', 'the answer stands in a data envelope', (body) => ({ data: body })),
        deviation('list', 'the answer is a list of one', (body) => [body]),
      ];
}

/** The management API's error body is promised: exactly one property, a string. */
function errorDeviations(operation: Operation): Deviation[] {
  const scim = operation.requires.surface === 'scim';
  if (operation.requires.surface === 'build') return [];
  const deviation = (
    kind: string,
    text: string,
    breaks: readonly string[],
    change: (body: Json) => unknown,
  ): Deviation => ({
    id: `error-${kind}:${operation.id}`,
    text: `${operation.id}: the body of an error ${text}.`,
    breaks,
    operations: [operation.id],
    answer: (answer) =>
      answer.status >= 400
        ? { ...answer, body: change(structuredClone(answer.body) as Json) }
        : answer,
  });
  if (scim) {
    return [
      deviation('management', 'is { error }', ['SCIM-8'], ({ detail }) => ({ error: detail })),
      deviation('number', 'has the status as a number', ['SCIM-8'], (body) => ({
        ...body,
        status: Number(body.status),
      })),
      deviation(
        'schema',
        'does not name its schema',
        ['SCIM-8'],
        ({ schemas: _, ...body }) => body,
      ),
      deviation('no-status', 'has no status', ['SCIM-8'], ({ status: _, ...body }) => body),
    ];
  }
  return [
    deviation('extra', 'has a second property', ['ERR-1'], (body) => ({ ...body, code: 'failed' })),
    deviation('renamed', 'has its message under another name', ['ERR-1'], ({ error }) => ({
      message: error,
    })),
    deviation('empty', 'is an empty object', ['ERR-1'], () => ({})),
    deviation('list', 'is a list', ['ERR-1'], (body) => [body]),
    deviation('object', 'has an object as error', ['ERR-2'], ({ error }) => ({
      error: { message: error },
    })),
    deviation('null', 'has null as error', ['ERR-2'], () => ({ error: null })),
  ];
}

/** JSON that is not called JSON. */
function mediaDeviations(operation: Operation): Deviation[] {
  // Only where a JSON answer is promised.
  if (operation.id === 'exportAuditLogs' || operation.id === 'updateDeployment') return [];
  return ['text/html; charset=utf-8', 'text/plain'].map((media) => ({
    id: `media:${operation.id}:${media.split(/[;/]/)[1]}`,
    text: `${operation.id}: a successful answer calls itself ${media}.`,
    breaks: ['SVC-4'],
    operations: [operation.id],
    answer: (answer) =>
      isSuccess(answer) && answer.body !== undefined
        ? { ...answer, headers: { ...answer.headers, 'Content-Type': media } }
        : answer,
  }));
}

type Json = Record<string, unknown>;
type Change = (parent: Json, key: string) => void;

function isSuccess(answer: Reply): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The answer with a change made at each match of a path; the answer itself where nothing matches. */
function changeBody(
  answer: Reply,
  path: readonly string[],
  change: Change,
  lastOnly = false,
): Reply {
  if (!isSuccess(answer) || answer.body === null || typeof answer.body !== 'object') return answer;
  const body = structuredClone(answer.body) as Json;
  const parents = matches([body], path.slice(0, -1));
  const key = path.at(-1) ?? '';
  const found = parents.filter((parent) => parent[key] !== undefined);
  const chosen = lastOnly ? found.slice(-1) : found;
  for (const parent of chosen) change(parent, key);
  return chosen.length === 0 ? answer : { ...answer, body };
}

function matches(nodes: readonly Json[], path: readonly string[]): Json[] {
  const [first, ...rest] = path;
  if (first === undefined) return [...nodes];
  const next = nodes.flatMap((node) =>
    first === '*' ? (node as unknown as Json[]) : [node[first] as Json],
  );
  return matches(
    next.filter((node) => node !== null && typeof node === 'object'),
    rest,
  );
}

function otherType(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value };
  if (value !== null && typeof value === 'object') return [value];
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : 7;
  return String(value);
}
