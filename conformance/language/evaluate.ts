/** Judges one check of one answer. Nothing here knows about runs, levels or reports. */

import { atPointer, equal, isObject, pointerToken } from '../../spec/base/json.ts';
import { readJwt } from '../answers/jwt.ts';
import { type Partition, partitionDefects } from '../answers/partition.ts';
import type { Answer } from './answer.ts';
import { changed, listed, sameSet, unchanged } from './compare.ts';
import { compute } from './compute.ts';
import { type Mismatch, match } from './matcher.ts';
import type { Check, Conditions, Step } from './scenario.ts';
import type { ScenarioScope } from './scope.ts';
import { attempt, follow, resolve, type Scope, Unresolved } from './template.ts';

export type Outcome =
  | { readonly kind: 'holds' }
  | ({ readonly kind: 'fails' } & Mismatch)
  /** `moot`: its own condition did not hold, so it says nothing. */
  | { readonly kind: 'untestable'; readonly reason: string; readonly moot?: true };

/** `answer` is undefined for a step that makes no call. */
export function evaluate(check: Check, answer: Answer | undefined, scope: Scope): Outcome {
  try {
    return judge(check, answer, scope);
  } catch (error) {
    if (error instanceof Unreadable) {
      return { kind: 'untestable', reason: error.message, moot: true };
    }
    if (error instanceof Unresolved) return { kind: 'untestable', reason: error.message };
    throw error;
  }
}

/** What a check speaks of is there, and hidden by right. */
class Unreadable extends Unresolved {}

/** Whether all conditions hold; throws Unresolved. */
export function conditionsHold(
  conditions: Conditions,
  answer: Answer | undefined,
  scope: Scope,
): boolean {
  return firstMismatch(conditions, answer, scope) === undefined;
}

/** Whether a step was answered as the steps after it need it. */
export function isExpected(
  { expect }: Pick<Step, 'expect'>,
  answer: Answer | undefined,
  scope: ScenarioScope,
): boolean {
  if (expect === undefined) return true;
  return scope.of(answer, () => attempt(() => conditionsHold(expect, answer, scope))) === true;
}

function judge(check: Check, answer: Answer | undefined, scope: Scope): Outcome {
  if (answer !== undefined && !answer.ok && needsSuccess(check)) {
    return { kind: 'untestable', reason: `the call was answered ${answer.status}` };
  }
  for (const only of check.only) {
    const mismatch = firstMismatch(only, answer, scope);
    if (mismatch !== undefined) {
      return {
        kind: 'untestable',
        reason: `its condition does not hold: ${said(mismatch)}`,
        moot: true,
      };
    }
  }
  for (const [path, least] of Object.entries(check.atLeast)) {
    const value = subjects(path, answer, scope);
    if (value < least) {
      return { kind: 'untestable', reason: `saw ${value} of ${path}, and needs ${least}` };
    }
  }
  const mismatch = firstMismatch(check.conditions, answer, scope);
  return mismatch === undefined ? { kind: 'holds' } : { kind: 'fails', ...mismatch };
}

/** A check that names no status speaks of a successful answer, unless it only compares values. */
function needsSuccess(check: Check): boolean {
  if ('status' in check.conditions) return false;
  return !check.only.some((only) => 'status' in only);
}

function subjects(path: string, answer: Answer | undefined, scope: Scope): number {
  const root = /^[\w-]+/.exec(path)?.[0] ?? '';
  const own = answer?.field(root) !== undefined;
  const value = own ? follow(answer, path, scope) : attempt(() => resolve(`{${path}}`, scope));
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : value === undefined ? 0 : 1;
}

