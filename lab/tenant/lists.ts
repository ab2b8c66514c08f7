/** Pages of a list. */

import type { Call } from './call.ts';
import { type Fields, Refusal, type Reply, reply } from './exchange.ts';
import { has } from './habits.ts';

/** The largest page. A larger limit is reduced to it. */
const largest = 50;
const usual = 20;

function whole({ query }: Call, name: string, least: number, otherwise: number): number {
  const text = query[name] ?? String(otherwise);
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw new Refusal(422, `E-201 ${name}?`);
  return Number(text);
}

/** Answers with one page of a list. */
export function page(call: Call, name: string, all: readonly Fields[]): Reply {
  const offset = whole(call, 'offset', 0, 0);
  const wanted = whole(call, 'limit', 1, usual);
  const cut = wanted > usual && has(call.state, 'largest-page-is-the-default');
  const limit = Math.min(wanted, cut ? usual : largest);
  const total = all.length;
  if (offset > 0 && offset >= total && has(call.state, 'beyond-the-end-refused'))
    throw new Refusal(416, 'E-202 the list is shorter');
  const items = all.slice(offset, offset + limit);
  return reply(200, {
    data: { [name]: items, etag: `W/"${total}"` },
    pagination: { offset, limit, total, hasMore: offset + limit < total },
  });
}
