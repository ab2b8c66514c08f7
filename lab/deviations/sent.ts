/** What a call sends, and operators that let the handler see something else. */

import { Call } from '../../mock/pipeline/call.ts';
import type { ExchangeRequest, Refusal } from '../../mock/pipeline/exchange.ts';
import { isObject, type JsonObject, parseJson } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import { type Change, type Condition, same } from './changes.ts';
import { type Does, onCheck, onHandling, type Scene } from './does.ts';
import { refuses } from './refusals.ts';

/** A call of an operation that is known: that of the area, as no other reaches its deviations. */
export function callOf<K extends OperationId>(call: Call): Call<K> {
  return call as unknown as Call<K>;
}

/**
 * The same call with other things sent, maybe for another path. What it assumes is no part of the
 * answer's basis.
 */
export function trialOf<K extends OperationId>(
  call: Call,
  sent: object,
  path: Call<K>['path'] = callOf<K>(call).path,
): Call<K> {
  const { operation, caller, rawQuery } = call;
  const trial = new Call({ operation, caller, path, rawQuery, basis: call.basis.trial() });
  send(trial, sent);
  return callOf<K>(trial);
}

/** The call sends this: as its body, or as its query where it reads. */
export function send(call: Call, sent: object): void {
  if (call.operation.method === 'GET') {
    for (const name of Object.keys(call.query))
      delete (call.query as Record<string, unknown>)[name];
    Object.assign(call.query, sent);
  } else call.input = sent as Call['input'];
}

/** The JSON body of a request; undefined where it has none that can be read. */
export function sentBody({ body }: ExchangeRequest): JsonObject | undefined {
  const value = body === undefined ? undefined : parseJson(new TextDecoder().decode(body));
  return isObject(value) ? value : undefined;
}

/** Takes a body that is refused as if this had been sent instead; undefined refuses it as before. */
export const takesFor = (
  instead: (sent: JsonObject, scene: Scene, refused: Refusal) => object | undefined,
): Does =>
  onCheck('validate', (refused, scene) => {
    const sent = refused && sentBody(scene.request);
    const seen = sent && instead(sent, scene, refused);
    if (seen === undefined) return refused;
    send(scene.call, seen);
    return undefined;
  });

/** What a call sends: its query or its body. */
export function sentOf(call: Call): object {
  return (call.operation.method === 'GET' ? call.query : call.input) ?? {};
}

/** The operators on what the calls of an area send. */
export function sending<Value extends object>() {
  const sentValue = (call: Call) => sentOf(call) as Value;
  /** The handler sees something else than what was sent. */
  const sees = (change: Change<Value, Scene>): Does =>
    onHandling((next, scene) => {
      const sent = { ...sentValue(scene.call) };
      const seen = change(sent, scene);
      if (seen !== undefined && !same(sent, seen)) {
        send(scene.call, seen);
        scene.took();
      }
      return next();
    });
  return {
    sentOf: sentValue,
    sees,
    /** The handler sees another value of a field, where that is sent. */
    reads: <Name extends keyof Value>(
      name: Name,
      change: (value: NonNullable<Value[Name]>) => Value[Name],
    ): Does =>
      sees((sent) => {
        const value = sent[name];
        return value === undefined || value === null
          ? undefined
          : { ...sent, [name]: change(value) };
      }),
    /** The handler does not see these fields, always or where the condition holds. */
    ignores: (names: readonly (keyof Value)[], holds: Condition<Value, Scene> = () => true): Does =>
      sees((sent, scene) => (holds(sent, scene) ? omit(sent, ...names) : undefined)),
    /** Refuses by a statement what was sent, though it is valid. */
    refuses: (
      statement: string,
      message: string,
      holds: (sent: Value, call: Call) => boolean,
    ): Does => refuses('validate', statement, message, ({ call }) => holds(sentValue(call), call)),
  };
}

/** The value without these fields. */
export function omit<Value extends object>(
  value: Value,
  ...names: readonly (keyof Value)[]
): Value {
  const left = { ...value };
  for (const name of names) delete left[name];
  return left;
}
