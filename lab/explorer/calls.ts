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

/** What calls are made for. */
export interface Setting {
  readonly target: Target;
  readonly access: Access;
  readonly areas: Explored;
  readonly allow: Effect;
}

/** The calls of each operation that the target can be asked for, and that the run may make. */
export function callsIn(setting: Setting): Map<Operation, Arbitrary<Call>> {
  const found = [...contract.operations.values()].map((operation) => {
    const calls = callsOf(operation, setting);
    return calls === undefined ? [] : [[operation, calls] as const];
  });
  return new Map(found.flat());
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
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  const values = parameters.map(({ name, schema }) => {
    const field = schema.type === 'integer' ? 'numericId' : 'id';
    const bound = bindingsOf(operation, name)
      .filter((binding) => target.bindings[binding]?.[field] !== undefined)
      // Nobody said that another deployment may be written.
      .filter(
        (b) =>
          operation.effect === 'none' ||
          name !== operation.requires.deployment ||
          own[name]?.startsWith(`{${b}.`),
      )
      .map((binding) => `{${binding}.${field}}`);
    const usual = bound.find((text) => text === own[name]);
    if (usual === undefined) return undefined;
    const value = fc.oneof(
      { weight: 12, arbitrary: fc.constant(usual) },
      { weight: 4, arbitrary: fc.constantFrom(...bound) },
      { weight: 1, arbitrary: fc.constant('{missing.id}') },
    );
    return [name, value] as const;
  });
  if (values.includes(undefined)) return undefined;
  return fc.record(Object.fromEntries(values.filter((value) => value !== undefined)));
}

/** Page sizes and positions: none, one, few, the default of 20, and more than that. */
const numbers = [0, 1, 2, 20, 50];

/** Each parameter is left out as often as it is sent. */
function queryOf(operation: Operation, target: Target): Arbitrary<JsonObject> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const values = parameters.flatMap((parameter) => {
    const some = valuesOf(parameter, target.bindings[operation.area]);
    if (some.length === 0) return [];
    return [[parameter.name, fc.option(fc.constantFrom(...some), { nil: undefined, freq: 2 })]];
  });
  return fc.record(Object.fromEntries(values)).map(withoutUndefined);
}

function valuesOf({ name, schema }: Parameter, bound: JsonObject | undefined): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.type === 'integer') return numbers;
  return bound?.[name] === undefined ? [] : [bound[name]];
}

function withoutUndefined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Half of the lists are read whole, without the parameters that choose a page. */
function withPages(calls: Arbitrary<Call>, operation: Operation): Arbitrary<Call> {
  const sizes = fc.constantFrom(null, 2, 20);
  const choosing = operation.parameters.filter(({ schema }) => schema.type === 'integer');
  return fc
    .record({ call: calls, pages: fc.option(sizes, { nil: undefined, freq: 2 }) })
    .map(({ call, pages }) => {
      if (pages === undefined) return call;
      const left = Object.entries(call.query).filter(
        ([name]) => !choosing.some((one) => one.name === name),
      );
      return { ...call, pages, query: Object.fromEntries(left) };
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
  return fc
    .record({ body: bodies, broken: fc.nat(11), field: fc.nat() })
    .map(({ body, broken, field }) => {
      if (broken > 0) return body;
      return (model, call) => {
        const sent = body(model, call);
        const names = Object.keys(sent?.body ?? {}).filter((field) => !naming.includes(field));
        const name = names[field % names.length];
        if (sent === undefined || name === undefined) return sent;
        const wrong = isObject(sent.body[name]) ? 7 : { lockstep: 7 };
        return { body: { ...sent.body, [name]: wrong }, binding: sent.binding, broken: true };
      };
    });
}
