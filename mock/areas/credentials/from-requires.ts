/**
 * Deviations that follow from `x-requires`, for every operation: each authorisation rule weakened or
 * strengthened, and each documented refusal with another status.
 */
import {
  type CredentialKind,
  contract,
  named,
  type Operation,
  type OperationId,
  type Surface,
} from '../../../spec/contract.ts';
import { admits, headerOf, turnsAway } from '../../deviations/callers.ts';
import { type Does, onCheck, type Scene, together } from '../../deviations/does.ts';
import { ofAnswers, refusalsOf, refusedWith, withHeader } from '../../deviations/from-responses.ts';
import { observable } from '../../deviations/from-schemas.ts';
import { accepts } from '../../deviations/refusals.ts';
import type { Caller } from '../../pipeline/credential.ts';
import { refusal } from '../../pipeline/exchange.ts';
import type { BaseScene, WrappingDeviation } from '../../pipeline/stages.ts';

const operations = [...contract.operations.values()];
const surfaces = [...new Set(operations.map((item) => item.requires.surface))];

const NOT_ACCEPTED = 'The credential is not accepted';

/** How a service reads a header is one piece of code for a surface, not one for each operation. */
function schemeCase(surface: Surface): WrappingDeviation {
  return {
    id: `auth:${surface}:scheme-case`,
    text: `The ${surface} API knows the scheme by its usual spelling only.`,
    breaks: ['HTTP-2'],
    operations: operations.filter((item) => item.requires.surface === surface).map(({ id }) => id),
    wraps: turnsAway('HTTP-2', NOT_ACCEPTED, (_caller, scene) =>
      headerOf(scene).startsWith('bearer '),
    ),
  };
}

const ofAuth =
  (operation: OperationId) =>
  (name: string, breaks: string, text: string, does: Does): WrappingDeviation => ({
    id: `auth:${operation}:${name}`,
    text: `${operation}: ${text}.`,
    breaks: [breaks],
    operations: [operation],
    wraps: does,
  });

/** The one whom a service that forgets to ask takes the caller for. */
function administrator({ operation, world }: BaseScene): Caller {
  const scim = operation.requires.surface === 'scim';
  const user = world.state.tables.users.rows().find((row) => row.admin) ?? null;
  return {
    credential: scim ? 'scim' : 'admin',
    kind: scim ? 'scim' : 'apiKey',
    user: scim ? null : user,
    scope: null,
  };
}

function authentication({ id, requires }: Operation): WrappingDeviation[] {
  const wrong = ofAuth(id);
  const accepted = (name: string, statement: string, breaks: string, text: string) =>
    wrong(name, breaks, text, admits(statement, administrator));
  const refused = (
    name: string,
    breaks: string,
    text: string,
    when: (caller: Caller, scene: BaseScene) => boolean,
  ) => wrong(name, breaks, text, turnsAway(breaks, NOT_ACCEPTED, when));
  const inScheme = (name: string) => (_caller: Caller, scene: BaseScene) =>
    headerOf(scene).toLowerCase().startsWith(`${name} `);
  const ofKind = (kind: CredentialKind) => (caller: Caller) => caller.kind === kind;
  return [
    accepted('missing-accepted', 'AUTH-1', 'AUTH-1', 'a request without a credential is served'),
    accepted('malformed-accepted', 'AUTH-3', 'AUTH-3', 'a malformed credential is accepted'),
    accepted('expired-accepted', 'AUTH-4', 'AUTH-4', 'an expired credential is accepted'),
    accepted('metadata-token-accepted', 'META-16', 'META-8', 'a metadata token is accepted'),
    ...(requires.surface === 'scim'
      ? [
          refused(
            'bearer-refused',
            'AUTH-11',
            'a SCIM token is refused as bearer token',
            inScheme('bearer'),
          ),
          refused(
            'api-key-refused',
            'AUTH-12',
            'a SCIM token is refused in the Api-Key scheme',
            inScheme('api-key'),
          ),
        ]
      : [
          refused('oauth-refused', 'AUTH-5', 'an OAuth access token is refused', ofKind('oauth')),
          refused(
            'key-refused',
            requires.surface === 'build' ? 'AUTH-6' : 'AUTH-2',
            'an API key is refused',
            ofKind('apiKey'),
          ),
        ]),
  ];
}

const asOwner: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'an API key',
  oauth: 'an OAuth token',
  embed: 'an embed JWT',
  scim: 'a SCIM token',
};

