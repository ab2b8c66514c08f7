/** Pages, totals and filters of the deployments and environments lists that go wrong. */
import { isRefusal } from '../exchange.ts';
import { readQuery } from '../validate.ts';
import type { Deviation, Memory, Scene } from './deviation.ts';
import { count, type Handle, isRecord, type Json, same } from './transforms.ts';

type ListId = 'listDeployments' | 'listEnvironments';
const words: Readonly<Record<ListId, string>> = {
  listDeployments: 'deployments',
  listEnvironments: 'environments',
};

/** A page as it is shown. */
interface Page {
  readonly items: readonly Json[];
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** What was asked for, and the list that the page is a part of. */
interface Asked {
  readonly scene: Scene;
  readonly memory: Memory;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly type: string | undefined;
  /** The whole list, filtered as it was asked. */
  readonly whole: readonly Json[];
  /** The whole list without the type filter. */
  readonly unfiltered: readonly Json[];
}

type Repage = (page: Page, asked: Asked) => Partial<Page> | undefined;
const EVERYTHING = { offset: 0, limit: 1_000_000 };

/** Replaces parts of a page. */
function repaged(change: Repage): Handle {
  return (next, scene) => {
    const query = scene.call.query as Record<string, unknown>;
    const sent = { ...query };
    const ask = (other: Readonly<Record<string, unknown>>) => {
      replace(query, other);
      const result = next();
      replace(query, sent);
      return result;
    };
    const filter = sent.type === undefined ? {} : { type: sent.type };
    const whole = itemsOf(ask({ ...filter, ...EVERYTHING }));
    const unfiltered = itemsOf(ask(EVERYTHING));
    const result = next();
    const page = pageOf(result);
    if (result instanceof Promise || isRefusal(result) || page === undefined) return result;
    const asked: Asked = {
      scene,
      memory: scene.memory,
      offset: numberOf(sent.offset),
      limit: numberOf(sent.limit),
      type: typeof sent.type === 'string' ? sent.type : undefined,
      whole,
      unfiltered,
    };
    const changed: Page = { ...page, ...change(page, asked) };
    if (same(page, changed)) return result;
    const { items, ...pagination } = changed;
    const name = words[scene.call.operation.id as ListId];
    return { ...result, body: { data: { [name]: items }, pagination } };
  };
}

function replace(target: Record<string, unknown>, by: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, by);
}

function pageOf(result: ReturnType<Parameters<Handle>[0]>): Page | undefined {
  if (result instanceof Promise || isRefusal(result) || !isRecord(result.body)) return undefined;
  const { data, pagination } = result.body;
  if (!isRecord(data) || !isRecord(pagination)) return undefined;
  const items = Object.values(data).find(Array.isArray) ?? [];
  const { offset, limit, total } = pagination;
  return {
    items: items.filter(isRecord),
    offset: Number(offset),
    limit: Number(limit),
    total: Number(total),
  };
}

