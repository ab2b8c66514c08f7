/** Judges one check of one answer. Nothing here knows about runs, levels or reports. */

import { atPointer, brief, equal, isObject, pointerToken } from '../../spec/base/json.ts';
import { readJwt } from '../answers/jwt.ts';
import { type Partition, partitionDefects } from '../answers/partition.ts';
import type { Answer } from './answer.ts';
import { changed, listed, sameSet, unchanged } from './compare.ts';
import { compute } from './compute.ts';
import { first, type Mismatch, match } from './matcher.ts';
import type { Check, Conditions, Step } from './scenario.ts';
import type { ScenarioScope } from './scope.ts';
import { attempt, follow, resolve, type Scope, Unresolved } from './template.ts';

export type Outcome =
  | { readonly kind: 'holds' }
  | ({ readonly kind: 'fails' } & Mismatch)
  /** `unmet`: the condition of the check did not hold, so the check has no result. */
  | { readonly kind: 'untestable'; readonly reason: string; readonly unmet?: true };

export function evaluate(check: Check, scope: ScenarioScope): Outcome {
  try {
    return judge(check, scope);
  } catch (error) {
    if (error instanceof Unreadable) {
      return { kind: 'untestable', reason: error.message, unmet: true };
    }
    if (error instanceof Unresolved) return { kind: 'untestable', reason: error.message };
    throw error;
  }
}

/** The subject of a check exists, but the service may hide it. */
class Unreadable extends Unresolved {}

/** Whether all conditions hold; throws Unresolved. */
export function conditionsHold(conditions: Conditions, scope: ScenarioScope): boolean {
  return firstMismatch(conditions, scope) === undefined;
}

/** Whether the answer to a step is the one that later steps need. */
export function isExpected(
  { expect }: Pick<Step, 'expect'>,
  answer: Answer | undefined,
  scope: ScenarioScope,
): boolean {
  if (expect === undefined) return true;
  return scope.of(answer, () => attempt(() => conditionsHold(expect, scope))) === true;
}

function judge(check: Check, scope: ScenarioScope): Outcome {
  const { own: answer } = scope;
  if (answer !== undefined && !answer.ok && needsSuccess(check)) {
    return { kind: 'untestable', reason: `the call was answered ${answer.status}` };
  }
  for (const only of check.only) {
    const mismatch = firstMismatch(only, scope);
    if (mismatch !== undefined) {
      return {
        kind: 'untestable',
        reason: `its condition does not hold: ${mismatch.pointer || '/'} is ${brief(mismatch.actual)}, not ${brief(mismatch.expected)}`,
        unmet: true,
      };
    }
  }
  for (const [path, least] of Object.entries(check.atLeast)) {
    const value = subjects(path, scope);
    if (value < least) {
      return {
        kind: 'untestable',
        reason: `the check needs ${least} of ${path}, and saw ${value}`,
      };
    }
  }
  const mismatch = firstMismatch(check.conditions, scope);
  return mismatch === undefined ? { kind: 'holds' } : { kind: 'fails', ...mismatch };
}

/** A check without a status needs a 2xx answer, unless it only compares values. */
function needsSuccess(check: Check): boolean {
  if ('status' in check.conditions) return false;
  return !check.only.some((only) => 'status' in only);
}

function subjects(path: string, scope: ScenarioScope): number {
  const value = attempt(() => resolve(`{${path}}`, scope));
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : value === undefined ? 0 : 1;
}

