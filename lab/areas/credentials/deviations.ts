/** Deviations of credentials and scopes: their expiry, their state, and their spelling. */
import { contract, type OperationId, type Surface } from '../../../spec/contract.ts';
import { by, isElsewhere, isOf, isScoped } from '../../deviations/conditions.ts';
import { type Asked, all, answers, not, type When } from '../../deviations/does.ts';
import { listed } from '../../deviations/objects.ts';
import { accepts, asOwner, despite, refusedWith, refuses } from '../../deviations/refusals.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { callerOf, deploymentOf } from '../../deviations/wire.ts';

/** Accepts a malformed header of this form, if a credential occurs in it. */
const readsOwner = (form: RegExp) =>
  accepts('AUTH-3', (done) =>
    form.test(done.call.headers.authorization ?? '') ? asOwner(done) : undefined,
  );
const isBare: When = ({ call }) => /^bearer\s*$/i.test(call.headers.authorization ?? '');

const beginsAsOwn: When = ({ call, target }) =>
  callerOf(call, target)?.scope?.some((own) => deploymentOf(call).startsWith(own)) === true;
/** The number of places by which the call's deployment comes after another in the list. */
async function placesBehind(asked: Asked, other: string | undefined): Promise<number> {
  const ids = (await listed(asked, 'listDeployments')).map(({ id }) => String(id));
  return ids.indexOf(deploymentOf(asked.call)) - ids.indexOf(other ?? '');
}
const isNotTheNext: When = async (asked) => {
  const own = callerOf(asked.call, asked.target)?.scope?.at(-1);
  return Math.abs(await placesBehind(asked, own)) !== 1;
};
const isFar: When = async (asked) => (await placesBehind(asked, undefined)) > 20;
const isFarUnscoped = all(not(isScoped), isElsewhere, isFar);

const RIGHTS = 'RECIP-20 RECIP-21 RECIP-22 FOLDER-8 AUTH-24';
const notFound = answers(({ reply }) => ({ ...reply, status: 404 }));
const isToggle = isOf('setStagingEnvironment');

const rows: readonly Row[] = [
  ['malformed-without-scheme-accepted', 'AUTH-3', readsOwner(/^[\w.~+/-]+=*$/)],
  ['malformed-without-token-accepted', 'AUTH-3', accepts('AUTH-3'), isBare],
  ['malformed-twice-accepted', 'AUTH-3', readsOwner(/^bearer [\w.~+/-]+=*,? +[\w.~+/-]+=*$/i)],
  ['malformed-in-quotes-accepted', 'AUTH-3', readsOwner(/^bearer "[\w.~+/-]+=*"$/i)],
  ['plain-http-served', 'AUTH-15', (call, target) => target.handle({ ...call, secure: true })],
  ['scope-of-equal-beginnings', 'AUTH-8', accepts('AUTH-8'), beginsAsOwn],
  ['scope-closes-the-next-only', 'AUTH-8', accepts('AUTH-8'), isNotTheNext],
  ['unscoped-key-reaches-twenty', 'AUTH-10', refuses(403, 'AUTH-8'), isFarUnscoped],
  ['authorisation-refused-401-on-writes', 'AUTH-13', refusedWith(401, RIGHTS)],
  ['refused-for-scope-but-done-version', 'AUTH-14', despite('AUTH-8'), isOf('updateDeployment')],
  ['expired-oauth-token-accepted', 'AUTH-4', accepts('AUTH-4'), by('expiredOauth')],
  ['expired-refused-but-switches-staging', 'AUTH-14', despite('AUTH-4'), isToggle],
];
const operationsOf = (...surfaces: readonly Surface[]): readonly OperationId[] =>
  [...contract.operations.values()]
    .filter(({ requires }) => surfaces.includes(requires.surface))
    .map(({ id }) => id);

export const credentials = [
  ...table('credentials', operationsOf('management', 'build', 'scim'), rows),
  ...table('credentials', operationsOf('management'), [
    ['management-api-not-found', 'SVC-1', notFound],
  ]),
  ...table('credentials', operationsOf('build'), [['build-api-not-found', 'SVC-2', notFound]]),
  ...table('credentials', operationsOf('scim'), [
    ['scim-api-not-found', 'SVC-3', notFound],
    ['expired-scim-token-accepted', 'AUTH-4', accepts('AUTH-4'), by('expiredScim')],
  ]),
];
