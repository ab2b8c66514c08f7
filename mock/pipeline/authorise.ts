/**
 * Whether a caller may do what it asks: `x-requires` of the operation against the caller's scope,
 * role and permission and the account's plan. Edit access is asked once the folder is found.
 */

import { deploymentList, type Requested, requestedBy } from '../world/requested.ts';
import type { Call } from './call.ts';
import { type Refusal, refusal } from './exchange.ts';
import { broken, describeCredential, lackOf, mayEdit, type Right } from './rights.ts';

export function authorise(call: Call): Refusal | undefined {
  const request = askedBy(call);
  const rule = broken(request, call.caller, call.world, (id) => call.assume(id));
  return rule === undefined ? undefined : explained(rule, request, call);
}

/** Refuses a caller without edit access to the folder that the operation names. */
export function authoriseEdit(call: Call): Refusal | undefined {
  if (call.operation.requires.edit === undefined) return undefined;
  const request = askedBy(call);
  return mayEdit(request, call.caller) ? undefined : explained('edit', request, call);
}

/** Id of the deployment that the path names; undefined where the operation has none. */
export function deploymentOf(call: Call): string | undefined {
  return askedBy(call).deployment;
}

function askedBy(call: Call): Requested {
  return requestedBy(call.operation.requires, call.path as Record<string, string | number>);
}

function explained(rule: Right, request: Requested, call: Call): Refusal {
  const { caller, world } = call;
  const row = world.state.tables.credentials.get(caller.credential);
  const has = row === undefined ? caller.credential : describeCredential(row, world);
  return { ...refused(rule, request, call), lack: lackOf(rule, request, world, has) };
}

function refused(rule: Right, { deployment, folder }: Requested, call: Call): Refusal {
  const { caller, operation } = call;
  const who = caller.user?.email ?? `the credential ${caller.credential}`;
  const scope = deploymentList(caller.scope ?? []);
  switch (rule) {
    case 'deployment':
      return refusal(
        403,
        'AUTH-8',
        `This key is for ${scope} only, and not authorised for deployment ${deployment}`,
      );
    case 'unscoped':
      return call.refuseAssumed(
        'AUTH-21',
        `${operation.id} needs a key for all deployments; this one is for ${scope} only`,
      );
    case 'role':
      return refusal(
        403,
        roleStatement(call),
        `${operation.id} needs a user with the admin role, which ${who} does not have`,
      );
    case 'permission':
      return refusal(
        403,
        'AUDIT-11',
        `${operation.id} needs the AuditLogManage permission, which ${who} does not have`,
      );
    case 'feature':
      return call.refuseAssumed('AUDIT-13', "The account's plan has no audit log");
    case 'edit':
      return refusal(
        403,
        'FOLDER-8',
        `${operation.id} needs edit access to folder ${folder}, which ${who} does not have`,
      );
  }
}

function roleStatement(call: Call): string {
  if (call.caller.kind === 'oauth') return 'RECIP-21';
  return call.caller.kind === 'embed' ? 'RECIP-22' : 'RECIP-20';
}
