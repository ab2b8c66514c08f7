/** Pages, totals and filters of the lists that go wrong; the same pages for every list. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, all, by, count, every, isScoped, sameValue } from '../../deviations/conditions.ts';
import { answers, type Asked, type Does, given, trial, type When } from '../../deviations/does.ts';
import { cut, type Items, type Page, paged, pageIn, type Repage, relisted, wholeList } from '../../deviations/pages.ts';
import { asAdmin } from '../../deviations/refusals.ts';
import { items } from '../../deviations/replies.ts';
import { byDefault, sends, sendsNo } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { isServed, type Other, otherCall } from '../../deviations/wire.ts';

/** The statements about the pages of a list. */
export interface PageStatements {
  readonly pages: string;
  readonly total: string;
  readonly size: string;
  readonly told: string;
}

const isLater = ({ offset }: Page) => offset > 0;
const later =
  (change: Repage): Repage =>
  (page, done) =>
    isLater(page) ? change(page, done) : undefined;
/** A page that begins elsewhere than it says, or holds another number of items. */
const begins = (at: (page: Page) => number): Repage => {
  return (page, { whole }) => ({ items: cut(page, whole, at(page)) });
};
const holds = (length: (limit: number) => number, from = 1): Repage => {
  return (page, { whole, sent }) =>
    sent.limit !== undefined && sent.limit >= from
      ? { items: cut(page, whole, page.offset, length(sent.limit)) }
      : undefined;
};
const totals = (change: (total: number, page: Page) => number): Repage => {
  return (page) => ({ total: Math.max(0, change(page.total, page)) });
};
const oneMore = totals((total) => total + 1);
const firstForLast: Repage = ({ items: own }, { whole }) =>
  own.length === 0 ? undefined : { items: [...own.slice(0, -1), ...whole.slice(0, 1)] };
const withoutLast: Repage = ({ items: own, offset, total }) =>
  offset > 0 && offset + own.length >= total ? { items: own.slice(0, -1) } : undefined;
const lastOfBefore: Repage = later((page, { whole }) =>
  page.items.length > 0
    ? { items: [...whole.slice(page.offset - 1, page.offset), ...page.items.slice(1)] }
    : undefined,
);
const rightOnce: Repage = later((page, { whole, target }) =>
  page.offset < whole.length && count(target.memory, 'later') >= 2
    ? { items: cut(page, whole, page.offset + 1) }
    : undefined,
);
const grows: Repage = (page, { target }) => ({ total: page.total + count(target.memory) - 1 });
const begun = (page: Page) => page.offset - (page.limit > 0 ? page.offset % page.limit : 0);

/** What goes wrong in the pages of any list; `name` stands before each. */
export const pageRows = (name: string, on: PageStatements): readonly Row[] => [
  [`${name}overlapping-pages`, on.pages, paged(later(begins(({ offset }) => offset - 1)))],
  [`${name}skipping-pages`, on.pages, paged(later(begins(({ offset }) => offset + 1)))],
  [`${name}first-item-repeated`, on.pages, paged(later(firstForLast))],
  [`${name}last-item-of-before-repeated`, on.pages, paged(lastOfBefore)],
  [`${name}last-item-lost`, on.pages, paged(withoutLast)],
  [`${name}right-once`, on.pages, paged(rightOnce)],
  [`${name}order-of-each-page`, on.pages, paged(later((page, { whole }) => ({ items: cut(page, whole.toReversed()) })))],
  [`${name}offset-in-pages`, on.pages, paged(begins(({ offset, limit }) => offset * limit))],
  [`${name}offset-ignored`, on.pages, paged(begins(() => 0))],
  [`${name}offset-one-early`, on.pages, paged(begins(({ offset }) => offset - 1))],
  [`${name}later-pages-empty`, on.pages, paged(later(() => ({ items: [] })))],
  [`${name}limit-one-too-few`, on.pages, paged(holds((limit) => limit - 1, 2))],
  [`${name}total-of-the-page`, on.total, paged(totals((_total, page) => page.items.length))],
  [`${name}total-differs-behind-the-first-page`, on.total, paged(later(oneMore))],
  [`${name}total-grows`, on.total, paged(grows)],
  [`${name}total-one-too-many`, on.total, paged(oneMore)],
  [`${name}total-one-too-few`, on.total, paged(totals((total) => total - 1))],
  [`${name}total-to-and-fro`, on.total, given(every(2), paged(oneMore))],
  [`${name}total-behind-this-page`, on.total, paged(totals((total, { offset }) => total - offset))],
  [`${name}limit-ignored`, on.size, paged(holds(() => 20))],
  [`${name}limit-one-too-many`, on.size, paged(holds((limit) => limit + 1))],
  [`${name}limit-at-least-ten`, on.size, paged(holds((limit) => Math.max(10, limit)))],
  [`${name}limit-in-whole-tens`, on.size, paged(holds((limit) => Math.ceil(limit / 10) * 10))],
  [`${name}limit-on-the-first-page-only`, on.size, paged(later(holds(() => 1000)))],
  [`${name}offset-always-said-zero`, on.told, paged(() => ({ offset: 0 }))],
  [`${name}offset-said-of-the-next-page`, on.told, paged(({ offset, items: own }) => ({ offset: offset + own.length }))],
];

