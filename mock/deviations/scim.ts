/**
 * Lists of SCIM users whose pages overlap, skip or lie about themselves. Where a page is another
 * than the one that was asked for, the answer says what was asked for: it is wrong in one thing.
 */
import { type Call, refusal } from '../call.ts';
import { isRefusal } from '../exchange.ts';
import type { Deviation, Scene } from './deviation.ts';
import {
  changeAnswer,
  count as countUp,
  deviationOf,
  type Handle,
  type Hooks,
  isRecord,
  type Json,
  mapBody,
  same,
  whenDone,
} from './transforms.ts';

type ScimCall = Call<'listScimUsers'>;

interface Paging {
  /** Undefined where it was not sent. */
  readonly startIndex: number | undefined;
  readonly count: number | undefined;
}

const deviation = deviationOf('scim', 'listScimUsers');

function pagingOf(call: Call): Paging {
  const { startIndex, count } = (call as unknown as ScimCall).query;
  return { startIndex, count };
}

function setPaging(call: Call, { startIndex, count }: Paging): void {
  const { query } = call as unknown as ScimCall;
  delete query.startIndex;
  delete query.count;
  if (startIndex !== undefined) query.startIndex = startIndex;
  if (count !== undefined) query.count = count;
}

/** Serves another page than was asked for, which says that it is the one that was asked for. */
function serves(change: (paging: Paging, scene: Scene) => Paging): Handle {
  return (next, scene) => {
    const sent = pagingOf(scene.call);
    const honest = next();
    setPaging(scene.call, change(sent, scene));
    return whenDone(next(), (done) => {
      setPaging(scene.call, sent);
      if (honest instanceof Promise || isRefusal(honest) || isRefusal(done)) return done;
      if (!isRecord(honest.body) || !isRecord(done.body)) return done;
      const body = { ...done.body, startIndex: honest.body.startIndex };
      if (same(body, honest.body)) return done;
      return { ...done, body };
    });
  };
}

/** The users of a page; undefined where it shows none. */
function usersOf(body: Json): readonly Json[] | undefined {
  return Array.isArray(body.Resources) ? body.Resources.filter(isRecord) : undefined;
}

/** Changes the users of a page; itemsPerPage counts them. */
function shows(
  change: (users: readonly Json[], body: Json, scene: Scene) => readonly Json[],
): Handle {
  return mapBody((body, scene) => {
    const users = usersOf(body);
    if (users === undefined) return undefined;
    const changed = change(users, body, scene);
    return same(users, changed)
      ? undefined
      : { ...body, itemsPerPage: changed.length, Resources: changed };
  });
}

const isLater = (body: Json) => Number(body.startIndex) > 1;

/** Refuses a page that RFC 7644 serves. */
function refuses(
  message: string,
  when: (paging: Paging) => boolean,
): NonNullable<Deviation['stage']> {
  return (stage, refused, { call }) =>
    stage === 'validate' && refused === undefined && when(pagingOf(call))
      ? refusal(400, 'ERR-5', message)
      : refused;
}

/** Changes the body of a refusal. */
function errors(change: (body: Json) => Json): Hooks {
  return {
    answer: (answer, { refusal: refused }) => {
      if (refused === null || !isRecord(answer.body)) return answer;
      const body = change(answer.body);
      return same(body, answer.body) ? answer : { ...answer, body };
    },
  };
}

/** Changes what a list says of itself. */
function says(change: (body: Json, scene: Scene) => Json | undefined): Handle {
  return mapBody((body, scene) => {
    const changed = change(body, scene);
    return changed === undefined || same(changed, body) ? undefined : changed;
  });
}

const DEFAULT_COUNT = 100;

