/**
 * Lists of SCIM users whose pages overlap, skip or lie about themselves. Where a page is another
 * than the one that was asked for, the answer says what was asked for: it is wrong in one thing.
 */

import { isRefusal } from '../../../mock/pipeline/exchange.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import {
  answers,
  answersBody,
  answersErrors,
  answersField,
  withStatus,
} from '../../deviations/answers.ts';
import { field, objectsOf, same, when, without } from '../../deviations/changes.ts';
import { type Does, onHandling, replyOf, type Scene, whenDone } from '../../deviations/does.ts';
import { ofErrors } from '../../deviations/from-responses.ts';
import { again, count, everySecondTime, exchange } from '../../deviations/memory.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { send, sending } from '../../deviations/sent.ts';

export const scim: Deviation[] = [];
const breaking = rowsOf(scim, 'scim', ['listScimUsers']);

// ── a page: what was asked for, what it shows and what it says of itself ────────

interface Paging {
  /** Undefined where it was not sent. */
  readonly startIndex?: number | undefined;
  readonly count?: number | undefined;
}

const DEFAULT_COUNT = 100;

const { sentOf: pagingOf, refuses } = sending<Paging>();

/** Serves another page than was asked for, which says that it is the one that was asked for. */
const serves = (change: (paging: Paging, scene: Scene) => Paging | undefined): Does =>
  onHandling((next, scene) => {
    const sent = { ...pagingOf(scene.call) };
    const honest = replyOf(next())?.body;
    send(scene.call, { ...sent, ...change(sent, scene) });
    return whenDone(next(), (done) => {
      send(scene.call, sent);
      if (isRefusal(done) || !isObject(honest) || !isObject(done.body)) return done;
      const body = { ...done.body, startIndex: honest.startIndex };
      return same(body, honest) ? done : { ...done, body };
    });
  });

/** Serves a page that begins elsewhere, where a beginning was sent. */
const begins = (at: (startIndex: number, paging: Paging) => number): Does =>
  serves((paging) =>
    paging.startIndex === undefined ? undefined : { startIndex: at(paging.startIndex, paging) },
  );

/** Serves a page as if a count had been sent that is other, or none, where one was. */
const counts = (
  as: number | undefined | ((count: number) => number),
  when: (count: number, paging: Paging) => boolean = (count) => count > 0,
): Does =>
  serves((paging) => {
    const { count } = paging;
    if (count === undefined || !when(count, paging)) return undefined;
    return { count: typeof as === 'function' ? as(count) : as };
  });

type Users = readonly JsonObject[];

/** Refuses a page that begins here. */
const refusesStart = (problem: string, when: (startIndex: number) => boolean): Does =>
  refuses('ERR-5', `startIndex ${problem}`, ({ startIndex = 1 }) => when(startIndex));

/** Refuses a page of this count. */
const refusesCount = (problem: string, when: (count: number) => boolean): Does =>
  refuses('ERR-5', `count ${problem}`, ({ count }) => count !== undefined && when(count));

/** The users of a page; undefined where it shows none. */
function usersOf(body: JsonObject): Users | undefined {
  return Array.isArray(body.Resources) ? objectsOf(body.Resources) : undefined;
}

/** Changes the users of a page; itemsPerPage counts them. */
const shows = (change: (users: Users, body: JsonObject, scene: Scene) => Users | undefined): Does =>
  answersBody((body, scene) => {
    const users = usersOf(body);
    const changed = users && change(users, body, scene);
    return changed === undefined || same(users, changed)
      ? undefined
      : { ...body, itemsPerPage: changed.length, Resources: changed };
  });

const isLater = (body: JsonObject) => Number(body.startIndex) > 1;

const beginsBelowOne = ({ call }: Scene) => (pagingOf(call).startIndex ?? 1) < 1;

const isZero = (size: number) => size === 0;
const isNegative = (size: number) => size < 0;

// ── where a page begins ─────────────────────────────────────────────────────────

const asPageNumber = (page: number, { count: size = DEFAULT_COUNT }: Paging) =>
  (Math.max(1, page) - 1) * Math.max(0, size) + 1;

