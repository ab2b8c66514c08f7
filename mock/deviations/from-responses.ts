/**
 * Deviations that follow from the responses of the contract, for every operation: success within
 * another status, errors whose body is not the promised one, media types.
 */
import {
  contract,
  named,
  type Operation,
  type OperationId,
  type Schema,
} from '../../spec/contract.ts';
import type { Reply } from '../pipeline/exchange.ts';
import type { AnswerScene, WrappingDeviation } from '../pipeline/stages.ts';
import { onAnswer } from './does.ts';
import { isSuccess, promisesOf } from './from-schemas.ts';

type Body = Record<string, unknown>;

/** One deviation of an answer as it is written out. */
export const ofAnswers = (
  id: string,
  operation: OperationId,
  text: string,
  breaks: readonly string[],
  change: (reply: Reply, scene: AnswerScene) => Reply,
): WrappingDeviation => ({
  id,
  text: `${operation}: ${text}.`,
  breaks,
  operations: [operation],
  wraps: onAnswer(change),
});

/** Success within another status of its class, and across. */
function successes({ id, success }: Operation): WrappingDeviation[] {
  if (success === undefined) return [];
  return [201, 202, 207, 400, 500].map((status) =>
    ofAnswers(
      `status:${id}:200:${status}`,
      id,
      `a success is answered ${status}`,
      [success],
      (reply) => (reply.status === 200 ? { ...reply, status } : reply),
    ),
  );
}

/** What a statement refuses is refused with other statuses. */
export const refusedWith = (
  id: OperationId,
  statement: string,
  statuses: readonly number[],
  breaks: readonly string[] = [statement],
): WrappingDeviation[] =>
  statuses.map((status) =>
    ofAnswers(
      `status:${id}:${statement}:${status}`,
      id,
      `what ${statement} refuses is refused with ${status}`,
      breaks,
      (reply, { refusal }) =>
        refusal?.statement === statement && reply.status >= 400 ? { ...reply, status } : reply,
    ),
  );

/** Another body of an error. */
export const ofErrors = (
  kind: string,
  id: OperationId,
  text: string,
  breaks: readonly string[],
  change: (body: Body) => unknown,
): WrappingDeviation =>
  ofAnswers(`error-${kind}:${id}`, id, `the body of an error ${text}`, breaks, (reply) =>
    reply.status >= 400 ? { ...reply, body: change(structuredClone(reply.body) as Body) } : reply,
  );

/** Where an error is promised to be an object with one property, a text. */
function errors({ id, responses }: Operation): WrappingDeviation[] {
  const schema = responses['4XX']?.schema;
  if (schema?.additionalProperties !== false) return [];
  const whole = promisesOf(schema) ?? [];
  const value = promisesOf((schema.properties as Record<string, Schema>).error ?? {}) ?? whole;
  return [
    ofErrors('extra', id, 'has a second property', whole, (body) => ({ ...body, code: 'failed' })),
    ofErrors('renamed', id, 'has its message under another name', whole, ({ error }) => ({
      message: error,
    })),
    ofErrors('empty', id, 'is an empty object', whole, () => ({})),
    ofErrors('list', id, 'is a list', whole, (body) => [body]),
    ofErrors('object', id, 'has an object as error', value, ({ error }) => ({
      error: { message: error },
    })),
    ofErrors('null', id, 'has null as error', value, () => ({ error: null })),
  ];
}

/** JSON that is not called JSON, where a JSON answer is promised. */
function media({ id, responses }: Operation): WrappingDeviation[] {
  if (!(responses['200']?.mediaType ?? '').endsWith('json')) return [];
  return ['text/html; charset=utf-8', 'text/plain'].map((type) =>
    ofAnswers(
      `media:${id}:${type.split(/[;/]/)[1]}`,
      id,
      `a successful answer calls itself ${type}`,
      [named.jsonBody],
      (reply) =>
        isSuccess(reply) && reply.body !== undefined
          ? { ...reply, headers: { ...reply.headers, 'Content-Type': type } }
          : reply,
    ),
  );
}

/** The answer with another value of a header that it has, or without it. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  if (reply.headers?.[name] === undefined || 'refused' in reply) return reply;
  const { [name]: _, ...rest } = reply.headers;
  return { ...reply, headers: value === undefined ? rest : { ...rest, [name]: value } };
}

export const fromResponses: readonly WrappingDeviation[] = [
  ...contract.operations.values(),
].flatMap((operation) => [...successes(operation), ...errors(operation), ...media(operation)]);
