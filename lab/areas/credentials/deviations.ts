/** Credentials and scopes that go wrong in time, in state, or in how they are written. */
import {
  contract,
  type Operation,
  type OperationId,
  type Surface,
} from '../../../spec/contract.ts';
import {
  again,
  isElsewhere,
  isScoped,
  not,
  sameHeader,
  sameOperation,
} from '../../deviations/conditions.ts';
import { answers, type Does, type When } from '../../deviations/does.ts';
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
const writing: Which = ({ method }) => method !== 'GET';
const inDeployment: Which = ({ requires }) => requires.deployment !== undefined;
const askingForRights: Which = ({ requires }) =>
  requires.role !== undefined || requires.edit !== undefined;
const onAny =
  (...surfaces: readonly Surface[]): Which =>
  ({ requires }) =>
    surfaces.includes(requires.surface);

// ── who is let in ───────────────────────────────────────────────────────────────

/** Lets in whom a statement refuses, where this holds. */
const lets = (why: string, when: When, as = asAdmin) =>
  accepts(why, async (done) => ((await when(done)) ? as(done) : undefined));
const B64TOKEN = '[A-Za-z0-9._~+/-]+=*';
/** Takes a malformed header of this form for the credential that stands in it. */
const readsAs = (form: RegExp): Does =>
  accepts('AUTH-3', (done) => (form.test(sameHeader(done.call)) ? asOwner(done) : undefined));
const isBare: When = ({ call }) => /^bearer\s*$/i.test(sameHeader(call));
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
    'AUTH-3': {
      'malformed-without-scheme-accepted': readsAs(new RegExp(`^${B64TOKEN}$`)),
      'malformed-without-token-accepted': lets('AUTH-3', isBare),
      'malformed-twice-accepted': readsAs(new RegExp(`^bearer ${B64TOKEN},? +${B64TOKEN}$`, 'i')),
      'malformed-in-quotes-accepted': readsAs(new RegExp(`^bearer "${B64TOKEN}"$`, 'i')),
    },
    'AUTH-15': {
      'plain-http-served': plainServed,
    },
    'META-8': {
      'metadata-token-opens-after-a-refusal': lets('META-16', again(sameOperation)),
    },
    'AUTH-13': {
      'authorisation-refused-401-on-writes': on(
        idsWhere(writing, askingForRights),
        unauthorised(RIGHTS),
      ),
    },
    'AUTH-14': {
      'refused-for-scope-but-done-version': on(['updateDeployment'], despite('AUTH-8')),
    },
  },
];
const scopes: Rows = {
  'AUTH-8': {
    'scope-of-equal-beginnings': passes(beginsAsOwn),
    'scope-closes-the-next-only': passes(isNotTheNext),
  },
  'AUTH-10': {
    'unscoped-key-reaches-twenty': blocks(isFar),
  },
};

export const credentials = [
  ...table('credentials', idsWhere(), rows),
  ...table('credentials', idsWhere(inDeployment), scopes),
];
