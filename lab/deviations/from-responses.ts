/**
 * Deviations that follow from the responses of the contract, for every operation: success within
 * another status, refusals with another one, errors whose body is not the promised one, media types.
 */
import type { JsonObject } from '../../spec/base/json.ts';
import { contract, named, type Operation, type Schema } from '../../spec/contract.ts';
import { rulesOf } from './from-requires.ts';
import { observable, promisesOf, successOf } from './from-schemas.ts';
import { accepts, refusedWith, served } from './refusals.ts';
import { errors, header, status } from './replies.ts';
import { type Deviation, type Wrong, wrongIn } from './rows.ts';
import { isServed } from './wire.ts';

const operations = [...contract.operations.values()];

/** Success within another status of its class, and across. */
function successes(operation: Operation): Wrong[] {
  const { success } = operation;
  const promised = successOf(operation)?.status;
  if (success === undefined || promised === undefined) return [];
  const others = [200, 201, 202, 207, 400, 500].filter((code) => code !== promised);
  return others.map((code) => {
    const text = `a success is answered ${code}`;
    return ['status', `${promised}:${code}`, text, [success], status(code)];
  });
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

function refusedOtherwise(operation: Operation): Wrong[] {
  const wrong = (statement: string, code: number, ...more: readonly string[]): Wrong => {
    const text = `what ${statement} refuses is refused with ${code}`;
    const does = refusedWith(code, statement);
    return ['status', `${statement}:${code}`, text, [statement, ...more], does];
  };
  const swapped = refusalsOf(operation).flatMap(([statement, code]) => {
    const others = otherStatuses[statement] ?? otherStatuses[code] ?? [400];
    return others.map((other) => wrong(statement, other));
  });
  const isInDeployment = operation.requires.deployment !== undefined;
  return isInDeployment ? [...swapped, wrong(named.deploymentOutOfScope, 401, 'AUTH-13')] : swapped;
}

/** What a statement refuses is served, where none of these deviations breaks it in the operation. */
export function acceptedBeside(others: readonly Deviation[]): readonly Deviation[] {
  return operations.flatMap((operation) => {
    const { id } = operation;
    const own = others.filter(
      (other) => other.operations.includes(id) && !other.id.startsWith(`status:${id}:`),
    );
    const missing = refusalsOf(operation).filter(
      ([statement]) => !own.some(({ breaks }) => breaks.includes(statement)),
    );
    const success = served(successOf(operation)?.status);
    const wrong = missing.map(([statement]): Wrong => {
      const text = `what ${statement} refuses is answered as a success`;
      return ['accepted', statement, text, [statement], accepts(statement, success)];
    });
    return wrongIn(id, wrong);
  });
}

type Change = (body: JsonObject) => unknown;

/** Where an error is promised to be an object with one property, a text; or a message of SCIM. */
function errorBodies({ responses, requires }: Operation): Wrong[] {
  const wrong = (kind: string, text: string, breaks: readonly string[], change: Change): Wrong => {
    return [`error-${kind}`, '', `the body of an error ${text}`, breaks, errors(change)];
  };
  const scim = ['SCIM-8'];
  if (requires.surface === 'scim') {
    return [
      wrong('management', 'is { error }', scim, ({ detail }) => ({ error: detail })),
      wrong('number', 'has the status as a number', scim, (whole) => withStatus(whole, Number)),
      wrong('schema', 'does not name its schema', scim, ({ schemas: _, ...rest }) => rest),
      wrong('no-status', 'has no status', scim, ({ status: _, ...rest }) => rest),
      wrong('other-status', 'has another status', scim, (whole) => withStatus(whole, () => '418')),
    ];
  }
  const schema = responses['4XX']?.schema;
  if (schema?.additionalProperties !== false) return [];
  const whole = promisesOf(schema) ?? [];
  const value = promisesOf((schema.properties as Record<string, Schema>).error ?? {}) ?? whole;
  return [
    wrong('extra', 'has a second property', whole, (old) => ({ ...old, code: 'failed' })),
    wrong('renamed', 'has its text under another name', whole, ({ error }) => ({ message: error })),
    wrong('empty', 'is an empty object', whole, () => ({})),
    wrong('list', 'is a list', whole, (old) => [old]),
    wrong('object', 'has an object as error', value, ({ error }) => ({
      error: { message: error },
    })),
    wrong('null', 'has null as error', value, () => ({ error: null })),
  ];
}
const withStatus = (whole: JsonObject, change: (status: unknown) => unknown) => ({
  ...whole,
  status: change(whole.status),
});

/** Headers that are wrong or not there. */
function headers(operation: Operation): Wrong[] {
  const type = successOf(operation)?.response.mediaType ?? '';
  const media = (kind: string, of: string, value: string, breaks: string): Wrong => {
    const text = `a successful answer calls itself ${value}`;
    const change = header('Content-Type', (old, { reply }) => (isServed(reply) ? value : old));
    return [kind, of, text, [breaks], change];
  };
  const without = (name: string) => header(name, () => undefined);
  const inline = header('Content-Disposition', () => 'inline; filename="audit-log.csv"');
  const json: readonly Wrong[] = [
    media('media', 'html', 'text/html; charset=utf-8', named.jsonBody),
    media('media', 'plain', 'text/plain', named.jsonBody),
  ];
  const disposition = 'the file comes without Content-Disposition';
  const csv: readonly Wrong[] = [
    media('header', 'plain', 'text/plain; charset=utf-8', 'AUDIT-3'),
    media('header', 'octets', 'application/octet-stream', 'AUDIT-3'),
    ['header', 'no-disposition', disposition, ['AUDIT-2'], without('Content-Disposition')],
    ['header', 'inline', 'the file comes inline', ['AUDIT-2'], inline],
  ];
  const challenge = 'a 401 has no WWW-Authenticate header';
  return [
    ...(type.endsWith('json') ? json : []),
    ...(type === 'text/csv' ? csv : []),
    ['header', 'WWW-Authenticate', challenge, ['HTTP-1'], without('WWW-Authenticate')],
  ];
}

export const fromResponses: readonly Deviation[] = operations.flatMap((operation) =>
  wrongIn(operation.id, [
    ...successes(operation),
    ...refusedOtherwise(operation),
    ...errorBodies(operation),
    ...headers(operation),
  ]),
);
