/** Credentials and scopes that go wrong in time, in state, or in how they are written. */
import {
  contract,
  type Operation,
  type OperationId,
  type Surface,
} from '../../../spec/contract.ts';
import {
  all,
  isElsewhere,
  isScoped,
  not,
  sameHeader,
  sameOperation,
} from '../../deviations/conditions.ts';
import { type Asked, answers, type When } from '../../deviations/does.ts';
import { listed } from '../../deviations/objects.ts';
import {
  accepts,
  asAdmin,
  asOwner,
  despite,
  refusedWith,
  refuses,
  refusesOnce,
} from '../../deviations/refusals.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { callerOf, deploymentOf } from '../../deviations/wire.ts';

const idsWhere = (holds: (operation: Operation) => boolean): readonly OperationId[] =>
  [...contract.operations.values()].filter(holds).map(({ id }) => id);

// ── headers ─────────────────────────────────────────────────────────────────────

const B64TOKEN = '[A-Za-z0-9._~+/-]+=*';
/** Takes a malformed header for the credential that stands in it. */
const readsOwner = accepts('AUTH-3', asOwner);
const isWritten =
  (form: string): When =>
  ({ call }) =>
    new RegExp(`^${form}$`, 'i').test(sameHeader(call));

// ── scopes ──────────────────────────────────────────────────────────────────────

const beginsAsOwn: When = ({ call, target }) =>
  callerOf(call, target)?.scope?.some((own) => deploymentOf(call).startsWith(own)) === true;
/** How many places of the list a deployment stands behind another. */
async function placesBehind(asked: Asked, other: string | undefined): Promise<number> {
  const ids = (await listed(asked, 'listDeployments')).map(({ id }) => String(id));
  return ids.indexOf(deploymentOf(asked.call)) - ids.indexOf(other ?? '');
}
const isNotTheNext: When = async (asked) => {
  const own = callerOf(asked.call, asked.target)?.scope?.at(-1);
  return Math.abs(await placesBehind(asked, own)) !== 1;
};
const isFar: When = async (asked) => (await placesBehind(asked, undefined)) > 20;

const opensLater = refusesOnce('META-16', asAdmin, sameOperation);

const rows: readonly Row[] = [
  ['malformed-without-scheme-accepted', 'AUTH-3', readsOwner, isWritten(B64TOKEN)],
  ['malformed-without-token-accepted', 'AUTH-3', accepts('AUTH-3'), isWritten('bearer\\s*')],
  [
    'malformed-twice-accepted',
    'AUTH-3',
    readsOwner,
    isWritten(`bearer ${B64TOKEN},? +${B64TOKEN}`),
  ],
  ['malformed-in-quotes-accepted', 'AUTH-3', readsOwner, isWritten(`bearer "${B64TOKEN}"`)],
  ['plain-http-served', 'AUTH-15', (call, target) => target.handle({ ...call, secure: true })],
  ['metadata-token-opens-after-a-refusal', 'META-8', opensLater],
];
const inDeployments: readonly Row[] = [
  ['scope-of-equal-beginnings', 'AUTH-8', accepts('AUTH-8'), beginsAsOwn],
  ['scope-closes-the-next-only', 'AUTH-8', accepts('AUTH-8'), isNotTheNext],
  [
    'unscoped-key-reaches-twenty',
    'AUTH-10',
    refuses(403, 'AUTH-8', all(not(isScoped), isElsewhere, isFar)),
  ],
];
const RIGHTS = 'RECIP-20 RECIP-21 RECIP-22 FOLDER-8 AUTH-24';
const ofWrites: readonly Row[] = [
  ['authorisation-refused-401-on-writes', 'AUTH-13', refusedWith(401, RIGHTS)],
];
const notFound = answers(({ reply }) => ({ ...reply, status: 404 }));
const moved = answers(({ reply }) => ({ ...reply, status: 308, headers: { Location: '/moved' } }));
/** All of an API is somewhere else, or open to metadata tokens. */
const ofSurface = (surface: Surface, statement: string) =>
  table(
    'credentials',
    idsWhere(({ requires }) => requires.surface === surface),
    [
      [`${surface}-api-not-found`, statement, notFound],
      [`${surface}-api-moved`, statement, moved],
      [`metadata-token-opens-the-${surface}-api`, 'META-8', accepts('META-16')],
    ],
  );

export const credentials = [
  ...table(
    'credentials',
    idsWhere(() => true),
    rows,
  ),
  ...table(
    'credentials',
    idsWhere(({ requires }) => requires.deployment !== undefined),
    inDeployments,
  ),
  ...table(
    'credentials',
    idsWhere(
      ({ method, requires: { role, edit } }) => method !== 'GET' && (role ?? edit) !== undefined,
    ),
    ofWrites,
  ),
  ...ofSurface('management', 'SVC-1'),
  ...ofSurface('build', 'SVC-2'),
  ...ofSurface('scim', 'SVC-3'),
  ...table(
    'credentials',
    ['updateDeployment'],
    [['refused-for-scope-but-done-version', 'AUTH-14', despite('AUTH-8')]],
  ),
  ...table(
    'credentials',
    ['setStagingEnvironment'],
    [['expired-refused-but-switches-staging', 'AUTH-14', despite('AUTH-4')]],
  ),
];
