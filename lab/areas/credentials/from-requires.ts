/**
 * Deviations that follow from `x-requires`, for every operation: each authorisation rule weakened or
 * strengthened, and each documented refusal with another status.
 */

import type { Caller } from '../../../mock/pipeline/credential.ts';
import type { BaseScene, Deviation } from '../../../mock/pipeline/stages.ts';
import {
  type CredentialKind,
  contract,
  type Operation,
  type Surface,
} from '../../../spec/contract.ts';
import { admits, headerOf, turnsAway } from '../../deviations/callers.ts';
import { type Does, onAnswer, type Scene, together } from '../../deviations/does.ts';
import { refusalsOf, refusedWith, rulesOf, withHeader } from '../../deviations/from-responses.ts';
import { observable } from '../../deviations/from-schemas.ts';
import { accepts, refuses } from '../../deviations/refusals.ts';
import { wrongIn } from '../../deviations/rows.ts';

const operations = [...contract.operations.values()];
const surfaces = [...new Set(operations.map((item) => item.requires.surface))];

const NOT_ACCEPTED = 'The credential is not accepted';

/** How a service reads a header is one piece of code for a surface, not one for each operation. */
const schemeCase = (surface: Surface): Deviation => ({
  id: `auth:${surface}:scheme-case`,
  text: `The ${surface} API knows the scheme by its usual spelling only.`,
  breaks: ['HTTP-2'],
  operations: operations.filter((item) => item.requires.surface === surface).map(({ id }) => id),
  wraps: turnsAway('HTTP-2', NOT_ACCEPTED, (_caller, scene) =>
    headerOf(scene).startsWith('bearer '),
  ),
});

/** What is wrong with the rules of an operation: name, statement that it breaks, text, how. */
type Wrong = readonly [name: string, breaks: string, text: string, does: Does];

/** The one whom a service that forgets to ask takes the caller for. */
function administrator({ operation, world }: BaseScene): Caller {
  const user = world.state.tables.users.rows().find((row) => row.admin) ?? null;
  return operation.requires.surface === 'scim'
    ? { credential: 'scim', kind: 'scim', user: null, scope: null }
    : { credential: 'admin', kind: 'apiKey', user, scope: null };
}

// ── authentication ──────────────────────────────────────────────────────────────

const accepted = (statement: string) => admits(statement, administrator);

const ofEach: readonly Wrong[] = [
  ['missing-accepted', 'AUTH-1', 'a request without a credential is served', accepted('AUTH-1')],
  ['malformed-accepted', 'AUTH-3', 'a malformed credential is accepted', accepted('AUTH-3')],
  ['expired-accepted', 'AUTH-4', 'an expired credential is accepted', accepted('AUTH-4')],
  ['metadata-token-accepted', 'META-8', 'a metadata token is accepted', accepted('META-16')],
];

const refused = (
  name: string,
  breaks: string,
  text: string,
  when: (caller: Caller, scene: BaseScene) => boolean,
): Wrong => [`${name}-refused`, breaks, text, turnsAway(breaks, NOT_ACCEPTED, when)];

const inScheme = (name: string) => (_caller: Caller, scene: BaseScene) =>
  headerOf(scene).toLowerCase().startsWith(`${name} `);
const ofKind = (kind: CredentialKind) => (caller: Caller) => caller.kind === kind;

const noOauth = refused('oauth', 'AUTH-5', 'an OAuth access token is refused', ofKind('oauth'));
const noKey = (breaks: string) => refused('key', breaks, 'an API key is refused', ofKind('apiKey'));
const inApiKey = 'a SCIM token is refused in the Api-Key scheme';

const ofSurface: Readonly<Record<Surface, readonly Wrong[]>> = {
  management: [noOauth, noKey('AUTH-2')],
  build: [noOauth, noKey('AUTH-6')],
  scim: [
    refused('bearer', 'AUTH-11', 'a SCIM token is refused as bearer token', inScheme('bearer')),
    refused('api-key', 'AUTH-12', inApiKey, inScheme('api-key')),
  ],
};

// ── rules that are not asked for, or asked for in vain ──────────────────────────

/** The rules of an operation that are not asked for. */
const dropped = ({ requires }: Operation): Wrong[] =>
  rulesOf(requires).flatMap(([name, statement, text]) => {
    const notAsked = together([accepts('authorise', statement), accepts('edit', statement)]);
    return observable(statement, 'documented') ? [[name, statement, text, notAsked]] : [];
  });

const isScopedHere = ({ call }: Scene) =>
  call.caller.scope?.includes(call.requested.deployment ?? '') === true;
const isUnscopedElsewhere = ({ call }: Scene) =>
  call.caller.scope === null && call.requested.deployment !== '1';
const isEmbed = ({ call }: Scene) => call.caller.kind === 'embed';
const isNoAdmin = ({ call }: Scene) => call.caller.user?.admin !== true;

const forbids = (
  name: string,
  breaks: string,
  text: string,
  when: (scene: Scene) => boolean,
): Wrong => [name, breaks, text, refuses('authorise', breaks, 'Not authorised', when)];

/** Rules that an operation in a deployment does not have. */
function added({ requires }: Operation): Wrong[] {
  if (requires.deployment === undefined) return [];
  const own = 'a scoped key is refused for its own deployment';
  const others = 'an unscoped key is refused beyond one deployment';
  const embedded = 'an embed JWT of an administrator is refused';
  const takesEmbedded = requires.role !== undefined && requires.credentials.includes('embed');
  return [
    forbids('own-refused', 'AUTH-9', own, isScopedHere),
    forbids('others-refused', 'AUTH-10', others, isUnscopedElsewhere),
    ...(requires.role === undefined && requires.edit === undefined
      ? [forbids('admin-only', 'AUTH-10', 'an admin role is asked for', isNoAdmin)]
      : []),
    ...(takesEmbedded ? [forbids('admin-embed-refused', 'RECIP-40', embedded, isEmbed)] : []),
  ];
}

// ── statuses ────────────────────────────────────────────────────────────────────

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

function statuses(operation: Operation): Deviation[] {
  const { id, requires } = operation;
  const swapped = refusalsOf(operation).flatMap(([statement, status]) =>
    refusedWith(id, statement, ownStatuses[statement] ?? otherStatuses[status] ?? [400]),
  );
  return requires.deployment === undefined
    ? swapped
    : [...swapped, ...refusedWith(id, 'AUTH-8', [401], ['AUTH-8', 'AUTH-13'])];
}

/** How to sign in is not said. */
const withoutChallenge = ({ id }: Operation) =>
  wrongIn(id)(
    ['header', 'WWW-Authenticate'],
    'a 401 has no WWW-Authenticate header',
    ['HTTP-1'],
    onAnswer((reply) => withHeader(reply, 'WWW-Authenticate', undefined)),
  );

const wrongRules = (operation: Operation): Deviation[] =>
  [
    ...ofEach,
    ...ofSurface[operation.requires.surface],
    ...dropped(operation),
    ...added(operation),
  ].map(([name, breaks, text, does]) =>
    wrongIn(operation.id)(['auth', name], text, [breaks], does),
  );

export const fromRequires: readonly Deviation[] = [
  ...surfaces.map(schemeCase),
  ...operations.flatMap((operation) => [
    ...wrongRules(operation),
    ...statuses(operation),
    withoutChallenge(operation),
  ]),
];
