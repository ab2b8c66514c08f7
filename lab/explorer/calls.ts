/** The calls of an operation, as far as the contract, the tenant file and the areas tell them. */

import fc, { type Arbitrary } from 'fast-check';
import {
  bindingsOf,
  callerOf,
  pathBindings,
  worse,
} from '../../conformance/language/vocabulary.ts';
import type { Target } from '../../conformance/target/target.ts';
import { isObject, type JsonObject } from '../../spec/base/json.ts';
import { contract, type Effect, type Operation, type Parameter } from '../../spec/contract.ts';
import type { Access } from './access.ts';
import type { Body, Call, Explored } from './call.ts';

/** The calls of each operation. */
export type Calls = ReadonlyMap<Operation, Arbitrary<Call>>;

/** The setting that calls are made for. */
export interface Setting {
  readonly target: Target;
  readonly access: Access;
  readonly areas: Explored;
  readonly allow: Effect;
}

/** The calls of each operation that the target can be asked for, and that the run may make. */
export function callsIn(setting: Setting): Calls {
  const found = new Map<Operation, Arbitrary<Call>>();
  for (const operation of contract.operations.values()) {
    const calls = callsOf(operation, setting);
    if (calls !== undefined) found.set(operation, calls);
  }
  return found;
}

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
  const call = fc.record({ as: who, path, query }).map((some) => ({ operation, ...some }));
  if (operation.body === null) return area?.pages === undefined ? call : withPages(call, operation);
  const body = area?.body?.(target);
  if (body === undefined) return undefined;
  const bodies = withBroken(body, operation.object?.fields ?? []);
  return fc.tuple(call, bodies).map(([made, body]) => ({ ...made, body }));
}

/**
 * Half of the calls are the operation's usual caller's, so that one often returns after somebody
 * else. A few are made by who must be refused, or by nobody.
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

/** Mostly the tenant's own objects; now and then others of their kind, or one that is missing. */
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
    // Nobody said that another deployment may be written.
    const isFixed = operation.effect !== 'none' && name === operation.requires.deployment;
    values[name] = fc.oneof(
      { weight: 12, arbitrary: fc.constant(usual) },
      { weight: 4, arbitrary: fc.constantFrom(...(isFixed ? [usual] : bound)) },
      { weight: 1, arbitrary: fc.constant('{missing.id}') },
    );
  }
  return fc.record(values);
}

/** Page sizes and positions: none, one, few, the default of 20, and more than that. */
const numbers = [0, 1, 2, 20, 50];

/** Each parameter is left out now and then. */
function queryOf(operation: Operation, target: Target): Arbitrary<JsonObject> {
  const values: Record<string, Arbitrary<unknown>> = {};
  for (const parameter of operation.parameters) {
    const some =
      parameter.in === 'query' ? valuesOf(parameter, target.bindings[operation.area]) : [];
    if (some.length === 0) continue;
    values[parameter.name] = fc.option(fc.constantFrom(...some), { nil: undefined, freq: 2 });
  }
  return fc.record(values).map((fields) => pick(fields, (name) => fields[name] !== undefined));
}

function valuesOf({ name, schema }: Parameter, bound: JsonObject | undefined): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.type === 'integer') return numbers;
  return bound?.[name] === undefined ? [] : [bound[name]];
}

function pick(fields: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
}

/** Most lists are read whole, without the parameters that choose a page. Small pages cost calls. */
function withPages(calls: Arbitrary<Call>, { parameters }: Operation): Arbitrary<Call> {
  const isPage = (field: string) =>
    parameters.some(({ name, schema }) => name === field && schema.type === 'integer');
  const sizes = fc.option(fc.constantFrom(null, 10, 20), { nil: undefined, freq: 2 });
  return fc.tuple(calls, sizes).map(([call, pages]) => {
    if (pages === undefined) return call;
    return { ...call, pages, query: pick(call.query, (name) => !isPage(name)) };
  });
}

/** The same list from its first item to its last, whatever was to be shown of it. */
export function wholeOf(call: Call): Call {
  return call.operation.items === undefined ? call : { ...call, query: {}, pages: null };
}

/**
 * One body in twelve has a field of a wrong type: a refusal of it must leave no trace. The fields
 * that name the object stay, so that nothing else is written.
 */
function withBroken(bodies: Arbitrary<Body>, naming: readonly string[]): Arbitrary<Body> {
  return fc.tuple(bodies, fc.nat(11), fc.nat()).map(([body, broken, field]) => {
    if (broken > 0) return body;
    return (model, call) => {
      const sent = body(model, call);
      const names = Object.keys(sent?.body ?? {}).filter((name) => !naming.includes(name));
      const name = names[field % names.length];
      if (sent === undefined || name === undefined) return sent;
      const wrong = isObject(sent.body[name]) ? 7 : { lockstep: 7 };
      return { body: { ...sent.body, [name]: wrong }, binding: sent.binding, broken: true };
    };
  });
}
