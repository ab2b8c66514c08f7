/**
 * Deviations that follow from the responses of the contract, for every operation. A success or a
 * refusal has another status. An error has another body, or an answer another media type.
 */
import { contract, named, type Operation, type Schema } from '../../spec/contract.ts';
import { rulesOf } from './from-requires.ts';
import { observable, promisesOf, successOf } from './from-schemas.ts';
import { accepts, refusedWith, served } from './refusals.ts';
import { errors, header, status } from './replies.ts';
import { type Deviation, derived, type Row } from './rows.ts';
import { isServed } from './wire.ts';

const operations = [...contract.operations.values()];

/** A success gets another 2xx status, or a status of another class. */
function successes(operation: Operation): Row[] {
  const { success } = operation;
  const promised = successOf(operation)?.status;
  if (success === undefined || promised === undefined) return [];
  const others = [200, 201, 202, 207, 400, 500].filter((code) => code !== promised);
  return others.map((code) => {
    return [`${promised}:${code}: a success is answered ${code}`, success, status(code)];
  });
}

/**
 * The promised refusals of an operation, each with its status. They come from its responses and its
 * authorisation rules.
 */
function refusalsOf({ responses, requires }: Operation) {
  const byResponse = Object.entries(responses).flatMap(([code, { statements }]) =>
    /^4\d\d$/.test(code) ? statements.map((id) => [id, Number(code)] as const) : [],
  );
  const byRule = rulesOf(requires).map(([, statement]) => [statement, 403] as const);
  return [...byResponse, ...byRule].filter(([id]) => observable(id, 'documented'));
}

/** The statuses that replace a promised one, unless its statement has a list of its own. */
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

function refusedOtherwise(operation: Operation): Row[] {
  const wrong = (statement: string, code: number, breaks = statement): Row => {
    const title = `${statement}:${code}: what ${statement} refuses is refused with ${code}`;
    return [title, breaks, refusedWith(code, statement)];
  };
  const swapped = refusalsOf(operation).flatMap(([statement, code]) => {
    const others = otherStatuses[statement] ?? otherStatuses[code] ?? [400];
    return others.map((other) => wrong(statement, other));
  });
  const scope = named.deploymentOutOfScope;
  const isInDeployment = operation.requires.deployment !== undefined;
  return isInDeployment ? [...swapped, wrong(scope, 401, `${scope} AUTH-13`)] : swapped;
}

/**
 * Rows that serve the calls that a statement refuses. A statement that `others` already break in
 * the operation gets none.
 */
export const acceptedBeside = (others: readonly Deviation[]): readonly Deviation[] =>
  operations.flatMap((operation) => {
    const { id: own } = operation;
    const broken = others
      .filter(({ id, operations: at }) => at.includes(own) && !id.startsWith(`status:${own}:`))
      .flatMap(({ breaks }) => breaks);
    const missing = refusalsOf(operation).filter(([statement]) => !broken.includes(statement));
    const success = served(successOf(operation)?.status);
    const rows = missing.map(([statement]): Row => {
      const title = `${statement}: what ${statement} refuses is answered as a success`;
      return [title, statement, accepts(statement, success)];
    });
    return derived(operation, (name, id) => `accepted:${id}:${name}`, rows);
  });

const withStatus = (change: (status: unknown) => unknown) =>
  errors((whole) => ({ ...whole, status: change(whole.status) }));
const without = (name: string) => errors(({ [name]: _left, ...rest }) => rest);
const ofScim: readonly Row[] = [
  ['management: an error is { error }', 'SCIM-8', errors(({ detail }) => ({ error: detail }))],
  ['number: an error has its status as a number', 'SCIM-8', withStatus(Number)],
  ['schema: an error does not name its schema', 'SCIM-8', without('schemas')],
  ['no-status: an error has no status', 'SCIM-8', without('status')],
  ['other-status: an error has another status', 'SCIM-8', withStatus(() => '418')],
];

/**
 * Rows for an error that is promised to be an object with one text property, or a SCIM error
 * message.
 */
function errorBodies({ responses, requires }: Operation): readonly Row[] {
  if (requires.surface === 'scim') return ofScim;
  const schema = responses['4XX']?.schema;
  if (schema?.additionalProperties !== false) return [];
  const promises = promisesOf(schema) ?? [];
  const { error: property = {} } = schema.properties as Record<string, Schema>;
  const [whole, value] = [promises.join(' '), (promisesOf(property) ?? promises).join(' ')];
  const nested = errors((old) => ({ error: { message: old.error } }));
  return [
    ['extra: an error has a second property', whole, errors((old) => ({ ...old, code: 'failed' }))],
    ['renamed: an error has no error in it', whole, errors(({ error }) => ({ message: error }))],
    ['empty: an error is an empty object', whole, errors(() => ({}))],
    ['list: an error is a list', whole, errors((old) => [old])],
    ['object: an error has an object in it', value, nested],
    ['null: an error is null', value, errors(() => ({ error: null }))],
  ];
}

const calls = (type: string) =>
  header('Content-Type', (old, { reply }) => (isServed(reply) ? type : old));
const leaves = (name: string) => header(name, () => undefined);
const inline = header('Content-Disposition', () => 'inline; filename="audit-log.csv"');
const ofJson: readonly Row[] = [
  ['media:html: an answer calls itself HTML', named.jsonBody, calls('text/html; charset=utf-8')],
  ['media:plain: an answer calls itself plain text', named.jsonBody, calls('text/plain')],
];
const ofCsv: readonly Row[] = [
  ['header:plain: the file calls itself plain text', 'AUDIT-3', calls('text/plain; charset=utf-8')],
  ['header:octets: the file has no type', 'AUDIT-3', calls('application/octet-stream')],
  ['header:no-disposition: the file lacks its header', 'AUDIT-2', leaves('Content-Disposition')],
  ['header:inline: the file comes inline', 'AUDIT-2', inline],
];
const ofAny: readonly Row[] = [
  ['header:WWW-Authenticate: a 401 has no such header', 'HTTP-1', leaves('WWW-Authenticate')],
];

export const fromResponses: readonly Deviation[] = operations.flatMap((operation) => {
  const type = successOf(operation)?.response.mediaType ?? '';
  const statuses = [...successes(operation), ...refusedOtherwise(operation)];
  const ofType = type.endsWith('json') ? ofJson : [];
  const headers = [...ofType, ...(type === 'text/csv' ? ofCsv : []), ...ofAny];
  return [
    ...derived(operation, (name, id) => `status:${id}:${name}`, statuses),
    ...derived(operation, (name, id) => `error-${name}:${id}`, errorBodies(operation)),
    ...derived(operation, (name, id) => name.replace(':', `:${id}:`), headers),
  ];
});
