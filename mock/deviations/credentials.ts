/** Credentials and scopes that go wrong in time, in state, or in how they are written. */
import {
  type CredentialKind,
  contract,
  type Operation,
  type OperationId,
} from '../../spec/contract.ts';
import type { Caller } from '../authenticate.ts';
import { refusal } from '../call.ts';
import { type ExchangeRequest, isRefusal } from '../exchange.ts';
import { switchStaging } from '../machines/staging-environment.ts';
import { bindings } from '../operations/bindings.ts';
import type { CredentialRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Memory } from './deviation.ts';
import { count, countCall, sentBody } from './transforms.ts';

const operations = [...contract.operations.values()];
const idsWhere = (fits: (operation: Operation) => boolean): readonly OperationId[] =>
  operations.filter(fits).map(({ id }) => id);

const isRead = ({ method }: Operation) => method === 'GET';
const isWrite = (operation: Operation) => !isRead(operation);
const inDeployment = ({ requires }: Operation) => requires.deployment !== undefined;
const isOn =
  (surface: Operation['requires']['surface']) =>
  ({ requires }: Operation) =>
    requires.surface === surface;
const all = idsWhere(() => true);

/** What the authenticate hook is told. */
interface Asking {
  readonly operation: Operation;
  readonly request: ExchangeRequest;
  readonly world: World;
  readonly memory: Memory;
}

// ── who is let in ───────────────────────────────────────────────────────────────

function callerOf({ name, kind, userId, deployments }: CredentialRow, world: World): Caller {
  const user = userId === null ? null : (world.state.tables.users.get(userId) ?? null);
  return { credential: name, kind, user, scope: deployments };
}

/** The credential of this world whose secret stands anywhere in the header. */
function rowIn(header: string, world: World): CredentialRow | undefined {
  const name = new RegExp(`(?<![a-z0-9])${world.id}-([A-Za-z][A-Za-z0-9]*)`).exec(header)?.[1];
  return name === undefined ? undefined : world.state.tables.credentials.get(name);
}

function fits({ requires }: Operation, kind: CredentialKind): boolean {
  return requires.credentials.includes(kind);
}

/** The first credential that the operation takes, of an administrator where it is a user's. */
function anyCaller({ operation, world }: Asking): Caller | undefined {
  const row = world.state.tables.credentials
    .rows()
    .find(({ kind, state }) => state === 'active' && fits(operation, kind));
  return row === undefined ? undefined : callerOf(row, world);
}

/** Lets in what was refused by a statement. */
function admits(
  statement: string,
  caller: (asking: Asking) => Caller | undefined,
): NonNullable<Deviation['authenticate']> {
  return (result, asking) =>
    isRefusal(result) && result.statement === statement ? (caller(asking) ?? result) : result;
}

/** The owner of an expired credential. */
function expired({ operation, request, world }: Asking): Caller | undefined {
  const row = rowIn(request.headers.authorization ?? '', world);
  return row !== undefined && fits(operation, row.kind) ? callerOf(row, world) : undefined;
}

const ofExpiry: readonly Deviation[] = [
  {
    id: 'credentials:expired-works-once-more',
    text: 'Each operation accepts an expired credential once more, and refuses it from then on.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-4', (asking) =>
      count(asking.memory, asking.operation.id) === 1 ? expired(asking) : undefined,
    ),
  },
  {
    id: 'credentials:expired-works-after-a-refusal',
    text: 'An expired credential is refused once, and accepted from then on.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-4', (asking) =>
      count(asking.memory, asking.request.headers.authorization ?? '') > 1
        ? expired(asking)
        : undefined,
    ),
  },
  {
    id: 'credentials:expired-may-write',
    text: 'That a credential has expired is noticed on reads only.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: idsWhere(isWrite),
    authenticate: admits('AUTH-4', expired),
  },
  {
    id: 'credentials:expired-may-read',
    text: 'That a credential has expired is noticed on writes only.',
    breaks: ['AUTH-4'],
    operations: idsWhere(isRead),
    authenticate: admits('AUTH-4', expired),
  },
  {
    id: 'credentials:expired-opens-the-build-api',
    text: 'The build API takes expired credentials.',
    breaks: ['AUTH-4'],
    collateral: ['AUTH-14'],
    operations: idsWhere(isOn('build')),
    authenticate: admits('AUTH-4', expired),
  },
];

