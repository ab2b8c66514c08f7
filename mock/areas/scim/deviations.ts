/**
 * Lists of SCIM users whose pages overlap, skip or lie about themselves. Where a page is another
 * than the one that was asked for, the answer says what was asked for: it is wrong in one thing.
 */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answers, withStatus } from '../../deviations/answers.ts';
import { field, same, when, without } from '../../deviations/changes.ts';
import { onAnswer, onHandling, type Scene } from '../../deviations/does.ts';
import { again, count, everySecondTime, exchange } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { scimErrors } from './errors.ts';
import {
  begins,
  beginsBelowOne,
  counts,
  DEFAULT_COUNT,
  isLater,
  type Paging,
  pagingOf,
  refuses,
  says,
  serves,
  shows,
  usersOf,
} from './page.ts';

const breaking = rowsOf('scim', ['listScimUsers']);

// ── where a page begins ─────────────────────────────────────────────────────────

const asPageNumber = (page: number, { count: size = DEFAULT_COUNT }: Paging) =>
  (Math.max(1, page) - 1) * Math.max(0, size) + 1;

const inWholePages = (start: number, { count: size }: Paging) =>
  size === undefined || size < 1 ? start : Math.floor((start - 1) / size) * size + 1;

const firstPageAgain = serves(({ startIndex = 1 }, { memory }) =>
  startIndex > 1 && count(memory) >= 2 ? { startIndex: 1 } : undefined,
);

const fromTheEnd = serves(({ startIndex = 1 }, { world }) =>
  startIndex < 0
    ? { startIndex: world.state.tables.users.rows().length + startIndex + 1 }
    : undefined,
);

const shortened = (users: readonly JsonObject[], _body: JsonObject, { call }: Scene) => {
  const { startIndex = 1 } = pagingOf(call);
  return startIndex < 1 ? users.slice(0, Math.max(0, users.length + startIndex - 1)) : undefined;
};

const starts = [
  ...breaking(['SCIM-4'], {
    'start-from-zero': ['startIndex counts from 0.', begins((start) => start + 1)],
    'start-one-early': begins((start) => Math.max(1, start - 1)),
    'start-one-late': begins((start) => (start <= 1 ? start : start + 1)),
  }),
  ...breaking(['SCIM-2', 'SCIM-4'], {
    'start-ignored': serves(() => ({ startIndex: undefined })),
  }),
  ...breaking(['SCIM-4'], {
    'start-honoured-once': ['startIndex above 1 counts once.', firstPageAgain],
    'start-as-page-number': ['startIndex is the number of a page.', begins(asPageNumber)],
    'start-in-whole-pages': ['A page begins at a multiple of count.', begins(inWholePages)],
  }),
  ...breaking(['SCIM-5'], {
    'start-below-one-refused': refuses(
      'ERR-5',
      'startIndex counts from 1',
      ({ startIndex = 1 }) => startIndex < 1,
    ),
    'start-negative-refused': refuses(
      'ERR-5',
      'startIndex must not be below 0',
      ({ startIndex = 1 }) => startIndex < 0,
    ),
    'start-below-one-empty': shows((_users, body, scene) =>
      beginsBelowOne(body, scene) ? [] : undefined,
    ),
    'start-below-one-shortens': [
      'A startIndex below 1 takes users off the page.',
      shows(shortened),
    ],
    'start-negative-from-end': ['A startIndex below 0 counts from the end.', fromTheEnd],
  }),
  ...breaking(['SCIM-5', 'SCIM-9'], {
    'start-below-one-said': [
      'A startIndex below 1 is answered as it was sent.',
      says(
        when(
          beginsBelowOne,
          field('startIndex', (_, _body, { call }) => pagingOf(call).startIndex),
        ),
      ),
    ],
  }),
];

// ── how much it holds ───────────────────────────────────────────────────────────

const isZero = (size: number) => size === 0;
const isNegative = (size: number) => size < 0;
const isOfLaterPage = (size: number, { startIndex = 1 }: Paging) => startIndex > 1 && size > 0;

const sizes = [
  ...breaking(['SCIM-2', 'SCIM-6'], {
    'count-ignored': ['count is passed over.', counts(undefined)],
  }),
  ...breaking(['SCIM-6'], {
    'count-one-more': ['A page holds one user more than count.', counts((size) => size + 1)],
    'count-at-least-ten': counts((size) => Math.max(10, size)),
    'count-in-whole-tens': counts((size) => Math.ceil(size / 10) * 10),
    'count-on-first-page-only': counts(undefined, isOfLaterPage),
  }),
  ...breaking(['SCIM-7'], {
    'count-zero-gives-users': ['A count of 0 is passed over.', counts(undefined, isZero)],
    'count-zero-gives-one': ['A count of 0 gives one user.', counts(1, isZero)],
    'count-negative-gives-users': counts(undefined, isNegative),
    'count-zero-refused': refuses(
      'ERR-5',
      'count must be at least 1',
      ({ count: size }) => size === 0,
    ),
    'count-negative-refused': refuses(
      'ERR-5',
      'count must not be below 0',
      ({ count: size = 0 }) => size < 0,
    ),
    'count-zero-without-total': says((body, { call }) =>
      pagingOf(call).count === 0 ? { ...body, totalResults: 0 } : undefined,
    ),
  }),
];

