/** Lists of SCIM users whose pages overlap, skip or lie about themselves. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { again, every } from '../../deviations/conditions.ts';
import { type Does, given } from '../../deviations/does.ts';
import { cut, type PageDone, paged, type Repage } from '../../deviations/pages.ts';
import { GONE } from '../../deviations/places.ts';
import { refuses } from '../../deviations/refusals.ts';
import { body, errors, field, items, status } from '../../deviations/replies.ts';
import { ignores, sendsValue } from '../../deviations/requests.ts';
import { type Rows, table } from '../../deviations/rows.ts';
import { pageRows } from '../lists/deviations.ts';

const start = (fits: (at: number) => boolean) =>
  sendsValue('startIndex', (at) => at !== undefined && fits(Number(at)));
const size = (fits: (count: number) => boolean) =>
  sendsValue('count', (sent) => sent !== undefined && fits(Number(sent)));
const belowOne = start((at) => at < 1);
const negative = start((at) => at < 0);
const zero = size((sent) => sent === 0);
const fewer = size((sent) => sent < 0);
const sentStart = ({ call }: PageDone) => Number(call.query.startIndex ?? 1);

/** Other users on the page. */
const shows = (change: Repage): Does => paged(change);
const holds =
  (length: number): Repage =>
  (page, { whole }) => ({ items: cut(page, whole, page.offset, length) });
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
const later = (does: Does) =>
  given(
    start((at) => at > 1),
    does,
  );
const users = (change: (user: JsonObject) => JsonObject) =>
  items('Resources', (list) => list.map(change));
const schemas = (urn: string) => field('schemas', () => [`urn:ietf:params:scim:${urn}`]);
const underUsers = body((whole) => {
  const { Resources, ...rest } = whole as JsonObject;
  return Resources === undefined ? undefined : { ...rest, users: Resources };
});
const asSent = field('itemsPerPage', (_old, { call }) =>
  Number(call.query.count ?? 100) > 0 ? Number(call.query.count ?? 100) : undefined,
);
const asTotal = body((whole) => ({
  ...(whole as JsonObject),
  itemsPerPage: (whole as JsonObject).totalResults,
}));

const rows: readonly Rows[] = [
  ...pageRows('', { pages: 'SCIM-4', total: 'SCIM-11', size: 'SCIM-6', told: 'SCIM-9' }),
  {
    'SCIM-4': {
      'order-turns': given(
        every(2),
        paged((page, { whole }) => ({ items: cut(page, whole.toReversed()) })),
      ),
      'start-honoured-once': later(given(again(), ignores('startIndex'))),
      'start-as-page-number: startIndex is the number of a page.': later(shows(asPageNumber)),
    },
    'SCIM-2 SCIM-4': {
      'start-ignored': ignores('startIndex'),
    },
    'SCIM-5': {
      'start-below-one-refused': refuses(400, 'ERR-5', belowOne),
      'start-negative-refused': refuses(400, 'ERR-5', negative),
      'start-below-one-empty': given(
        belowOne,
        shows(() => ({ items: [] })),
      ),
      'start-below-one-shortens': given(belowOne, shows(shortened)),
      'start-negative-from-end': given(negative, shows(fromTheEnd)),
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
      'count-zero-gives-users': given(zero, ignores('count')),
      'count-zero-gives-one': given(zero, shows(holds(1))),
      'count-negative-gives-users': given(fewer, ignores('count')),
      'count-zero-refused': refuses(400, 'ERR-5', zero),
      'count-negative-refused': refuses(400, 'ERR-5', fewer),
      'count-zero-without-total': given(
        zero,
        field('totalResults', () => 0),
      ),
    },
    'SCIM-9': {
      'items-per-page-as-asked': asSent,
      'items-per-page-as-total': asTotal,
      'start-said-from-zero': field('startIndex', (at) => Number(at) - 1),
      'later-page-without-start': later(field('startIndex', () => GONE)),
      'later-page-without-items': later(field('itemsPerPage', () => GONE)),
    },
    'SCIM-3': {
      'list-named-as-user': schemas('schemas:core:2.0:User'),
      'list-under-users: The users stand under users, not under Resources.': underUsers,
    },
    'SCIM-10': {
      'later-users-without-name': later(users(({ userName: _, ...user }) => user)),
      'later-users-with-numbers': later(users((user) => ({ ...user, id: Number(user.id) }))),
    },
    'SCIM-1': {
      'later-answers-created': given(again(), status(201)),
    },
    'SCIM-8': {
      'error-as-elsewhere: An error is { error }, as in the other APIs.': errors(({ detail }) => ({
        error: String(detail ?? 'Error'),
      })),
      'error-named-as-list': errors((whole) => ({
        ...whole,
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      })),
    },
  },
];

export const scim = table('scim', ['listScimUsers'], rows);
