/**
 * Whether a caller may do what it asks: `x-requires` of the operation against the caller's scope,
 * role and permission and the account's plan. Edit access is asked once the folder is found.
 */
import { decidesStatus, named } from '../../spec/contract.ts';
import { deploymentList } from '../world/requested.ts';
import type { Call } from './call.ts';
import { type Refusal, refusal } from './exchange.ts';
import { broken, describeCredential, mayEdit, missingRight, type Right } from './rights.ts';

export function authorise(call: Call): Refusal | undefined {
  const rule = broken(call.requested, call.caller, call.world, (id) => call.assume(id));
  return rule && refuse(rule, call);
}

/** Refuses a caller without edit access to the folder that the operation names. */
export function authoriseEdit(call: Call): Refusal | undefined {
  const { operation, requested, caller } = call;
  const may = operation.requires.edit === undefined || mayEdit(requested, caller);
  return may ? undefined : refuse('edit', call);
}

function refuse(rule: Right, call: Call): Refusal {
  const { caller, requested, world } = call;
  const statement = statementOf(rule, call);
  const message = messageOf(rule, call);
  const row = world.state.tables.credentials.get(caller.credential);
  const has = row === undefined ? caller.credential : describeCredential(row, world);
  const refused = decidesStatus(statement)
    ? call.refuseAssumed(statement, message)
    : refusal(403, statement, message);
  return { ...refused, lack: missingRight(rule, requested, world, has) };
}

/** The statement that a rule rests on. */
function statementOf(rule: Right, { caller, operation }: Call): string {
  if (rule === 'deployment') return named.deploymentOutOfScope;
  if (rule === 'unscoped') return named.scopedKeyForWholeAccount;
  const { statements } = operation.requires;
  const statement = rule === 'role' ? statements?.role?.[caller.kind] : statements?.[rule];
  if (statement !== undefined) return statement;
  throw new Error(`x-requires of ${operation.id} names no statement for ${rule} (${caller.kind})`);
}

function messageOf(rule: Right, { caller, operation, requested }: Call): string {
  const who = caller.user?.email ?? `the credential ${caller.credential}`;
  const scope = deploymentList(caller.scope ?? []);
  switch (rule) {
    case 'deployment':
      return `This key is for ${scope} only, and not authorised for deployment ${requested.deployment}`;
    case 'unscoped':
      return `${operation.id} needs a key for all deployments; this one is for ${scope} only`;
    case 'role':
      return `${operation.id} needs a user with the admin role, which ${who} does not have`;
    case 'permission':
      return `${operation.id} needs the AuditLogManage permission, which ${who} does not have`;
    case 'feature':
      return "The account's plan has no audit log";
    case 'edit':
      return `${operation.id} needs edit access to folder ${requested.folder}, which ${who} does not have`;
  }
}