/** Conditions are tried in order of cause: a wrong status explains a wrong body. */
function firstMismatch(conditions: Conditions, scope: ScenarioScope): Mismatch | undefined {
  for (const [facet, mismatch] of Object.entries(facets)) {
    const found = facet in conditions ? mismatch(conditions[facet], scope) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

type Facet = (argument: unknown, scope: ScenarioScope) => Mismatch | undefined;

function need({ own }: ScenarioScope): Answer {
  if (own === undefined) throw new Unresolved('answer', 'the step makes no call');
  return own;
}

/** Checks that a part of the answer matches. */
const part =
  (name: string): Facet =>
  (matcher, scope) =>
    match(need(scope).field(name), resolve(matcher, scope), pointerToken(name));

const facets: Readonly<Record<string, Facet>> = {
  status: (argument, scope) => {
    const answer = need(scope);
    const { status } = answer;
    const wanted = resolve(argument, scope);
    if (wanted === 'allowed') return notLetIn(answer);
    if (statusFits(status, wanted)) return undefined;
    return { pointer: '/status', expected: wanted, actual: status };
  },
  headers: (argument, scope) => {
    const wanted = Object.entries(resolve(argument, scope) as object);
    const lower = Object.fromEntries(
      wanted.map(([name, matcher]) => [name.toLowerCase(), matcher]),
    );
    return part('headers')(lower, scope);
  },
  media: part('media'),
  body: part('body'),
  walk: (argument, scope) => {
    if (need(scope).walk === undefined)
      throw new Unresolved('walk', 'the list could not be walked');
    return part('walk')(argument, scope);
  },
  list: part('list'),
  csv: part('csv'),
  jwt: (argument, scope) => {
    const { token, ...parts } = resolve(argument, scope) as Readonly<Record<string, unknown>>;
    const jwt = readJwt(token);
    if (jwt === undefined) return { pointer: '/jwt', expected: 'a JWT', actual: token };
    if (jwt.payload === undefined && 'payload' in parts) {
      const found = match(jwt, { header: parts.header ?? {} }, '/jwt');
      if (found !== undefined) return found;
      throw new Unreadable('jwt', 'the token is encrypted, so its claims cannot be read');
    }
    return match(jwt, parts, '/jwt');
  },
  partition: (argument, scope) => {
    const partition = resolve(argument, scope) as Partition;
    const lists = [partition.of, ...Object.values(partition.into)];
    if (!lists.every(Array.isArray)) throw new Unresolved('partition', 'partition: not a list');
    const defects = partitionDefects(partition);
    if (defects.length === 0) return undefined;
    return { pointer: '/partition', expected: 'each subject in exactly one list', actual: defects };
  },
  roundTrip: (argument, scope) => roundTrip(resolve(argument, scope), need(scope)),
  fits: (argument, scope) => {
    const places = [resolve(argument, scope)].flat().map(String);
    return first(places, (place) => misfit(place, need(scope), scope));
  },
  unchanged: (argument, scope) => unchanged(argument, need(scope), scope),
  changed: (argument, scope) => changed(argument, need(scope), scope),
  'same set': (argument, scope) => sameSet(argument, need(scope), scope),
  listed: (argument, scope) => listed(resolve(argument, scope), need(scope), true),
  'not listed': (argument, scope) => listed(resolve(argument, scope), need(scope), false),
  answered: (argument, scope) => {
    for (const [step, wanted] of Object.entries(argument as object)) {
      const status = Number(resolve(`{steps.${step}.status}`, scope));
      if (statusFits(status, wanted)) continue;
      return { pointer: `/answered${pointerToken(step)}`, expected: wanted, actual: status };
    }
    return undefined;
  },
  that: (argument, scope) => {
    const several = Array.isArray(argument);
    const list = (several ? argument : [argument]) as readonly { value: unknown; is: unknown }[];
    return first(list, ({ value, is }, index) =>
      match(compute(value, scope), resolve(is, scope), several ? `/that/${index}` : '/that'),
    );
  },
};

/**
 * Checks that a place in the body (or in each page) has a value, and that the value fits the
 * contract.
 */
function misfit(place: string, answer: Answer, scope: Scope): Mismatch | undefined {
  if (!place.startsWith('walk.pages.')) return bodyMisfit(place, answer.body, answer, scope);
  const inPage = place.replace('walk.pages', 'body');
  return first(answer.walk?.pages ?? [], (page) => bodyMisfit(inPage, page, answer, scope));
}

function bodyMisfit(
  place: string,
  body: unknown,
  { response }: Answer,
  scope: Scope,
): Mismatch | undefined {
  const pointer = `/${place.replaceAll('.', '/')}`;
  const actual = follow({ body }, place, scope);
  if (actual === undefined) return { pointer, expected: { $present: true }, actual };
  const failure = response?.validate(body).find((item) => {
    const missing = item.keyword === 'required' ? `/${item.params.missingProperty}` : '';
    const at = `/body${item.pointer.replaceAll(/\/\d+(?=\/|$)/g, '')}${missing}`;
    return `${at}/`.startsWith(`${pointer}/`);
  });
  if (failure === undefined) return undefined;
  const value = atPointer(body, failure.pointer);
  return { pointer: `/body${failure.pointer}`, expected: failure.message, actual: value };
}

function roundTrip(argument: unknown, { body, request }: Answer): Mismatch | undefined {
  const sent = isObject(request.body) ? request.body : {};
  const fields = Array.isArray(argument) ? argument.map(String) : Object.keys(sent);
  return first(fields, (name) => {
    const actual = isObject(body) ? body[name] : undefined;
    if (equal(actual, sent[name])) return undefined;
    return { pointer: `/body${pointerToken(name)}`, expected: sent[name], actual };
  });
}

/** Whether the status alone shows if the caller has access. */
export function showsAccess(status: number): boolean {
  return statusFits(status, ['2xx', 401, 403]);
}

/** Throws Unresolved if the answer does not show it. */
function notLetIn({ status, ok, access }: Answer): Mismatch | undefined {
  if (ok || access === 'as others') return undefined;
  if (showsAccess(status)) return { pointer: '/status', expected: 'allowed', actual: status };
  const expected = '2xx, which the same request of somebody else got before and after it';
  if (access === 'alone refused') return { pointer: '/status', expected, actual: status };
  throw new Unresolved('status', `answered ${status}, which does not show if the caller is let in`);
}

/**
 * Statuses that are not refusals of a request: the description uses them differently, or a gateway
 * may send them.
 */
const notRefusals = [401, 408, 425, 429];

/**
 * Whether an expected status, or one of several, may be a success. A status that is not known yet
 * may be one.
 */
export function mayBeSuccess(wanted: unknown): boolean {
  const open = JSON.stringify(wanted).includes('"{');
  return open || [200, 201, 202, 204].some((status) => statusFits(status, wanted));
}

export function statusFits(status: number, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((item) => statusFits(status, item));
  if (isObject(wanted)) return !statusFits(status, wanted.not);
  if (wanted === 'refused') return status >= 400 && status < 500 && !notRefusals.includes(status);
  if (wanted === 'allowed') return statusFits(status, '2xx');
  if (typeof wanted === 'string' && wanted.endsWith('xx')) {
    return Math.floor(status / 100) === Number(wanted[0]);
  }
  return status === Number(wanted);
}
