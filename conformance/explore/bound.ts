/** What a walk may write: the objects that the tenant file binds, and what is missing for sure. */

import type { missingNames } from '../language/scope.ts';
import type { Bindings } from '../language/vocabulary.ts';
import type { TenantObject } from '../target/call.ts';
import { Unsafe } from '../target/guard.ts';

const holders: Readonly<Record<string, readonly string[]>> = {
  deployment_id: ['deployment', 'otherDeployment'],
  deploymentId: ['deployment', 'otherDeployment'],
  environment_id: ['environment'],
  folderId: ['folder', 'lockedFolder', 'nestedFolder', 'foreignFolder'],
  id: ['notification', 'foreignNotification'],
};
const branches = ['sharedBranch', 'productionBranch', 'personalBranch'];

/** Throws Unsafe where an object is neither bound nor missing. */
export function boundOnly(
  object: TenantObject,
  bindings: Bindings,
  missing: ReturnType<typeof missingNames>,
): void {
  const known = (names: readonly string[], value: string, fields: readonly string[]): boolean =>
    names.some((name) => fields.some((field) => String(bindings[name]?.[field]) === value)) ||
    value === String(missing.id) ||
    value === missing.name;
  for (const [name, value] of Object.entries(object.parameters)) {
    if (!known(holders[name] ?? [], value, ['id', 'numericId'])) {
      throw new Unsafe(`${name} ${value} is not bound, so nothing is written there`);
    }
  }
  for (const value of Object.values(object.fields).map(String)) {
    if (!known(branches, value, ['id', 'name', 'numericId'])) {
      throw new Unsafe(`the branch ${value} is not bound, so it is not switched`);
    }
  }
}
