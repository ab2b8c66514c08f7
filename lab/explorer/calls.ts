/** Generates calls of each operation from the contract, the tenant file and the areas. */

import fc, { type Arbitrary } from 'fast-check';
import {
  bindingsOf,
  callerOf,
  pathBindings,
  worse,
} from '../../conformance/language/vocabulary.ts';
import type { Target } from '../../conformance/target/target.ts';
import type { JsonObject } from '../../spec/base/json.ts';
import { contract, type Effect, type Operation, type Parameter } from '../../spec/contract.ts';
import type { Access } from './access.ts';
import type { Call, Explored } from './call.ts';

export type Calls = ReadonlyMap<Operation, Arbitrary<Call>>;

/** The context that calls are generated for. */
export interface Setting {
  readonly target: Target;
  readonly access: Access;
  readonly areas: Explored;
  readonly allow: Effect;
}

/** The calls of each operation that the target has objects for, and that the run permits. */
export const callsIn = (setting: Setting): Calls =>
  new Map(
    [...contract.operations.values()].flatMap((operation) => {
      const calls = callsOf(operation, setting);
      return calls === undefined ? [] : [[operation, calls] as const];
    }),
  );

function callsOf(operation: Operation, setting: Setting): Arbitrary<Call> | undefined {
  const { target, areas, allow } = setting;
  const { feature } = operation.requires;
  const area = areas[operation.id];
  const path = pathOf(operation, target);
  const who = actorOf(operation, setting);
  const isOff = feature !== undefined && target.features[feature] !== true;
  if (worse(operation.effect, allow) || isOff || who === undefined || path === undefined)
    return undefined;
  const query = area?.query?.(target) ?? queryOf(operation, target);
  // Pages of one item are rare, because each page is a call.
  const pages = area?.pages === undefined ? fc.constant(undefined) : fc.constantFrom(null, 10, 20);
  const body = operation.body === null ? fc.constant(undefined) : area?.body?.(target);
  if (body === undefined) return undefined;
  return fc.record({ as: who, path, query, pages, body }).map((some) => ({ operation, ...some }));
}

/**
 * The operation's usual caller makes half of the calls, so it often returns after another caller. A
 * few calls come from callers that must be refused, or have no credential.
 */
function actorOf(operation: Operation, { target, access }: Setting): Arbitrary<string> | undefined {
  const all = [...target.credentials.keys()];
  const allowed = all.filter((name) => access.allows(operation.id, name));
  const [first] = allowed;
  if (first === undefined) return undefined;
  const usual = callerOf(operation);
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(allowed.includes(usual) ? usual : first) },
    { weight: 4, arbitrary: fc.constantFrom(...allowed) },
    { weight: 1, arbitrary: fc.constantFrom('none', ...all) },
  );
}

/** The objects to name: mostly the bound ones, sometimes others of the same kind, or a missing one. */
function pathOf(operation: Operation, target: Target): Arbitrary<Call['path']> | undefined {
  const own = pathBindings(operation);
  const values: Record<string, Arbitrary<string>> = {};
  for (const { name, schema, in: place } of operation.parameters) {
    if (place !== 'path') continue;
    const field = schema.type === 'integer' ? 'numericId' : 'id';
    const bound = bindingsOf(operation, name)
      .filter((binding) => target.bindings[binding]?.[field] !== undefined)
      .map((binding) => `{${binding}.${field}}`);
    const usual = bound.find((text) => text === own[name]);
    if (usual === undefined) return undefined;
    // The tenant file does not permit writes in another deployment.
    const isFixed = operation.effect !== 'none' && name === operation.requires.deployment;
    values[name] = fc.oneof(
      { weight: 12, arbitrary: fc.constant(usual) },
      { weight: 4, arbitrary: fc.constantFrom(...(isFixed ? [usual] : bound)) },
      { weight: 1, arbitrary: fc.constant('{missing.id}') },
    );
  }
  return fc.record(values);
}

/**
 * Each parameter is sometimes left out. The verb that reads all pages sets the paging parameters.
 */
function queryOf(operation: Operation, target: Target): Arbitrary<JsonObject> {
  const values: Record<string, Arbitrary<unknown>> = {};
  for (const parameter of operation.parameters) {
    const some =
      parameter.in === 'query' ? valuesOf(parameter, target.bindings[operation.area]) : [];
    if (some.length === 0) continue;
    values[parameter.name] = fc.option(fc.constantFrom(...some), { nil: undefined, freq: 2 });
  }
  return fc.record(values).map((fields) => {
    const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
    return Object.fromEntries(sent);
  });
}

function valuesOf({ name, schema }: Parameter, bound: JsonObject | undefined): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.type === 'integer' || bound?.[name] === undefined ? [] : [bound[name]];
}
