/** Credentials and scopes that go wrong in time, in state, or in how they are written. */
import {
  contract,
  type Operation,
  type OperationId,
  type Surface,
} from '../../../spec/contract.ts';
import {
  again,
  all,
  fromTime,
  isElsewhere,
  isScoped,
  isWithinScope,
  not,
  sameHeader,
  sameOperation,
} from '../../deviations/conditions.ts';
import { answers, type Does, given, type When } from '../../deviations/does.ts';
import {
  accepts,
  asAdmin,
  asOwner,
  despite,
  refusedWith,
  refuses,
} from '../../deviations/refusals.ts';
import { on, type Rows, table } from '../../deviations/rows.ts';
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
const ofSurface = (surface: Surface, statement: string): Rows => ({
  [statement]: {
    [`${surface}-api-not-found`]: on(idsWhere(onAny(surface)), notFound),
    [`${surface}-api-moved`]: on(idsWhere(onAny(surface)), moved),
  },
  'META-8': {
    [`metadata-token-opens-the-${surface}-api`]: on(idsWhere(onAny(surface)), opens),
  },
});
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

const rows: readonly Rows[] = [
  ofSurface('management', 'SVC-1'),
  ofSurface('build', 'SVC-2'),
  ofSurface('scim', 'SVC-3'),
  {
    'AUTH-4': {
      'expired-works-once-more': lets('AUTH-4', not(again(sameOperation))),
      'expired-works-after-a-refusal': lets('AUTH-4', again(sameHeader)),
      'expired-may-write: Expiry is noticed on reads only.': on(idsWhere(writing), expired),
      'expired-may-read: Expiry is noticed on writes only.': on(idsWhere(reading), expired),
      'expired-opens-the-build-api': on(idsWhere(onAny('build')), expired),
    },
    'AUTH-3': {
      'malformed-without-scheme-accepted': readsAs(new RegExp(`^${B64TOKEN}$`)),
      'malformed-without-token-accepted': lets('AUTH-3', isBare),
      'malformed-of-another-scheme-accepted': readsAs(new RegExp(`^basic ${B64TOKEN}$`, 'i')),
      'malformed-twice-accepted': readsAs(new RegExp(`^bearer ${B64TOKEN},? +${B64TOKEN}$`, 'i')),
      'malformed-in-quotes-accepted': readsAs(new RegExp(`^bearer "${B64TOKEN}"$`, 'i')),
      'malformed-accepted-on-second-call': lets('AUTH-3', again(sameHeader)),
    },
    'AUTH-1': {
      'missing-accepted-on-second-call': lets('AUTH-1', again(sameOperation)),
    },
    'AUTH-12': {
      'api-key-scheme-works-once': on(
        idsWhere(onAny('scim')),
        given(isApiKey, given(fromTime(2), refuses(401, 'AUTH-12'))),
      ),
    },
    'AUTH-15': {
      'plain-http-served': plainServed,
    },
    'META-8': {
      'metadata-token-reads': on(idsWhere(reading, onAny('management', 'build')), opens),
      'metadata-token-writes': on(idsWhere(writing), opens),
      'metadata-token-opens-after-a-refusal': lets('META-16', again(sameOperation)),
    },
    'AUTH-8 AUTH-13': {
      'scope-refused-401-on-writes': on(writes, unauthorised('AUTH-8')),
    },
    'AUTH-13': {
      'authorisation-refused-401-on-writes': on(
        idsWhere(writing, askingForRights),
        unauthorised(RIGHTS),
      ),
    },
    'AUTH-14': {
      'refused-for-scope-but-done-version': on(['updateDeployment'], despite('AUTH-8')),
      'refused-for-scope-but-done-folder': on(['updateFolder'], despite('AUTH-8')),
    },
  },
];
const scopes: Rows = {
  'AUTH-8': {
    'scoped-key-writes-elsewhere': on(writes, passes(always)),
    'scoped-key-reads-elsewhere': on(reads, passes(always)),
    'scope-unknown-to-the-build-api': on(idsWhere(inDeployment, onAny('build')), passes(always)),
    'scope-unknown-to-the-management-api': on(
      idsWhere(inDeployment, onAny('management')),
      passes(always),
    ),
    'scope-looked-at-once': passes(again()),
    'scope-forgotten-per-operation': passes(again(sameOperation)),
    'scope-of-equal-beginnings': passes(beginsAsOwn),
    'scope-closes-the-next-only': passes(isNotTheNext),
  },
  'AUTH-9': {
    'scoped-key-may-not-write-its-own': on(writes, blocks(isWithinScope)),
    'scoped-key-may-not-read-its-own': on(reads, blocks(isWithinScope)),
    'scoped-key-works-once': blocks(all(isWithinScope, again())),
  },
  'AUTH-10': {
    'unscoped-key-reaches-twenty': blocks(isFar),
    'unscoped-key-writes-in-the-first-only': on(writes, blocks(all(isUnscoped, isElsewhere))),
  },
};

export const credentials = [
  ...table('credentials', idsWhere(), rows),
  ...table('credentials', idsWhere(inDeployment), scopes),
];
