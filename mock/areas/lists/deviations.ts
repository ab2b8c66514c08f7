/** Pages, totals and filters of the deployments and environments lists that go wrong. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { when } from '../../deviations/changes.ts';
import { type Does, onAnswer, onAuthentication, type Scene } from '../../deviations/does.ts';
import { again, count, everySecondTime } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { seesState } from '../../deviations/state.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import { readQuery } from '../../pipeline/request-line.ts';
import type { EnvironmentRow } from '../../world/rows.ts';
import {
  type Asked,
  beginsAt,
  cut,
  holds,
  insteadOf,
  type ListId,
  type Page,
  pagedBy,
  type Repage,
  repaged,
  totals,
  words,
} from './page.ts';

/** Environments of other deployments are listed as well. */
const showsForeign = (choose: (rows: readonly EnvironmentRow[]) => readonly EnvironmentRow[]) =>
  seesState(({ tables: { environments } }, { call }) => {
    const { deployment = '' } = call.requested;
    const foreign = environments.rows().filter((row) => row.deploymentId !== deployment);
    for (const row of choose(foreign))
      environments.put(row.id, { ...row, deploymentId: deployment });
  });

type Holds = (page: Page, asked: Asked) => boolean;

// ── pages of either list ────────────────────────────────────────────────────────

type WrongPage = readonly [text: string, change: Repage, only?: ListId];

/** Under the statements that they break, what is wrong with the pages of both lists, or of one. */
const ofBoth = (breaks: readonly string[], rows: Readonly<Record<string, WrongPage>>) =>
  (['listDeployments', 'listEnvironments'] as const).flatMap((id) =>
    Object.entries(rows).flatMap(([name, [text, change, only = id]]) =>
      only === id
        ? rowsOf('lists', [id])(breaks, {
            [`${words[id]}-${name}`]: [
              `In the ${words[id]} list: ${text.slice(0, 1).toLowerCase()}${text.slice(1)}`,
              repaged(change),
            ],
          })
        : [],
    ),
  );

const isLater: Holds = ({ offset }) => offset > 0;
const isLast: Holds = ({ items, offset, total }) => offset > 0 && offset + items.length >= total;
const sendsNoOffset: Holds = (_page, { offset }) => offset === undefined;
const sendsNoLimit: Holds = (_page, { limit }) => limit === undefined;
const sendsLimit =
  (atLeast: number): Holds =>
  (_page, { limit }) =>
    limit !== undefined && limit >= atLeast;

/** A later page with items of the list that is not at its end, from the second one on. */
const isLaterAgain: Holds = (page, asked) =>
  page.offset > 0 && page.offset < asked.whole.length && again()(page, asked);

const lateBy = (shift: number): Repage => beginsAt(({ offset }) => offset + shift);
const oneMore = totals((total) => total + 1);

const beginsWithTheSecond = beginsAt(() => 1);
const holdsTen = holds(() => 10);
const holdsTwenty = holds(() => 20);
const holdsOneFewer = holds(({ limit }) => limit - 1);
const holdsOneMore = holds(({ limit }) => limit + 1);

const firstForLast: Repage = ({ items }, { whole }) =>
  items.length === 0 ? undefined : { items: [...items.slice(0, -1), ...whole.slice(0, 1)] };

const defaultLimit = (limit: number): WrongPage => [
  `A page holds ${limit} items where no limit is sent, and says so.`,
  when(sendsNoLimit, pagedBy({ limit })),
];

const aMomentLater: Repage = ({ items }, { memory }) => {
  const calls = count(memory);
  const later = (time: unknown) => new Date(Date.parse(String(time)) + calls).toISOString();
  return { items: items.map((item) => ({ ...item, created_at: later(item.created_at) })) };
};

