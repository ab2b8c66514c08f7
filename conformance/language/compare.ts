/** Compares an answer with the answer of an earlier step. */

import { atPointer, canonical, equal, isObject, pointerToken } from '../../spec/base/json.ts';
import type { Answer } from './answer.ts';
import { compute } from './compute.ts';
import { first, type Mismatch, match, matches } from './matcher.ts';
import type { Facets, Step } from './scenario.ts';
import { attempt, follow, resolve, type Scope, Unresolved } from './template.ts';

/**
 * The list of an answer: the list that the step names, all pages of a walk, or the operation's
 * list.
 */
export function listIn(
  step: Pick<Step, 'operation' | 'list'>,
  answer: Answer,
  scope: Scope,
): readonly unknown[] | undefined {
  const place = step.operation?.items?.at;
  const value =
    step.list === undefined
      ? (answer.walk?.items ?? (place === undefined ? undefined : atPointer(answer.body, place)))
      : attempt(() => compute(step.list, scope));
  return Array.isArray(value) ? value : undefined;
}

/** `{ since, at, of }`: fields that one of the two answers has must be in both. */
export function unchanged(argument: unknown, answer: Answer, scope: Scope): Mismatch | undefined {
  const { since, at = 'body', of } = argument as NonNullable<Facets['unchanged']>;
  const then = earlier(since, at, scope);
  const now = follow(answer, at, scope);
  const counts = (name: string): boolean => of?.includes(name) !== false;
  return difference(then, now, `/${at.replaceAll('.', '/')}`, counts);
}

function difference(
  then: unknown,
  now: unknown,
  pointer: string,
  counts: (field: string) => boolean,
): Mismatch | undefined {
  if (Array.isArray(then) && Array.isArray(now) && then.length === now.length) {
    return first(then, (item, index) =>
      difference(item, now[index], pointer + pointerToken(index), counts),
    );
  }
  if (isObject(then) && isObject(now)) {
    const names = new Set([...Object.keys(then), ...Object.keys(now)].filter(counts));
    const name = [...names].find((field) => !equal(then[field], now[field]));
    if (name === undefined) return undefined;
    return { pointer: pointer + pointerToken(name), expected: then[name], actual: now[name] };
  }
  return equal(then, now) ? undefined : { pointer, expected: then, actual: now };
}

/** `{ since, added, lost }`: how many elements came and went. */
export function changed(argument: unknown, answer: Answer, scope: Scope): Mismatch | undefined {
  const { since, ...wanted } = argument as { readonly since: string };
  const then = identitiesOf(earlier(since, 'list', scope));
  const now = identitiesOf(listOf(answer));
  const moved: Readonly<Record<string, readonly unknown[]>> = {
    added: [...now.keys()].filter((key) => !then.has(key)).map((key) => now.get(key)),
    lost: [...then.keys()].filter((key) => !now.has(key)).map((key) => then.get(key)),
  };
  for (const [name, matcher] of Object.entries(resolve(wanted, scope) as object)) {
    const actual = moved[name] ?? [];
    if (matches(actual.length, matcher)) continue;
    return { pointer: `/list/${name}`, expected: matcher, actual };
  }
  return undefined;
}

/** The argument is the id of a step, or a list. Order and repetition do not count. */
export function sameSet(argument: unknown, answer: Answer, scope: Scope): Mismatch | undefined {
  const step = typeof argument === 'string' && !argument.includes('{');
  const wanted = identitiesOf(step ? earlier(argument, 'list', scope) : resolve(argument, scope));
  const now = identitiesOf(listOf(answer));
  if (equal([...wanted.keys()].sort(), [...now.keys()].sort())) return undefined;
  return { pointer: '/list', expected: [...wanted.values()], actual: [...now.values()] };
}

/** Checks that each of the elements, given by key or as a matcher, is in the list, or is not. */
export function listed(argument: unknown, answer: Answer, wanted: boolean): Mismatch | undefined {
  const items = listOf(answer);
  const found = (one: unknown): boolean =>
    items.some((item) => match(isObject(one) ? item : identityOf(item), one) === undefined);
  const wrong = [argument].flat().find((one) => found(one) !== wanted);
  if (wrong === undefined) return undefined;
  const expected = { [wanted ? 'listed' : 'not listed']: wrong };
  // The result shows only the compared fields of each item, as JSON, so that 1 and "1" look
  // different.
  const asked = (item: unknown): unknown =>
    isObject(wrong) && isObject(item)
      ? Object.fromEntries(Object.keys(wrong).map((name) => [name, item[name]]))
      : identityOf(item);
  return { pointer: '/list', expected, actual: items.map(asked) };
}

function listOf({ list }: Answer): readonly unknown[] {
  if (list === undefined) throw new Unresolved('list', 'the answer holds no list');
  return list;
}

/** A value from the answer of an earlier step. Throws Unresolved if that step was refused. */
function earlier(step: string, place: string, scope: Scope): unknown {
  const status = Number(resolve(`{steps.${step}.status}`, scope));
  if (status < 200 || status > 299)
    throw new Unresolved(step, `the step ${step} was answered ${status}`);
  return resolve(`{steps.${step}.${place}}`, scope);
}

/** The items of a list by their identity, which represents them in a result. */
export function identitiesOf(list: unknown): Map<string, unknown> {
  if (!Array.isArray(list)) throw new Unresolved('list', 'the value to compare is not a list');
  return new Map(list.map(identityOf).map((key) => [canonical(key), key]));
}

/** The id of an item, or the item itself if it has none. */
function identityOf(item: unknown): unknown {
  return isObject(item) && item.id !== undefined ? item.id : item;
}