function itemsOf(result: ReturnType<Parameters<Handle>[0]>): readonly Json[] {
  return pageOf(result)?.items ?? [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The part of a list that a page holds; another beginning or length may be given. */
function cut(page: Page, list: readonly Json[], begin = page.offset, length = page.limit) {
  return list.slice(Math.max(0, begin), Math.max(0, begin) + Math.max(0, length));
}

/** A page as it would be if these had been asked for. */
function pagedBy(begin: number, length: number, { whole }: Asked): Partial<Page> {
  return { items: whole.slice(begin, begin + length), offset: begin, limit: length };
}

// ── both lists ──────────────────────────────────────────────────────────────────

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
  return ids.map((id) => ({
    id: `lists:${words[id]}-${name}`,
    text: `In the ${words[id]} list: ${text.slice(0, 1).toLowerCase()}${text.slice(1)}`,
    breaks,
    ...withCollateral(collateral.filter((statement) => concerns(statement, id))),
    operations: [id],
    handle: repaged(change),
  }));
}

/** DEPL and AUTH-10 speak of the one list, ENV of the other. */
function concerns(statement: string, id: ListId): boolean {
  if (/^(DEPL-|AUTH-)/.test(statement)) return id === 'listDeployments';
  return statement.startsWith('ENV-') ? id === 'listEnvironments' : true;
}

function withCollateral(collateral: readonly string[]): Pick<Deviation, 'collateral'> {
  return collateral.length === 0 ? {} : { collateral };
}

// ── the type filter ─────────────────────────────────────────────────────────────

const isOf = (type: string) => (item: Json) => item.type === type;

function filter(
  name: string,
  text: string,
  breaks: readonly string[],
  change: (page: Page, asked: Asked & { readonly type: string }) => Partial<Page> | undefined,
  collateral: readonly string[] = [],
): Deviation {
  return {
    id: `lists:filter-${name}`,
    text,
    breaks,
    ...withCollateral(collateral),
    operations: ['listEnvironments'],
    handle: repaged((page, asked) => {
      const { type } = asked;
      return type === undefined ? undefined : change(page, { ...asked, type });
    }),
  };
}

/** The page of another list than the filtered one. */
function instead(page: Page, list: readonly Json[]): Partial<Page> {
  return { items: cut(page, list), total: list.length };
}

const ofFilter: readonly Deviation[] = [
  filter(
    'ignored',
    'The type filter does nothing: every environment is listed.',
    ['ENV-6'],
    (page, { unfiltered }) => instead(page, unfiltered),
    ['ENV-7', 'STAGE-6'],
  ),
  filter(
    'ignored-behind-the-first-page',
    'The type filter holds for the first page only: later ones are cut from the whole list.',
    ['ENV-7'],
    (page, { unfiltered }) => (page.offset === 0 ? undefined : { items: cut(page, unfiltered) }),
    ['ENV-6', 'PAGE-6'],
  ),
  filter(
    'after-paging',
    'The page is cut from the whole list, and then filtered.',
    ['ENV-7'],
    (page, { unfiltered, type }) => ({ items: cut(page, unfiltered).filter(isOf(type)) }),
    ['ENV-6', 'PAGE-6'],
  ),
  filter(
    'leaks-one',
    'One environment of another type is listed behind those of the type.',
    ['ENV-6'],
    (page, { whole, unfiltered, type }) => {
      const other = unfiltered.find((item) => item.type !== type);
      return other === undefined ? undefined : instead(page, [...whole, other]);
    },
    ['ENV-7', 'STAGE-6'],
  ),
  filter(
    'misses-one',
    'The first environment of the type is missing from the filtered list.',
    ['ENV-6'],
    (page, { whole }) => instead(page, whole.slice(1)),
    ['ENV-7', 'STAGE-5'],
  ),
  filter(
    'keeps-one',
    'The filtered list holds the last environment of the type only, however many there are.',
    ['ENV-6'],
    (page, { whole }) => instead(page, whole.slice(-1)),
    ['ENV-7', 'STAGE-5'],
  ),
  filter(
    'development-gives-staging',
    'type=development lists those of type staging as well.',
    ['ENV-6'],
    (page, { unfiltered, type }) =>
      type === 'development'
        ? instead(
            page,
            unfiltered.filter((item) => item.type === type || item.type === 'staging'),
          )
        : undefined,
    ['ENV-7'],
  ),
  filter(
    'staging-gives-nothing',
    'type=staging lists nothing, though the whole list has environments of that type.',
    ['ENV-6'],
    (page, { type }) => (type === 'staging' ? instead(page, []) : undefined),
    ['ENV-7', 'STAGE-5'],
  ),
  filter(
    'total-of-all-types',
    'total counts the environments of every type though the list is filtered.',
    ['ENV-7'],
    (_page, { unfiltered }) => ({ total: unfiltered.length }),
    ['PAGE-5', 'PAGE-6'],
  ),
  filter(
    'total-of-all-types-behind-the-first-page',
    'total counts the environments of every type on each page of a filtered list but the first.',
    ['ENV-7'],
    (page, { unfiltered }) => (page.offset === 0 ? undefined : { total: unfiltered.length }),
    ['PAGE-5'],
  ),
  filter(
    'right-once',
    'The type filter holds when a type is first asked for, and is ignored from then on.',
    ['ENV-6'],
    (page, { unfiltered, type, memory }) =>
      count(memory, type) === 1 ? undefined : instead(page, unfiltered),
    ['ENV-7', 'STAGE-6'],
  ),
];

// ── what the credential may reach ───────────────────────────────────────────────

function reach(
  name: string,
  text: string,
  scopeOf: (
    scope: readonly string[],
    about: {
      readonly all: readonly string[];
      readonly offset: number;
      readonly memory: Memory;
    },
  ) => readonly string[] | null,
  collateral: readonly string[] = [],
): Deviation {
  return {
    id: `lists:scoped-key-${name}`,
    text,
    breaks: ['DEPL-4'],
    ...withCollateral(collateral),
    operations: ['listDeployments'],
    authenticate(caller, { world, request, memory }) {
      if (isRefusal(caller) || caller.scope === null) return caller;
      const query = readQuery(request.target.split('?')[1] ?? '');
      const offset = Number(query.get('offset')?.[0] ?? 0);
      const all = world.state.tables.deployments.rows().map((row) => row.id);
      const scope = scopeOf(caller.scope, { all, offset, memory });
      return scope === caller.scope ? caller : { ...caller, scope };
    },
  };
}

const ofReach: readonly Deviation[] = [
  reach(
    'lists-another',
    "A scoped key's deployments list holds one deployment outside its scope.",
    (scope, { all }) => {
      const other = all.find((id) => !scope.includes(id));
      return other === undefined ? scope : [...scope, other];
    },
  ),
  reach(
    'lists-the-last-deployment',
    "A scoped key's deployments list holds the last deployment of the account as well.",
    (scope, { all }) => {
      const last = all.at(-1);
      return last === undefined || scope.includes(last) ? scope : [...scope, last];
    },
  ),
  reach('lists-all', "A scoped key's deployments list holds every deployment.", () => null),
  reach(
    'lists-all-behind-the-first-page',
    "A scoped key's deployments list is right on its first page; later ones are of all deployments.",
    (scope, { offset }) => (offset > 0 ? null : scope),
    ['PAGE-5', 'PAGE-6'],
  ),
  reach(
    'lists-all-the-second-time',
    "A scoped key's deployments list is right once, and then holds every deployment.",
    (scope, { memory }) => (count(memory, 'calls') === 1 ? scope : null),
  ),
  reach(
    'misses-its-own',
    "A scoped key's deployments list lacks the deployment of its scope.",
    (scope) => scope.slice(1),
  ),
  {
    id: 'lists:scoped-key-total-counts-all',
    text: "A scoped key's deployments list is right, but total counts every deployment.",
    breaks: ['DEPL-4'],
    collateral: ['PAGE-5', 'PAGE-6'],
    operations: ['listDeployments'],
    handle: repaged((_page, { scene }) =>
      scene.call.caller.scope === null
        ? undefined
        : { total: scene.world.state.tables.deployments.rows().length },
    ),
  },
  {
    id: 'lists:oauth-token-lists-one',
    text: 'The deployments list of an OAuth access token holds one deployment.',
    breaks: ['DEPL-4'],
    collateral: ['AUTH-5'],
    operations: ['listDeployments'],
    handle: repaged((page, { scene, whole }) =>
      scene.call.caller.kind === 'oauth' ? instead(page, whole.slice(0, 1)) : undefined,
    ),
  },
];

export const lists: readonly Deviation[] = [...ofBoth.flatMap(ofList), ...ofFilter, ...ofReach];
