/**
 * Deviations that follow from the responses of the contract, for every operation: success within
 * another status, errors whose body is not the promised one, media types.
 */

import { isRefusal, type Reply } from '../../mock/pipeline/exchange.ts';
import type { Deviation } from '../../mock/pipeline/stages.ts';
import {
  type CredentialKind,
  contract,
  kindsInWords,
  named,
  type Operation,
  type OperationId,
  type Schema,
} from '../../spec/contract.ts';
import { answersErrors, type ErrorChange } from './answers.ts';
import { onAnswer, whenDone } from './does.ts';
import { observable, onSuccess, promisesOf, successOf } from './from-schemas.ts';
import { wrongIn } from './rows.ts';

/** Success within another status of its class, and across. */
function successes(operation: Operation): Deviation[] {
  const { id, success } = operation;
  const promised = successOf(operation)?.status;
  if (success === undefined || promised === undefined) return [];
  const others = [200, 201, 202, 207, 400, 500].filter((status) => status !== promised);
  return others.map((status) =>
    wrongIn(id)(
      ['status', `${promised}:${status}`],
      `a success is answered ${status}`,
      [success],
      onAnswer((reply) => (reply.status === promised ? { ...reply, status } : reply)),
    ),
  );
}

/** A refusal that is promised: its statement and its status. */
export type PromisedRefusal = readonly [statement: string, status: number];

/** What an operation promises to refuse: by its responses, and by its authorisation rules. */
export function refusalsOf({ responses, requires }: Operation): readonly PromisedRefusal[] {
  const byResponse = Object.entries(responses).flatMap(([status, { statements }]) =>
    /^4\d\d$/.test(status) ? statements.map((id) => [id, Number(status)] as const) : [],
  );
  const byRule = rulesOf(requires).map(([, statement]) => [statement, 403] as const);
  return [...byResponse, ...byRule].filter(([id]) => observable(id, 'documented'));
}

/** The authorisation rules of an operation, each as it is named and said where it is not asked for. */
export function rulesOf({ deployment, statements }: Operation['requires']) {
  const { permission, feature, edit, role = {} } = statements ?? {};
  const scope = deployment === undefined ? undefined : named.deploymentOutOfScope;
  const rules: readonly (readonly [name: string, statement: string | undefined, text: string])[] = [
    ['scope-dropped', scope, 'a scoped key reaches every deployment'],
    ...Object.entries(role).map(([kind, statement]) => {
      const text = `${kindsInWords[kind as CredentialKind]} needs no admin role`;
      return [`role-dropped-${kind}`, statement, text] as const;
    }),
    ['permission-dropped', permission, 'the permission is not asked for'],
    ['feature-dropped', feature, 'the feature is not asked for'],
    ['edit-dropped', edit, 'edit access is not asked for'],
  ];
  return rules.flatMap(([name, statement, text]) =>
    statement === undefined ? [] : [[name, statement, text] as const],
  );
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
  return [...contract.operations.values()].flatMap((operation) => {
    const { id } = operation;
    const missing = refusalsOf(operation).filter(([statement]) => !breaks(statement, id));
    const status = successOf(operation)?.status ?? 200;
    return missing.map(([statement]) =>
      wrongIn(id)(
        ['accepted', statement],
        `what ${statement} refuses is answered as a success`,
        [statement],
        {
          serve: (next) =>
            whenDone(next(), (done) =>
              isRefusal(done) && done.statement === statement ? { status, body: {} } : done,
            ),
        },
      ),
    );
  });
}

/** What a statement refuses is refused with other statuses. */
export const refusedWith = (
  id: OperationId,
  statement: string,
  statuses: readonly number[],
  breaks: readonly string[] = [statement],
): Deviation[] =>
  statuses.map((status) =>
    wrongIn(id)(
      ['status', `${statement}:${status}`],
      `what ${statement} refuses is refused with ${status}`,
      breaks,
      onAnswer((reply, { refusal }) =>
        refusal?.statement === statement && reply.status >= 400 ? { ...reply, status } : reply,
      ),
    ),
  );

/** Another body of an error. */
export const ofErrors =
  (id: OperationId) =>
  (kind: string, text: string, breaks: readonly string[], change: ErrorChange): Deviation =>
    wrongIn(id)([`error-${kind}`], `the body of an error ${text}`, breaks, answersErrors(change));

/** Where an error is promised to be an object with one property, a text. */
function errors({ id, responses }: Operation): Deviation[] {
  const schema = responses['4XX']?.schema;
  if (schema?.additionalProperties !== false) return [];
  const whole = promisesOf(schema) ?? [];
  const value = promisesOf((schema.properties as Record<string, Schema>).error ?? {}) ?? whole;
  const wrong = ofErrors(id);
  return [
    wrong('extra', 'has a second property', whole, (body) => ({ ...body, code: 'failed' })),
    wrong('renamed', 'has its message under another name', whole, ({ error: message }) => ({
      message,
    })),
    wrong('empty', 'is an empty object', whole, () => ({})),
    wrong('list', 'is a list', whole, (body) => [body]),
    wrong('object', 'has an object as error', value, ({ error: message }) => ({
      error: { message },
    })),
    wrong('null', 'has null as error', value, () => ({ error: null })),
  ];
}

/** JSON that is not called JSON, where a JSON answer is promised. */
function media(operation: Operation): Deviation[] {
  if (!(successOf(operation)?.response.mediaType ?? '').endsWith('json')) return [];
  return ['text/html; charset=utf-8', 'text/plain'].map((type) =>
    wrongIn(operation.id)(
      ['media', type.split(/[;/]/)[1] ?? ''],
      `a successful answer calls itself ${type}`,
      [named.jsonBody],
      onSuccess((reply) =>
        reply.body === undefined
          ? reply
          : { ...reply, headers: { ...reply.headers, 'Content-Type': type } },
      ),
    ),
  );
}

/** The answer with another value of a header that it has, or without it. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  if (reply.headers?.[name] === undefined || 'refused' in reply) return reply;
  const { [name]: _, ...rest } = reply.headers;
  return { ...reply, headers: value === undefined ? rest : { ...rest, [name]: value } };
}

export const fromResponses: readonly Deviation[] = [...contract.operations.values()].flatMap(
  (operation) => [...successes(operation), ...errors(operation), ...media(operation)],
);
