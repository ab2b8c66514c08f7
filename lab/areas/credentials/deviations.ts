/** Credentials and scopes that go wrong in time, in state, or in how they are written. */

import { type Caller, callerOf } from '../../../mock/pipeline/credential.ts';
import { refusal } from '../../../mock/pipeline/exchange.ts';
import type { BaseScene } from '../../../mock/pipeline/stages.ts';
import type { CredentialRow } from '../../../mock/world/rows.ts';
import type { World } from '../../../mock/world/world.ts';
import {
  contract,
  type Operation,
  type OperationId,
  type Surface,
} from '../../../spec/contract.ts';
import { admits, anyCaller, headerOf, takes, turnsAway } from '../../deviations/callers.ts';
import { type Does, onAnswer, onCheck, type Scene } from '../../deviations/does.ts';
import { count, countCall } from '../../deviations/memory.ts';
import { accepts, doesRefused } from '../../deviations/refusals.ts';
import { type Deviation, on, type Rows, rowsOf } from '../../deviations/rows.ts';

// ── operations ──────────────────────────────────────────────────────────────────

type Which = (operation: Operation) => boolean;

/** The operations of which all of this holds. */
const idsWhere = (...which: readonly Which[]): readonly OperationId[] =>
  [...contract.operations.values()]
    .filter((operation) => which.every((holds) => holds(operation)))
    .map(({ id }) => id);

const isRead: Which = ({ method }) => method === 'GET';
const isWrite: Which = ({ method }) => method !== 'GET';
const isInDeployment: Which = ({ requires }) => requires.deployment !== undefined;
const asksForRights: Which = ({ requires }) =>
  requires.role !== undefined || requires.edit !== undefined;
const isOn =
  (...surfaces: readonly Surface[]): Which =>
  ({ requires }) =>
    surfaces.includes(requires.surface);

export const credentials: Deviation[] = [];
const breaking = rowsOf(credentials, 'credentials', idsWhere());
const inDeployments = rowsOf(credentials, 'credentials', idsWhere(isInDeployment));
const reads = idsWhere(isInDeployment, isRead);
const writes = idsWhere(isInDeployment, isWrite);
const inDeploymentsOf = (surface: Surface) => idsWhere(isInDeployment, isOn(surface));

// ── who is let in ───────────────────────────────────────────────────────────────

/** From the second time on that the same is asked. */
const isAgain = (of: (scene: BaseScene) => string) => (scene: BaseScene) =>
  count(scene.memory, of(scene)) >= 2;
const isSameHeader = isAgain(headerOf);
const isSameOperation = isAgain(({ operation }) => operation.id);

/** The credential of this world whose secret stands anywhere in the header. */
function rowIn(sent: string, world: World): CredentialRow | undefined {
  const name = new RegExp(`(?<![a-z0-9])${world.id}-([A-Za-z][A-Za-z0-9]*)`).exec(sent)?.[1];
  return name === undefined ? undefined : world.state.tables.credentials.get(name);
}

/** The owner of the credential in the header, where the operation takes one of its kind. */
function owner(scene: BaseScene): Caller | undefined {
  const row = rowIn(headerOf(scene), scene.world);
  return row && takes(scene.operation, row.kind) ? callerOf(row, scene.world) : undefined;
}

const takesExpired = admits('AUTH-4', owner);

breaking(['AUTH-4'], {
  'expired-works-once-more: Each operation accepts an expired credential once more, then never.':
    admits('AUTH-4', owner, (scene) => !isSameOperation(scene)),
  'expired-works-after-a-refusal': admits('AUTH-4', owner, isSameHeader),
  'expired-may-write: Expiry is noticed on reads only.': on(idsWhere(isWrite), takesExpired),
  'expired-may-read: Expiry is noticed on writes only.': on(idsWhere(isRead), takesExpired),
  'expired-opens-the-build-api': on(idsWhere(isOn('build')), takesExpired),
});

// ── how a credential is written ─────────────────────────────────────────────────

const B64TOKEN = '[A-Za-z0-9._~+/-]+=*';

