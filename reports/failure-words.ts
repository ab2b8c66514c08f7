/** The finding of a failed check, in one plain line: ``item 3 of `data` is `development` ``. */

import type { CheckResult } from '../conformance/judge/report.ts';
import type { EvidenceEntry } from '../conformance/target/evidence.ts';
import { canonical, isObject, pointerKeys } from '../spec/base/json.ts';
import { visible } from '../spec/base/visible.ts';
import { callerWords, callWords, type Exchanges, onlyReads } from './exchanges.ts';
import { indicative, matcherWords, valueWords } from './matcher-words.ts';
import { count, cut, list, present, show } from './text.ts';

/** The whole line: the call, the write before it if the call only reads, and the fault. */
export function failureLine(check: CheckResult, exchanges: Exchanges): string {
  const words = failureWords(check);
  const only = check.only === undefined ? '' : `, only ${visible(check.only)}`;
  const exchange = exchanges.at(check.evidence.at(-1));
  if (exchange === undefined) return words + only;
  const before = onlyReads(exchange) ? writesNeeded(check, exchanges).at(-1) : undefined;
  const after =
    before === undefined
      ? ''
      : `, after \`${callWords(before)}\` was answered ${before.response.status}`;
  return `\`${callWords(exchange)}\`: ${words}${after}${only}`;
}

/** The line, with the caller, the reason of the verdict, and the reference of the exchange. */
export function failureSentence(check: CheckResult, exchanges: Exchanges): string {
  const reference = check.evidence.at(-1);
  const exchange = exchanges.at(reference);
  const who = exchange && `as ${callerWords(exchange)}`;
  const reason = check.reason && visible(check.reason);
  return present(failureLine(check, exchanges), who, reason, reference).join('; ');
}

/** The same without backticks, for formats in which they mean nothing. */
export function plainSentence(check: CheckResult, exchanges: Exchanges): string {
  return visible(failureSentence(check, exchanges).replaceAll('`', ''));
}

/**
 * The writes before a failed exchange that may be its cause, in their order. The shape of an answer does
 * not depend on them. A refused write can matter only to the content of later answers.
 */
export function writesNeeded(check: CheckResult, exchanges: Exchanges): readonly EvidenceEntry[] {
  const exchange = exchanges.at(check.evidence.at(-1));
  if (exchange === undefined || check.kind === 'contract') return [];
  const isAboutContent = !/^\/(?:status|media|headers)\b/.test(check.pointer ?? '');
  return exchanges
    .writesBefore(exchange)
    .filter(({ response }) => isAboutContent || response.status < 300);
}

type Failed = Pick<CheckResult, 'expected' | 'actual' | 'pointer'>;

export function failureWords({ expected, actual, pointer = '' }: Failed): string {
  const [root = '', ...rest] = pointerKeys(pointer);
  const special = specials[root]?.(expected, actual, rest);
  if (special !== undefined) return special;
  const place = placeWords(roots[root] ?? '', root === 'that' ? rest.slice(1) : rest);
  return `${place} ${isWords(expected, actual)}`;
}

/** The parts of an answer, in words. */
const roots: Readonly<Record<string, string>> = {
  csv: 'the export',
  headers: 'the headers',
  jwt: 'the token',
  list: 'the list',
  media: 'the media type',
  that: 'the value read',
  walk: 'the pages together',
};

/** `` `type` of item 3 of `data.environments` ``. */
function placeWords(whole: string, keys: readonly string[]): string {
  let words = whole;
  let names: string[] = [];
  const named = (): string =>
    names.length === 0
      ? words
      : present(`\`${names.join('.')}\``, words !== '' && words).join(' of ');
  for (const key of keys) {
    if (!/^\d+$/.test(key)) {
      names.push(key);
      continue;
    }
    words = `item ${Number(key) + 1} of ${named() || 'the body'}`;
    names = [];
  }
  return named() || 'the body';
}

/** A longer value is left out of the sentence; renderers show it separately. */
const longest = 80;

