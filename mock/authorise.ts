/**
 * Whether a caller may do what it asks: `x-requires` of the operation against the caller's scope,
 * role and permission and the account's plan. Edit access is asked once the folder is found.
 */
import { type Call, refusal } from './call.ts';
import type { Refusal } from './exchange.ts';

export function authorise(call: Call): Refusal | undefined {
  const { requires } = call.operation;
  const { caller } = call;
  if (caller.scope !== null) {
    if (requires.deployment !== undefined) {
      const target = deploymentOf(call);
      if (target !== undefined && !caller.scope.includes(target)) {
        return refusal(403, 'AUTH-8', `This key is not authorised for deployment ${target}`);
      }
    } else if (requires.permission !== undefined && call.assume('AUTH-21') === 'forbidden') {
      return call.refuseAssumed('AUTH-21', 'A key that is scoped to deployments cannot do this');
    }
  }
  if (requires.role === 'admin' && caller.user?.admin !== true) {
    return refusal(403, roleStatement(call), 'This operation needs a user with the admin role');
  }
  if (requires.permission === 'AuditLogManage' && caller.user?.auditLogManage !== true) {
    return refusal(403, 'AUDIT-11', 'This operation needs the AuditLogManage permission');
  }
  if (requires.feature === 'auditLog' && !call.world.state.base.features.auditLog) {
    return call.refuseAssumed('AUDIT-13', "The account's plan has no audit log");
  }
  return undefined;
}

/** Refuses a caller without edit access to the folder that the operation names. */
export function authoriseEdit(call: Call): Refusal | undefined {
  const parameter = call.operation.requires.edit;
  if (parameter === undefined) return undefined;
  const folder = (call.path as Record<string, unknown>)[parameter];
  const edits = call.caller.user?.edits ?? [];
  if (edits === 'all' || edits.includes(Number(folder))) return undefined;
  return refusal(403, 'FOLDER-8', `This needs edit access to folder ${String(folder)}`);
}

/** Id of the deployment that the path names; undefined where the operation has none. */
export function deploymentOf(call: Call): string | undefined {
  const parameter = call.operation.requires.deployment;
  if (parameter === undefined) return undefined;
  const value = (call.path as Record<string, unknown>)[parameter];
  return value === undefined ? undefined : String(value);
}

function roleStatement(call: Call): string {
  if (call.caller.kind === 'oauth') return 'RECIP-21';
  return call.caller.kind === 'embed' ? 'RECIP-22' : 'RECIP-20';
}
