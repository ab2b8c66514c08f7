/** Pages of either list that overlap, skip, or lie about themselves. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { count, deviationOf } from '../../../deviations/transforms.ts';
import { cut, type ListId, pagedBy, type Repage, repaged, words } from './page.ts';

interface Wrong {
  readonly name: string;
  readonly text: string;
  readonly breaks: readonly string[];
  readonly collateral?: readonly string[];
  readonly change: Repage;
  /** Where it would show on one of the lists only. */
  readonly only?: ListId;
}

const begins = (shift: number): Repage => {
  return (page, { whole }) =>
    page.offset === 0 ? undefined : { items: cut(page, whole, page.offset + shift) };
};

const defaultLimit = (limit: number): Wrong => ({
  name: `default-limit-${limit}`,
  text: `A page holds ${limit} items where no limit is sent, and says so.`,
  breaks: ['PAGE-2'],
  change: (page, asked) =>
    asked.limit === undefined ? pagedBy(page.offset, limit, asked) : undefined,
});

const ofBoth: readonly Wrong[] = [
  {
    name: 'overlapping-pages',
    text: 'Each page after the first begins with the last item of the page before it.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: begins(-1),
  },
  {
    name: 'skipping-pages',
    text: 'Each page after the first leaves out the item that it should begin with.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: begins(1),
  },
  {
    name: 'first-item-repeated',
    text: 'A page after the first ends with the first item of the list, in place of its own last.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: ({ items, offset }, { whole }) =>
      offset === 0 || items.length === 0
        ? undefined
        : { items: [...items.slice(0, -1), ...whole.slice(0, 1)] },
  },
  {
    name: 'last-item-lost',
    text: 'The last page of several lacks the last item of the list.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: ({ items, offset, total }) =>
      offset > 0 && offset + items.length >= total ? { items: items.slice(0, -1) } : undefined,
  },
  {
    name: 'right-once',
    text: 'The first page behind a first page is right; each later one begins one item late.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: (page, { memory, whole }) =>
      page.offset === 0 || page.offset >= whole.length || count(memory, 'calls') === 1
        ? undefined
        : { items: cut(page, whole, page.offset + 1) },
  },
  {
    name: 'order-of-each-page',
    text: 'Pages after the first are cut from the list the other way round.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: (page, { whole }) =>
      page.offset === 0 ? undefined : { items: cut(page, whole.toReversed()) },
  },
  {
    name: 'total-of-the-page',
    text: 'total counts the items of the page, not of the list.',
    breaks: ['PAGE-5'],
    collateral: ['PAGE-6', 'DEPL-4', 'ENV-7', 'AUTH-10'],
    change: ({ items }) => ({ total: items.length }),
  },
  {
    name: 'total-grows',
    text: 'total is one more on each page after the first than on the first.',
    breaks: ['PAGE-5'],
    collateral: ['ENV-7', 'DEPL-4'],
    change: ({ offset, total }) => (offset > 0 ? { total: total + 1 } : undefined),
  },
  {
    name: 'total-one-too-many',
    text: 'total counts one item that the list does not have.',
    breaks: ['PAGE-5'],
    collateral: ['PAGE-6', 'DEPL-4', 'ENV-7'],
    change: ({ total }) => ({ total: total + 1 }),
  },
  {
    name: 'total-one-too-few',
    text: 'total does not count the last item of the list.',
    breaks: ['PAGE-5'],
    collateral: ['PAGE-6', 'DEPL-4', 'ENV-7'],
    change: ({ total }) => (total > 0 ? { total: total - 1 } : undefined),
  },
  {
    name: 'total-to-and-fro',
    text: 'total is one too many on every second call.',
    breaks: ['PAGE-5'],
    collateral: ['PAGE-6', 'DEPL-4', 'ENV-7'],
    change: ({ total }, { memory }) =>
      count(memory, 'calls') % 2 === 0 ? { total: total + 1 } : undefined,
  },
  {
    name: 'total-behind-this-page',
    text: 'total counts the items from this page on, not those before it.',
    breaks: ['PAGE-5'],
    collateral: ['ENV-7', 'DEPL-4'],
    change: ({ offset, total }) => ({ total: Math.max(0, total - offset) }),
  },
  {
    name: 'default-offset-one',
    text: 'A list without offset begins with its second item, and says offset 1.',
    breaks: ['PAGE-1'],
    collateral: ['PAGE-2', 'PAGE-4', 'PAGE-6'],
    change: (page, asked) =>
      asked.offset === undefined ? pagedBy(1, page.limit, asked) : undefined,
  },
  {
    name: 'default-offset-unsaid',
    text: 'A list without offset begins with its second item, and says offset 0.',
    breaks: ['PAGE-1'],
    collateral: ['PAGE-2', 'PAGE-6'],
    change: (page, asked) =>
      asked.offset === undefined ? { items: cut(page, asked.whole, 1) } : undefined,
  },
  defaultLimit(10),
  defaultLimit(21),
  defaultLimit(25),
  defaultLimit(100),
  {
    name: 'default-limit-unsaid',
    text: 'A page holds 10 items where no limit is sent, and says 20.',
    breaks: ['PAGE-2'],
    collateral: ['PAGE-4', 'PAGE-6'],
    only: 'listDeployments',
    change: (page, { limit, whole }) =>
      limit === undefined ? { items: cut(page, whole, page.offset, 10) } : undefined,
  },
  {
    name: 'offset-in-pages',
    text: 'offset counts pages, not items.',
    breaks: ['PAGE-6'],
    collateral: ['PAGE-4', 'ENV-7'],
    change: (page, { whole }) => ({ items: cut(page, whole, page.offset * page.limit) }),
  },
  {
    name: 'offset-rounded-down',
    text: 'offset is rounded down to a multiple of limit.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7', 'DEPL-4', 'AUTH-10'],
    change: (page, { whole }) =>
      page.limit === 0
        ? undefined
        : { items: cut(page, whole, page.offset - (page.offset % page.limit)) },
  },
  {
    name: 'offset-ignored',
    text: 'Every page is the first one, whatever its pagination says.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: (page, { whole }) => ({ items: cut(page, whole, 0) }),
  },
  {
    name: 'offset-from-one',
    text: 'offset counts from 1: offset 1 gives the first item, and so does offset 0.',
    breaks: ['PAGE-6'],
    collateral: ['ENV-7'],
    change: (page, { whole }) => ({ items: cut(page, whole, page.offset - 1) }),
  },
  {
    name: 'limit-ignored',
    text: 'Every page holds up to 20 items, whatever limit is sent.',
    breaks: ['PAGE-4'],
    collateral: ['PAGE-6', 'ENV-7'],
    change: (page, { limit, whole }) =>
      limit === undefined ? undefined : { items: cut(page, whole, page.offset, 20) },
  },
  {
    name: 'limit-one-too-many',
    text: 'A page holds one item more than its limit.',
    breaks: ['PAGE-4'],
    collateral: ['PAGE-6', 'ENV-7', 'PAGE-2'],
    change: (page, { limit, whole }) =>
      limit === undefined || limit === 0
        ? undefined
        : { items: cut(page, whole, page.offset, page.limit + 1) },
  },
  {
    name: 'limit-one-too-few',
    text: 'A page holds one item fewer than its limit, where the list has more.',
    breaks: ['PAGE-6'],
    collateral: ['PAGE-2', 'PAGE-4', 'ENV-7'],
    change: (page, { limit, whole }) =>
      limit === undefined || limit < 2
        ? undefined
        : { items: cut(page, whole, page.offset, page.limit - 1) },
  },
  {
    name: 'pagination-offset-zero',
    text: 'pagination says offset 0 on every page.',
    breaks: ['PAGE-4'],
    change: () => ({ offset: 0 }),
  },
  {
    name: 'pagination-next-offset',
    text: 'pagination says the offset at which the next page begins.',
    breaks: ['PAGE-4'],
    collateral: ['PAGE-1'],
    change: ({ offset, items }) => ({ offset: offset + items.length }),
  },
  {
    name: 'pagination-limit-twenty',
    text: 'pagination says limit 20 whatever limit made the page.',
    breaks: ['PAGE-4'],
    change: ({ limit }) => (limit === 20 ? undefined : { limit: 20 }),
  },
  {
    name: 'made-anew-at-each-call',
    text: 'created_at is a moment later at each call.',
    breaks: ['DEPL-3'],
    only: 'listDeployments',
    change: ({ items }, { memory }) => {
      const calls = count(memory, 'calls');
      const later = (time: unknown) => new Date(Date.parse(String(time)) + calls).toISOString();
      return { items: items.map((item) => ({ ...item, created_at: later(item.created_at) })) };
    },
  },
  {
    name: 'pagination-limit-counts',
    text: 'pagination says as limit how many items the page holds.',
    breaks: ['PAGE-4'],
    collateral: ['PAGE-2'],
    change: ({ items }) => ({ limit: items.length }),
  },
];

function ofList(wrong: Wrong): Deviation[] {
  const { name, text, breaks, collateral = [], change, only } = wrong;
  const ids: readonly ListId[] =
    only === undefined ? ['listDeployments', 'listEnvironments'] : [only];
  return ids.map((id) =>
    deviationOf('lists', id)(
      `${words[id]}-${name}`,
      `In the ${words[id]} list: ${text.slice(0, 1).toLowerCase()}${text.slice(1)}`,
      breaks,
      {
        collateral: collateral.filter((statement) => concerns(statement, id)),
        handle: repaged(change),
      },
    ),
  );
}

/** DEPL and AUTH-10 speak of the one list, ENV of the other. */
function concerns(statement: string, id: ListId): boolean {
  if (/^(DEPL-|AUTH-)/.test(statement)) return id === 'listDeployments';
  return statement.startsWith('ENV-') ? id === 'listEnvironments' : true;
}

export const pages: readonly Deviation[] = ofBoth.flatMap(ofList);