// ── malformed credentials ───────────────────────────────────────────────────────

const B64TOKEN = '[A-Za-z0-9._~+/-]+=*';
const malformed: readonly (readonly [
  name: string,
  what: string,
  header: RegExp,
  anybody?: 'anybody',
])[] = [
  ['without-scheme', 'A token without a scheme', new RegExp(`^${B64TOKEN}$`)],
  ['without-token', 'The scheme Bearer without a token', /^bearer\s*$/i, 'anybody'],
  ['of-another-scheme', 'A token of the scheme Basic', new RegExp(`^basic ${B64TOKEN}$`, 'i')],
  ['twice', 'A header with two tokens', new RegExp(`^bearer ${B64TOKEN},? +${B64TOKEN}$`, 'i')],
  ['in-quotes', 'A token in quotes', new RegExp(`^bearer "${B64TOKEN}"$`, 'i')],
];

const ofForm: readonly Deviation[] = [
  ...malformed.map(
    ([name, what, header, anybody]): Deviation => ({
      id: `credentials:malformed-${name}-accepted`,
      text: `${what} is taken for a credential.`,
      breaks: ['AUTH-3'],
      collateral: ['AUTH-14'],
      operations: all,
      authenticate: admits('AUTH-3', (asking) => {
        const sent = asking.request.headers.authorization ?? '';
        if (!header.test(sent)) return undefined;
        if (anybody === 'anybody') return anyCaller(asking);
        const row = rowIn(sent, asking.world);
        if (row === undefined || row.state !== 'active') return undefined;
        return fits(asking.operation, row.kind) ? callerOf(row, asking.world) : undefined;
      }),
    }),
  ),
  {
    id: 'credentials:missing-accepted-on-second-call',
    text: 'A request without a credential is refused once, and served from then on.',
    breaks: ['AUTH-1'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-1', (asking) =>
      count(asking.memory, asking.operation.id) > 1 ? anyCaller(asking) : undefined,
    ),
  },
  {
    id: 'credentials:malformed-accepted-on-second-call',
    text: 'A malformed credential is refused once, and served from then on.',
    breaks: ['AUTH-3'],
    collateral: ['AUTH-14'],
    operations: all,
    authenticate: admits('AUTH-3', (asking) =>
      count(asking.memory, asking.request.headers.authorization ?? '') > 1
        ? anyCaller(asking)
        : undefined,
    ),
  },
  {
    id: 'credentials:api-key-scheme-works-once',
    text: 'The SCIM API takes the scheme Api-Key for one call, and refuses it from then on.',
    breaks: ['AUTH-12'],
    collateral: ['HTTP-2'],
    operations: ['listScimUsers'],
    authenticate: (result, { request, memory }) => {
      if (isRefusal(result) || !/^api-key /i.test(request.headers.authorization ?? '')) {
        return result;
      }
      return count(memory, 'calls') === 1
        ? result
        : refusal(401, 'AUTH-12', 'The scheme Api-Key is not taken');
    },
  },
];

// ── metadata tokens ─────────────────────────────────────────────────────────────

function opens(
  name: string,
  text: string,
  ids: readonly OperationId[],
  when: (asking: Asking) => boolean = () => true,
): Deviation {
  return {
    id: `credentials:metadata-token-${name}`,
    text,
    breaks: ['META-8'],
    operations: ids,
    authenticate: admits('META-16', (asking) => (when(asking) ? anyCaller(asking) : undefined)),
  };
}

const ofMetadataTokens: readonly Deviation[] = [
  opens(
    'opens-the-management-api',
    'A metadata token opens the management API.',
    idsWhere(isOn('management')),
  ),
  opens('opens-the-build-api', 'A metadata token opens the build API.', idsWhere(isOn('build'))),
  opens(
    'opens-the-scim-api',
    'A metadata token opens the provisioning API.',
    idsWhere(isOn('scim')),
  ),
  opens(
    'reads',
    'A metadata token opens what reads on the management and build API.',
    idsWhere((operation) => isRead(operation) && !isOn('scim')(operation)),
  ),
  opens('writes', 'A metadata token opens what writes.', idsWhere(isWrite)),
  opens(
    'opens-after-a-refusal',
    'A metadata token is refused once by an operation, and opens it from then on.',
    all,
    ({ memory, operation }) => count(memory, operation.id) > 1,
  ),
];