const ofPages = { pages: 'PAGE-6', total: 'PAGE-5', size: 'PAGE-4', told: 'PAGE-4' };
const defaults = (name: string): readonly Row[] => [
  ...[10, 21, 25, 100].map((limit): Row => [`${name}default-limit-${limit}`, 'PAGE-2', byDefault('limit', limit)]),
  [`${name}offset-rounded-down`, 'PAGE-6', paged(begins(begun))],
  [`${name}default-offset-one`, 'PAGE-1', byDefault('offset', 1)],
  [`${name}default-offset-unsaid`, 'PAGE-1', given(sendsNo('offset'), paged(begins(() => 1)))],
  [`${name}limit-said-is-twenty`, 'PAGE-4', paged(() => ({ limit: 20 }))],
  [`${name}limit-said-counts`, 'PAGE-4', paged(({ items: own }) => ({ limit: own.length }))],
];

// ── the type filter ─────────────────────────────────────────────────────────────

const filtered = (change: (whole: Items, all: Items, type: string) => Items | undefined): Does =>
  given(
    sends('type'),
    paged((page, done) => {
      const list = change(done.whole, done.all, done.call.query.type ?? '');
      return list && pageIn(page, list);
    }),
  );
const ofAny = (...types: readonly string[]) => (list: Items) =>
  list.filter((item) => types.includes(String(item.type)));
const leaks = filtered((whole, list, type) => [...whole, ...list.filter((item) => item.type !== type).slice(0, 1)]);
const unfiltered = filtered((_whole, list) => list);
const typed = (change: Repage) => given(sends('type'), paged(change));
const unfilteredPage: Repage = (page, done) => ({ items: cut(page, done.all) });
const filteredPage: Repage = (page, done) => ({
  items: ofAny(done.call.query.type ?? '')(cut(page, done.all)),
});
const totalOfAll: Repage = (_page, done) => ({ total: done.all.length });

/** The environments of another deployment, listed as well. */
const foreign = (most: number): Does => async (call, target) => {
  const admin = asAdmin({ call, target });
  const { deployment_id: own = '' } = call.path;
  const others: JsonObject[] = [];
  for (const { id } of (await deploymentsOf({ call, target })).filter((one) => one.id !== own)) {
    const there = otherCall(call, { ...admin, path: { deployment_id: String(id) }, query: {} });
    if (others.length < most) others.push(...(await wholeList({ call: there, target })));
  }
  return relisted((list) => [...list, ...others.slice(0, most)])(call, target);
};

// ── who sees which deployments ──────────────────────────────────────────────────

/** Every deployment of the account. */
export function deploymentsOf({ call, target }: Asked): Promise<Items> {
  const list = operation('listDeployments');
  const admin = asAdmin({ call: { ...call, operation: list }, target });
  return wholeList({ call: otherCall(call, { ...admin, operation: list, path: {}, query: {} }), target });
}

/** The same call in the deployment that its object is in, found by calls that send this. */
export async function inItsDeployment(asked: Asked, body: unknown): Promise<Other | undefined> {
  const { call } = asked;
  const admin = asAdmin(asked);
  for (const { id } of await deploymentsOf(asked)) {
    const path = { ...call.path, [call.operation.requires.deployment ?? '']: String(id) };
    if (isServed(await trial(asked, { ...admin, path, body }))) return { ...admin, path };
  }
  return undefined;
}

