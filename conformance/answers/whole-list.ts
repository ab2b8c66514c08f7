/**
 * Reads the list in an answer of undescribed shape. The description does not say whether it comes in pages,
 * so an item counts as missing only if nothing says that the list may go on.
 */

import { equal, isObject, type JsonObject } from '../../spec/base/json.ts';

const marks =
  /page|pagi|next|more|cursor|token|offset|limit|link|after|contin|truncat|partial|total|count|size/i;
const counts = /total|count/i;

/** The items, if the answer is one list that is known to be whole; undefined in all other cases. */
export function wholeList(body: unknown): readonly JsonObject[] | undefined {
  const lists: (readonly unknown[])[] = [];
  const about: [string, unknown][] = [];
  look(body, lists, about);
  const [list, ...others] = lists;
  // Known services give the same list under two names.
  const isOne = others.every((other) => equal(other, list));
  if (list === undefined || !isOne || !list.every(isObject)) return undefined;
  const counted = about.some(([name, value]) => counts.test(name) && value === list.length);
  // A list that declares its end may still have a cursor.
  const ends = about.some(([name, value]) => /has_?(next|more)/i.test(name) && value === false);
  const signs = ends ? about.filter(([name]) => !/cursor/i.test(name)) : about;
  if (signs.some(([name, value]) => goesOn(name, value, list.length))) return undefined;
  if (counted || ends) return list;
  // Without a count, other page marks or an item count like a page's leave it open.
  if (about.some(([name]) => marks.test(name)) || list.length === 0) return undefined;
  return list.length >= 10 && list.length % 5 === 0 ? undefined : list;
}

/** Collects the lists and the values around them; values inside a list belong to its items. */
function look(value: unknown, lists: (readonly unknown[])[], about: [string, unknown][]): void {
  if (Array.isArray(value)) lists.push(value);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      about.push([name, item]);
      look(item, lists, about);
    }
  }
}

function goesOn(name: string, value: unknown, length: number): boolean {
  if (counts.test(name) && typeof value === 'number') return value !== length;
  if (/more|truncat|partial/i.test(name)) return value !== false;
  const ended = value === null || value === false || value === '';
  return /next|cursor|token|after|contin/i.test(name) && !ended;
}
