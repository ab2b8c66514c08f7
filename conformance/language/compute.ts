/** Values that a scenario computes: `{ from, where, take, first, minus, plus, ... }`. */

import { canonical, isObject, type JsonObject, pointerToken } from '../../spec/base/json.ts';
import { toMillis } from '../../spec/base/time.ts';
import { readJwt } from '../answers/jwt.ts';
import {
  filterDefects,
  type Rows,
  rowsMinus,
  searchDefects,
  unsteadyColumns,
} from '../answers/rows.ts';
import { matches } from './matcher.ts';
import type { ValueIs } from './scenario.ts';
import { asText, follow, resolve, type Scope, Unresolved } from './template.ts';

type Form = (value: JsonObject, scope: Scope) => unknown;

/**
 * The forms, by the key that marks them. If a mapping has several keys, the first one here decides.
 */
const forms: Readonly<Record<string, Form>> = {
  slice: sliced,
  upper: (value, scope) => String(resolve(value.upper, scope)).toUpperCase(),
  from: select,
  unsteadyColumns: unsteady,
  filterDefects: defectsOfFilter,
  searchDefects: defectsOfSearch,
  secondsBetween,
  day,
  placeOf: (value, scope) => placeOf(...(resolve(value.placeOf, scope) as [unknown, unknown])),
  join: (value, scope) => (resolve(value.join, scope) as unknown[]).join(''),
};

/** Resolves the references in plain data, or computes one of the forms. Throws Unresolved. */
export function compute(value: unknown, scope: Scope): unknown {
  if (!isObject(value)) return resolve(value, scope);
  const form = Object.entries(forms).find(([key]) => key in value)?.[1] ?? resolve;
  return form(value, scope);
}

/** Whether a computed value is as expected. Throws Unresolved. */
export function isSo({ value, is }: ValueIs, scope: Scope): boolean {
  return matches(compute(value, scope), resolve(is, scope));
}

function secondsBetween(value: JsonObject, scope: Scope): number {
  const [from, to] = resolve(value.secondsBetween, scope) as unknown[];
  return (time(to) - time(from)) / 1000;
}

/** The day of a time, or a day some days before or after it. */
function day(value: JsonObject, scope: Scope): string {
  const millis =
    time(resolve(value.day, scope)) + Number(resolve(value.add ?? 0, scope)) * 86_400_000;
  return new Date(millis).toISOString().slice(0, 10);
}

/** Part of a text or list; counts like JavaScript's `slice`. */
function sliced(value: JsonObject, scope: Scope): unknown {
  const source = resolve(value.slice, scope);
  const from = Number(resolve(value.from ?? 0, scope));
  const to = value.to === undefined ? undefined : Number(resolve(value.to, scope));
  return Array.isArray(source) ? source.slice(from, to) : String(source).slice(from, to);
}

function select(selection: JsonObject, scope: Scope): unknown {
  const source = resolve(selection.from, scope);
  const from = asText(selection.from);
  if (!Array.isArray(source)) throw new Unresolved('from', `${from} is not a list`);
  let list: unknown[] = source;
  if ('where' in selection) {
    const where = resolve(selection.where, scope);
    list = list.filter((item) => matches(item, where));
  }
  if ('plus' in selection) list = list.concat(resolve(selection.plus, scope));
  if (typeof selection.take === 'string') {
    const path = selection.take;
    list = list.map((item) => follow(item, path, scope)).filter((item) => item !== undefined);
  }
  if ('minus' in selection) {
    const gone = resolve(selection.minus, scope) as unknown[];
    list =
      'ignoring' in selection
        ? rowsMinus(list, gone, resolve(selection.ignoring, scope) as number[])
        : allMinus(list, gone);
  }
  if (selection.unique === true) {
    list = [...new Map(list.map((item) => [canonical(item), item])).values()];
  }
  if (selection.length === true) return list.length;
  if (selection.first !== true) return list;
  if (list.length > 0) return list[0];
  throw new Unresolved('from', `nothing in ${from} fits ${asText(selection.where)}`);
}

function allMinus(list: readonly unknown[], gone: readonly unknown[]): unknown[] {
  const known = new Set(gone.map(canonical));
  return list.filter((item) => !known.has(canonical(item)));
}

function unsteady(value: JsonObject, scope: Scope): readonly number[] {
  const [first, again] = resolve(value.unsteadyColumns, scope) as Rows[];
  const found = unsteadyColumns(first ?? [], again ?? []);
  if (found !== undefined) return found;
  throw new Unresolved('rows', 'the same export gave other rows when it was asked for again');
}

function defectsOfFilter(value: JsonObject, scope: Scope): Rows {
  const [by, kept, all, ignoring] = resolve(value.filterDefects, scope) as [
    string,
    Rows,
    Rows,
    number[],
  ];
  const found = filterDefects(by, kept, all, ignoring);
  if (found !== undefined) return found;
  throw new Unresolved('rows', `no column of the export shows ${by}`);
}

function defectsOfSearch(value: JsonObject, scope: Scope): Rows {
  const [word, ...rows] = resolve(value.searchDefects, scope) as [string, Rows, Rows, number[]];
  return searchDefects(new RegExp(word), ...rows);
}

/** The pointer of an object inside another one, or among the claims of a token; null if it is not there. */
function placeOf(part: unknown, whole: unknown): string | null {
  const inner = typeof whole === 'string' ? readJwt(whole)?.payload : whole;
  if (!isObject(inner)) return null;
  // The object may have more fields there, because the run adds some at times.
  if (matches(inner, part)) return '';
  for (const [key, item] of Object.entries(inner)) {
    const place = placeOf(part, item);
    if (place !== null) return pointerToken(key) + place;
  }
  return null;
}

function time(value: unknown): number {
  const millis = toMillis(value);
  if (millis === undefined) throw new Unresolved('time', `${asText(value)} is not a time`);
  return millis;
}
