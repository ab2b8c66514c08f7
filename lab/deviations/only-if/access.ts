/**
 * Conditions on caller and deployment: the promises are the same for each caller that has access,
 * and for each deployment.
 */
import { contract, type Operation } from '../../../spec/contract.ts';
import { isElsewhere } from '../conditions.ts';
import type { Deviation } from '../rows.ts';
import { type Caller, callerOf } from '../wire.ts';
import { type Fits, type Holds, rows } from './only-if.ts';

const operations = [...contract.operations.values()];

export const isSilent = (id: string | undefined): boolean =>
  id !== undefined && contract.statements.get(id)?.level === 'silent';
const takes =
  (kind: Caller['kind']): Fits =>
  ({ requires }) =>
    requires.credentials.includes(kind);
/**
 * Callers who are not administrators have access if the operation needs neither a role nor a
 * permission.
 */
const isOpen = ({ requires }: Operation): boolean =>
  (requires.role ?? requires.permission) === undefined;
const isOf =
  (kind: Caller['kind'], is: (caller: Caller) => boolean = () => true): Holds =>
  ({ call, target }) => {
    const caller = callerOf(call, target);
    return caller?.kind === kind && is(caller);
  };
const isUnscoped = ({ scope }: Caller) => scope === undefined;
const isAdmin = ({ admin }: Caller) => admin;
const isMember = ({ admin }: Caller) => !admin;

/**
 * The authorisation statements. A rule about access already depends on the caller, and it is
 * decided before pages and values are read.
 */
const ofAccess = new Set(
  operations.flatMap(({ requires: { statements = {} } }) => [
    ...[statements.permission, statements.edit].filter((id) => id !== undefined),
    ...Object.values(statements.role ?? {}),
  ]),
);
export const isNotOfAccess = ({ id, breaks }: Deviation): boolean =>
  !id.startsWith('auth:') && !breaks.every((one) => one.startsWith('AUTH-') || ofAccess.has(one));

export const callers = rows(
  'caller',
  [
    [
      'admin',
      'for the unscoped key of an administrator',
      takes('apiKey'),
      isOf('apiKey', (one) => isUnscoped(one) && isAdmin(one)),
    ],
    [
      'member',
      'for the key of a member',
      (one) => takes('apiKey')(one) && isOpen(one),
      isOf('apiKey', isMember),
    ],
    ['oauth', 'for the OAuth token of an administrator', takes('oauth'), isOf('oauth', isAdmin)],
    [
      'member-oauth',
      'for the OAuth token of a member',
      (one) =>
        takes('oauth')(one) && isOpen(one) && !isSilent(one.requires.statements?.role?.oauth),
      isOf('oauth', isMember),
    ],
    [
      'scoped',
      'for a scoped key',
      (one) => takes('apiKey')(one) && one.requires.deployment !== undefined,
      isOf('apiKey', (one) => !isUnscoped(one)),
    ],
    [
      'admin-embed',
      'for the embed JWT of an administrator',
      takes('embed'),
      isOf('embed', isAdmin),
    ],
  ],
  { suits: isNotOfAccess },
);

export const places = rows('deployment', [
  [
    'elsewhere',
    'in another deployment than the first',
    ({ requires }) => requires.deployment !== undefined,
    isElsewhere,
  ],
]);