/** Takes a malformed header of this form for the credential that stands in it. */
const readsAs = (form: RegExp): Does =>
  admits('AUTH-3', owner, (scene) => {
    const isActive = rowIn(headerOf(scene), scene.world)?.state === 'active';
    return isActive && form.test(headerOf(scene));
  });

breaking(['AUTH-3'], {
  'malformed-without-scheme-accepted': readsAs(new RegExp(`^${B64TOKEN}$`)),
  'malformed-without-token-accepted: The scheme Bearer alone is taken for a credential.': admits(
    'AUTH-3',
    anyCaller,
    (scene) => /^bearer\s*$/i.test(headerOf(scene)),
  ),
  'malformed-of-another-scheme-accepted: The scheme Basic is taken as well.': readsAs(
    new RegExp(`^basic ${B64TOKEN}$`, 'i'),
  ),
  'malformed-twice-accepted: A header with two tokens is taken for a credential.': readsAs(
    new RegExp(`^bearer ${B64TOKEN},? +${B64TOKEN}$`, 'i'),
  ),
  'malformed-in-quotes-accepted': readsAs(new RegExp(`^bearer "${B64TOKEN}"$`, 'i')),
  'malformed-accepted-on-second-call': admits('AUTH-3', anyCaller, isSameHeader),
});
breaking(['AUTH-1'], {
  'missing-accepted-on-second-call': admits('AUTH-1', anyCaller, isSameOperation),
});
breaking(['AUTH-12'], {
  'api-key-scheme-works-once: The SCIM API takes the scheme Api-Key for one call, then never.': on(
    idsWhere(isOn('scim')),
    turnsAway(
      'AUTH-12',
      'The scheme Api-Key is not taken',
      (_caller, scene) => /^api-key /i.test(headerOf(scene)) && count(scene.memory) >= 2,
    ),
  ),
});

// ── where the service is found ──────────────────────────────────────────────────

/** Every operation of an API is somewhere else. */
const elsewhere = (surface: Surface, statement: string) =>
  rowsOf(
    credentials,
    'credentials',
    idsWhere(isOn(surface)),
  )([statement], {
    [`${surface}-api-not-found: The ${surface} API is not found below its path.`]: onAnswer(
      (reply) => ({ ...reply, status: 404 }),
    ),
    [`${surface}-api-moved: The ${surface} API sends its callers to another path.`]: onAnswer(
      (reply) => ({ ...reply, status: 308, headers: { Location: '/moved' } }),
    ),
  });

elsewhere('management', 'SVC-1');
elsewhere('build', 'SVC-2');
elsewhere('scim', 'SVC-3');
breaking(['AUTH-15'], { 'plain-http-served': { admit: () => true } });

const opensAnything = admits('META-16', anyCaller);

const opens = (surface: Surface): Rows => ({
  [`metadata-token-opens-the-${surface}-api`]: on(idsWhere(isOn(surface)), opensAnything),
});

breaking(['META-8'], {
  ...opens('management'),
  ...opens('build'),
  ...opens('scim'),
  'metadata-token-reads: A metadata token opens what reads on the management and build API.': on(
    idsWhere(isRead, isOn('management', 'build')),
    opensAnything,
  ),
  'metadata-token-writes: A metadata token opens writes.': on(idsWhere(isWrite), opensAnything),
  'metadata-token-opens-after-a-refusal': admits('META-16', anyCaller, isSameOperation),
});

// ── scopes ──────────────────────────────────────────────────────────────────────

type When = (scene: Scene) => boolean;

/** A scoped key is let through to deployments outside its scope. */
const passes = (when?: When): Does => accepts('authorise', 'AUTH-8', when);

/** A call that is authorised is refused for its deployment. */
const blocks = (when: When): Does =>
  onCheck('authorise', (refused, scene) => {
    const message = `This key is not authorised for deployment ${target(scene)}`;
    return refused === undefined && when(scene) ? refusal(403, 'AUTH-8', message) : refused;
  });

