/** Deviations of the SCIM user list: pages overlap, skip items, or give wrong numbers. */
import { sendsValue } from '../../deviations/conditions.ts';
import { cut, paged, pageRows } from '../../deviations/pages.ts';
import { refuses } from '../../deviations/refusals.ts';
import { body, field, sets } from '../../deviations/replies.ts';
import { ignores } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';

const sendsNumber = (name: string, fits: (sent: number) => boolean) =>
  sendsValue(name, (sent) => sent !== undefined && fits(Number(sent)));
const belowOne = sendsNumber('startIndex', (at) => at < 1);
const later = sendsNumber('startIndex', (at) => at > 1);
const some = sendsNumber('count', (count) => count > 0);
const none = sendsNumber('count', (count) => count === 0);
const fewer = sendsNumber('count', (count) => count < 0);

const empty = paged(() => ({ items: [] }));
const one = paged((page, { whole }) => ({ items: cut(page, whole, page.offset, 1) }));
const startAsSent = field('startIndex', (_old, { call }) => Number(call.query.startIndex));
const asTotal = body((whole) => ({ ...Object(whole), itemsPerPage: Object(whole).totalResults }));
const numbers = field('Resources.*.id', Number);

const rows: readonly Row[] = [
  ...pageRows('', { pages: 'SCIM-4', total: 'SCIM-11', size: 'SCIM-6', told: 'SCIM-9' }),
  ['start-ignored', 'SCIM-2 SCIM-4', ignores('startIndex')],
  ['start-below-one-refused', 'SCIM-5', refuses(400, 'ERR-5'), belowOne],
  ['start-below-one-empty', 'SCIM-5', empty, belowOne],
  ['start-below-one-said', 'SCIM-5 SCIM-9', startAsSent, belowOne],
  ['count-ignored: The parameter count is ignored.', 'SCIM-2 SCIM-6', ignores('count'), some],
  ['count-zero-gives-one', 'SCIM-7', one, none],
  ['count-negative-refused', 'SCIM-16', refuses(400, 'ERR-5'), fewer],
  ['count-zero-without-total', 'SCIM-7', sets('totalResults', 0), none],
  ['items-per-page-as-total', 'SCIM-9', asTotal],
  ['later-users-with-numbers', 'SCIM-10', numbers, later],
];

export const scim = table('scim', ['listScimUsers'], rows);
