/** Variants of the branches list. The description says only that it has identifiers. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { objectsOf } from '../../deviations/places.ts';
import { isServed, otherCall, type Reply } from '../../deviations/wire.ts';
import { each, isCall, refusal, serves, type Variant } from '../variant.ts';

const shapes: Readonly<Record<string, (branches: readonly JsonObject[]) => unknown>> = {
  bare: (data) => data,
  items: (items) => ({ items, pageInfo: { hasNextPage: false, endCursor: null } }),
  'both spellings': (data) => ({ items: data, data, pageInfo: {} }),
  deep: (edges) => ({
    data: { branches: { edges: edges.map((node) => ({ node, cursor: 'x' })) } },
  }),
  'by name': (data) => Object.fromEntries(data.map(({ name, ...rest }) => [String(name), rest])),
  'in groups': (data) => ({
    data: {
      production: data.filter(({ name, parentBranch }) => name === parentBranch),
      others: data.filter(({ name, parentBranch }) => name !== parentBranch),
    },
  }),
  'ids and names': (data) => ({ data: data.map(({ id, name }) => ({ id, name })) }),
  'ids alone': (data) => data.map(({ id }) => id),
  'other names': (data) => ({
    data: data.map(({ id, name, isStagingEnvironmentEnabled: staging }) => ({
      ...{ branchId: id, branchName: name, staging },
    })),
  }),
  'without the switch': (data) => ({
    data: data.map(({ isStagingEnvironmentEnabled: _, ...rest }) => rest),
  }),
  'the switch as a text': (data) => ({ data: data.map((one) => withSwitch(one, String)) }),
  'the switch as a number': (data) => ({ data: data.map((one) => withSwitch(one, Number)) }),
  'the switch in words': (data) => ({
    data: data.map((one) => withSwitch(one, (on) => (on ? 'enabled' : 'disabled'))),
  }),
  'the switch as an object': (data) => ({
    data: data.map((one) => withSwitch(one, (isEnabled) => ({ isEnabled }))),
  }),
  'names as titles': (data) => ({
    data: data.map(({ name, ...rest }) => ({ ...rest, title: name })),
  }),
  pairs: (data) => ({ columns: ['id', 'name'], rows: data.map(({ id, name }) => [id, name]) }),
};

const withSwitch = (branch: JsonObject, spell: (isOn: boolean) => unknown): JsonObject => ({
  ...branch,
  isStagingEnvironmentEnabled: spell(branch.isStagingEnvironmentEnabled === true),
});

const shaped = each(
  { rule: 'branches', slot: 'body:listBranches', ground: 'BRANCH-1', on: 'mock' },
  shapes,
  (shape) => ({
    does: serves('listBranches', (reply) => ({ ...reply, body: shape(branchesIn(reply)) })),
  }),
);
const branchesIn = ({ body }: Reply): readonly JsonObject[] =>
  isObject(body) ? objectsOf(body.data) : [];

/** Pages of two branches; a cursor leads to the next page. */
const inPages: Variant = {
  id: 'branches:in pages by a cursor',
  ground: 'BRANCH-4, PAGE-12',
  slot: 'body:listBranches',
  on: 'mock',
  does: serves('listBranches', (reply, { query }) => {
    const data = branchesIn(reply);
    const from = data.findIndex(({ id }) => `after ${id}` === query.after) + 1;
    const items = data.slice(from, from + 2);
    const endCursor = items.length === 0 ? null : `after ${items.at(-1)?.id}`;
    const pageInfo = { hasNextPage: from + 2 < data.length, endCursor };
    return { ...reply, body: { items, data: items, pageInfo } };
  }),
};

/** Identifiers are texts in the list, in requests and in the tenant file. */
const texts = each(
  {
    ...{ rule: 'branches:ids are texts, a number is', slot: 'ids:branch', on: 'mock' },
    ground: 'BRANCH-1; identifier as returned by the branch list endpoint',
  },
  [400, 404, 422],
  (status) => ({
    bindings: (bindings) => withTexts(bindings as JsonObject) as typeof bindings,
    does: () => async (asked, next) => {
      if (!isCall(asked)) return next(asked);
      const { operation, body } = asked;
      if (operation.id === 'listBranches') {
        const reply = await next(asked);
        const data = branchesIn(reply).map((item) => ({ ...item, id: String(item.id) }));
        return isServed(reply) ? { ...reply, body: { data } } : reply;
      }
      const { branchId: id } = body;
      if (id === undefined) return next(asked);
      const isKnown = typeof id === 'string' && /^\d+$/.test(id);
      const branchId = isKnown ? Number(id) : NOBODY;
      const reply = await next(otherCall(asked, { body: { ...body, branchId } }));
      return isKnown || ![400, 404].includes(reply.status) ? reply : refusal(asked, status);
    },
  }),
);

/** No branch has this id. */
const NOBODY = 999_999_999;

const withTexts = (bindings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(bindings).map(([name, bound]) => {
      const isBranch = /Branch$/.test(name) && isObject(bound) && bound.id !== undefined;
      return [name, isBranch ? { ...bound, id: String(bound.id) } : bound];
    }),
  );

export const branchVariants: readonly Variant[] = [...shaped, inPages, ...texts];