function isWords(expected: unknown, actual: unknown): string {
  if (typeof expected === 'string' && expected.startsWith('must ')) {
    const [, missing] = /^must have required property '(.*)'$/.exec(expected) ?? [];
    return missing === undefined
      ? `is ${valueWords(actual)}, and ${expected}`
      : `has no \`${missing}\``;
  }
  const { $present, $absent, $length, $not } = isObject(expected) ? expected : {};
  const isAbsent = actual === undefined || actual === 'absent' || actual === null;
  const isLeftOut = isAbsent && actual !== null;
  if ((isAbsent && $present === true) || (isLeftOut && asksForForm(expected))) return 'is missing';
  if ($absent === true || expected === 'absent') {
    return `is ${valueWords(actual)}, and must not be there`;
  }
  if ($length !== undefined && (Array.isArray(actual) || typeof actual === 'string')) {
    const has = actual.length === 0 ? 'is empty' : `has length ${actual.length}`;
    return `${has}, and must ${matcherWords(expected)}`;
  }
  const banned = isObject($not) ? $not.$contains : undefined;
  if (banned !== undefined && !isObject(banned)) return `holds ${valueWords(banned)}, and must not`;
  const wanted = `must ${matcherWords(expected)}`;
  if (isAbsent) return `is missing, and ${wanted}`;
  return show(actual, 1000).length > longest ? wanted : `is ${valueWords(actual)}, and ${wanted}`;
}

/** Whether a matcher only asks for a form, which says nothing more about a value that is missing. */
function asksForForm(matcher: unknown): boolean {
  if (!isObject(matcher)) return false;
  return Object.entries(matcher).every(([key, value]) =>
    key === '$any' ? [value].flat().every(asksForForm) : ['$matches', '$type'].includes(key),
  );
}

type Special = (expected: unknown, actual: unknown, rest: readonly string[]) => string | undefined;

/** Facets of a check that concern more than one value. */
const specials: Readonly<Record<string, Special>> = {
  status: (expected, actual) =>
    `answered ${String(actual)}, and must answer ${statusWords(expected)}`,
  answered: (expected, actual) =>
    `an earlier call was answered ${String(actual)}, and must be answered ${statusWords(expected)}`,
  answers: () => 'the same call was answered in two ways',
  media: (expected, actual) =>
    actual === '' ? `the media type is missing, and must ${matcherWords(expected)}` : undefined,
  partition: (_expected, actual) => list([actual].flat().map(String)),
  list: (expected, actual, [part]) => {
    if (part === 'added' || part === 'lost') return movedWords(part, expected, actual);
    if (Array.isArray(expected) && Array.isArray(actual)) return setWords(expected, actual);
    if (!isObject(expected)) return undefined;
    const { listed, 'not listed': unlisted } = expected;
    if (listed !== undefined) return `${itemWords(listed)} is not listed`;
    return unlisted === undefined ? undefined : `${itemWords(unlisted)} is listed`;
  },
};

/** `202`, or a description of an item if its value is not given. */
function itemWords(item: unknown): string {
  if (!isObject(item)) return valueWords(item);
  return `an item that ${indicative(item)}`;
}

function movedWords(part: 'added' | 'lost', expected: unknown, actual: unknown): string {
  const moved = [actual].flat();
  const which = moved.length === 0 ? '' : ` (${cut(moved.map(valueWords).join(', '), 80)})`;
  const [gained, gain] = part === 'added' ? ['gained', 'gain'] : ['lost', 'lose'];
  const number = moved.length === 0 ? 'no item' : count(moved.length, 'item');
  const wanted = typeof expected === 'number' ? String(expected) : matcherWords(expected);
  return `the list ${gained} ${number}${which}, and must ${gain} ${wanted.replace(/^be /, '')}`;
}

function setWords(expected: readonly unknown[], actual: readonly unknown[]): string {
  const missing = without(expected, actual);
  const more = without(actual, expected);
  return list(
    present(
      missing.length > 0 && `the list lacks ${cut(missing.map(valueWords).join(', '), 120)}`,
      more.length > 0 &&
        `the list has ${cut(more.map(valueWords).join(', '), 120)}, which must not be there`,
      missing.length + more.length === 0 && 'the list is in another order',
    ),
  );
}

function without(all: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const known = new Set(others.map(canonical));
  return all.filter((item) => !known.has(canonical(item)));
}

/** `400`, `anything but 401 or 403`. */
function statusWords(wanted: unknown): string {
  if (Array.isArray(wanted)) return list(wanted.map(statusWords)).replaceAll(' and ', ' or ');
  if (isObject(wanted)) return `anything but ${statusWords(wanted.not)}`;
  if (wanted === 'refused') return 'with a refusal (4xx)';
  if (wanted === 'allowed') return 'a success (2xx)';
  return String(wanted);
}
