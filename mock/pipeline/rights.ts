/**
 * Access: compares `x-requires` of an operation with a caller's scope, role and permission and the
 * account's plan. It also tries every credential of a world, so that a refusal can name the rule that
 * refused and the credentials that pass. Edit access is checked when the folder is found.
 */
import {
  assumedStatus,
  type CredentialKind,
  decidesStatus,
  kindsInWords,
  named,
  type Requires,
} from '../../spec/contract.ts';
import type { MissingRight, Rule } from '../world/explanation.ts';
import { deploymentList, type Requested, refusesScopedKeys } from '../world/requested.ts';
import type { CredentialRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Call } from './call.ts';
import { type Caller, callerOf } from './credential.ts';
import { type Refusal, refusal } from './exchange.ts';

/** A rule that is checked after a credential is accepted. */
export type Right = Exclude<Rule, 'schemes' | 'credentials'>;

/** The right that each rule needs, in words. */
const needs: Readonly<Record<Rule, (requested: Requested) => string>> = {
  schemes: ({ requires }) =>
    requires.schemes.map((scheme) => `Authorization: ${scheme} <token>`).join(' or '),
  credentials: ({ requires }) =>
    requires.credentials.map((kind) => kindsInWords[kind]).join(' or '),
  deployment: ({ deployment }) => `a key for deployment ${deployment}, or for all`,
  unscoped: () => 'a key for all deployments',
  role: () => 'the admin role',
  permission: ({ requires }) => `the ${requires.permission} permission`,
  feature: () => 'a plan with the audit log',
  edit: ({ folder }) => `edit access to folder ${folder}`,
};

/**
 * The first rule that a caller does not meet. Edit access is checked elsewhere. `choice` is called
 * only if the silence matters.
 */
export function broken(
  { requires, deployment }: Requested,
  { kind, scope, user }: Pick<Caller, 'kind' | 'scope' | 'user'>,
  world: World,
  choice: (statement: string) => string = (statement) => world.assumptions.choice(statement),
): Right | undefined {
  if (scope !== null) {
    const isOutside = deployment !== undefined && !scope.includes(deployment);
    if (isOutside) return 'deployment';
    if (refusesScopedKeys(requires, choice)) return 'unscoped';
  }
  if (user?.admin !== true && asksForRole(requires, kind, choice)) return 'role';
  if (requires.permission === 'AuditLogManage' && user?.auditLogManage !== true) {
    return 'permission';
  }
  if (requires.feature === 'auditLog' && !world.state.base.features.auditLog) return 'feature';
  return undefined;
}

/** Whether the operation, or a silence about this kind of credential, needs a role. */
function asksForRole(
  { role, statements }: Requires,
  kind: CredentialKind,
  choice: (statement: string) => string,
): boolean {
  if (role !== undefined) return true;
  const silence = statements?.role?.[kind];
  if (silence === undefined || !decidesStatus(silence)) return false;
  return assumedStatus(silence, choice(silence)) !== 0;
}

/** Whether a caller has the edit access that an operation needs, if it needs any. */
export function mayEdit({ requires, folder }: Requested, { user }: Pick<Caller, 'user'>): boolean {
  const edits = user?.edits ?? [];
  return requires.edit === undefined || edits === 'all' || edits.includes(Number(folder));
}

/**
 * Describes the right that a rule needs, the right that the request had, and the credentials that
 * pass.
 */
export function describeMissing(
  rule: Rule,
  requested: Requested,
  world: World,
  has: string,
): MissingRight {
  const credentials = credentialsWithRights(requested, world);
  return { rule, needs: needs[rule](requested), has, credentials };
}

/** Names of the credentials that pass every rule. */
function credentialsWithRights(requested: Requested, world: World): string[] {
  const { credentials } = world.state.tables;
  const { requires, folder } = requested;
  return credentials.rows().flatMap((row) => {
    const caller = callerOf(row, world);
    const passes =
      row.state === 'active' &&
      requires.credentials.includes(row.kind) &&
      broken(requested, caller, world) === undefined &&
      (folder === undefined || mayEdit(requested, caller));
    return passes ? [row.name] : [];
  });
}

/** `member, an API key of ben@example.com (no administrator) for deployment 1, which has expired`. */
export function describeCredential(row: CredentialRow, world: World): string {
  const { user } = callerOf(row, world);
  const role = user?.admin === true ? 'administrator' : 'no administrator';
  const of = user === null ? '' : ` of ${user.email} (${role})`;
  const scope = row.deployments === null ? '' : `, for ${deploymentList(row.deployments)} only`;
  const state = row.state === 'active' ? '' : `, ${row.state}`;
  return `${row.name}, ${kindsInWords[row.kind]}${of}${scope}${state}`;
}

export function authorise(call: Call): Refusal | undefined {
  const rule = broken(call.requested, call.caller, call.world, (id) => call.assume(id));
  return rule && refuse(rule, call);
}

/** Refuses a caller without edit access to the folder that the operation names. */
export function authoriseEdit(call: Call): Refusal | undefined {
  return mayEdit(call.requested, call.caller) ? undefined : refuse('edit', call);
}

function refuse(rule: Right, call: Call): Refusal {
  const statement = statementOf(rule, call);
  const message = messageOf(rule, call);
  const refused = decidesStatus(statement)
    ? call.refuseAssumed(statement, message)
    : refusal(403, statement, message);
  return { ...refused, rule };
}

function statementOf(rule: Right, { caller, operation }: Call): string {
  if (rule === 'deployment') return named.deploymentOutOfScope;
  if (rule === 'unscoped') return named.scopedKeyForWholeAccount;
  const { statements } = operation.requires;
  const statement = rule === 'role' ? statements?.role?.[caller.kind] : statements?.[rule];
  if (statement !== undefined) return statement;
  throw new Error(`x-requires of ${operation.id} names no statement for ${rule} (${caller.kind})`);
}

function messageOf(rule: Right, { caller, operation, requested }: Call): string {
  const scope = deploymentList(caller.scope ?? []);
  if (rule === 'deployment')
    return `This key is for ${scope} only, and not authorised for deployment ${requested.deployment}`;
  if (rule === 'unscoped')
    return `${operation.id} needs a key for all deployments; this one is for ${scope} only`;
  if (rule === 'feature') return "The account's plan has no audit log";
  const who = caller.user?.email ?? `the credential ${caller.credential}`;
  const wanted = rule === 'role' ? 'a user with the admin role' : needs[rule](requested);
  return `${operation.id} needs ${wanted}, which ${who} does not have`;
}