/** What is not asked for: name, statement that asks for it, what is wrong. */
function dropped({ requires }: Operation): readonly (readonly [string, string, string])[] {
  const { permission, feature, edit, role = {} } = requires.statements ?? {};
  const scope = requires.deployment === undefined ? undefined : named.deploymentOutOfScope;
  const roles = Object.entries(role).map(
    ([kind, statement]) =>
      [
        `role-dropped-${kind}`,
        statement,
        `${asOwner[kind as CredentialKind]} needs no admin role`,
      ] as const,
  );
  const rules = [
    ['scope-dropped', scope, 'a scoped key reaches every deployment'],
    ...roles,
    ['permission-dropped', permission, 'the permission is not asked for'],
    ['feature-dropped', feature, 'the feature is not asked for'],
    ['edit-dropped', edit, 'edit access is not asked for'],
  ] as const;
  return rules.flatMap(([name, statement, text]) =>
    statement !== undefined && observable(statement, 'documented')
      ? [[name, statement, text] as const]
      : [],
  );
}

const isScopedHere = ({ call }: Scene) =>
  call.caller.scope?.includes(call.requested.deployment ?? '') === true;
const isUnscopedElsewhere = ({ call }: Scene) =>
  call.caller.scope === null && call.requested.deployment !== '1';
const isNoAdmin = ({ call }: Scene) => call.caller.user?.admin !== true;

function rules(operation: Operation): WrappingDeviation[] {
  const { requires } = operation;
  const wrong = ofAuth(operation.id);
  const added = (name: string, breaks: string, text: string, when: (scene: Scene) => boolean) =>
    wrong(
      name,
      breaks,
      text,
      onCheck('authorise', (refused, scene) =>
        refused === undefined && when(scene) ? refusal(403, breaks, 'Not authorised') : refused,
      ),
    );
  const inDeployment = requires.deployment !== undefined;
  const asksForMore = requires.role !== undefined || requires.edit !== undefined;
  const strengthened = [
    added('own-refused', 'AUTH-9', 'a scoped key is refused for its own deployment', isScopedHere),
    added(
      'others-refused',
      'AUTH-10',
      'an unscoped key is refused beyond one deployment',
      isUnscopedElsewhere,
    ),
    ...(requires.role === undefined || !requires.credentials.includes('embed')
      ? []
      : [
          added(
            'admin-embed-refused',
            'RECIP-40',
            'an embed JWT of an administrator is refused',
            ({ call }) => call.caller.kind === 'embed',
          ),
        ]),
    ...(asksForMore
      ? []
      : [added('admin-only', 'AUTH-10', 'an admin role is asked for', isNoAdmin)]),
  ];
  return [
    ...dropped(operation).map(([name, statement, text]) =>
      wrong(
        name,
        statement,
        text,
        together([accepts('authorise', statement), accepts('edit', statement)]),
      ),
    ),
    ...(inDeployment ? strengthened : []),
  ];
}

/** The statuses that the promised one is swapped with, unless its statement has some of its own. */
const otherStatuses: Readonly<Record<number, readonly number[]>> = {
  400: [404, 409, 422],
  401: [400, 403],
  403: [401, 404],
  404: [400, 403, 409],
};
const ownStatuses: Readonly<Record<string, readonly number[]>> = {
  'AUTH-1': [400, 403, 500],
  'AUTH-8': [400, 404],
  'FOLDER-6': [400, 403, 410],
  'RECIP-15': [403, 422, 501],
};

function statuses(operation: Operation): WrappingDeviation[] {
  const { id, requires } = operation;
  const swapped = refusalsOf(operation).flatMap(([statement, status]) =>
    refusedWith(id, statement, ownStatuses[statement] ?? otherStatuses[status] ?? [400]),
  );
  const scope = requires.deployment === undefined ? [] : ['AUTH-8'];
  return [
    ...swapped,
    ...scope.flatMap((statement) => refusedWith(id, statement, [401], [statement, 'AUTH-13'])),
  ];
}

/** How to sign in is not said. */
const withoutChallenge = ({ id }: Operation) =>
  ofAnswers(
    `header:${id}:WWW-Authenticate`,
    id,
    'a 401 has no WWW-Authenticate header',
    ['HTTP-1'],
    (reply) => withHeader(reply, 'WWW-Authenticate', undefined),
  );

export const fromRequires: readonly WrappingDeviation[] = [
  ...surfaces.map(schemeCase),
  ...operations.flatMap((operation) => [
    ...authentication(operation),
    ...rules(operation),
    ...statuses(operation),
    withoutChallenge(operation),
  ]),
];
