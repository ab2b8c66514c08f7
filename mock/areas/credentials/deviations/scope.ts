/** Scopes of keys that are not looked at, or that keep a key from its own deployments. */
import type { OperationId } from '../../../../spec/contract.ts';
import type { Deviation, Memory } from '../../../deviations/deviation.ts';
import { countCall, passesOver } from '../../../deviations/transforms.ts';
import { refusal } from '../../../pipeline/exchange.ts';
import type { World } from '../../../world/world.ts';
import { idsWhere, inDeployment, isOn, isRead, isWrite } from './operations.ts';

/** A scoped key is let through to deployments outside its scope. */
function passes(
  name: string,
  text: string,
  ids: readonly OperationId[],
  when?: Parameters<typeof passesOver>[2],
): Deviation {
  return {
    id: `credentials:${name}`,
    text,
    breaks: ['AUTH-8'],
    collateral: ['AUTH-13', 'AUTH-14'],
    operations: ids,
    stage: passesOver('authorise', 'AUTH-8', when),
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
      const target = call.requested.deployment ?? '';
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

export const scope: readonly Deviation[] = [
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
    ({ memory, call }) => countCall(memory, call) > 1,
  ),
  passes(
    'scope-forgotten-per-operation',
    "A key's scope is looked at on the first call elsewhere of each operation, and no more.",
    deploymentOperations,
    ({ memory, call }) => countCall(memory, call, call.operation.id) > 1,
  ),
  passes(
    'scope-of-equal-beginnings',
    "A key's scope opens the deployments whose identifiers begin as one of its own.",
    deploymentOperations,
    ({ call }) => {
      const target = call.requested.deployment ?? '';
      return call.caller.scope?.some((own) => target.startsWith(own)) === true;
    },
  ),
  passes(
    'scope-closes-the-next-only',
    "A key's scope keeps it from the deployment behind its own, and from no other.",
    deploymentOperations,
    ({ call }) => {
      const ids = call.world.state.tables.deployments.rows().map(({ id }) => id);
      const next = ids.indexOf(call.caller.scope?.at(-1) ?? '') + 1;
      return call.requested.deployment !== ids[next];
    },
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
