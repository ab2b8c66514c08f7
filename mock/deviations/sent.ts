/** What a call sends, and operators that let the handler see something else. */
import { isObject, type JsonObject, parseJson } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import { Call } from '../pipeline/call.ts';
import type { ExchangeRequest } from '../pipeline/exchange.ts';
import { type Change, type Condition, same } from './changes.ts';
import { type Does, onHandling, type Scene } from './does.ts';
import { refusesValid } from './refusals.ts';

/** A call of an operation that is known: that of the area, as no other reaches its deviations. */
export function callOf<K extends OperationId>(call: Call): Call<K> {
  return call as unknown as Call<K>;
}

/**
 * The same call, maybe for another path, without its query and its body. What it assumes is no part
 * of the answer's basis.
 */
export function trialOf<K extends OperationId>(
  call: Call,
  path: Call<K>['path'] = callOf<K>(call).path,
): Call<K> {
  const { operation, caller, rawQuery } = call;
  return callOf<K>(new Call({ operation, caller, path, rawQuery, basis: call.basis.trial() }));
}

/** The JSON body of a request; undefined where it has none that can be read. */
export function sentBody({ body }: ExchangeRequest): JsonObject | undefined {
  const value = body === undefined ? undefined : parseJson(new TextDecoder().decode(body));
  return isObject(value) ? value : undefined;
}

/** What an area says of its calls: where that stands which they send. */
export interface Sent<Value> {
  readonly read: (call: Call) => Value;
  readonly write: (call: Call, value: Value) => void;
}

/** The operators on what the calls of an area send. */
export function sending<Value extends object>({ read, write }: Sent<Value>) {
  /** The handler sees something else than what was sent. */
  const sees = (change: Change<Value, Scene>): Does =>
    onHandling((next, scene) => {
      const sent = { ...read(scene.call) };
      const seen = change(sent, scene);
      if (seen !== undefined && !same(sent, seen)) {
        write(scene.call, seen);
        scene.took();
      }
      return next();
    });
  return {
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
    ): Does => refusesValid(statement, message, (call) => holds(read(call), call)),
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

/** Gives a record of parameters these values and no others. */
export function replace(target: object, by: object): void {
  for (const name of Object.keys(target)) delete (target as Record<string, unknown>)[name];
  Object.assign(target, by);
}