const inWholePages = (start: number, { count: size }: Paging) =>
  size === undefined || size < 1 ? start : Math.floor((start - 1) / size) * size + 1;

const firstPageAgain = serves(({ startIndex = 1 }, { memory }) =>
  startIndex > 1 && count(memory) >= 2 ? { startIndex: 1 } : undefined,
);

const fromTheEnd = serves(({ startIndex = 1 }, { world }) => {
  const behind = world.state.tables.users.rows().length + 1;
  return startIndex < 0 ? { startIndex: behind + startIndex } : undefined;
});

const shortened = (users: Users, _body: JsonObject, { call }: Scene) => {
  const { startIndex = 1 } = pagingOf(call);
  return startIndex < 1 ? users.slice(0, Math.max(0, users.length + startIndex - 1)) : undefined;
};

breaking(['SCIM-4'], {
  'start-from-zero: startIndex counts from 0.': begins((start) => start + 1),
  'start-one-early': begins((start) => Math.max(1, start - 1)),
  'start-one-late': begins((start) => (start <= 1 ? start : start + 1)),
  'start-honoured-once: startIndex above 1 counts once.': firstPageAgain,
  'start-as-page-number: startIndex is the number of a page.': begins(asPageNumber),
  'start-in-whole-pages: A page begins at a multiple of count.': begins(inWholePages),
});
breaking(['SCIM-2', 'SCIM-4'], { 'start-ignored': serves(() => ({ startIndex: undefined })) });
breaking(['SCIM-5'], {
  'start-below-one-refused': refusesStart('counts from 1', (start) => start < 1),
  'start-negative-refused': refusesStart('must not be below 0', (start) => start < 0),
  'start-below-one-empty': shows((_users, _body, scene) =>
    beginsBelowOne(scene) ? [] : undefined,
  ),
  'start-below-one-shortens: A startIndex below 1 takes users off the page.': shows(shortened),
  'start-negative-from-end: A startIndex below 0 counts from the end.': fromTheEnd,
});
breaking(['SCIM-5', 'SCIM-9'], {
  'start-below-one-said: A startIndex below 1 is answered as it was sent.': answersField(
    'startIndex',
    (_said, _body, scene) => (beginsBelowOne(scene) ? pagingOf(scene.call).startIndex : undefined),
  ),
});

// ── how much it holds ───────────────────────────────────────────────────────────

const isOfLaterPage = (size: number, { startIndex = 1 }: Paging) => startIndex > 1 && size > 0;

breaking(['SCIM-2', 'SCIM-6'], { 'count-ignored: count is passed over.': counts(undefined) });
breaking(['SCIM-6'], {
  'count-one-more: A page holds one user more than count.': counts((size) => size + 1),
  'count-at-least-ten': counts((size) => Math.max(10, size)),
  'count-in-whole-tens': counts((size) => Math.ceil(size / 10) * 10),
  'count-on-first-page-only': counts(undefined, isOfLaterPage),
});
breaking(['SCIM-7'], {
  'count-zero-gives-users: A count of 0 is passed over.': counts(undefined, isZero),
  'count-zero-gives-one: A count of 0 gives one user.': counts(1, isZero),
  'count-negative-gives-users': counts(undefined, isNegative),
  'count-zero-refused': refusesCount('must be at least 1', isZero),
  'count-negative-refused': refusesCount('must not be below 0', isNegative),
  'count-zero-without-total': answersField('totalResults', (_total, _body, { call }) =>
    pagingOf(call).count === 0 ? 0 : undefined,
  ),
});

// ── what it says of itself ──────────────────────────────────────────────────────

const total = (change: (total: number, body: JsonObject, scene: Scene) => unknown) =>
  answersField('totalResults', (old, body, scene) => change(Number(old), body, scene));

const sentCount = (_: unknown, _body: JsonObject, { call }: Scene) => {
  const { count: size = DEFAULT_COUNT } = pagingOf(call);
  return size > 0 ? size : undefined;
};

const schemas = (urn: string) => field('schemas', () => [`urn:ietf:params:scim:${urn}`]);

