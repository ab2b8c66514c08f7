/**
 * Deviations derived from `x-requires` and from the statuses that it leads to: each authorisation
 * rule weakened or strengthened, per surface, actor and operation; each documented refusal with
 * another status; headers of refusals and exports.
 */
import {
  type CredentialKind,
  contract,
  type Operation,
  type Surface,
} from '../../spec/contract.ts';
import type { Call } from '../pipeline/call.ts';
import type { Caller } from '../pipeline/caller.ts';
import { isRefusal, type Refusal, refusal } from '../pipeline/exchange.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Stage } from './deviation.ts';
import { successOf } from './promises.ts';

const operations = [...contract.operations.values()];
const surfaces = [...new Set(operations.map((item) => item.requires.surface))];

export const fromRequires: readonly Deviation[] = [
  ...surfaces.map(schemeCase),
  ...operations.flatMap((operation) => [
    ...authenticationOf(operation),
    ...authorisationOf(operation),
    ...successStatuses(operation),
    ...refusalStatuses(operation),
    ...headersOf(operation),
  ]),
];

/** How a service reads a header is one piece of code for a surface, not one for each operation. */
function schemeCase(surface: Surface): Deviation {
  return {
    id: `auth:${surface}:scheme-case`,
    text: `The ${surface} API knows the scheme by its usual spelling only.`,
    breaks: ['HTTP-2'],
    operations: operations.filter((item) => item.requires.surface === surface).map(({ id }) => id),
    authenticate: (result, { request }) =>
      !isRefusal(result) && request.headers.authorization?.startsWith('bearer ') === true
        ? refusal(401, 'HTTP-2', 'The credential is not accepted')
        : result,
  };
}

/** The one whom a service that forgets to ask takes the caller for. */
function administrator(operation: Operation, world: World): Caller {
  const scim = operation.requires.surface === 'scim';
  const user = world.state.tables.users.rows().find((row) => row.admin) ?? null;
  return {
    credential: scim ? 'scim' : 'admin',
    kind: scim ? 'scim' : 'apiKey',
    user: scim ? null : user,
    scope: null,
  };
}

function authenticationOf(operation: Operation): Deviation[] {
  const { id, requires } = operation;
  /** A refusal that rests on a statement is not made. */
  const accepted = (name: string, statement: string, breaks: string, text: string): Deviation => ({
    id: `auth:${id}:${name}`,
    text: `${id}: ${text}.`,
    breaks: [breaks],
    operations: [id],
    authenticate: (result, { world }) =>
      isRefusal(result) && result.statement === statement
        ? administrator(operation, world)
        : result,
  });
  /** A credential of a kind is turned away although it should be taken. */
  const turnedAway = (
    name: string,
    breaks: string,
    text: string,
    applies: (caller: Caller, header: string) => boolean,
  ): Deviation => ({
    id: `auth:${id}:${name}`,
    text: `${id}: ${text}.`,
    breaks: [breaks],
    operations: [id],
    authenticate: (result, { request }) =>
      !isRefusal(result) && applies(result, request.headers.authorization ?? '')
        ? refusal(401, breaks, 'The credential is not accepted')
        : result,
  });
  const scheme = (name: string) => (_: Caller, header: string) =>
    header.toLowerCase().startsWith(`${name} `);
  const deviations = [
    accepted('missing-accepted', 'AUTH-1', 'AUTH-1', 'a request without a credential is served'),
    accepted('malformed-accepted', 'AUTH-3', 'AUTH-3', 'a malformed credential is accepted'),
    accepted('expired-accepted', 'AUTH-4', 'AUTH-4', 'an expired credential is accepted'),
    accepted('metadata-token-accepted', 'META-16', 'META-8', 'a metadata token is accepted'),
  ];
  if (requires.surface === 'scim') {
    return [
      ...deviations,
      turnedAway(
        'bearer-refused',
        'AUTH-11',
        'a SCIM token is refused as bearer token',
        scheme('bearer'),
      ),
      turnedAway(
        'api-key-refused',
        'AUTH-12',
        'a SCIM token is refused in the Api-Key scheme',
        scheme('api-key'),
      ),
    ];
  }
  const kind = (wanted: CredentialKind) => (caller: Caller) => caller.kind === wanted;
  return [
    ...deviations,
    turnedAway('oauth-refused', 'AUTH-5', 'an OAuth access token is refused', kind('oauth')),
    turnedAway(
      'key-refused',
      requires.surface === 'build' ? 'AUTH-6' : 'AUTH-2',
      'an API key is refused',
      kind('apiKey'),
    ),
  ];
}

