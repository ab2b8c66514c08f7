/** Lists of SCIM users whose pages overlap, skip or lie about themselves. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { again, every } from '../../deviations/conditions.ts';
import { type Does, given } from '../../deviations/does.ts';
import { cut, type PageDone, paged, type Repage } from '../../deviations/pages.ts';
import { GONE } from '../../deviations/places.ts';
import { refuses } from '../../deviations/refusals.ts';
import { body, errors, field, items, status } from '../../deviations/replies.ts';
import { ignores, sendsValue } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { pageRows } from '../lists/deviations.ts';

const start = (fits: (at: number) => boolean) => sendsValue('startIndex', (at) => at !== undefined && fits(Number(at)));
const size = (fits: (count: number) => boolean) => sendsValue('count', (sent) => sent !== undefined && fits(Number(sent)));
const belowOne = start((at) => at < 1);
const negative = start((at) => at < 0);
const zero = size((sent) => sent === 0);
const fewer = size((sent) => sent < 0);
const sentStart = ({ call }: PageDone) => Number(call.query.startIndex ?? 1);

/** Other users on the page. */
const shows = (change: Repage): Does => paged(change);
const holds = (length: number): Repage => (page, { whole }) => ({ items: cut(page, whole, page.offset, length) });
const asPageNumber: Repage = (page, done) => {
  const { limit = 100 } = done.sent;
  return { items: cut(page, done.whole, (Math.max(1, sentStart(done)) - 1) * limit, limit) };
};
const fromTheEnd: Repage = (page, done) => ({
  items: cut(page, done.whole, done.whole.length + sentStart(done), done.sent.limit ?? 100),
});
const shortened: Repage = ({ items: own }, done) => ({
  items: own.slice(0, Math.max(0, own.length + sentStart(done) - 1)),
});
const later = (does: Does) => given(start((at) => at > 1), does);
const users = (change: (user: JsonObject) => JsonObject) => items('Resources', (list) => list.map(change));
const schemas = (urn: string) => field('schemas', () => [`urn:ietf:params:scim:${urn}`]);
const underUsers = body((whole) => {
  const { Resources, ...rest } = whole as JsonObject;
  return Resources === undefined ? undefined : { ...rest, users: Resources };
});
const asSent = field('itemsPerPage', (_old, { call }) => (Number(call.query.count ?? 100) > 0 ? Number(call.query.count ?? 100) : undefined));
const asTotal = body((whole) => ({ ...(whole as JsonObject), itemsPerPage: (whole as JsonObject).totalResults }));

const rows: readonly Row[] = [
  ...pageRows('', { pages: 'SCIM-4', total: 'SCIM-11', size: 'SCIM-6', told: 'SCIM-9' }),
  ['order-turns', 'SCIM-4', given(every(2), paged((page, { whole }) => ({ items: cut(page, whole.toReversed()) })))],
  ['start-honoured-once', 'SCIM-4', later(given(again(), ignores('startIndex')))],
  ['start-as-page-number: startIndex is the number of a page.', 'SCIM-4', later(shows(asPageNumber))],
  ['start-ignored', 'SCIM-2 SCIM-4', ignores('startIndex')],
  ['start-below-one-refused', 'SCIM-5', refuses(400, 'ERR-5', belowOne)],
  ['start-negative-refused', 'SCIM-5', refuses(400, 'ERR-5', negative)],
  ['start-below-one-empty', 'SCIM-5', given(belowOne, shows(() => ({ items: [] })))],
  ['start-below-one-shortens', 'SCIM-5', given(belowOne, shows(shortened))],
  ['start-negative-from-end', 'SCIM-5', given(negative, shows(fromTheEnd))],
  ['start-below-one-said', 'SCIM-5 SCIM-9', given(belowOne, field('startIndex', (_old, { call }) => Number(call.query.startIndex)))],
  ['count-ignored: count is passed over.', 'SCIM-2 SCIM-6', given(size((sent) => sent > 0), ignores('count'))],
  ['count-zero-gives-users', 'SCIM-7', given(zero, ignores('count'))],
  ['count-zero-gives-one', 'SCIM-7', given(zero, shows(holds(1)))],
  ['count-negative-gives-users', 'SCIM-7', given(fewer, ignores('count'))],
  ['count-zero-refused', 'SCIM-7', refuses(400, 'ERR-5', zero)],
  ['count-negative-refused', 'SCIM-7', refuses(400, 'ERR-5', fewer)],
  ['count-zero-without-total', 'SCIM-7', given(zero, field('totalResults', () => 0))],
  ['items-per-page-as-asked', 'SCIM-9', asSent],
  ['items-per-page-as-total', 'SCIM-9', asTotal],
  ['start-said-from-zero', 'SCIM-9', field('startIndex', (at) => Number(at) - 1)],
  ['later-page-without-start', 'SCIM-9', later(field('startIndex', () => GONE))],
  ['later-page-without-items', 'SCIM-9', later(field('itemsPerPage', () => GONE))],
  ['list-named-as-user', 'SCIM-3', schemas('schemas:core:2.0:User')],
  ['list-under-users: The users stand under users, not under Resources.', 'SCIM-3', underUsers],
  ['later-users-without-name', 'SCIM-10', later(users(({ userName: _, ...user }) => user))],
  ['later-users-with-numbers', 'SCIM-10', later(users((user) => ({ ...user, id: Number(user.id) })))],
  ['later-answers-created', 'SCIM-1', given(again(), status(201))],
  ['error-as-elsewhere: An error is { error }, as in the other APIs.', 'SCIM-8', errors(({ detail }) => ({ error: String(detail ?? 'Error') }))],
  ['error-named-as-list', 'SCIM-8', errors((whole) => ({ ...whole, schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] }))],
];

export const scim = table('scim', ['listScimUsers'], rows);
