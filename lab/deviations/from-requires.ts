/**
 * Deviations that follow from `x-requires`, for every operation: each authorisation rule weakened or
 * strengthened, for everybody, for some, or at times.
 */
import {
  type CredentialKind,
  contract,
  kindsInWords,
  named,
  type Operation,
  type Surface,
} from '../../spec/contract.ts';
import { all, isElsewhere, isScoped, isWithinScope, not, sameHeader } from './conditions.ts';
import type { Does, When } from './does.ts';
import { observable } from './from-schemas.ts';
import { accepts, refuses, refusesOnce } from './refusals.ts';
import { type Deviation, type Wrong, wrongIn } from './rows.ts';
import { callerOf } from './wire.ts';

const operations = [...contract.operations.values()];
const surfaces = [...new Set(operations.map((item) => item.requires.surface))];

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

const scheme =
  (name: string): When =>
  ({ call }) =>
    sameHeader(call).toLowerCase().startsWith(`${name} `);
const ofKind =
  (kind: CredentialKind): When =>
  ({ call, target }) =>
    callerOf(call, target)?.kind === kind;
const isAdmin: When = ({ call, target }) => callerOf(call, target)?.admin === true;

/** How a service reads a header is one piece of code for a surface, not one for each operation. */
const schemeCase = (surface: Surface): Deviation => ({
  id: `auth:${surface}:scheme-case`,
  text: `The ${surface} API knows the scheme by its usual spelling only.`,
  breaks: ['HTTP-2'],
  operations: operations.filter((item) => item.requires.surface === surface).map(({ id }) => id),
  does: refuses(401, 'HTTP-2', ({ call }) => sameHeader(call).startsWith('bearer ')),
});

/** One of the rules of an operation is wrong. */
const rule = (name: string, breaks: string, text: string, does: Does): Wrong => {
  return ['auth', name, text, [breaks], does];
};
const away = (name: string, breaks: string, text: string, when: When): Wrong =>
  rule(`${name}-refused`, breaks, text, refuses(401, breaks, when));
const forbids = (name: string, breaks: string, text: string, when: When): Wrong =>
  rule(name, breaks, text, refuses(403, breaks, when));

const ofEach: readonly Wrong[] = [
  rule('missing-accepted', 'AUTH-1', 'a request without a credential is served', accepts('AUTH-1')),
  rule('malformed-accepted', 'AUTH-3', 'a malformed credential is accepted', accepts('AUTH-3')),
  rule('expired-accepted', 'AUTH-4', 'an expired credential is accepted', accepts('AUTH-4')),
  rule('metadata-token-accepted', 'META-8', 'a metadata token is accepted', accepts('META-16')),
];
const noOauth = away('oauth', 'AUTH-5', 'an OAuth access token is refused', ofKind('oauth'));
const noKey = (breaks: string) => away('key', breaks, 'an API key is refused', ofKind('apiKey'));
const inApiKey = 'a SCIM token is refused in the Api-Key scheme';
const ofSurface: Readonly<Record<Surface, readonly Wrong[]>> = {
  management: [noOauth, noKey('AUTH-2')],
  build: [noOauth, noKey('AUTH-6')],
  scim: [
    away('bearer', 'AUTH-11', 'a SCIM token is refused as bearer token', scheme('bearer')),
    away('api-key', 'AUTH-12', inApiKey, scheme('api-key')),
  ],
};

/** The rules of an operation that are not asked for, or asked for once. */
const dropped = ({ requires }: Operation): Wrong[] =>
  rulesOf(requires).flatMap(([name, statement, text]) => {
    if (!observable(statement, 'documented')) return [];
    const always = rule(name, statement, text, accepts(statement));
    const once = name.replace('dropped', 'asked-once');
    const later = rule(once, statement, `${text} after a first refusal`, refusesOnce(statement));
    return statement === named.deploymentOutOfScope ? [always] : [always, later];
  });

/** Rules that an operation in a deployment does not have. */
function added({ requires }: Operation): Wrong[] {
  const { deployment, role, edit, credentials } = requires;
  if (deployment === undefined) return [];
  const own = 'a scoped key is refused for its own deployment';
  const others = 'an unscoped key is refused beyond one deployment';
  const embedded = 'an embed JWT of an administrator is refused';
  const wrong = [
    forbids('own-refused', 'AUTH-9', own, isWithinScope),
    forbids('others-refused', 'AUTH-10', others, all(not(isScoped), isElsewhere)),
  ];
  if ((role ?? edit) === undefined)
    wrong.push(forbids('admin-only', 'AUTH-10', 'an admin role is asked for', not(isAdmin)));
  if (role !== undefined && credentials.includes('embed'))
    wrong.push(forbids('admin-embed-refused', 'RECIP-40', embedded, ofKind('embed')));
  return wrong;
}

export const fromRequires: readonly Deviation[] = [
  ...surfaces.map(schemeCase),
  ...operations.flatMap((operation) =>
    wrongIn(operation.id, [
      ...ofEach,
      ...ofSurface[operation.requires.surface],
      ...dropped(operation),
      ...added(operation),
    ]),
  ),
];
