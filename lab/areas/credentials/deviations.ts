/** Credentials and scopes that go wrong in time, in state, or in how they are written. */
import { contract, type Operation, type OperationId, type Surface } from '../../../spec/contract.ts';
import { again, all, fromTime, isElsewhere, isScoped, isWithinScope, not, sameHeader, sameOperation } from '../../deviations/conditions.ts';
import { answers, type Does, given, type When } from '../../deviations/does.ts';
import { accepts, asAdmin, asOwner, despite, refusedWith, refuses } from '../../deviations/refusals.ts';
import { on, type Row, table } from '../../deviations/rows.ts';
import { callerOf, deploymentOf } from '../../deviations/wire.ts';
import { deploymentsOf } from '../lists/deviations.ts';

// ── operations ──────────────────────────────────────────────────────────────────

type Which = (operation: Operation) => boolean;
const idsWhere = (...which: readonly Which[]): readonly OperationId[] =>
  [...contract.operations.values()]
    .filter((operation) => which.every((holds) => holds(operation)))
    .map(({ id }) => id);
const reading: Which = ({ method }) => method === 'GET';
const writing: Which = ({ method }) => method !== 'GET';
const inDeployment: Which = ({ requires }) => requires.deployment !== undefined;
const askingForRights: Which = ({ requires }) =>
  requires.role !== undefined || requires.edit !== undefined;
const onAny =
  (...surfaces: readonly Surface[]): Which =>
  ({ requires }) =>
    surfaces.includes(requires.surface);
const reads = idsWhere(inDeployment, reading);
const writes = idsWhere(inDeployment, writing);

// ── who is let in ───────────────────────────────────────────────────────────────

/** Lets in whom a statement refuses, where this holds. */
const lets = (why: string, when: When, as = asAdmin) =>
  accepts(why, async (done) => ((await when(done)) ? as(done) : undefined));
const expired = accepts('AUTH-4');
const B64TOKEN = '[A-Za-z0-9._~+/-]+=*';
/** Takes a malformed header of this form for the credential that stands in it. */
const readsAs = (form: RegExp): Does =>
  accepts('AUTH-3', (done) => (form.test(sameHeader(done.call)) ? asOwner(done) : undefined));
const isBare: When = ({ call }) => /^bearer\s*$/i.test(sameHeader(call));
const isApiKey: When = ({ call }) => /^api-key /i.test(sameHeader(call));
const opens = accepts('META-16');

// ── where the service is found ──────────────────────────────────────────────────

const notFound = answers(({ reply }) => ({ ...reply, status: 404 }));
const moved = answers(({ reply }) => ({ ...reply, status: 308, headers: { Location: '/moved' } }));
/** Every operation of an API is somewhere else. */
const ofSurface = (surface: Surface, statement: string): readonly Row[] => [
  [`${surface}-api-not-found`, statement, on(idsWhere(onAny(surface)), notFound)],
  [`${surface}-api-moved`, statement, on(idsWhere(onAny(surface)), moved)],
  [`metadata-token-opens-the-${surface}-api`, 'META-8', on(idsWhere(onAny(surface)), opens)],
];
const plainServed: Does = (call, target) => target.handle({ ...call, secure: true });

// ── scopes ──────────────────────────────────────────────────────────────────────

/** A scoped key is let through to deployments outside its scope. */
const passes = (when: When) => lets('AUTH-8', when);
/** A call that is authorised is refused for its deployment. */
const blocks = (when: When) => refuses(403, 'AUTH-8', when);
const always: When = () => true;
const isUnscoped = not(isScoped);
const beginsAsOwn: When = ({ call, target }) =>
  callerOf(call, target)?.scope?.some((own) => deploymentOf(call).startsWith(own)) === true;
const isNotTheNext: When = async (asked) => {
  const ids = (await deploymentsOf(asked)).map(({ id }) => String(id));
  const own = callerOf(asked.call, asked.target)?.scope?.at(-1) ?? '';
  const place = ids.indexOf(own);
  return ![ids[place + 1], ids[place - 1]].includes(deploymentOf(asked.call));
};
/** Behind the first twenty of the list. */
const isFar: When = async (asked) => {
  if (!(await isUnscoped(asked)) || !(await isElsewhere(asked))) return false;
  const ids = (await deploymentsOf(asked)).map(({ id }) => String(id));
  return ids.indexOf(deploymentOf(asked.call)) >= 20;
};
const unauthorised = (why: string) => refusedWith(401, why);
const RIGHTS = 'RECIP-20 RECIP-21 RECIP-22 FOLDER-8 AUTH-24';