/** A refusal is answered with 401. */
const unauthorised = (check: 'authorise' | 'edit', when: (statement: string) => boolean): Does =>
  onCheck(check, (refused) =>
    refused?.status === 403 && when(refused.statement) ? { ...refused, status: 401 } : refused,
  );

const target = ({ call }: Scene) => call.requested.deployment ?? '';
const deploymentIds = ({ world }: Scene) =>
  world.state.tables.deployments.rows().map(({ id }) => id);
const isItsOwn: When = (scene) => scene.call.caller.scope?.includes(target(scene)) === true;
const isUnscoped: When = ({ call }) => call.caller.scope === null;
const isRepeated: When = ({ call, memory }) => countCall(memory, call) > 1;
const place = (scene: Scene) => deploymentIds(scene).indexOf(target(scene));

const beginsAsItsOwn: When = (scene) =>
  scene.call.caller.scope?.some((own) => target(scene).startsWith(own)) === true;

const isNotTheNext: When = (scene) => {
  const ids = deploymentIds(scene);
  const next = ids.indexOf(scene.call.caller.scope?.at(-1) ?? '') + 1;
  return target(scene) !== ids[next];
};

inDeployments(['AUTH-8'], {
  "scoped-key-writes-elsewhere: A key's scope counts on reads only: it may write anywhere.": on(
    writes,
    passes(),
  ),
  "scoped-key-reads-elsewhere: A key's scope counts on writes only: it may read anywhere.": on(
    reads,
    passes(),
  ),
  'scope-unknown-to-the-build-api': on(inDeploymentsOf('build'), passes()),
  'scope-unknown-to-the-management-api': on(inDeploymentsOf('management'), passes()),
  "scope-looked-at-once: A key's scope counts on its first call elsewhere, and no more.":
    passes(isRepeated),
  "scope-forgotten-per-operation: A key's scope counts on the first call of each operation only.":
    passes(({ memory, call }) => countCall(memory, call, call.operation.id) > 1),
  "scope-of-equal-beginnings: A key's scope opens deployments whose ids begin as one of its own.":
    passes(beginsAsItsOwn),
  "scope-closes-the-next-only: A key's scope closes the deployment behind its own, and no other.":
    passes(isNotTheNext),
});
inDeployments(['AUTH-9'], {
  'scoped-key-may-not-write-its-own: A scoped key is refused where it writes within its own scope.':
    on(writes, blocks(isItsOwn)),
  'scoped-key-may-not-read-its-own: A scoped key is refused where it reads within its own scope.':
    on(reads, blocks(isItsOwn)),
  'scoped-key-works-once: A scoped key is served once in its own deployments, then never.': blocks(
    (scene) => isItsOwn(scene) && isRepeated(scene),
  ),
});
inDeployments(['AUTH-10'], {
  'unscoped-key-reaches-twenty: An unscoped key is refused behind the first 20 deployments.':
    blocks((scene) => isUnscoped(scene) && place(scene) >= 20),
  'unscoped-key-writes-in-the-first-only: An unscoped key reads all, and writes in the first.': on(
    writes,
    blocks((scene) => isUnscoped(scene) && place(scene) > 0),
  ),
});
breaking(['AUTH-8', 'AUTH-13'], {
  'scope-refused-401-on-writes: A write outside the scope of a key is answered 401.': on(
    writes,
    unauthorised('authorise', (statement) => statement === 'AUTH-8'),
  ),
});
breaking(['AUTH-13'], {
  'authorisation-refused-401-on-writes: A write refused for a role or edit access is a 401.': on(
    idsWhere(isWrite, asksForRights),
    [
      unauthorised('authorise', (statement) => statement !== 'AUTH-8'),
      unauthorised('edit', () => true),
    ],
  ),
});

// ── refused, and done ───────────────────────────────────────────────────────────

breaking(['AUTH-14'], {
  'refused-for-scope-but-done-version: A version switch beyond the scope is refused, and is done.':
    on(['updateDeployment'], doesRefused('authorise', 'AUTH-8')),
  'refused-for-scope-but-done-folder: A folder update beyond the scope is refused, and is done.':
    on(['updateFolder'], doesRefused('authorise', 'AUTH-8')),
});
