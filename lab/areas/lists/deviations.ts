/** Pages, totals and filters of the lists that go wrong; the same pages for every list. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { operation } from '../../../spec/contract.ts';
import { again, all, by, count, every, isScoped } from '../../deviations/conditions.ts';
import { type Asked, answers, type Does, given, trial, type When } from '../../deviations/does.ts';
import {
  cut,
  type Items,
  type Page,
  paged,
  pageIn,
  type Repage,
  relisted,
  wholeList,
} from '../../deviations/pages.ts';
import { asAdmin } from '../../deviations/refusals.ts';
import { byDefault, sends, sendsNo } from '../../deviations/requests.ts';
import { type Rows, table } from '../../deviations/rows.ts';
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
export const pageRows = (name: string, on: PageStatements): readonly Rows[] => [
  {
    [on.pages]: {
      [`${name}overlapping-pages`]: paged(later(begins(({ offset }) => offset - 1))),
      [`${name}skipping-pages`]: paged(later(begins(({ offset }) => offset + 1))),
      [`${name}first-item-repeated`]: paged(later(firstForLast)),
      [`${name}last-item-of-before-repeated`]: paged(lastOfBefore),
      [`${name}last-item-lost`]: paged(withoutLast),
      [`${name}right-once`]: paged(rightOnce),
      [`${name}order-of-each-page`]: paged(
        later((page, { whole }) => ({ items: cut(page, whole.toReversed()) })),
      ),
      [`${name}offset-in-pages`]: paged(begins(({ offset, limit }) => offset * limit)),
      [`${name}offset-ignored`]: paged(begins(() => 0)),
      [`${name}offset-one-early`]: paged(begins(({ offset }) => offset - 1)),
      [`${name}later-pages-empty`]: paged(later(() => ({ items: [] }))),
      [`${name}limit-one-too-few`]: paged(holds((limit) => limit - 1, 2)),
    },
    [on.total]: {
      [`${name}total-of-the-page`]: paged(totals((_total, page) => page.items.length)),
      [`${name}total-differs-behind-the-first-page`]: paged(later(oneMore)),
      [`${name}total-grows`]: paged(grows),
      [`${name}total-one-too-many`]: paged(oneMore),
      [`${name}total-one-too-few`]: paged(totals((total) => total - 1)),
      [`${name}total-to-and-fro`]: given(every(2), paged(oneMore)),
      [`${name}total-behind-this-page`]: paged(totals((total, { offset }) => total - offset)),
    },
    [on.size]: {
      [`${name}limit-ignored`]: paged(holds(() => 20)),
      [`${name}limit-one-too-many`]: paged(holds((limit) => limit + 1)),
      [`${name}limit-at-least-ten`]: paged(holds((limit) => Math.max(10, limit))),
      [`${name}limit-in-whole-tens`]: paged(holds((limit) => Math.ceil(limit / 10) * 10)),
      [`${name}limit-on-the-first-page-only`]: paged(later(holds(() => 1000))),
    },
  },
  {
    [on.told]: {
      [`${name}offset-always-said-zero`]: paged(() => ({ offset: 0 })),
      [`${name}offset-said-of-the-next-page`]: paged(({ offset, items: own }) => ({
        offset: offset + own.length,
      })),
    },
  },
];

const ofPages = { pages: 'PAGE-6', total: 'PAGE-5', size: 'PAGE-4', told: 'PAGE-4' };
const defaults = (name: string): readonly Rows[] => [
  ...[10, 21, 25, 100].map((limit) => ({
    'PAGE-2': { [`${name}default-limit-${limit}`]: byDefault('limit', limit) },
  })),
  {
    'PAGE-6': {
      [`${name}offset-rounded-down`]: paged(begins(begun)),
    },
    'PAGE-1': {
      [`${name}default-offset-one`]: byDefault('offset', 1),
      [`${name}default-offset-unsaid`]: given(sendsNo('offset'), paged(begins(() => 1))),
    },
    'PAGE-4': {
      [`${name}limit-said-is-twenty`]: paged(() => ({ limit: 20 })),
      [`${name}limit-said-counts`]: paged(({ items: own }) => ({ limit: own.length })),
    },
  },
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
const ofAny =
  (...types: readonly string[]) =>
  (list: Items) =>
    list.filter((item) => types.includes(String(item.type)));
const typed = (change: Repage) => given(sends('type'), paged(change));
const totalOfAll: Repage = (_page, done) => ({ total: done.all.length });

/** The environments of another deployment, listed as well. */
const foreign =
  (most: number): Does =>
  async (call, target) => {
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
  return wholeList({
    call: otherCall(call, { ...admin, operation: list, path: {}, query: {} }),
    target,
  });
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
const lists = (which: (own: Items, all: Items) => Items, when: When = () => true): Does =>
  given(all(isScoped, when), async (call, target) => {
    const list = await deploymentsOf({ call, target });
    return relisted((own) => which(own, list))(call, target);
  });
const failing = answers(({ reply }) =>
  reply.status === 400 ? { ...reply, status: 500, body: { message: 'Internal error' } } : undefined,
);

const ofDeployments: Rows = {
  'ERR-1': {
    'invalid-parameters-fail': failing,
  },
  'DEPL-4': {
    'scoped-key-lists-all-behind-the-first-page': lists(
      (_own, list) => list,
      ({ call }) => Number(call.query.offset) > 0,
    ),
    'scoped-key-lists-all-the-second-time': lists((_own, list) => list, again()),
    'scoped-key-misses-its-own': lists((own) => own.slice(1)),
    'oauth-token-lists-one': given(
      by('oauth'),
      relisted((list) => list.slice(0, 1)),
    ),
  },
};
const ofEnvironments: Rows = {
  'ENV-6': {
    'filter-development-gives-staging': filtered((_whole, list, type) =>
      type === 'development' ? ofAny(type, 'staging')(list) : undefined,
    ),
    'filter-staging-gives-nothing': filtered((_whole, _list, type) =>
      type === 'staging' ? [] : undefined,
    ),
  },
  'ENV-11': {
    'an-environment-of-another-deployment': foreign(1),
  },
  'ENV-7': {
    'filter-total-of-all-types': typed(totalOfAll),
  },
};

export const listDeviations = [
  ...table(
    'lists',
    ['listDeployments'],
    [...pageRows('deployments-', ofPages), ...defaults('deployments-'), ofDeployments],
  ),
  ...table(
    'lists',
    ['listEnvironments'],
    [...pageRows('environments-', ofPages), ...defaults('environments-'), ofEnvironments],
  ),
];
