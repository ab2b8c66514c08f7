/**
 * The basis of an answer, from its head and its request: a promise, or silences. A silence counts
 * if another choice would have given another status or other promised content.
 */

import { objectsIn } from '../../spec/base/json.ts';
import { contract, named, type Operation, type Schema } from '../../spec/contract.ts';
import { operationRoutes } from '../../spec/routes.ts';
import { gatewayStatuses } from '../judge/gateway.ts';
import type { TargetCall } from '../target/call.ts';
import { silencesAsked } from './asked.ts';
import { type FittingCell, promisedStatus } from './caller.ts';
import type { Head } from './traffic.ts';

const prefixes = Object.values(contract.surfaces).map(({ prefix }) => prefix);

/** Whether a path belongs to the service. */
export const isOfService = (path: string): boolean =>
  prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

/** The silences that an answer rests on; undefined if the answer is not the service's. */
export function basisOf(
  call: TargetCall,
  head: Head,
  status: number,
  cells: readonly FittingCell[],
): readonly string[] | undefined {
  const { operation, request } = call;
  if (!isOfService(request.path) || status >= 500 || gatewayStatuses.includes(status))
    return undefined;
  if (operation === undefined)
    return [operationRoutes.at(request.path).size > 0 ? named.unknownMethod : named.unknownPath];
  const asked = silencesAsked(call, head);
  const silent = cells.flatMap(({ step }) => step.observes.map(({ statement }) => statement));
  if (status < 300) {
    const accepted = asked.filter((id) => !refusesOnly(id));
    return graded([...accepted, ...silent, ...silencesOf(operation, status)]);
  }
  // The description promises this status to this caller.
  if (promisedStatus(cells) === status) return graded(bodySilences(operation));
  const open = operation.statements.filter((id) => answers(id, status));
  const relevant = open.filter((id) => !requestKinds.has(id) || asked.includes(id));
  const declared = operation.responses[String(status)];
  const isPromised = declared !== undefined && promises(declared.statements).length > 0;
  const mayBe = isPromised ? relevant.filter((id) => asked.includes(id)) : relevant;
  return graded([
    ...mayBe,
    ...silent.filter((id) => answers(id, status)),
    ...bodySilences(operation),
  ]);
}

/** Silences that depend on the form of a request. */
const requestKinds: ReadonlySet<string> = new Set([
  ...[named.trailingSlash, named.headRequest, named.unknownParameter, named.repeatedParameter],
  ...[named.invalidParameter, named.emptyBody, named.unknownField, named.bodyMediaType],
  ...[
    named.nullField,
    named.invalidBody,
    named.bodyTooLarge,
    named.malformedPath,
    named.largeInteger,
  ],
  ...[
    named.severalCredentials,
    named.plainHttp,
    named.apiKeyScheme,
    named.unknownMethod,
    named.unknownPath,
  ],
  ...[
    named.metadataTokenAsCredential,
    named.limitZero,
    named.offsetBeyondEnd,
    named.limitAboveMost,
  ],
]);

/** Whether one of the choices of a silence gives the status. */
const answers = (id: string, status: number): boolean =>
  Object.values(contract.statuses[id] ?? {}).includes(status);

/** Whether every choice refuses, so that a success does not rest on the silence. */
const refusesOnly = (id: string): boolean => {
  const statuses = Object.values(contract.statuses[id] ?? { none: 0 });
  return statuses.every((status) => status >= 400);
};

const levelOf = (id: string) => contract.statements.get(id)?.level;
const promises = (ids: readonly string[]) => ids.filter((id) => levelOf(id) !== 'silent');

function graded(ids: readonly string[]): string[] {
  const isGraded = (id: string): boolean => {
    const { level, ungraded, unobservable } = contract.statements.get(id) ?? {};
    return level === 'silent' && ungraded === undefined && unobservable === undefined;
  };
  return [...new Set(ids)].filter(isGraded);
}

/** The silence about the shape of a refusal, if the surface leaves it open. */
function bodySilences({ requires }: Operation): string[] {
  return requires.surface === 'build' ? [named.buildErrorBody] : [];
}

const known = new Map<Schema, readonly string[]>();

/** The silences about an operation's answers with a status. */
function silencesOf(operation: Operation, status: number): readonly string[] {
  const declared = operation.responseFor(status);
  if (declared === undefined) return [];
  const { schema, statements } = declared;
  const inside = schema === null ? [] : (known.get(schema) ?? statementsIn(schema));
  if (schema !== null) known.set(schema, inside);
  return [...statements, ...inside];
}

function statementsIn(schema: Schema): string[] {
  return [...objectsIn(schema)].flatMap(
    ({ 'x-statements': named = [] }) => named as readonly string[],
  );
}

/** The value of `Lockstep-Basis`. */
export const basisText = (assumed: readonly string[]): string =>
  assumed.length === 0 ? 'documented' : `assumed; ${assumed.join(', ')}`;