function said(mismatch: Mismatch): string {
  return `${mismatch.pointer || '/'} is ${brief(mismatch.actual)}, not ${brief(mismatch.expected)}`;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** Conditions are tried in the order of cause: a wrong status explains a wrong body. */
function firstMismatch(
  conditions: Conditions,
  answer: Answer | undefined,
  scope: Scope,
): Mismatch | undefined {
  for (const facet of order) {
    if (!(facet in conditions)) continue;
    const found = facets[facet]?.(conditions[facet], answer, scope);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Facet = (argument: unknown, answer: Answer | undefined, scope: Scope) => Mismatch | undefined;

function need(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new Unresolved('answer', 'the step makes no call');
  return answer;
}

function matched(
  name: string,
  value: unknown,
  matcher: unknown,
  scope: Scope,
): Mismatch | undefined {
  return match(value, resolve(matcher, scope), pointerToken(name));
}

const facets: Readonly<Record<string, Facet>> = {
  status: (argument, answer, scope) => {
    const { status } = need(answer);
    const wanted = resolve(argument, scope);
    if (statusFits(status, wanted)) return undefined;
    return { pointer: '/status', expected: wanted, actual: status };
  },
  headers: (argument, answer, scope) => {
    const wanted = Object.entries(resolve(argument, scope) as object);
    const lower = Object.fromEntries(
      wanted.map(([name, matcher]) => [name.toLowerCase(), matcher]),
    );
    return matched('headers', need(answer).wire.headers, lower, scope);
  },
  media: (argument, answer, scope) => matched('media', need(answer).media, argument, scope),
  body: (argument, answer, scope) => matched('body', need(answer).body, argument, scope),
  text: (argument, answer, scope) => matched('text', need(answer).wire.text, argument, scope),
  walk: (argument, answer, scope) => {
    const { walk } = need(answer);
    if (walk === undefined) throw new Unresolved('walk', 'the list could not be walked');
    return matched('walk', walk, argument, scope);
  },
  list: (argument, answer, scope) => matched('list', need(answer).list, argument, scope),
  csv: (argument, answer, scope) => matched('csv', need(answer).csv, argument, scope),
  jwt: (argument, _answer, scope) => {
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
  partition: (argument, _answer, scope) => {
    const partition = resolve(argument, scope) as Partition;
    const lists = [partition.of, ...Object.values(partition.into)];
    if (!lists.every(Array.isArray)) throw new Unresolved('partition', 'partition: not a list');
    const defects = partitionDefects(partition);
    if (defects.length === 0) return undefined;
    return { pointer: '/partition', expected: 'each subject in exactly one list', actual: defects };
  },
  roundTrip: (argument, answer, scope) => roundTrip(resolve(argument, scope), need(answer), scope),
  same: (_argument, answer) => {
    const { answers } = need(answer);
    if (answers === undefined) throw new Unresolved('answers', 'same needs repeat');
    const [first, ...others] = answers;
    const different = others.find(
      (other) => other.status !== first?.status || !equal(other.body, first.body),
    );
    if (different === undefined || first === undefined) return undefined;
    const value = (of: Answer): unknown => ({ status: of.status, body: of.body });
    return { pointer: '/answers', expected: value(first), actual: value(different) };
  },
  fits: (argument, answer, scope) => {
    const places = [resolve(argument, scope)].flat().map(String);
    for (const place of places) {
      const found = misfit(place, need(answer), scope);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  unchanged: (argument, answer, scope) => unchanged(argument, need(answer), scope),
  changed: (argument, answer, scope) => changed(argument, need(answer), scope),
  'same set': (argument, answer, scope) => sameSet(argument, need(answer), scope),
  listed: (argument, answer, scope) => listed(resolve(argument, scope), need(answer), true),
  'not listed': (argument, answer, scope) => listed(resolve(argument, scope), need(answer), false),
  answered: (argument, _answer, scope) => {
    for (const [step, wanted] of Object.entries(argument as object)) {
      const status = Number(resolve(`{steps.${step}.status}`, scope));
      if (statusFits(status, wanted)) continue;
      return { pointer: `/answered${pointerToken(step)}`, expected: wanted, actual: status };
    }
    return undefined;
  },
  that: (argument, _answer, scope) => {
    const several = Array.isArray(argument);
    const list = (several ? argument : [argument]) as readonly { value: unknown; is: unknown }[];
    for (const [index, { value, is }] of list.entries()) {
      const place = several ? `/that/${index}` : '/that';
      const found = match(compute(value, scope), resolve(is, scope), place);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
const order: readonly string[] = Object.keys(facets);

/** Whether what stands at a place of the body (or of each page) is there, and as the contract says. */
function misfit(place: string, answer: Answer, scope: Scope): Mismatch | undefined {
  if (!place.startsWith('walk.pages.')) return bodyMisfit(place, answer.body, answer, scope);
  const inPage = place.replace('walk.pages', 'body');
  const { pages = [] } = answer.walk ?? {};
  return pages.map((page) => bodyMisfit(inPage, page, answer, scope)).find((found) => found);
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

function roundTrip(argument: unknown, answer: Answer, scope: Scope): Mismatch | undefined {
  const options = isObject(argument) ? argument : {};
  const sent = isObject(answer.request.body) ? answer.request.body : {};
  const chosen = Array.isArray(argument) ? argument : options.fields;
  const fields = Array.isArray(chosen) ? chosen.map(String) : Object.keys(sent);
  const place = typeof options.at === 'string' ? `body.${options.at}` : 'body';
  const received = follow(answer, place, scope);
  const wanted = Object.fromEntries(fields.map((name) => [name, sent[name]]));
  for (const name of fields) {
    const value = isObject(received) ? received[name] : undefined;
    if (equal(value, sent[name])) continue;
    return { pointer: `/body${pointerToken(name)}`, expected: wanted[name], actual: value };
  }
  return undefined;
}

/** Refusals that the description gives another meaning, or that a gateway may answer. */
const notRefusals = [401, 408, 425, 429];

export function statusFits(status: number, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((item) => statusFits(status, item));
  if (isObject(wanted)) return !statusFits(status, wanted.not);
  if (wanted === 'refused') return status >= 400 && status < 500 && !notRefusals.includes(status);
  if (wanted === 'allowed') return status !== 401 && status !== 403;
  if (typeof wanted === 'string' && wanted.endsWith('xx')) {
    return Math.floor(status / 100) === Number(wanted[0]);
  }
  return status === Number(wanted);
}