const underUsers = ({ Resources: users, ...rest }: JsonObject) =>
  users === undefined ? undefined : { ...rest, users };

breaking(['SCIM-11'], {
  'total-of-page': total((_all, body) => usersOf(body)?.length),
  'total-of-rest': total((all, { startIndex }) => Math.max(0, all - Number(startIndex) + 1)),
  'total-one-more: totalResults counts one user too many.': total((all) => all + 1),
  'total-one-less: totalResults counts one user too few.': total((all) => all - 1),
  'total-grows': total((all, _body, { memory }) => all + count(memory) - 1),
  'total-differs-behind-first': total((all, body) => (isLater(body) ? all + 1 : undefined)),
});
breaking(['SCIM-9'], {
  'items-per-page-as-asked': answersField('itemsPerPage', sentCount),
  'items-per-page-as-total': answersField('itemsPerPage', (_, { totalResults }) => totalResults),
  'start-always-said-one': answersField('startIndex', () => 1),
  'start-said-from-zero': answersField('startIndex', (start) => Number(start) - 1),
  'later-page-without-start': answersBody(when(isLater, without('startIndex'))),
  'later-page-without-items': answersBody(when(isLater, without('itemsPerPage'))),
});
breaking(['SCIM-3'], {
  'list-named-as-user': answersBody(schemas('schemas:core:2.0:User')),
  'list-under-users: The users stand under users, not under Resources.': answersBody(underUsers),
});

// ── which users it shows ────────────────────────────────────────────────────────

/** Changes the users of every page but the first. */
const showsLater: typeof shows = (change) =>
  shows((users, body, scene) => (isLater(body) ? change(users, body, scene) : undefined));

const firstOfAll = showsLater((users, _body, { world, call }) => {
  const own = world.state.tables.users.rows();
  const row = call.peek('PAGE-10') === 'descending' ? own.at(-1) : own[0];
  const [first, ...others] = users;
  return row && first && [{ ...first, id: String(row.id), userName: row.email }, ...others];
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

breaking(['SCIM-4'], {
  'last-user-unlisted: The last user is on no page.': shows((users, body) => {
    const end = Number(body.startIndex) + users.length - 1;
    return end === body.totalResults ? users.slice(0, -1) : undefined;
  }),
  'first-user-everywhere: The first user stands at the top of every page.': firstOfAll,
  'last-of-page-again': shows((users, body, { memory }) => {
    const earlier = exchange(memory, 'last', users.at(-1));
    const follows = earlier !== undefined && isLater(body) && users.length > 0;
    return follows ? [earlier, ...users.slice(1)] : undefined;
  }),
  'order-turns: Every second answer has its list in the other order.': turnsOrder,
  'later-pages-empty: Pages behind the first are empty.': showsLater(() => []),
});
breaking(['SCIM-10'], {
  'later-users-without-name': showsLater((users) => users.map(without('userName'))),
  'later-users-with-numbers': showsLater((users) =>
    users.map((user) => ({ ...user, id: Number(user.id) })),
  ),
});
breaking(['SCIM-1'], { 'later-answers-created': answers(when(again(), withStatus(201))) });

// ── errors ──────────────────────────────────────────────────────────────────────

const wrong = ofErrors('listScimUsers');

scim.push(
  wrong('management', 'is { error }', ['SCIM-8'], ({ detail }) => ({ error: detail })),
  wrong('number', 'has the status as a number', ['SCIM-8'], field('status', Number)),
  wrong('schema', 'does not name its schema', ['SCIM-8'], without('schemas')),
  wrong('no-status', 'has no status', ['SCIM-8'], without('status')),
);
breaking(['SCIM-8'], {
  'error-as-elsewhere: An error is { error }, as in the other APIs.': answersErrors(
    ({ detail }) => ({ error: String(detail ?? 'Error') }),
  ),
  'error-status-as-number': answersErrors(field('status', Number)),
  'error-status-of-another': answersErrors(field('status', () => '400')),
  'error-named-as-list': answersErrors(schemas('api:messages:2.0:ListResponse')),
});