export const scim: readonly Deviation[] = [
  // Where a page begins.
  deviation('start-from-zero', 'startIndex counts from 0.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex: paging.startIndex === undefined ? undefined : paging.startIndex + 1,
    })),
    collateral: ['SCIM-2', 'SCIM-5', 'SCIM-9', 'SCIM-11'],
  }),
  deviation('start-one-early', 'A page behind the first begins one user early.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex: paging.startIndex === undefined ? undefined : Math.max(1, paging.startIndex - 1),
    })),
  }),
  deviation('start-one-late', 'A page behind the first begins one user late.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex:
        paging.startIndex === undefined || paging.startIndex <= 1
          ? paging.startIndex
          : paging.startIndex + 1,
    })),
    collateral: ['SCIM-9', 'SCIM-11'],
  }),
  deviation('start-ignored', 'Every page begins with the first user.', ['SCIM-2', 'SCIM-4'], {
    handle: serves((paging) => ({ ...paging, startIndex: undefined })),
    collateral: ['SCIM-11'],
  }),
  deviation('start-honoured-once', 'startIndex above 1 counts once.', ['SCIM-4'], {
    handle: serves((paging, { memory }) =>
      (paging.startIndex ?? 1) > 1 && countUp(memory, 'starts') >= 2
        ? { ...paging, startIndex: 1 }
        : paging,
    ),
    collateral: ['SCIM-2', 'SCIM-11'],
  }),
  deviation('start-as-page-number', 'startIndex is the number of a page.', ['SCIM-4'], {
    handle: serves((paging) => ({
      ...paging,
      startIndex:
        paging.startIndex === undefined
          ? undefined
          : (Math.max(1, paging.startIndex) - 1) * Math.max(0, paging.count ?? DEFAULT_COUNT) + 1,
    })),
    collateral: ['SCIM-2', 'SCIM-9', 'SCIM-11'],
  }),
  deviation('start-in-whole-pages', 'A page begins at a multiple of count.', ['SCIM-4'], {
    handle: serves((paging) => {
      const { startIndex, count } = paging;
      if (startIndex === undefined || count === undefined || count < 1) return paging;
      return { ...paging, startIndex: Math.floor((startIndex - 1) / count) * count + 1 };
    }),
    collateral: ['SCIM-2'],
  }),
  deviation('start-below-one-refused', 'A startIndex below 1 is refused.', ['SCIM-5'], {
    stage: refuses('startIndex counts from 1', ({ startIndex }) => (startIndex ?? 1) < 1),
  }),
  deviation('start-negative-refused', 'A startIndex below 0 is refused.', ['SCIM-5'], {
    stage: refuses('startIndex must not be below 0', ({ startIndex }) => (startIndex ?? 1) < 0),
  }),
  deviation('start-below-one-empty', 'A startIndex below 1 gives an empty page.', ['SCIM-5'], {
    handle: (next, scene) =>
      (pagingOf(scene.call).startIndex ?? 1) < 1 ? shows(() => [])(next, scene) : next(),
  }),
  deviation(
    'start-below-one-shortens',
    'A startIndex below 1 takes users off the page.',
    ['SCIM-5'],
    {
      handle: (next, scene) => {
        const { startIndex = 1 } = pagingOf(scene.call);
        return startIndex < 1
          ? shows((users) => users.slice(0, Math.max(0, users.length + startIndex - 1)))(
              next,
              scene,
            )
          : next();
      },
    },
  ),
  deviation('start-negative-from-end', 'A startIndex below 0 counts from the end.', ['SCIM-5'], {
    handle: serves((paging, { world }) => {
      const { startIndex = 1 } = paging;
      const total = world.state.tables.users.rows().length;
      return startIndex < 0 ? { ...paging, startIndex: total + startIndex + 1 } : paging;
    }),
  }),
  deviation(
    'start-below-one-said',
    'A startIndex below 1 is answered as it was sent.',
    ['SCIM-5', 'SCIM-9'],
    {
      handle: says((body, { call }) => {
        const { startIndex = 1 } = pagingOf(call);
        return startIndex < 1 ? { ...body, startIndex } : undefined;
      }),
    },
  ),

  // How much a page holds.
  deviation('count-ignored', 'count is passed over.', ['SCIM-2', 'SCIM-6'], {
    handle: serves((paging) =>
      (paging.count ?? 0) > 0 ? { ...paging, count: undefined } : paging,
    ),
    collateral: ['SCIM-4'],
  }),
  deviation('count-one-more', 'A page holds one user more than count.', ['SCIM-6'], {
    handle: serves((paging) =>
      paging.count === undefined || paging.count < 1
        ? paging
        : { ...paging, count: paging.count + 1 },
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-at-least-ten', 'A smaller count is raised to ten.', ['SCIM-6'], {
    handle: serves((paging) =>
      paging.count === undefined || paging.count < 1
        ? paging
        : { ...paging, count: Math.max(10, paging.count) },
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-in-whole-tens', 'count is rounded up to tens.', ['SCIM-6'], {
    handle: serves((paging) =>
      paging.count === undefined || paging.count < 1
        ? paging
        : { ...paging, count: Math.ceil(paging.count / 10) * 10 },
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-on-first-page-only', 'count is passed over behind the first page.', ['SCIM-6'], {
    handle: serves((paging) =>
      (paging.startIndex ?? 1) > 1 && (paging.count ?? 0) > 0
        ? { ...paging, count: undefined }
        : paging,
    ),
    collateral: ['SCIM-2', 'SCIM-4'],
  }),
  deviation('count-zero-gives-users', 'A count of 0 is passed over.', ['SCIM-7'], {
    handle: serves((paging) => (paging.count === 0 ? { ...paging, count: undefined } : paging)),
  }),
  deviation('count-zero-gives-one', 'A count of 0 gives one user.', ['SCIM-7'], {
    handle: serves((paging) => (paging.count === 0 ? { ...paging, count: 1 } : paging)),
  }),
  deviation('count-negative-gives-users', 'A count below 0 is passed over.', ['SCIM-7'], {
    handle: serves((paging) =>
      (paging.count ?? 0) < 0 ? { ...paging, count: undefined } : paging,
    ),
  }),
  deviation('count-zero-refused', 'A count of 0 is refused.', ['SCIM-7'], {
    stage: refuses('count must be at least 1', ({ count }) => count === 0),
  }),
  deviation('count-negative-refused', 'A count below 0 is refused.', ['SCIM-7'], {
    stage: refuses('count must not be below 0', ({ count }) => (count ?? 0) < 0),
  }),
  deviation('count-zero-without-total', 'A count of 0 gives a totalResults of 0.', ['SCIM-7'], {
    handle: says((body, { call }) =>
      pagingOf(call).count === 0 ? { ...body, totalResults: 0 } : undefined,
    ),
    collateral: ['SCIM-11'],
  }),

  // The total.
  deviation('total-of-page', 'totalResults counts the users of the page.', ['SCIM-11'], {
    handle: says((body) => ({ ...body, totalResults: usersOf(body)?.length ?? body.totalResults })),
    collateral: ['SCIM-4', 'SCIM-7'],
  }),
  deviation('total-of-rest', 'totalResults counts from the page on.', ['SCIM-11'], {
    handle: says((body) => ({
      ...body,
      totalResults: Math.max(0, Number(body.totalResults) - Number(body.startIndex) + 1),
    })),
    collateral: ['SCIM-4'],
  }),
  deviation('total-one-more', 'totalResults counts one user too many.', ['SCIM-11'], {
    handle: says((body) => ({ ...body, totalResults: Number(body.totalResults) + 1 })),
    collateral: ['SCIM-4', 'SCIM-9'],
  }),
  deviation('total-one-less', 'totalResults counts one user too few.', ['SCIM-11'], {
    handle: says((body) => ({ ...body, totalResults: Number(body.totalResults) - 1 })),
    collateral: ['SCIM-4'],
  }),
  deviation('total-grows', 'totalResults is one higher with each answer.', ['SCIM-11'], {
    handle: says((body, { memory }) => ({
      ...body,
      totalResults: Number(body.totalResults) + countUp(memory, 'answers') - 1,
    })),
    collateral: ['SCIM-4', 'SCIM-5', 'SCIM-7'],
  }),
  deviation('total-differs-behind-first', 'Later pages count one user more.', ['SCIM-11'], {
    handle: says((body) =>
      isLater(body) ? { ...body, totalResults: Number(body.totalResults) + 1 } : undefined,
    ),
    collateral: ['SCIM-4'],
  }),

  // What a page says of itself.
  deviation('items-per-page-as-asked', 'itemsPerPage is the count that was sent.', ['SCIM-9'], {
    handle: says((body, { call }) => {
      const { count = DEFAULT_COUNT } = pagingOf(call);
      return count > 0 ? { ...body, itemsPerPage: count } : undefined;
    }),
  }),
  deviation('items-per-page-as-total', 'itemsPerPage counts all users.', ['SCIM-9'], {
    handle: says((body) => ({ ...body, itemsPerPage: body.totalResults })),
  }),
  deviation('start-always-said-one', 'Every page says that it begins at 1.', ['SCIM-9'], {
    handle: says((body) => ({ ...body, startIndex: 1 })),
  }),
  deviation('start-said-from-zero', 'A page says its startIndex counted from 0.', ['SCIM-9'], {
    handle: says((body) => ({ ...body, startIndex: Number(body.startIndex) - 1 })),
  }),
  deviation('later-page-without-start', 'A page behind the first has no startIndex.', ['SCIM-9'], {
    handle: says((body) => {
      const { startIndex: _gone, ...rest } = body;
      return isLater(body) ? rest : undefined;
    }),
  }),
  deviation(
    'later-page-without-items',
    'A page behind the first has no itemsPerPage.',
    ['SCIM-9'],
    {
      handle: says((body) => {
        const { itemsPerPage: _gone, ...rest } = body;
        return isLater(body) ? rest : undefined;
      }),
    },
  ),
  deviation('list-named-as-user', 'The list has the schema of a user.', ['SCIM-3'], {
    handle: says((body) => ({
      ...body,
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    })),
  }),
  deviation('list-under-users', 'The users stand under users, not under Resources.', ['SCIM-3'], {
    handle: says((body) => {
      const { Resources: users, ...rest } = body;
      return users === undefined ? undefined : { ...rest, users };
    }),
    collateral: ['SCIM-2', 'SCIM-4', 'SCIM-5', 'SCIM-6', 'SCIM-9', 'SCIM-10', 'SCIM-11'],
  }),

  // Who is on it.
  deviation('last-user-unlisted', 'The last user is on no page.', ['SCIM-4'], {
    handle: shows((users, body) => {
      const end = Number(body.startIndex) + users.length - 1;
      return end === body.totalResults && users.length > 0 ? users.slice(0, -1) : users;
    }),
    collateral: ['SCIM-11'],
  }),
  deviation(
    'first-user-everywhere',
    'The first user stands at the top of every page.',
    ['SCIM-4'],
    {
      handle: shows((users, body, { world, call }) => {
        const own = world.state.tables.users.rows();
        const row = call.peek('PAGE-10') === 'descending' ? own.at(-1) : own[0];
        const first = users[0];
        if (!isLater(body) || row === undefined || first === undefined) return users;
        return [{ ...first, id: String(row.id), userName: row.email }, ...users.slice(1)];
      }),
      collateral: ['SCIM-2', 'SCIM-11'],
    },
  ),
  deviation(
    'last-of-page-again',
    'The last user of a page takes the place of the next.',
    ['SCIM-4'],
    {
      handle: shows((users, body, { memory }) => {
        const earlier = memory.get('last') as Json | undefined;
        const last = users.at(-1);
        if (last !== undefined) memory.set('last', last);
        const again = earlier !== undefined && isLater(body) && users.length > 0;
        return again ? [earlier, ...users.slice(1)] : users;
      }),
      collateral: ['SCIM-2', 'SCIM-11'],
    },
  ),
  deviation('order-turns', 'Every second answer has its list in the other order.', ['SCIM-4'], {
    handle: (next, scene) => {
      const { assumptions } = scene.world;
      if (countUp(scene.memory, 'answers') % 2 === 1) return next();
      const own = assumptions.choice('PAGE-10');
      const honest = next();
      assumptions.set({ 'PAGE-10': own === 'descending' ? 'ascending' : 'descending' });
      const turned = next();
      assumptions.set({ 'PAGE-10': own });
      if (!same(honest, turned)) scene.took();
      return turned;
    },
    collateral: ['SCIM-5', 'SCIM-11'],
  }),
  deviation('later-pages-empty', 'Pages behind the first are empty.', ['SCIM-4'], {
    handle: shows((users, body) => (isLater(body) ? [] : users)),
    collateral: ['SCIM-2', 'SCIM-11'],
  }),
  deviation('later-users-without-name', 'Users of later pages have no userName.', ['SCIM-10'], {
    handle: shows((users, body) =>
      isLater(body) ? users.map(({ userName: _gone, ...rest }) => rest) : users,
    ),
  }),
  deviation('later-users-with-numbers', 'Users of later pages have numbers for ids.', ['SCIM-10'], {
    handle: shows((users, body) =>
      isLater(body) ? users.map((user) => ({ ...user, id: Number(user.id) })) : users,
    ),
    collateral: ['SCIM-4'],
  }),
  deviation('later-answers-created', 'From the second list on the answer is 201.', ['SCIM-1'], {
    handle: changeAnswer((answer, { memory }) =>
      countUp(memory, 'answers') >= 2 ? { ...answer, status: 201 } : undefined,
    ),
    collateral: ['SCIM-2', 'SCIM-5', 'SCIM-7'],
  }),

  // Errors.
  deviation('error-as-elsewhere', 'An error is { error }, as in the other APIs.', ['SCIM-8'], {
    ...errors((body) => ({ error: String(body.detail ?? 'Error') })),
  }),
  deviation('error-status-as-number', 'The status in an error is a number.', ['SCIM-8'], {
    ...errors((body) => ({ ...body, status: Number(body.status) })),
  }),
  deviation('error-status-of-another', 'The status in an error is always 400.', ['SCIM-8'], {
    ...errors((body) => ({ ...body, status: '400' })),
  }),
  deviation('error-named-as-list', 'An error has the schema of a list.', ['SCIM-8'], {
    ...errors((body) => ({
      ...body,
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    })),
  }),
];