const pages = [
  ...ofBoth(['PAGE-6'], {
    'overlapping-pages': [
      'Each page after the first begins with the last item of the page before it.',
      when(isLater, lateBy(-1)),
    ],
    'skipping-pages': [
      'Each page after the first leaves out the item that it should begin with.',
      when(isLater, lateBy(1)),
    ],
    'first-item-repeated': [
      'A page after the first ends with the first item of the list, in place of its own last.',
      when(isLater, firstForLast),
    ],
    'last-item-lost': [
      'The last page of several lacks the last item of the list.',
      when(isLast, ({ items }) => ({ items: items.slice(0, -1) })),
    ],
    'right-once': [
      'The first page behind a first page is right; each later one begins one item late.',
      when(isLaterAgain, lateBy(1)),
    ],
    'order-of-each-page': [
      'Pages after the first are cut from the list the other way round.',
      when(isLater, (page, { whole }) => ({ items: cut(page, whole.toReversed()) })),
    ],
  }),
  ...ofBoth(['PAGE-5'], {
    'total-of-the-page': [
      'total counts the items of the page, not of the list.',
      totals((_total, { items }) => items.length),
    ],
    'total-grows': [
      'total is one more on each page after the first than on the first.',
      totals((total, { offset }) => (offset > 0 ? total + 1 : undefined)),
    ],
    'total-one-too-many': ['total counts one item that the list does not have.', oneMore],
    'total-one-too-few': [
      'total does not count the last item of the list.',
      totals((total) => (total > 0 ? total - 1 : undefined)),
    ],
    'total-to-and-fro': [
      'total is one too many on every second call.',
      when(everySecondTime, oneMore),
    ],
    'total-behind-this-page': [
      'total counts the items from this page on, not those before it.',
      totals((total, { offset }) => Math.max(0, total - offset)),
    ],
  }),
  ...ofBoth(['PAGE-1'], {
    'default-offset-one': [
      'A list without offset begins with its second item, and says offset 1.',
      when(sendsNoOffset, pagedBy({ offset: 1 })),
    ],
    'default-offset-unsaid': [
      'A list without offset begins with its second item, and says offset 0.',
      when(sendsNoOffset, beginsWithTheSecond),
    ],
  }),
  ...ofBoth(['PAGE-2'], {
    'default-limit-10': defaultLimit(10),
    'default-limit-21': defaultLimit(21),
    'default-limit-25': defaultLimit(25),
    'default-limit-100': defaultLimit(100),
    'default-limit-unsaid': [
      'A page holds 10 items where no limit is sent, and says 20.',
      when(sendsNoLimit, holdsTen),
      'listDeployments',
    ],
  }),
  ...ofBoth(['PAGE-6'], {
    'offset-in-pages': [
      'offset counts pages, not items.',
      beginsAt(({ offset, limit }) => offset * limit),
    ],
    'offset-rounded-down': [
      'offset is rounded down to a multiple of limit.',
      beginsAt(({ offset, limit }) => (limit === 0 ? offset : offset - (offset % limit))),
    ],
    'offset-ignored': [
      'Every page is the first one, whatever its pagination says.',
      beginsAt(() => 0),
    ],
    'offset-from-one': [
      'offset counts from 1: offset 1 gives the first item, and so does offset 0.',
      lateBy(-1),
    ],
    'limit-one-too-few': [
      'A page holds one item fewer than its limit, where the list has more.',
      when(sendsLimit(2), holdsOneFewer),
    ],
  }),
  ...ofBoth(['PAGE-4'], {
    'limit-ignored': [
      'Every page holds up to 20 items, whatever limit is sent.',
      when(sendsLimit(0), holdsTwenty),
    ],
    'limit-one-too-many': [
      'A page holds one item more than its limit.',
      when(sendsLimit(1), holdsOneMore),
    ],
    'pagination-offset-zero': ['pagination says offset 0 on every page.', () => ({ offset: 0 })],
    'pagination-next-offset': [
      'pagination says the offset at which the next page begins.',
      ({ offset, items }) => ({ offset: offset + items.length }),
    ],
    'pagination-limit-twenty': [
      'pagination says limit 20 whatever limit made the page.',
      () => ({ limit: 20 }),
    ],
    'pagination-limit-counts': [
      'pagination says as limit how many items the page holds.',
      ({ items }) => ({ limit: items.length }),
    ],
  }),
  ...ofBoth(['DEPL-3'], {
    'made-anew-at-each-call': [
      'created_at is a moment later at each call.',
      aMomentLater,
      'listDeployments',
    ],
  }),
];

// ── the type filter ─────────────────────────────────────────────────────────────

const ofEnvironments = rowsOf('lists', ['listEnvironments']);

/** Replaces parts of a page of a filtered list. */
const filtered = (change: Repage): Does =>
  repaged((page, asked) => (asked.type === undefined ? undefined : change(page, asked)));

const isOf = (type: string | undefined) => (item: JsonObject) => item.type === type;

const withOneOfAnotherType = insteadOf(({ whole, unfiltered, type }) => {
  const other = unfiltered.find((item) => item.type !== type);
  return other && [...whole, other];
});

const ofAllTypes = totals((_total, { unfiltered }) => unfiltered.length);
const withoutFilter = insteadOf(({ unfiltered }) => unfiltered);
const isAskedAgain = again((_page, { type }: Asked) => type);

