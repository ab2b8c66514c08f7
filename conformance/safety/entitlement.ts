/**
 * Tells a refusal by the plan from a refusal by the service. Some operations need a feature of the plan and
 * a permission (`x-requires`). If the tenant file does not say that both exist, a refusal neither breaks nor
 * keeps a promise: it only says what to add to the file.
 */

import type { Operation } from '../../spec/contract.ts';
import { isSuccess } from '../judge/gateway.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import type { Outcome } from '../language/evaluate.ts';
import type { Step } from '../language/scenario.ts';
import type { Scope } from '../language/template.ts';
import { actorOf } from '../target/request.ts';
import type { Target } from '../target/target.ts';

/**
 * The credentials that have the permission by the meaning of their names, and those that lack it. They
 * count as evidence only if the file says so.
 */
const holders: readonly string[] = ['admin', 'oauth'];
const others: readonly string[] = ['member', 'memberOauth'];

/** An answer proves nothing if the tenant file does not say what the caller may do. */
export function entitlementOpen(
  target: Target,
  { as, operation }: Pick<Step, 'as' | 'operation'>,
  scope: Scope,
  status: number | undefined,
  outcome: Outcome['kind'],
): readonly Circumstance[] {
  if (status === undefined || outcome === 'untestable') return [];
  const { credential } = actorOf(as, target.credentials, scope);
  const reason = inconclusive(target, operation, credential, status, outcome === 'fails');
  return reason === undefined ? [] : [{ rule: 'entitlement-open', reason }];
}

/**
 * The reason why an answer to a credential proves nothing; undefined if it proves something. `failed`: the
 * check failed on this answer. A 401 is about the credential, never about the plan.
 */
export function inconclusive(
  target: Pick<Target, 'features' | 'credentials'>,
  operation: Operation | undefined,
  credential: string | undefined,
  status: number,
  failed: boolean,
): string | undefined {
  if (operation === undefined || credential === undefined || credential.startsWith('expired'))
    return;
  const { feature, permission } = operation.requires;
  const refused = status >= 400 && status < 500 && status !== 401;
  // The description does not say how a plan refuses (AUDIT-13); an expected 400 is not such a refusal.
  const fromPlan = failed || [402, 403, 404].includes(status);
  const says = feature === undefined ? true : target.features[feature];
  if (refused && fromPlan && says !== true && says !== 'absent') {
    return `answered ${status}, and the tenant file does not say features: { ${feature}: true }`;
  }
  if (permission === undefined || !failed) return;
  const claim = target.credentials.get(credential)?.claims?.auditLogManage;
  if (holders.includes(credential) && refused && claim !== true) {
    return `answered ${status}, and the tenant file does not say of ${credential} auditLogManage: true`;
  }
  if (others.includes(credential) && isSuccess(status) && claim !== false) {
    return `served, and the tenant file does not say of ${credential} auditLogManage: false`;
  }
  return;
}
