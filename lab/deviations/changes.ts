/**
 * Changes of a value: what a deviation makes of an answer, of its body, of a field, of what a call
 * sends. Undefined leaves the value as it is, so that changes can be put under a condition.
 */
import { isObject, type JsonObject } from '../../spec/base/json.ts';

export type Change<Value, S> = (value: Value, scene: S) => Value | undefined;
export type Condition<Value, S> = (value: Value, scene: S) => boolean;

/** Whether two values have the same JSON text. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Makes the change where the condition holds. */
export const when =
  <Value, Result, S>(holds: Condition<Value, S>, change: (value: Value, scene: S) => Result) =>
  (value: Value, scene: S): Result | undefined =>
    holds(value, scene) ? change(value, scene) : undefined;

/** Gives a field of an object another value; undefined leaves it as it is. */
export const field =
  <S>(name: string, value: (old: unknown, whole: JsonObject, scene: S) => unknown) =>
  (whole: JsonObject, scene: S): JsonObject | undefined => {
    const changed = value(whole[name], whole, scene);
    return changed === undefined ? undefined : { ...whole, [name]: changed };
  };

/** Leaves a field out. */
export const without =
  (name: string) =>
  ({ [name]: _gone, ...rest }: JsonObject): JsonObject =>
    rest;

/** The objects of a list; none where it is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