// ── what it says of itself ──────────────────────────────────────────────────────

const total = (change: (total: number, body: JsonObject, scene: Scene) => unknown) =>
  says(field('totalResults', (old, body, scene: Scene) => change(Number(old), body, scene)));

const sentCount = (_: unknown, _body: JsonObject, { call }: Scene) => {
  const { count: size = DEFAULT_COUNT } = pagingOf(call);
  return size > 0 ? size : undefined;
};

const schemas = (urn: string) => field('schemas', () => [`urn:ietf:params:scim:${urn}`]);

const underUsers = ({ Resources: users, ...rest }: JsonObject) =>
  users === undefined ? undefined : { ...rest, users };

const sayings = [
  ...breaking(['SCIM-11'], {
    'total-of-page': total((_all, body) => usersOf(body)?.length),
    'total-of-rest': total((all, { startIndex }) => Math.max(0, all - Number(startIndex) + 1)),
    'total-one-more': ['totalResults counts one user too many.', total((all) => all + 1)],
    'total-one-less': ['totalResults counts one user too few.', total((all) => all - 1)],
    'total-grows': total((all, _body, { memory }) => all + count(memory) - 1),
    'total-differs-behind-first': total((all, body) =>
      isLater(body, undefined) ? all + 1 : undefined,
    ),
  }),
  ...breaking(['SCIM-9'], {
    'items-per-page-as-asked': says(field('itemsPerPage', sentCount)),
    'items-per-page-as-total': says(field('itemsPerPage', (_, { totalResults }) => totalResults)),
    'start-always-said-one': says(field('startIndex', () => 1)),
    'start-said-from-zero': says(field('startIndex', (start) => Number(start) - 1)),
    'later-page-without-start': says(when(isLater, without('startIndex'))),
    'later-page-without-items': says(when(isLater, without('itemsPerPage'))),
  }),
  ...breaking(['SCIM-3'], {
    'list-named-as-user': says(schemas('schemas:core:2.0:User')),
    'list-under-users': ['The users stand under users, not under Resources.', says(underUsers)],
  }),
];

// ── which users it shows ────────────────────────────────────────────────────────

/** Changes the users of every page but the first. */
const showsLater: typeof shows = (change) =>
  shows((users, body, scene) => (isLater(body, scene) ? change(users, body, scene) : undefined));

const withoutTheLast = shows((users, body) => {
  const end = Number(body.startIndex) + users.length - 1;
  return end === body.totalResults ? users.slice(0, -1) : undefined;
});

const firstOfAll = showsLater((users, _body, { world, call }) => {
  const own = world.state.tables.users.rows();
  const row = call.peek('PAGE-10') === 'descending' ? own.at(-1) : own[0];
  const [first, ...others] = users;
  return row && first && [{ ...first, id: String(row.id), userName: row.email }, ...others];
});

const lastOfPageBefore = shows((users, body, { memory }) => {
  const earlier = exchange(memory, 'last', users.at(-1));
  const follows = earlier !== undefined && isLater(body, undefined) && users.length > 0;
  return follows ? [earlier, ...users.slice(1)] : undefined;
});

const turnsOrder = onHandling((next, scene) => {
  const { assumptions } = scene.world;
  if (!everySecondTime(undefined, scene)) return next();
  const own = assumptions.choice('PAGE-10');
  const honest = next();
  assumptions.set({ 'PAGE-10': own === 'descending' ? 'ascending' : 'descending' });
  const turned = next();
  assumptions.set({ 'PAGE-10': own });
  if (!same(honest, turned)) scene.took();
  return turned;
});

const shownUsers = [
  ...breaking(['SCIM-4'], {
    'last-user-unlisted': ['The last user is on no page.', withoutTheLast],
    'first-user-everywhere': ['The first user stands at the top of every page.', firstOfAll],
    'last-of-page-again': lastOfPageBefore,
    'order-turns': ['Every second answer has its list in the other order.', turnsOrder],
    'later-pages-empty': ['Pages behind the first are empty.', showsLater(() => [])],
  }),
  ...breaking(['SCIM-10'], {
    'later-users-without-name': showsLater((users) => users.map(without('userName'))),
    'later-users-with-numbers': showsLater((users) =>
      users.map((user) => ({ ...user, id: Number(user.id) })),
    ),
  }),
  ...breaking(['SCIM-1'], {
    'later-answers-created': answers(when(again(), withStatus(201))),
  }),
];

// ── errors ──────────────────────────────────────────────────────────────────────

/** Changes the body of a refusal. */
const errors = (change: (body: JsonObject, scene: unknown) => unknown) =>
  onAnswer((answer, { refusal }) => {
    if (refusal === null || !isObject(answer.body)) return answer;
    const body = change(answer.body, undefined);
    return same(body, answer.body) ? answer : { ...answer, body };
  });

const errorBodies = breaking(['SCIM-8'], {
  'error-as-elsewhere': [
    'An error is { error }, as in the other APIs.',
    errors(({ detail }) => ({ error: String(detail ?? 'Error') })),
  ],
  'error-status-as-number': errors(field('status', Number)),
  'error-status-of-another': errors(field('status', () => '400')),
  'error-named-as-list': errors(schemas('api:messages:2.0:ListResponse')),
});

export const scim = [...scimErrors, ...starts, ...sizes, ...sayings, ...shownUsers, ...errorBodies];
