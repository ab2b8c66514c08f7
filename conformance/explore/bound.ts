/** What a walk may write: the objects that the tenant file binds, and what is missing for sure. */

import type { missingNames } from '../language/scope.ts';
import type { Bindings } from '../language/vocabulary.ts';
import type { TenantObject } from '../target/call.ts';
import { Unsafe } from '../target/guard.ts';

/** Path parameter, or field that names an object -> the bindings that it may name. */
export type Holders = Readonly<Record<string, readonly string[]>>;

/** Throws Unsafe where an object is neither bound nor missing. */
export function boundOnly(
  object: TenantObject,
  holders: Holders,
  bindings: Bindings,
  missing: ReturnType<typeof missingNames>,
): void {
  for (const [parameter, value] of Object.entries({ ...object.parameters, ...object.fields })) {
    const bound = (holders[parameter] ?? []).flatMap((name) => Object.values(bindings[name] ?? {}));
    const known = [...bound, missing.id, missing.name].map(String);
    if (known.includes(String(value))) continue;
    throw new Unsafe(`${parameter} ${value} is not bound, so nothing is written there`);
  }
}
