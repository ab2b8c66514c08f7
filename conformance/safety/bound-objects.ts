/** The objects of a tenant file that a run could write, and that are named by a path alone. */

import { contract, type Operation } from '../../spec/contract.ts';
import { type Bindings, bindingsOf } from '../language/vocabulary.ts';
import { callTo, pathTo, type TenantObject } from '../target/call.ts';
import { movable } from '../vary/variation.ts';

export interface BoundObject {
  readonly binding: string;
  readonly object: TenantObject;
}

const home = 'deployment';
const away: ReadonlySet<string> = new Set(movable.values());

export function boundObjects(bindings: Bindings): BoundObject[] {
  return [...contract.operations.values()].flatMap((operation) => {
    const { restore, object } = operation;
    if (restore === undefined || (object?.fields ?? []).length > 0) return [];
    // The last part of a path names the object itself.
    return parametersOf(operation)
      .slice(-1)
      .flatMap(({ name }) => bindingsOf(operation, name))
      .flatMap((binding) => boundObject(operation, binding, bindings) ?? []);
  });
}

const parametersOf = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'path');

/** A name of an object that no binding has: a run must not write to the object, and `undo` could not find it. */
export function unboundName(
  { parameters, fields }: TenantObject,
  bindings: Bindings,
): string | undefined {
  const bound = Object.values(bindings).flatMap((binding) => Object.values(binding));
  const known = new Set(bound.map(String));
  const names = Object.values({ ...parameters, ...fields }).map(String);
  return names.find((name) => !known.has(name));
}

/** Undefined if the tenant file does not bind it, or does not bind its deployment. */
function boundObject(
  operation: Operation,
  binding: string,
  bindings: Bindings,
): BoundObject | undefined {
  const { method, path, requires } = operation;
  const deployment = away.has(binding) ? movable.get(home) : home;
  const values = parametersOf(operation).map(({ name, schema }) => {
    const of = bindings[name === requires.deployment ? (deployment ?? home) : binding];
    return [name, of?.[schema.type === 'integer' ? 'numericId' : 'id']] as const;
  });
  if (values.some(([, value]) => value === undefined)) return undefined;
  const { object } = callTo(method.toUpperCase(), pathTo(path, Object.fromEntries(values)));
  return object && { binding, object };
}
