/** Lists of SCIM users whose pages overlap, skip or lie about themselves. */
import type { JsonObject } from '../../../spec/base/json.ts';

import { type Does, given } from '../../deviations/does.ts';
import { cut, paged, type Repage } from '../../deviations/pages.ts';

import { refuses } from '../../deviations/refusals.ts';
import { body, field, items } from '../../deviations/replies.ts';
import { ignores, sendsValue } from '../../deviations/requests.ts';
import { type Rows, table } from '../../deviations/rows.ts';
import { pageRows } from '../lists/deviations.ts';

const start = (fits: (at: number) => boolean) =>
  sendsValue('startIndex', (at) => at !== undefined && fits(Number(at)));
const size = (fits: (count: number) => boolean) =>
  sendsValue('count', (sent) => sent !== undefined && fits(Number(sent)));
const belowOne = start((at) => at < 1);
const zero = size((sent) => sent === 0);
const fewer = size((sent) => sent < 0);

/** Other users on the page. */
const shows = (change: Repage): Does => paged(change);
const holds =
  (length: number): Repage =>
  (page, { whole }) => ({ items: cut(page, whole, page.offset, length) });
const later = (does: Does) =>
  given(
    start((at) => at > 1),
    does,
  );
const users = (change: (user: JsonObject) => JsonObject) =>
  items('Resources', (list) => list.map(change));
const asTotal = body((whole) => ({
  ...(whole as JsonObject),
  itemsPerPage: (whole as JsonObject).totalResults,
}));

const rows: readonly Rows[] = [
  ...pageRows('', { pages: 'SCIM-4', total: 'SCIM-11', size: 'SCIM-6', told: 'SCIM-9' }),
  {
    'SCIM-2 SCIM-4': {
      'start-ignored': ignores('startIndex'),
    },
    'SCIM-5': {
      'start-below-one-refused': refuses(400, 'ERR-5', belowOne),
      'start-below-one-empty': given(
        belowOne,
        shows(() => ({ items: [] })),
      ),
    },
    'SCIM-5 SCIM-9': {
      'start-below-one-said': given(
        belowOne,
        field('startIndex', (_old, { call }) => Number(call.query.startIndex)),
      ),
    },
    'SCIM-2 SCIM-6': {
      'count-ignored: count is passed over.': given(
        size((sent) => sent > 0),
        ignores('count'),
      ),
    },
    'SCIM-7': {
      'count-zero-gives-one': given(zero, shows(holds(1))),
      'count-negative-refused': refuses(400, 'ERR-5', fewer),
      'count-zero-without-total': given(
        zero,
        field('totalResults', () => 0),
      ),
    },
    'SCIM-9': {
      'items-per-page-as-total': asTotal,
    },
    'SCIM-10': {
      'later-users-with-numbers': later(users((user) => ({ ...user, id: Number(user.id) }))),
    },
  },
];

export const scim = table('scim', ['listScimUsers'], rows);