const rows: readonly Row[] = [
  ...ofSurface('management', 'SVC-1'),
  ...ofSurface('build', 'SVC-2'),
  ...ofSurface('scim', 'SVC-3'),
  ['expired-works-once-more', 'AUTH-4', lets('AUTH-4', not(again(sameOperation)))],
  ['expired-works-after-a-refusal', 'AUTH-4', lets('AUTH-4', again(sameHeader))],
  ['expired-may-write: Expiry is noticed on reads only.', 'AUTH-4', on(idsWhere(writing), expired)],
  ['expired-may-read: Expiry is noticed on writes only.', 'AUTH-4', on(idsWhere(reading), expired)],
  ['expired-opens-the-build-api', 'AUTH-4', on(idsWhere(onAny('build')), expired)],
  ['malformed-without-scheme-accepted', 'AUTH-3', readsAs(new RegExp(`^${B64TOKEN}$`))],
  ['malformed-without-token-accepted', 'AUTH-3', lets('AUTH-3', isBare)],
  ['malformed-of-another-scheme-accepted', 'AUTH-3', readsAs(new RegExp(`^basic ${B64TOKEN}$`, 'i'))],
  ['malformed-twice-accepted', 'AUTH-3', readsAs(new RegExp(`^bearer ${B64TOKEN},? +${B64TOKEN}$`, 'i'))],
  ['malformed-in-quotes-accepted', 'AUTH-3', readsAs(new RegExp(`^bearer "${B64TOKEN}"$`, 'i'))],
  ['malformed-accepted-on-second-call', 'AUTH-3', lets('AUTH-3', again(sameHeader))],
  ['missing-accepted-on-second-call', 'AUTH-1', lets('AUTH-1', again(sameOperation))],
  ['api-key-scheme-works-once', 'AUTH-12', on(idsWhere(onAny('scim')), given(isApiKey, given(fromTime(2), refuses(401, 'AUTH-12'))))],
  ['plain-http-served', 'AUTH-15', plainServed],
  ['metadata-token-reads', 'META-8', on(idsWhere(reading, onAny('management', 'build')), opens)],
  ['metadata-token-writes', 'META-8', on(idsWhere(writing), opens)],
  ['metadata-token-opens-after-a-refusal', 'META-8', lets('META-16', again(sameOperation))],
  ['scope-refused-401-on-writes', 'AUTH-8 AUTH-13', on(writes, unauthorised('AUTH-8'))],
  ['authorisation-refused-401-on-writes', 'AUTH-13', on(idsWhere(writing, askingForRights), unauthorised(RIGHTS))],
  ['refused-for-scope-but-done-version', 'AUTH-14', on(['updateDeployment'], despite('AUTH-8'))],
  ['refused-for-scope-but-done-folder', 'AUTH-14', on(['updateFolder'], despite('AUTH-8'))],
];
const scopes: readonly Row[] = [
  ['scoped-key-writes-elsewhere', 'AUTH-8', on(writes, passes(always))],
  ['scoped-key-reads-elsewhere', 'AUTH-8', on(reads, passes(always))],
  ['scope-unknown-to-the-build-api', 'AUTH-8', on(idsWhere(inDeployment, onAny('build')), passes(always))],
  ['scope-unknown-to-the-management-api', 'AUTH-8', on(idsWhere(inDeployment, onAny('management')), passes(always))],
  ['scope-looked-at-once', 'AUTH-8', passes(again())],
  ['scope-forgotten-per-operation', 'AUTH-8', passes(again(sameOperation))],
  ['scope-of-equal-beginnings', 'AUTH-8', passes(beginsAsOwn)],
  ['scope-closes-the-next-only', 'AUTH-8', passes(isNotTheNext)],
  ['scoped-key-may-not-write-its-own', 'AUTH-9', on(writes, blocks(isWithinScope))],
  ['scoped-key-may-not-read-its-own', 'AUTH-9', on(reads, blocks(isWithinScope))],
  ['scoped-key-works-once', 'AUTH-9', blocks(all(isWithinScope, again()))],
  ['unscoped-key-reaches-twenty', 'AUTH-10', blocks(isFar)],
  ['unscoped-key-writes-in-the-first-only', 'AUTH-10', on(writes, blocks(all(isUnscoped, isElsewhere)))],
];

export const credentials = [
  ...table('credentials', idsWhere(), rows),
  ...table('credentials', idsWhere(inDeployment), scopes),
];