const stagingAsDevelopment = insteadOf(({ unfiltered, type }) =>
  type === 'development'
    ? unfiltered.filter((item) => item.type === type || item.type === 'staging')
    : undefined,
);

const filters = [
  ...ofEnvironments(['ENV-6'], {
    'filter-ignored': filtered(withoutFilter),
    'filter-leaks-one': [
      'One environment of another type is listed behind those of the type.',
      filtered(withOneOfAnotherType),
    ],
    'filter-misses-one': filtered(insteadOf(({ whole }) => whole.slice(1))),
    'filter-keeps-one': [
      'The filtered list holds the last environment of the type only, however many there are.',
      filtered(insteadOf(({ whole }) => whole.slice(-1))),
    ],
    'filter-development-gives-staging': filtered(stagingAsDevelopment),
    'filter-staging-gives-nothing': filtered(
      insteadOf(({ type }) => (type === 'staging' ? [] : undefined)),
    ),
    'filter-right-once': [
      'The type filter holds when a type is first asked for, and is ignored from then on.',
      filtered(when(isAskedAgain, withoutFilter)),
    ],
  }),
  ...rowsOf('lists', ['listDeployments'])(['ERR-1'], {
    'invalid-parameters-fail': [
      'A parameter that is invalid is answered 500, with the message under another name.',
      onAnswer((reply) =>
        reply.status === 400 ? { status: 500, body: { message: 'Internal error' } } : reply,
      ),
    ],
  }),
  ...rowsOf('lists', ['listEnvironments'])(['ENV-11'], {
    'environments-of-every-deployment': showsForeign((rows) => rows),
    'an-environment-of-another-deployment': showsForeign((rows) => rows.slice(0, 1)),
  }),
  ...ofEnvironments(['ENV-7'], {
    'filter-ignored-behind-the-first-page': filtered(
      when(isLater, (page, { unfiltered }) => ({ items: cut(page, unfiltered) })),
    ),
    'filter-after-paging': filtered((page, { unfiltered, type }) => ({
      items: cut(page, unfiltered).filter(isOf(type)),
    })),
    'filter-total-of-all-types': filtered(ofAllTypes),
    'filter-total-of-all-types-behind-the-first-page': filtered(when(isLater, ofAllTypes)),
  }),
];

// ── who sees which deployments ──────────────────────────────────────────────────

const ofDeployments = rowsOf('lists', ['listDeployments']);

type Scope = readonly string[];
interface Account {
  readonly all: Scope;
  readonly offset: number;
  readonly memory: Scene['memory'];
}

/** A scoped key lists the deployments of another scope; null for all of them. */
const listsScope = (scopeOf: (scope: Scope, account: Account) => Scope | null): Does =>
  onAuthentication((caller, { world, request, memory }) => {
    if (isRefusal(caller) || caller.scope === null) return caller;
    const query = readQuery(request.target.split('?')[1] ?? '');
    const offset = Number(query.get('offset')?.[0] ?? 0);
    const all = world.state.tables.deployments.rows().map((row) => row.id);
    const scope = scopeOf(caller.scope, { all, offset, memory });
    return scope === caller.scope ? caller : { ...caller, scope };
  });

const countsAll = totals((_total, { call, world }) =>
  call.caller.scope === null ? undefined : world.state.tables.deployments.rows().length,
);

const reach = ofDeployments(['DEPL-4'], {
  'scoped-key-lists-another': [
    "A scoped key's deployments list holds one deployment outside its scope.",
    listsScope((scope, { all }) => [
      ...scope,
      ...all.filter((id) => !scope.includes(id)).slice(0, 1),
    ]),
  ],
  'scoped-key-lists-the-last-deployment': listsScope((scope, { all }) => [
    ...new Set([...scope, ...all.slice(-1)]),
  ]),
  'scoped-key-lists-all': listsScope(() => null),
  'scoped-key-lists-all-behind-the-first-page': listsScope((scope, { offset }) =>
    offset > 0 ? null : scope,
  ),
  'scoped-key-lists-all-the-second-time': listsScope((scope, { memory }) =>
    count(memory) === 1 ? scope : null,
  ),
  'scoped-key-misses-its-own': listsScope((scope) => scope.slice(1)),
  'scoped-key-total-counts-all': repaged(countsAll),
  'oauth-token-lists-one': repaged(
    insteadOf(({ call, whole }) => (call.caller.kind === 'oauth' ? whole.slice(0, 1) : undefined)),
  ),
});

export const lists = [...pages, ...filters, ...reach];
