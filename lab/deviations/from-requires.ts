/**
 * Deviations that follow from `x-requires`, for every operation: each authorisation rule is weakened or
 * strengthened, for all callers, for some of them, or sometimes.
 */
import type { CredentialKind, Operation, OperationId, Surface } from '../../spec/contract.ts';
import { contract, kindsInWords, named } from '../../spec/contract.ts';
import { isElsewhere, isScoped, isWithinScope, sameHeader } from './conditions.ts';
import { all, not, type When } from './does.ts';
import { observable } from './from-schemas.ts';
import { accepts, refuses, refusesOnce } from './refusals.ts';
import { status } from './replies.ts';
import { type Deviation, derived, type Row, table } from './rows.ts';
import { callerOf } from './wire.ts';

const operations = [...contract.operations.values()];
const surfaces = [...new Set(operations.map((item) => item.requires.surface))];

/** The authorisation rules of an operation: the name of each, and the text for a deviation that drops it. */
export function rulesOf({ deployment, statements }: Operation['requires']) {
  const { permission, feature, edit, role = {} } = statements ?? {};
  const scope = deployment === undefined ? undefined : named.deploymentOutOfScope;
  const ofRoles = Object.entries(role).map(([kind, statement]) => {
    const text = `${kindsInWords[kind as CredentialKind]} needs no admin role`;
    return [`role-dropped-${kind}`, statement, text] as const;
  });
  return [
    ['scope-dropped', scope, 'a scoped key reaches every deployment'] as const,
    ...ofRoles,
    ['permission-dropped', permission, 'the permission is not asked for'] as const,
    ['feature-dropped', feature, 'the feature is not asked for'] as const,
    ['edit-dropped', edit, 'edit access is not asked for'] as const,
  ].flatMap(([name, statement, text]) =>
    statement === undefined ? [] : [[name, statement, text] as const],
  );
}

function scheme(name: string, flags = 'i'): When {
  return ({ call }) => new RegExp(`^${name} `, flags).test(sameHeader(call));
}
function ofKind(kind: CredentialKind): When {
  return ({ call, target }) => callerOf(call, target)?.kind === kind;
}
const isAdmin: When = ({ call, target }) => callerOf(call, target)?.admin === true;
const isUnscopedAway = all(not(isScoped), isElsewhere, ofKind('apiKey'));

const accepted: readonly Row[] = [
  ['missing-accepted: a request without a credential is served', 'AUTH-1', accepts('AUTH-1')],
  ['malformed-accepted: a malformed credential is accepted', 'AUTH-3', accepts('AUTH-3')],
  ['expired-accepted: an expired credential is accepted', 'AUTH-4', accepts('AUTH-4')],
  ['metadata-token-accepted: a metadata token is accepted', 'META-8', accepts('META-16')],
];
const [unknown, forbidden] = [refuses(401, 'AUTH-2'), refuses(403, 'AUTH-8')];
const ofKeys = (breaks: string): readonly Row[] => [
  ['oauth-refused: an OAuth access token is refused', 'AUTH-5', unknown, ofKind('oauth')],
  ['key-refused: an API key is refused', breaks, unknown, ofKind('apiKey')],
];
const ofSurface: Readonly<Record<Surface, readonly Row[]>> = {
  management: ofKeys('AUTH-2'),
  build: ofKeys('AUTH-6'),
  scim: [
    ['bearer-refused: a SCIM token as bearer is refused', 'AUTH-11', unknown, scheme('bearer')],
    ['api-key-refused: a SCIM token as Api-Key is refused', 'AUTH-12', unknown, scheme('api-key')],
  ],
};
const isEmbed = ofKind('embed');
const inDeployment: readonly Row[] = [
  ['own-refused: a scoped key is refused at its deployment', 'AUTH-9', forbidden, isWithinScope],
];
const elsewhere: readonly Row[] = [
  ['others-refused: an unscoped key is refused elsewhere', 'AUTH-10', forbidden, isUnscopedAway],
];
const ofOpen: readonly Row[] = [
  ['admin-only: an admin role is asked for', 'AUTH-10', forbidden, not(isAdmin)],
];
const ofEmbed: readonly Row[] = [
  ['admin-embed-refused: an administrator by embed JWT is refused', 'RECIP-40', forbidden, isEmbed],
];

/** Statuses that deny access, although they are neither 401 nor 403. */
const oddAnswers = [302, 404, 409, 500, 503];

/** These calls need objects of the other deployment. A tenant file names only a folder there. */
const servedElsewhere: readonly OperationId[] = [
  ...(['listEnvironments', 'listVersions', 'listBranches'] as const),
  ...(['updateDeployment', 'updateFolder'] as const),
];

/** Each row again, with an odd status for the callers that it refuses. */
const oddly = (rows: readonly Row[], { effect }: Operation): readonly Row[] =>
  rows.flatMap(([title, breaks, , when]): Row[] =>
    // If every key got 503 for a write, the runner would see an outage, and could not put the
    // object back.
    oddAnswers
      .filter((code) => code !== 503 || effect === 'none')
      .map((code) => {
        const odd = title
          .replace('-refused', `-${code}`)
          .replace('is refused', `is answered ${code}`);
        return when === undefined ? [odd, breaks, status(code)] : [odd, breaks, status(code), when];
      }),
  );

/** Rows for each rule of an operation: the rule is never checked, or only until the first refusal. */
const dropped = ({ requires }: Operation): Row[] =>
  rulesOf(requires).flatMap(([name, statement, text]): Row[] => {
    if (!observable(statement, 'documented')) return [];
    const always: Row = [`${name}: ${text}`, statement, accepts(statement)];
    const once = `${name.replace('dropped', 'asked-once')}: ${text} after a first refusal`;
    const isOfScope = statement === named.deploymentOutOfScope;
    return isOfScope ? [always] : [always, [once, statement, refusesOnce(statement)]];
  });

/**
 * These rows are made for each surface, because a service usually reads the header in one place for all its
 * operations.
 */
const asIsUsual = scheme('bearer', '');
const spelling: readonly Row[] = [
  ['scheme-case: only one spelling of the scheme is known', 'HTTP-2', unknown, asIsUsual],
];

export const fromRequires: readonly Deviation[] = [
  ...surfaces.flatMap((surface) => {
    const ids = operations.flatMap(({ id, requires }) => (requires.surface === surface ? id : []));
    return table(`auth:${surface}`, ids, spelling);
  }),
  ...operations.flatMap((operation) => {
    const { surface, deployment, role, edit, credentials } = operation.requires;
    const isIn = deployment !== undefined;
    const letIn = [
      ...ofSurface[surface],
      ...(isIn ? inDeployment : []),
      ...(isIn && role !== undefined && credentials.includes('embed') ? ofEmbed : []),
    ];
    return derived(operation, (name, id) => `auth:${id}:${name}`, [
      ...accepted,
      ...letIn,
      ...(isIn ? elsewhere : []),
      ...oddly(
        servedElsewhere.includes(operation.id) ? [...letIn, ...elsewhere] : letIn,
        operation,
      ),
      ...dropped(operation),
      ...(isIn && (role ?? edit) === undefined ? ofOpen : []),
    ]);
  }),
];