/** A scoped key lists other deployments. */
const lists =
  (which: (own: Items, all: Items) => Items, when: When = () => true): Does =>
  given(all(isScoped, when), async (call, target) => {
    const list = await deploymentsOf({ call, target });
    return relisted((own) => which(own, list))(call, target);
  });
const union = (own: Items, more: Items): Items => [
  ...own,
  ...more.filter((one) => !own.some(({ id }) => id === one.id)),
];
const countsAll: Does = given(isScoped, async (call, target) => {
  const list = await deploymentsOf({ call, target });
  return paged(() => ({ total: list.length }))(call, target);
});
const aMomentLater = items('data.deployments', (list, { target }) => {
  const calls = count(target.memory);
  const moved = (time: unknown) => new Date(Date.parse(String(time)) + calls).toISOString();
  return list.map((item) => ({ ...item, created_at: moved(item.created_at) }));
});
const failing = answers(({ reply }) =>
  reply.status === 400 ? { ...reply, status: 500, body: { message: 'Internal error' } } : undefined,
);

const ofDeployments: readonly Row[] = [
  ['deployments-default-limit-unsaid', 'PAGE-2', given(sendsNo('limit'), paged((page, { whole }) => ({ items: cut(page, whole, page.offset, 3) })))],
  ['made-anew-at-each-call', 'DEPL-3', aMomentLater],
  ['invalid-parameters-fail', 'ERR-1', failing],
  ['scoped-key-lists-another', 'DEPL-4', lists((own, list) => union(own, union(own, list).slice(own.length, own.length + 1)))],
  ['scoped-key-lists-the-last-deployment', 'DEPL-4', lists((own, list) => union(own, list.slice(-1)))],
  ['scoped-key-lists-all', 'DEPL-4', lists((_own, list) => list)],
  ['scoped-key-lists-all-behind-the-first-page', 'DEPL-4', lists((_own, list) => list, ({ call }) => Number(call.query.offset) > 0)],
  ['scoped-key-lists-all-the-second-time', 'DEPL-4', lists((_own, list) => list, again())],
  ['scoped-key-misses-its-own', 'DEPL-4', lists((own) => own.slice(1))],
  ['scoped-key-total-counts-all', 'DEPL-4', countsAll],
  ['oauth-token-lists-one', 'DEPL-4', given(by('oauth'), relisted((list) => list.slice(0, 1)))],
];
const ofEnvironments: readonly Row[] = [
  ['filter-ignored', 'ENV-6', unfiltered],
  ['filter-leaks-one', 'ENV-6', leaks],
  ['filter-misses-one', 'ENV-6', filtered((whole) => whole.slice(1))],
  ['filter-keeps-one', 'ENV-6', filtered((whole) => whole.slice(-1))],
  ['filter-development-gives-staging', 'ENV-6', filtered((_whole, list, type) => (type === 'development' ? ofAny(type, 'staging')(list) : undefined))],
  ['filter-staging-gives-nothing', 'ENV-6', filtered((_whole, _list, type) => (type === 'staging' ? [] : undefined))],
  ['filter-right-once', 'ENV-6', given(again(sameValue('type')), unfiltered)],
  ['environments-of-every-deployment', 'ENV-11', foreign(1000)],
  ['an-environment-of-another-deployment', 'ENV-11', foreign(1)],
  ['filter-ignored-behind-the-first-page', 'ENV-7', typed(later(unfilteredPage))],
  ['filter-after-paging', 'ENV-7', typed(filteredPage)],
  ['filter-total-of-all-types', 'ENV-7', typed(totalOfAll)],
  ['filter-total-of-all-types-behind-the-first-page', 'ENV-7', typed(later(totalOfAll))],
];

export const listDeviations = [
  ...table('lists', ['listDeployments'], [
    ...pageRows('deployments-', ofPages),
    ...defaults('deployments-'),
    ...ofDeployments,
  ]),
  ...table('lists', ['listEnvironments'], [
    ...pageRows('environments-', ofPages),
    ...defaults('environments-'),
    ...ofEnvironments,
  ]),
];
