/** A matcher in English, because readers of a certificate do not know the scenario language. */

import { isObject } from '../spec/base/json.ts';
import { count, cut, list, show } from './text.ts';

/** A value for a sentence: `staging` in quotes of code, a list by its items. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === 'absent') return 'nothing';
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  if (typeof value === 'string') return `\`${cut(value.replaceAll('`', '’'), 120)}\``;
  return `\`${show(value, 120)}\``;
}

/** The words after `must`: `be at least 3`, `contain 202`. */
export function matcherWords(matcher: unknown): string {
  if (Array.isArray(matcher)) {
    const plain = matcher.every((item) => !hasCondition(item));
    if (plain) return `be ${valueWords(matcher)}`;
    return `hold ${count(matcher.length, 'item')}: ${list(matcher.map((item) => `one that must ${matcherWords(item)}`))}`;
  }
  if (!isObject(matcher)) return `be ${valueWords(matcher)}`;
  const phrases = Object.entries(matcher).map(([key, value]) =>
    key.startsWith('$')
      ? (conditions[key]?.(value) ?? `fit ${key} ${show(value)}`)
      : field(key, value),
  );
  return phrases.length === 0 ? 'be an object' : list(phrases);
}

const thirdPerson: Readonly<Record<string, string>> = { be: 'is', have: 'has' };

/** The words after `that`: `has 1 as id and is at least 3`. */
export function indicative(matcher: unknown): string {
  return matcherWords(matcher).replaceAll(
    /(^|(?:, | and )(?:or )?)(be|have|hold|contain|fit)(?= )/g,
    (_all, before: string, verb: string) => before + (thirdPerson[verb] ?? `${verb}s`),
  );
}

function hasCondition(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasCondition);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, item]) => key.startsWith('$') || hasCondition(item));
}

function field(name: string, value: unknown): string {
  return hasCondition(value) || isObject(value)
    ? `have ${/^[aeiou]/i.test(name) ? 'an' : 'a'} \`${name}\` that must ${matcherWords(value)}`
    : `have ${valueWords(value)} as \`${name}\``;
}

/** The items that a condition names, joined by `and` or `or`. */
function items(value: unknown, word = 'and'): string {
  const all = [value].flat().map(valueWords);
  return all.length === 0 ? 'nothing' : list(all).replace(/ and (?=[^,]*$)/, ` ${word} `);
}

function part(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

const conditions: Readonly<Record<string, (argument: unknown) => string>> = {
  $type: (types) => `be of type ${items(types, 'or')}`,
  $matches: (pattern) => `fit the pattern ${valueWords(pattern)}`,
  $in: (values) => `be one of ${items(values, 'or')}`,
  $keys: (keys) => `have exactly the fields ${items(keys)}`,
  $absent: () => 'be absent',
  $present: () => 'be there',
  $min: (limit) => `be at least ${valueWords(limit)}`,
  $max: (limit) => `be at most ${valueWords(limit)}`,
  $above: (limit) => `be above ${valueWords(limit)}`,
  $below: (limit) => `be below ${valueWords(limit)}`,
  $length: (length) =>
    typeof length === 'number'
      ? `have length ${length}`
      : `have a length that must ${matcherWords(length)}`,
  $contains: (item) =>
    hasCondition(item) || isObject(item)
      ? `contain an item that ${indicative(item)}`
      : `contain ${valueWords(item)}`,
  $sameSet: (values) => `hold ${items(values)}, in any order`,
  $supersetOf: (values) => `hold ${items(values)} at least`,
  $disjointFrom: (values) => `hold none of ${items(values, 'or')}`,
  $unique: (by) =>
    typeof by === 'string' ? `hold each \`${by}\` once only` : 'hold each item once only',
  $sorted: (order) => `be sorted, ${String(order)}`,
  $anywhere: (item) => `hold, at whatever depth, something that ${indicative(item)}`,
  $wholeList: () => 'be a whole list, with no page to follow',
  $sameTime: (argument) => {
    const within = part(argument, 'within');
    const tolerance = within === undefined ? '' : `, give or take ${String(within)}`;
    return `be the time ${valueWords(part(argument, 'as'))}${tolerance}`;
  },
  $not: (matcher) => `not ${matcherWords(matcher)}`,
  $any: (matchers) => [matchers].flat().map(matcherWords).join(', or '),
  $absentOr: (matcher) => `be absent, or ${matcherWords(matcher)}`,
  $every: (matcher) => `hold items each of which must ${matcherWords(matcher)}`,
};
