/** Pages of a list. */

import { type Call, type Fields, type Json, parameter } from './exchange.ts';
import { Refusal } from './refusal.ts';
import type { Habits } from './state.ts';

/** The largest page; a larger limit counts as this one. */
const largest = 50;

/** Refuses parameters that a call does not know. */
export function knowsOnly(call: Call, known: readonly string[]): void {
  const strange = [...call.query.keys()].find((name) => !known.includes(name));
  if (strange !== undefined) throw new Refusal(400, `E-200 what is ${strange}?`);
}

function whole(call: Call, name: string, least: number, otherwise: number): number {
  const text = parameter(call, name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw new Refusal(422, `E-201 ${name}?`);
  return Number(text);
}

/** The body of a list that comes in pages. */
export function page(call: Call, name: string, all: readonly Fields[], habits: Habits): Json {
  const offset = whole(call, 'offset', 0, 0);
  const limit = Math.min(whole(call, 'limit', 1, 20), largest);
  const total = all.length;
  if (offset > 0 && offset >= total && habits === 'odd')
    throw new Refusal(416, 'E-202 the list is shorter');
  const items = all.slice(offset, offset + limit);
  return {
    data: { [name]: items, etag: `W/"${total}"` },
    pagination: { offset, limit, total, hasMore: offset + limit < total },
  };
}