// ── scope ───────────────────────────────────────────────────────────────────────

/** A scoped key is let through to deployments outside its scope. */
function passes(
  name: string,
  text: string,
  ids: readonly OperationId[],
  when: (memory: Memory, call: object) => boolean = () => true,
): Deviation {
  return {
    id: `credentials:${name}`,
    text,
    breaks: ['AUTH-8'],
    collateral: ['AUTH-13', 'AUTH-14'],
    operations: ids,
    stage: (stage, refused, { call, memory }) =>
      stage === 'authorise' && refused?.statement === 'AUTH-8' && when(memory, call)
        ? undefined
        : refused,
  };
}

/** A call that is authorised is refused for its deployment. */
function blocks(
  deviation: Pick<Deviation, 'id' | 'text' | 'breaks' | 'collateral'>,
  ids: readonly OperationId[],
  when: (asking: {
    readonly scope: readonly string[] | null;
    readonly target: string;
    readonly world: World;
    readonly memory: Memory;
    readonly call: object;
  }) => boolean,
): Deviation {
  return {
    ...deviation,
    operations: ids,
    stage: (stage, refused, { call, memory }) => {
      if (stage !== 'authorise' || refused !== undefined) return refused;
      const parameter = call.operation.requires.deployment;
      const target = String((call.path as Record<string, unknown>)[parameter ?? '']);
      const { world } = call;
      return when({ scope: call.caller.scope, target, world, memory, call })
        ? refusal(403, 'AUTH-8', `This key is not authorised for deployment ${target}`)
        : undefined;
    },
  };
}

const deploymentOperations = idsWhere(inDeployment);
const reads = idsWhere((operation) => inDeployment(operation) && isRead(operation));
const writes = idsWhere((operation) => inDeployment(operation) && isWrite(operation));
const surfaceOf = (surface: 'management' | 'build') =>
  idsWhere((operation) => inDeployment(operation) && isOn(surface)(operation));

const ofScope: readonly Deviation[] = [
  passes(
    'scoped-key-writes-elsewhere',
    "A key's scope is looked at on reads only: it may write in any deployment.",
    writes,
  ),
  passes(
    'scoped-key-reads-elsewhere',
    "A key's scope is looked at on writes only: it may read any deployment.",
    reads,
  ),
  passes(
    'scope-unknown-to-the-build-api',
    "A key's scope is looked at on the management API only.",
    surfaceOf('build'),
  ),
  passes(
    'scope-unknown-to-the-management-api',
    "A key's scope is looked at on the build API only.",
    surfaceOf('management'),
  ),
  passes(
    'scope-looked-at-once',
    "A key's scope is looked at on its first call elsewhere, and no more.",
    deploymentOperations,
    (memory, call) => countCall(memory, call) > 1,
  ),
  passes(
    'scope-forgotten-per-operation',
    "A key's scope is looked at on the first call elsewhere of each operation, and no more.",
    deploymentOperations,
    (memory, call) => countCall(memory, call, (call as { operation: Operation }).operation.id) > 1,
  ),
  blocks(
    {
      id: 'credentials:scoped-key-may-not-write-its-own',
      text: 'A scoped key reads the deployments of its scope, and is refused where it writes there.',
      breaks: ['AUTH-9'],
    },
    writes,
    ({ scope, target }) => scope?.includes(target) === true,
  ),
  blocks(
    {
      id: 'credentials:scoped-key-may-not-read-its-own',
      text: 'A scoped key writes in the deployments of its scope, and is refused where it reads there.',
      breaks: ['AUTH-9'],
    },
    reads,
    ({ scope, target }) => scope?.includes(target) === true,
  ),
  blocks(
    {
      id: 'credentials:scoped-key-works-once',
      text: 'A scoped key is served once in its own deployments, and refused from then on.',
      breaks: ['AUTH-9'],
    },
    deploymentOperations,
    ({ scope, target, memory, call }) =>
      scope?.includes(target) === true && countCall(memory, call) > 1,
  ),
  blocks(
    {
      id: 'credentials:unscoped-key-reaches-twenty',
      text: 'An unscoped key is refused for the deployments behind the first 20.',
      breaks: ['AUTH-10'],
    },
    deploymentOperations,
    ({ scope, target, world }) =>
      scope === null &&
      world.state.tables.deployments.rows().findIndex((row) => row.id === target) >= 20,
  ),
  blocks(
    {
      id: 'credentials:unscoped-key-writes-in-the-first-only',
      text: 'An unscoped key reads every deployment, and writes in the first one only.',
      breaks: ['AUTH-10'],
      collateral: ['FOLDER-7'],
    },
    writes,
    ({ scope, target, world }) =>
      scope === null &&
      world.state.tables.deployments.rows().findIndex((row) => row.id === target) > 0,
  ),
  {
    id: 'credentials:scope-refused-401-on-writes',
    text: 'A write outside the scope of a key is answered 401.',
    breaks: ['AUTH-8', 'AUTH-13'],
    operations: writes,
    stage: (stage, refused) =>
      stage === 'authorise' && refused?.statement === 'AUTH-8'
        ? { ...refused, status: 401 }
        : refused,
  },
  {
    id: 'credentials:authorisation-refused-401-on-writes',
    text: 'A write that is refused for want of a role or of edit access is answered 401.',
    breaks: ['AUTH-13'],
    collateral: ['FOLDER-8', 'RECIP-20', 'RECIP-21', 'RECIP-22'],
    operations: ['updateFolder', 'addNotificationRecipients'],
    stage: (stage, refused) =>
      (stage === 'authorise' || stage === 'edit') &&
      refused?.status === 403 &&
      refused.statement !== 'AUTH-8'
        ? { ...refused, status: 401 }
        : refused,
  },
];

