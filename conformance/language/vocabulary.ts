/** The words that scenario files and tenant files share. */

import type { JsonObject } from '../../spec/base/json.ts';
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

/**
 * What a tenant file says of a feature. false: what needs it is not looked at. `absent`: the plan
 * lacks it, so that serving what needs it is wrong.
 */
export type Feature = boolean | 'absent';

/** Binding name -> fields; `numericId` is filled in where the id is a number. */
export type Bindings = Readonly<Record<string, JsonObject>>;

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
export interface Claims {
  readonly role?: string;
  readonly auditLogManage?: boolean;
  readonly edits?: readonly unknown[];
  readonly deployments?: readonly unknown[];
}

export const claimNames: readonly (keyof Claims)[] = [
  'role',
  'auditLogManage',
  'edits',
  'deployments',
];
