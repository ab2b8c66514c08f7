/** What a walk may write: the objects that the tenant file binds, and what is missing for sure. */

import type { missingNames } from '../language/scope.ts';
import { Unsafe, type WriteTarget } from '../target/guard.ts';
import type { Bindings } from '../target/tenant-file.ts';

/** Path parameter, or field that names an object -> the bindings that it may name. */
export type Holders = Readonly<Record<string, readonly string[]>>;

/** Throws Unsafe where an object is neither bound nor missing. */
export function boundOnly(
  object: WriteTarget,
  holders: Holders,
  bindings: Bindings,
  missing: ReturnType<typeof missingNames>,
): void {
  const { name, id } = object.branch;
  const named = { ...object.parameters, 'branch.name': name, 'branch.id': id };
  for (const [parameter, value] of Object.entries(named)) {
    if (value === undefined) continue;
    const bound = (holders[parameter] ?? []).flatMap((name) => Object.values(bindings[name] ?? {}));
    const known = [...bound, missing.id, missing.name].map(String);
    if (known.includes(String(value))) continue;
    throw new Unsafe(`${parameter} ${value} is not bound, so nothing is written there`);
  }
}