// ── refused and done ────────────────────────────────────────────────────────────

const stateful = [
  ['updateDeployment', 'version', 'switch of a version'],
  ['updateFolder', 'folder', 'folder update'],
] as const satisfies readonly (readonly [OperationId, string, string])[];

const ofRefused: readonly Deviation[] = [
  ...stateful.map(
    ([id, noun, words]): Deviation => ({
      id: `credentials:refused-for-scope-but-done-${noun}`,
      text: `A ${words} outside the scope of a key is refused with 403, and done.`,
      breaks: ['AUTH-14'],
      collateral: id === 'updateFolder' ? ['FOLDER-12'] : ['UPD-6'],
      operations: [id],
      refused: ({ statement, status }, { call, took }) => {
        if (statement !== 'AUTH-8' || status !== 403 || !call.hasInput) return;
        const done = bindings[id].find?.(call as never) ?? bindings[id].handle(call as never);
        if (!(done instanceof Promise) && !isRefusal(done)) took();
      },
    }),
  ),
  {
    id: 'credentials:embed-jwt-refused-but-switches-staging',
    text: 'An embed JWT that asks to switch a shared branch is refused, and the branch is switched.',
    breaks: ['AUTH-14'],
    collateral: ['STAGE-6'],
    operations: ['setStagingEnvironment'],
    authenticate: (result, asking) =>
      isRefusal(result) && result.statement === 'AUTH-22' && switchNamed(asking)
        ? { ...result }
        : result,
  },
  {
    id: 'credentials:expired-refused-but-switches-staging',
    text: 'An expired credential that asks to switch a shared branch is refused, and the branch is switched.',
    breaks: ['AUTH-14'],
    collateral: ['STAGE-6'],
    operations: ['setStagingEnvironment'],
    authenticate: (result, asking) =>
      isRefusal(result) && result.statement === 'AUTH-4' && switchNamed(asking)
        ? { ...result }
        : result,
  },
];

/** Switches the branch that a request names; true where that changed it. */
function switchNamed({ request, world }: Asking): boolean {
  const { branchName, branchId, enabled } = sentBody(request) ?? {};
  const deploymentId = /\/deployments\/([^/?]+)\//.exec(request.target)?.[1];
  const { branches } = world.state.tables;
  const branch = branches
    .rows()
    .find(
      (row) =>
        row.deploymentId === deploymentId &&
        row.kind === 'shared' &&
        (row.name === branchName || row.id === branchId),
    );
  if (branch === undefined || typeof enabled !== 'boolean' || branch.stagingEnabled === enabled) {
    return false;
  }
  const state = enabled ? 'enabled' : 'disabled';
  branches.put(branch.id, switchStaging(branch, state, world.clock.now()));
  return true;
}

export const credentials: readonly Deviation[] = [
  ...ofExpiry,
  ...ofForm,
  ...ofMetadataTokens,
  ...ofScope,
  ...ofRefused,
];
