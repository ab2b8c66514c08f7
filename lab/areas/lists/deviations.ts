/** Pages, totals and filters of the deployments and environments lists that go wrong. */

import { isRefusal, type Reply } from '../../../mock/pipeline/exchange.ts';
import { readQuery } from '../../../mock/pipeline/request-line.ts';
import type { BaseScene } from '../../../mock/pipeline/stages.ts';
import type { EnvironmentRow } from '../../../mock/world/rows.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { type Change, objectsOf, same, when } from '../../deviations/changes.ts';
import {
  type Does,
  onAnswer,
  onAuthentication,
  onHandling,
  replyOf,
  type Scene,
} from '../../deviations/does.ts';
import { again, count, everySecondTime } from '../../deviations/memory.ts';
import { type Deviation, rowsOf } from '../../deviations/rows.ts';
import { send, sentOf } from '../../deviations/sent.ts';
import { seesState } from '../../deviations/state.ts';

type ListId = 'listDeployments' | 'listEnvironments';
type Items = readonly JsonObject[];

/** What a list holds, which is how its answer names them too. */
const wordOf = (id: string) => id.replace('list', '').toLowerCase();

/** A page as it is shown. */
interface Page {
  readonly items: Items;
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** What a call of either list sends. */
interface Sent {
  readonly offset?: number;
  readonly limit?: number;
  readonly type?: string;
}

/** What was asked for, and the list that the page is a part of. */
interface Asked extends Scene, Sent {
  /** The whole list, filtered as it was asked. */
  readonly whole: Items;
  /** The whole list without the type filter. */
  readonly unfiltered: Items;
}

type Repage = (page: Page, asked: Asked) => Partial<Page> | undefined;
const EVERYTHING = { offset: 0, limit: 1_000_000 };

/** Replaces parts of a page. */
export const repaged = (change: Repage): Does =>
  onHandling((next, scene) => {
    const sent: Sent = { ...sentOf(scene.call) };
    const ask = (other: object) => {
      send(scene.call, other);
      const items = pageOf(replyOf(next()))?.items ?? [];
      send(scene.call, sent);
      return items;
    };
    const unfiltered = ask(EVERYTHING);
    const whole = sent.type === undefined ? unfiltered : ask({ type: sent.type, ...EVERYTHING });
    const result = next();
    const reply = replyOf(result);
    const page = pageOf(reply);
    if (reply === undefined || page === undefined) return result;
    const changed: Page = { ...page, ...change(page, { ...scene, ...sent, whole, unfiltered }) };
    if (same(page, changed)) return result;
    const { items, ...pagination } = changed;
    const name = wordOf(scene.call.operation.id);
    return { ...reply, body: { data: { [name]: items }, pagination } };
  });

function pageOf(reply: Reply | undefined): Page | undefined {
  if (!isObject(reply?.body)) return undefined;
  const { data, pagination } = reply.body;
  if (!isObject(data) || !isObject(pagination)) return undefined;
  const { offset, limit, total } = pagination;
  return {
    items: objectsOf(Object.values(data).find(Array.isArray)),
    offset: Number(offset),
    limit: Number(limit),
    total: Number(total),
  };
}

/** The part of a list that a page holds; another beginning or length may be given. */
export function cut(page: Page, list: Items, begin = page.offset, length = page.limit): Items {
  return list.slice(Math.max(0, begin), Math.max(0, begin) + Math.max(0, length));
}

/** A page that begins elsewhere than it says. */
const beginsAt =
  (begin: (page: Page) => number): Repage =>
  (page, { whole }) => ({ items: cut(page, whole, begin(page)) });

/** A page that holds another number of items than it says. */
const holds =
  (length: (page: Page) => number): Repage =>
  (page, { whole }) => ({ items: cut(page, whole, page.offset, length(page)) });

/** A page as it would be if this had been asked for. */
const pagedBy =
  (other: Partial<Page>): Repage =>
  (page, { whole }) => {
    const { offset, limit } = { ...page, ...other };
    return { items: whole.slice(offset, offset + limit), offset, limit };
  };

/** The page of another list than the filtered one; undefined leaves it. */
const insteadOf =
  (list: (asked: Asked) => Items | undefined): Repage =>
  (page, asked) => {
    const other = list(asked);
    return other && { items: cut(page, other), total: other.length };
  };

/** Changes the total. */
const totals =
  (change: Change<number, Page & Asked>): Repage =>
  (page, asked) => {
    const total = change(page.total, { ...asked, ...page });
    return total === undefined ? undefined : { total };
  };

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

export const lists: Deviation[] = [];
type WrongPages = Readonly<Record<string, Repage>>;

/** Under the statements that they break, what is wrong with the pages of a list. */
const ofList = (id: ListId, breaks: readonly string[], rows: WrongPages) =>
  rowsOf(lists, 'lists', [id])(
    breaks,
    Object.fromEntries(
      Object.entries(rows).map(([title, change]) => [
        title.replace(/^([^:]+): (.)/, (_, name, first) => {
          return `${wordOf(id)}-${name}: In the ${wordOf(id)} list: ${first.toLowerCase()}`;
        }),
        repaged(change),
      ]),
    ),
  );

/** The same of both lists. */
const ofBoth = (breaks: readonly string[], rows: WrongPages) => {
  ofList('listDeployments', breaks, rows);
  ofList('listEnvironments', breaks, rows);
};

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

const holdsOneMore = holds(({ limit }) => limit + 1);

const firstForLast: Repage = ({ items }, { whole }) =>
  items.length === 0 ? undefined : { items: [...items.slice(0, -1), ...whole.slice(0, 1)] };

const defaultLimit = (limit: number): WrongPages => ({
  [`default-limit-${limit}: A page holds ${limit} items where no limit is sent, and says so.`]:
    when(sendsNoLimit, pagedBy({ limit })),
});

const aMomentLater: Repage = ({ items }, { memory }) => {
  const calls = count(memory);
  const later = (time: unknown) => new Date(Date.parse(String(time)) + calls).toISOString();
  return { items: items.map((item) => ({ ...item, created_at: later(item.created_at) })) };
};

ofBoth(['PAGE-6'], {
  'overlapping-pages: Each page after the first begins with the last item of the page before it.':
    when(isLater, lateBy(-1)),
  'skipping-pages: Each page after the first leaves out the item that it should begin with.': when(
    isLater,
    lateBy(1),
  ),
  'first-item-repeated: A page after the first ends with the first item of the whole list.': when(
    isLater,
    firstForLast,
  ),
  'last-item-lost: The last page of several lacks the last item of the list.': when(
    isLast,
    ({ items }) => ({ items: items.slice(0, -1) }),
  ),
  'right-once: The first page behind a first page is right; each later one begins one item late.':
    when(isLaterAgain, lateBy(1)),
  'order-of-each-page: Each page after the first is cut from the list in the other direction.':
    when(isLater, (page, { whole }) => ({ items: cut(page, whole.toReversed()) })),
  'offset-in-pages: offset counts pages.': beginsAt(({ offset, limit }) => offset * limit),
  'offset-rounded-down: offset is rounded down to a multiple of limit.': beginsAt(
    ({ offset, limit }) => (limit === 0 ? offset : offset - (offset % limit)),
  ),
  'offset-ignored: Every page is the first one, whatever its pagination says.': beginsAt(() => 0),
  'offset-from-one: offset counts from 1: offset 1 gives the first item, and so does offset 0.':
    lateBy(-1),
  'limit-one-too-few: A page holds one item fewer than its limit, though the list has more.': when(
    sendsLimit(2),
    holds(({ limit }) => limit - 1),
  ),
});
ofBoth(['PAGE-5'], {
  'total-of-the-page: total counts the items of the page, not of the list.': totals(
    (_total, { items }) => items.length,
  ),
  'total-grows: total is one more on each page after the first than on the first.': totals(
    (total, { offset }) => (offset > 0 ? total + 1 : undefined),
  ),
  'total-one-too-many: total counts one item that the list does not have.': oneMore,
  'total-one-too-few: total does not count the last item of the list.': totals((total) =>
    total > 0 ? total - 1 : undefined,
  ),
  'total-to-and-fro: total is one too many on every second call.': when(everySecondTime, oneMore),
  'total-behind-this-page: total counts the items from this page on, not those before it.': totals(
    (total, { offset }) => Math.max(0, total - offset),
  ),
});
ofBoth(['PAGE-1'], {
  'default-offset-one: A list without offset begins with its second item, and says offset 1.': when(
    sendsNoOffset,
    pagedBy({ offset: 1 }),
  ),
  'default-offset-unsaid: A list without offset begins with its second item, and says offset 0.':
    when(
      sendsNoOffset,
      beginsAt(() => 1),
    ),
});
ofBoth(['PAGE-2'], {
  ...defaultLimit(10),
  ...defaultLimit(21),
  ...defaultLimit(25),
  ...defaultLimit(100),
});
ofList('listDeployments', ['PAGE-2'], {
  'default-limit-unsaid: A page holds 10 items where no limit is sent, and says that it is 20.':
    when(
      sendsNoLimit,
      holds(() => 10),
    ),
});
ofBoth(['PAGE-4'], {
  'limit-ignored: Every page holds up to 20 items.': when(
    sendsLimit(0),
    holds(() => 20),
  ),
  'limit-one-too-many: A page holds one more than its limit.': when(sendsLimit(1), holdsOneMore),
  'pagination-offset-zero: pagination says offset 0 on every page.': () => ({ offset: 0 }),
  'pagination-next-offset: pagination says the offset at which the next page begins.': ({
    offset,
    items,
  }) => ({ offset: offset + items.length }),
  'pagination-limit-twenty: pagination always says limit 20.': () => ({ limit: 20 }),
  'pagination-limit-counts: pagination says as limit how many items the page holds.': ({
    items,
  }) => ({ limit: items.length }),
});
ofList('listDeployments', ['DEPL-3'], {
  'made-anew-at-each-call: created_at is a moment later at each call.': aMomentLater,
});

// ── the type filter ─────────────────────────────────────────────────────────────

const ofDeployments = rowsOf(lists, 'lists', ['listDeployments']);
const ofEnvironments = rowsOf(lists, 'lists', ['listEnvironments']);

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

ofEnvironments(['ENV-6'], {
  'filter-ignored': filtered(withoutFilter),
  'filter-leaks-one: One environment of another type is listed behind those of the type.':
    filtered(withOneOfAnotherType),
  'filter-misses-one': filtered(insteadOf(({ whole }) => whole.slice(1))),
  'filter-keeps-one: The filtered list holds only the last environment of the type.': filtered(
    insteadOf(({ whole }) => whole.slice(-1)),
  ),
  'filter-development-gives-staging': filtered(stagingAsDevelopment),
  'filter-staging-gives-nothing': filtered(
    insteadOf(({ type }) => (type === 'staging' ? [] : undefined)),
  ),
  'filter-right-once: The type filter holds when a type is first asked for, and never again.':
    filtered(when(isAskedAgain, withoutFilter)),
});
ofDeployments(['ERR-1'], {
  'invalid-parameters-fail: A parameter that is invalid is answered 500, with { message }.':
    onAnswer((reply) =>
      reply.status === 400 ? { status: 500, body: { message: 'Internal error' } } : reply,
    ),
});
ofEnvironments(['ENV-11'], {
  'environments-of-every-deployment': showsForeign((rows) => rows),
  'an-environment-of-another-deployment': showsForeign((rows) => rows.slice(0, 1)),
});
ofEnvironments(['ENV-7'], {
  'filter-ignored-behind-the-first-page': filtered(
    when(isLater, (page, { unfiltered }) => ({ items: cut(page, unfiltered) })),
  ),
  'filter-after-paging': filtered((page, { unfiltered, type }) => ({
    items: cut(page, unfiltered).filter(isOf(type)),
  })),
  'filter-total-of-all-types': filtered(ofAllTypes),
  'filter-total-of-all-types-behind-the-first-page': filtered(when(isLater, ofAllTypes)),
});

// ── who sees which deployments ──────────────────────────────────────────────────

type Scope = readonly string[];
type ScopeOf = (scope: Scope, all: Scope, scene: BaseScene) => Scope | null;

/** A scoped key lists the deployments of another scope; null for all of them. */
const listsScope = (scopeOf: ScopeOf): Does =>
  onAuthentication((caller, scene) => {
    if (isRefusal(caller) || caller.scope === null) return caller;
    const all = scene.world.state.tables.deployments.rows().map((row) => row.id);
    const scope = scopeOf(caller.scope, all, scene);
    return scope === caller.scope ? caller : { ...caller, scope };
  });

const asksForLater = ({ request }: BaseScene) =>
  Number(readQuery(request.target.split('?')[1] ?? '').get('offset')?.[0] ?? 0) > 0;

const countsAll = totals((_total, { call, world }) =>
  call.caller.scope === null ? undefined : world.state.tables.deployments.rows().length,
);

ofDeployments(['DEPL-4'], {
  "scoped-key-lists-another: A scoped key's deployments list holds one from outside its scope.":
    listsScope((scope, all) => [...scope, ...all.filter((id) => !scope.includes(id)).slice(0, 1)]),
  'scoped-key-lists-the-last-deployment': listsScope((scope, all) => [
    ...new Set([...scope, ...all.slice(-1)]),
  ]),
  'scoped-key-lists-all': listsScope(() => null),
  'scoped-key-lists-all-behind-the-first-page': listsScope((scope, _all, scene) =>
    asksForLater(scene) ? null : scope,
  ),
  'scoped-key-lists-all-the-second-time': listsScope((scope, _all, { memory }) =>
    count(memory) === 1 ? scope : null,
  ),
  'scoped-key-misses-its-own': listsScope((scope) => scope.slice(1)),
  'scoped-key-total-counts-all': repaged(countsAll),
  'oauth-token-lists-one': repaged(
    insteadOf(({ call, whole }) => (call.caller.kind === 'oauth' ? whole.slice(0, 1) : undefined)),
  ),
});
