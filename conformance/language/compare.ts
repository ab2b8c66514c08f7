/** Compares what an answer holds with what an earlier step's answer held. */

import { atPointer, canonical, equal, isObject, pointerToken } from '../../spec/base/json.ts';
import type { Answer } from './answer.ts';
import { compute } from './compute.ts';
import { first, type Mismatch, match, matches } from './matcher.ts';
import type { Facets, Lasting, Step } from './scenario.ts';
import { attempt, follow, resolve, type Scope, Unresolved } from './template.ts';

/** The list of an answer: what the step calls its list, all pages of a walk, or the operation's. */
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

/** `{ since, at, of }`: fields that are there in one answer must be there in both. */
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

/** The id of a step, or a list: order and repetition do not count. */
export function sameSet(argument: unknown, answer: Answer, scope: Scope): Mismatch | undefined {
  const step = typeof argument === 'string' && !argument.includes('{');
  const wanted = identitiesOf(step ? earlier(argument, 'list', scope) : resolve(argument, scope));
  const now = identitiesOf(listOf(answer));
  if (equal([...wanted.keys()].sort(), [...now.keys()].sort())) return undefined;
  return { pointer: '/list', expected: [...wanted.values()], actual: [...now.values()] };
}

/** Whether each of the elements, given by key or as a matcher, is (or is not) in the list. */
export function listed(argument: unknown, answer: Answer, wanted: boolean): Mismatch | undefined {
  const items = listOf(answer);
  const found = (one: unknown): boolean =>
    items.some((item) => match(isObject(one) ? item : identityOf(item), one) === undefined);
  const wrong = [argument].flat().find((one) => found(one) !== wanted);
  if (wrong === undefined) return undefined;
  const expected = { [wanted ? 'listed' : 'not listed']: wrong };
  // Of each item what was asked for, so that 1 and "1" are told apart.
  const asked = (item: unknown): unknown =>
    isObject(wrong) && isObject(item)
      ? Object.fromEntries(Object.keys(wrong).map((name) => [name, item[name]]))
      : identityOf(item);
  return { pointer: '/list', expected, actual: items.map(asked) };
}

/**
 * Whether the list of this try begins with what came (or without what went) in the first try, and
 * ends as it began. Then this try could not fail like the first one, and nobody else moved a thing.
 */
export function lasts({ since, seen, until }: Lasting, before: Scope, now: Scope): boolean {
  const keys = (step: string, scope: Scope): Set<string> =>
    new Set(identitiesOf(earlier(step, 'list', scope)).keys());
  const came = keys(seen, before).difference(keys(since, before));
  const went = keys(since, before).difference(keys(seen, before));
  const start = keys(since, now);
  const stayed =
    !came.isDisjointFrom(start) || (went.size > 0 && went.isDisjointFrom(keys(seen, now)));
  return stayed && start.symmetricDifference(keys(until, now)).size === 0;
}

function listOf({ list }: Answer): readonly unknown[] {
  if (list === undefined) throw new Unresolved('list', 'the answer holds no list');
  return list;
}

/** What an earlier step's answer had; an answer that was refused had nothing. */
function earlier(step: string, place: string, scope: Scope): unknown {
  const status = Number(resolve(`{steps.${step}.status}`, scope));
  if (status < 200 || status > 299)
    throw new Unresolved(step, `the step ${step} was answered ${status}`);
  return resolve(`{steps.${step}.${place}}`, scope);
}

/** The items of a list by what tells them apart, which stands for them in a result. */
export function identitiesOf(list: unknown): Map<string, unknown> {
  if (!Array.isArray(list)) throw new Unresolved('list', 'what is compared is not a list');
  return new Map(list.map(identityOf).map((key) => [canonical(key), key]));
}

/** Items of a list are told apart by their id, where they have one. */
function identityOf(item: unknown): unknown {
  return isObject(item) && item.id !== undefined ? item.id : item;
}
