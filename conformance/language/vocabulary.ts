/** The words that scenario files and tenant files share. */

import type { Effect } from '../../spec/contract.ts';

export const effects: readonly Effect[] = ['none', 'reversible', 'disruptive', 'permanent'];

/** True where the first effect is worse than the second. */
export function worse(a: Effect, b: Effect): boolean {
  return effects.indexOf(a) > effects.indexOf(b);
}

export const credentialNames: readonly string[] = [
  'admin',
  'member',
  'scoped',
  'oauth',
  'memberOauth',
  'embed',
  'expired',
  'scim',
];

export const featureNames: readonly string[] = ['auditLog'];

/** Bindings and the fields that scenarios may refer to. */
export const bindingFields: Readonly<Record<string, readonly string[]>> = {
  deployment: ['id', 'numericId'],
  otherDeployment: ['id', 'numericId'],
  environment: ['id', 'numericId'],
  sharedBranch: ['id', 'name', 'numericId'],
  productionBranch: ['id', 'name', 'numericId'],
  personalBranch: ['id', 'name', 'numericId'],
  folder: ['id', 'numericId'],
  lockedFolder: ['id', 'numericId'],
  foreignFolder: ['id', 'numericId'],
  nestedFolder: ['id', 'numericId'],
  notification: ['id', 'numericId'],
  foreignNotification: ['id', 'numericId'],
  dbtSync: ['id', 'numericId'],
  runningDbtSync: ['id', 'numericId'],
  failedDbtSync: ['id', 'numericId'],
  versions: ['mayRun'],
  audit: ['eventName', 'userEmail', 'search', 'start', 'end'],
  recipients: ['users', 'embedUsers'],
};

/** What the tenant file says of a credential; scenarios may refer to it, and it may be null. */
export const claimNames: readonly string[] = ['role', 'auditLogManage', 'edits', 'deployments'];