function authorisationOf(operation: Operation): Deviation[] {
  const { id, requires } = operation;
  const deviations: Deviation[] = [];
  const add = (
    name: string,
    breaks: readonly string[],
    text: string,
    stage: (stage: Stage, refused: Refusal | undefined, call: Call) => Refusal | undefined,
  ) => {
    deviations.push({
      id: `auth:${id}:${name}`,
      text: `${id}: ${text}.`,
      breaks,
      operations: [id],
      stage: (at, refused, { call }) => stage(at, refused, call),
    });
  };
  /** The refusals that rest on a statement are not made. */
  const dropped = (name: string, statement: string, text: string) => {
    add(name, [statement], text, (_, refused) =>
      refused?.statement === statement ? undefined : refused,
    );
  };
  /** Callers of a kind are refused by a rule that is not there. */
  const added = (name: string, breaks: string, text: string, applies: (call: Call) => boolean) => {
    add(name, [breaks], text, (stage, refused, call) =>
      stage === 'authorise' && refused === undefined && applies(call)
        ? refusal(403, breaks, 'Not authorised')
        : refused,
    );
  };
  if (requires.deployment !== undefined) {
    dropped('scope-dropped', 'AUTH-8', 'a scoped key reaches every deployment');
    added('own-refused', 'AUTH-9', 'a scoped key is refused for its own deployment', (call) => {
      return call.caller.scope?.includes(call.requested.deployment ?? '') === true;
    });
    added(
      'others-refused',
      'AUTH-10',
      'an unscoped key is refused beyond one deployment',
      (call) => {
        return call.caller.scope === null && call.requested.deployment !== '1';
      },
    );
  }
  if (requires.role !== undefined) {
    dropped('role-dropped-apiKey', 'RECIP-20', 'an API key needs no admin role');
    dropped('role-dropped-oauth', 'RECIP-21', 'an OAuth token needs no admin role');
    dropped('role-dropped-embed', 'RECIP-22', 'an embed JWT needs no admin role');
  } else if (requires.deployment !== undefined && requires.edit === undefined) {
    added(
      'admin-only',
      'AUTH-10',
      'an admin role is asked for',
      (call) => call.caller.user?.admin !== true,
    );
  }
  if (requires.permission !== undefined) {
    dropped('permission-dropped', 'AUDIT-11', 'the permission is not asked for');
  }
  if (requires.edit !== undefined)
    dropped('edit-dropped', 'FOLDER-8', 'edit access is not asked for');
  return deviations;
}

/** Success within another status of its class, and across. */
function successStatuses({ id }: Operation): Deviation[] {
  const statement = successOf[id];
  if (statement === undefined) return [];
  return [201, 202, 207, 400, 500].map((status) => ({
    id: `status:${id}:200:${status}`,
    text: `${id}: a success is answered ${status}.`,
    breaks: [statement],
    operations: [id],
    answer: (answer) => (answer.status === 200 ? { ...answer, status } : answer),
  }));
}

/** Documented refusals of an operation: statement, status, and the statuses that it is swapped with. */
function refusalStatuses(operation: Operation): Deviation[] {
  const { id, requires } = operation;
  const swaps: [statement: string, breaks: readonly string[], others: readonly number[]][] = [
    ['AUTH-1', ['AUTH-1'], [400, 403, 500]],
    ['AUTH-3', ['AUTH-3'], [400, 403]],
    ['AUTH-4', ['AUTH-4'], [400, 403]],
  ];
  if (requires.deployment !== undefined) {
    swaps.push(['AUTH-8', ['AUTH-8'], [400, 404]], ['AUTH-8', ['AUTH-8', 'AUTH-13'], [401]]);
  }
  switch (id) {
    case 'updateDeployment':
      swaps.push(['UPD-5', ['UPD-5'], [404, 409, 422]]);
      break;
    case 'updateFolder':
      swaps.push(['FOLDER-6', ['FOLDER-6'], [400, 403, 410]]);
      swaps.push(['FOLDER-7', ['FOLDER-7'], [400, 403, 409]]);
      swaps.push(['FOLDER-8', ['FOLDER-8'], [401, 404]]);
      break;
    case 'addNotificationRecipients':
      swaps.push(['RECIP-15', ['RECIP-15'], [403, 422, 501]]);
      swaps.push(['RECIP-16', ['RECIP-16'], [404, 409, 422]]);
      for (const statement of ['RECIP-20', 'RECIP-21', 'RECIP-22'])
        swaps.push([statement, [statement], [401, 404]]);
      break;
    case 'exportAuditLogs':
      swaps.push(['AUDIT-11', ['AUDIT-11'], [401, 404]]);
      break;
  }
  return swaps.flatMap(([statement, breaks, others]) =>
    others.map((status) => ({
      id: `status:${id}:${statement}:${status}`,
      text: `${id}: what ${statement} refuses is refused with ${status}.`,
      breaks,
      operations: [id],
      answer: (answer, { refusal: refused }) =>
        refused?.statement === statement && answer.status >= 400 ? { ...answer, status } : answer,
    })),
  );
}

function headersOf({ id }: Operation): Deviation[] {
  const deviations: Deviation[] = [
    {
      id: `header:${id}:WWW-Authenticate`,
      text: `${id}: a 401 has no WWW-Authenticate header.`,
      breaks: ['HTTP-1'],
      operations: [id],
      answer: (answer) => withHeader(answer, 'WWW-Authenticate', undefined),
    },
  ];
  if (id !== 'exportAuditLogs') return deviations;
  const onExport = (
    name: string,
    breaks: string,
    text: string,
    header: string,
    value: string | undefined,
  ): Deviation => ({
    id: `header:${id}:${name}`,
    text: `${id}: ${text}.`,
    breaks: [breaks],
    operations: [id],
    answer: (answer) => withHeader(answer, header, value),
  });
  return [
    ...deviations,
    onExport(
      'no-disposition',
      'AUDIT-2',
      'the file comes without Content-Disposition',
      'Content-Disposition',
      undefined,
    ),
    onExport(
      'inline',
      'AUDIT-2',
      'the file comes inline',
      'Content-Disposition',
      'inline; filename="audit-log.csv"',
    ),
    onExport(
      'plain',
      'AUDIT-3',
      'the file calls itself text/plain',
      'Content-Type',
      'text/plain; charset=utf-8',
    ),
    onExport(
      'octets',
      'AUDIT-3',
      'the file calls itself application/octet-stream',
      'Content-Type',
      'application/octet-stream',
    ),
  ];
}

/** The answer with another value of a header that it has, or without it. */
function withHeader<A extends { readonly headers?: Readonly<Record<string, string>> }>(
  answer: A,
  name: string,
  value: string | undefined,
): A {
  if (answer.headers?.[name] === undefined || 'refused' in answer) return answer;
  const { [name]: _, ...rest } = answer.headers;
  return { ...answer, headers: value === undefined ? rest : { ...rest, [name]: value } };
}
