/**
 * Deviations that follow from the responses of the contract, for every operation: success within
 * another status, refusals with another one, errors whose body is not the promised one, media types.
 */
import {
  contract,
  named,
  type Operation,
  type OperationId,
  type Schema,
} from '../../spec/contract.ts';
import { rulesOf } from './from-requires.ts';
import { observable, promisesOf, successOf } from './from-schemas.ts';
import { accepts, refusedWith, served } from './refusals.ts';
import { errors, header, status } from './replies.ts';
import { type Deviation, wrongIn } from './rows.ts';
import { isServed } from './wire.ts';

const operations = [...contract.operations.values()];

/** Success within another status of its class, and across. */
function successes(operation: Operation): Deviation[] {
  const { id, success } = operation;
  const promised = successOf(operation)?.status;
  if (success === undefined || promised === undefined) return [];
  const others = [200, 201, 202, 207, 400, 500].filter((code) => code !== promised);
  return others.map((code) =>
    wrongIn(id)(
      'status',
      `${promised}:${code}`,
      `a success is answered ${code}`,
      [success],
      status(code),
    ),
  );
}

/** What an operation promises to refuse, and with which status: by its responses, and by its rules. */
function refusalsOf({ responses, requires }: Operation) {
  const byResponse = Object.entries(responses).flatMap(([code, { statements }]) =>
    /^4\d\d$/.test(code) ? statements.map((id) => [id, Number(code)] as const) : [],
  );
  const byRule = rulesOf(requires).map(([, statement]) => [statement, 403] as const);
  return [...byResponse, ...byRule].filter(([id]) => observable(id, 'documented'));
}

/** The statuses that the promised one is swapped with, unless its statement has some of its own. */
const otherStatuses: Readonly<Record<string, readonly number[]>> = {
  400: [404, 409, 422],
  401: [400, 403],
  403: [401, 404],
  404: [400, 403, 409],
  'AUTH-1': [400, 403, 500],
  'AUTH-8': [400, 404],
  'FOLDER-6': [400, 403, 410],
  'RECIP-15': [403, 422, 501],
};

function refusedOtherwise(operation: Operation): Deviation[] {
  const { id, requires } = operation;
  const wrong = (statement: string, code: number, breaks = [statement]) =>
    wrongIn(id)(
      'status',
      `${statement}:${code}`,
      `what ${statement} refuses is refused with ${code}`,
      breaks,
      refusedWith(code, statement),
    );
  const swapped = refusalsOf(operation).flatMap(([statement, code]) =>
    (otherStatuses[statement] ?? otherStatuses[code] ?? [400]).map((other) =>
      wrong(statement, other),
    ),
  );
  const scope = named.deploymentOutOfScope;
  return requires.deployment === undefined
    ? swapped
    : [...swapped, wrong(scope, 401, [scope, 'AUTH-13'])];
}

/** What a statement refuses is served, where none of these deviations breaks it in the operation. */
export function acceptedBeside(others: readonly Deviation[]): Deviation[] {
  const breaks = (statement: string, id: OperationId) =>
    others.some(
      (other) =>
        !other.id.startsWith(`status:${id}:`) &&
        other.operations.includes(id) &&
        other.breaks.includes(statement),
    );
  return operations.flatMap((operation) => {
    const { id } = operation;
    const missing = refusalsOf(operation).filter(([statement]) => !breaks(statement, id));
    const code = successOf(operation)?.status ?? 200;
    return missing.map(([statement]) =>
      wrongIn(id)(
        'accepted',
        statement,
        `what ${statement} refuses is answered as a success`,
        [statement],
        accepts(statement, served(code)),
      ),
    );
  });
}

/** Where an error is promised to be an object with one property, a text. */
function errorBodies({ id, responses, requires }: Operation): Deviation[] {
  const wrong = (
    kind: string,
    text: string,
    breaks: readonly string[],
    change: Parameters<typeof errors>[0],
  ) => wrongIn(id)(`error-${kind}`, '', `the body of an error ${text}`, breaks, errors(change));
  if (requires.surface === 'scim') {
    const promise = ['SCIM-8'];
    return [
      wrong('management', 'is { error }', promise, ({ detail }) => ({ error: detail })),
      wrong('number', 'has the status as a number', promise, (whole) => ({
        ...whole,
        status: Number(whole.status),
      })),
      wrong('schema', 'does not name its schema', promise, ({ schemas: _, ...rest }) => rest),
      wrong('no-status', 'has no status', promise, ({ status: _, ...rest }) => rest),
      wrong('other-status', 'has another status', promise, (whole) => ({
        ...whole,
        status: '418',
      })),
    ];
  }
  const schema = responses['4XX']?.schema;
  if (schema?.additionalProperties !== false) return [];
  const whole = promisesOf(schema) ?? [];
  const value = promisesOf((schema.properties as Record<string, Schema>).error ?? {}) ?? whole;
  return [
    wrong('extra', 'has a second property', whole, (old) => ({ ...old, code: 'failed' })),
    wrong('renamed', 'has its message under another name', whole, ({ error }) => ({
      message: error,
    })),
    wrong('empty', 'is an empty object', whole, () => ({})),
    wrong('list', 'is a list', whole, (old) => [old]),
    wrong('object', 'has an object as error', value, ({ error }) => ({
      error: { message: error },
    })),
    wrong('null', 'has null as error', value, () => ({ error: null })),
  ];
}

/** Headers that are wrong or not there. */
function headers(operation: Operation): Deviation[] {
  const { id } = operation;
  const wrong = wrongIn(id);
  const type = successOf(operation)?.response.mediaType ?? '';
  const media = (kind: string, of: string, value: string, breaks: readonly string[]) =>
    wrong(
      kind,
      of,
      `a successful answer calls itself ${value}`,
      breaks,
      header('Content-Type', (old, { reply }) => (isServed(reply) ? value : old)),
    );
  const asText = ['text/html; charset=utf-8', 'text/plain'];
  const disposed = (of: string, text: string, value?: string) =>
    wrong(
      'header',
      of,
      `the file ${text}`,
      ['AUDIT-2'],
      header('Content-Disposition', () => value),
    );
  return [
    ...(type.endsWith('json')
      ? asText.map((value) => media('media', value.split(/[;/]/)[1] ?? '', value, [named.jsonBody]))
      : []),
    ...(type === 'text/csv'
      ? [
          media('header', 'plain', 'text/plain; charset=utf-8', ['AUDIT-3']),
          media('header', 'octets', 'application/octet-stream', ['AUDIT-3']),
          disposed('no-disposition', 'comes without Content-Disposition'),
          disposed('inline', 'comes inline', 'inline; filename="audit-log.csv"'),
        ]
      : []),
    wrong(
      'header',
      'WWW-Authenticate',
      'a 401 has no WWW-Authenticate header',
      ['HTTP-1'],
      header('WWW-Authenticate', () => undefined),
    ),
  ];
}

export const fromResponses: readonly Deviation[] = operations.flatMap((operation) => [
  ...successes(operation),
  ...refusedOtherwise(operation),
  ...errorBodies(operation),
  ...headers(operation),
]);
