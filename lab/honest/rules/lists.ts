/** The order of lists, and how large a page may be. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import type { Random } from '../../../spec/base/random.ts';
import { changeAt, pathOf, valueAt } from '../../deviations/places.ts';
import { type Call, isServed, otherCall, type Reply } from '../../deviations/wire.ts';
import { operations } from '../nodes.ts';
import {
  isCall,
  type Next,
  type Operator,
  refusal,
  replies,
  type Scene,
  serves,
  type Variant,
} from '../variant.ts';

/** An order of a list that stays the same while nothing changes. */
type Order = (scene: Scene) => (items: readonly JsonObject[], key: string) => JsonObject[];

const orders: Readonly<Record<string, Order>> = {
  reversed: () => (items) => items.toReversed(),
  'by name': () => (items, key) =>
    items.toSorted(
      (a, b) => compare(a.name ?? a.userName, b.name ?? b.userName) || compare(a[key], b[key]),
    ),
  'by chance': ({ random }) => {
    const salt = random.next();
    const rank = (value: unknown): number => mixed(String(value), salt);
    return (items, key) => items.toSorted((a, b) => rank(a[key]) - rank(b[key]));
  },
};

const compare = (a: unknown, b: unknown): number =>
  String(a) < String(b) ? -1 : Number(String(a) > String(b));
const mixed = (text: string, salt: number): number =>
  [...text].reduce((sum, sign) => Math.imul(sum ^ sign.charCodeAt(0), 0x85ebca6b) >>> 0, salt);

/** Lists that come in pages, which `x-items` shows, and those that come whole. */
const listed = operations.flatMap(({ id, items, parameters }) => {
  if (items === undefined) return [];
  const at = items.at.slice(1).replaceAll('/', '.');
  const isScim = parameters.some(({ name }) => name === 'startIndex');
  return [{ id, at, key: items.key, isScim }];
});

/** All items of a list, page by page. */
async function whole(call: Call, next: Next, list: (typeof listed)[number]): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for (;;) {
    const query = list.isScim
      ? { startIndex: String(all.length + 1), count: '50' }
      : { offset: String(all.length), limit: '50' };
    const reply = await next(otherCall(call, { query: { ...call.query, ...query } }));
    const page = valueAt(reply.body, pathOf(list.at));
    if (!isServed(reply) || !Array.isArray(page) || page.length === 0) return all;
    all.push(...page.filter(isObject));
  }
}

/** Where a page begins in its list, and how many it may hold. */
function cutOf(
  { body }: Reply,
  { isScim, at }: (typeof listed)[number],
): readonly [number, number] {
  const page = valueAt(body, pathOf(at));
  const count = Array.isArray(page) ? page.length : 0;
  const start = isScim ? valueAt(body, ['startIndex']) : valueAt(body, ['pagination', 'offset']);
  return [Number(start ?? 0) - (isScim && start !== undefined ? 1 : 0), count];
}

const inPages = listed.flatMap((list) =>
  Object.entries(orders).map(
    ([kind, order]): Variant => ({
      id: `order:${list.id}:${kind}`,
      ground: 'PAGE-10',
      slot: `order:${list.id}`,
      does: (scene) => {
        const ordered = order(scene);
        return replies(async (reply, call, next) => {
          if (call.operation.id !== list.id || call.method === 'HEAD' || !isServed(reply))
            return undefined;
          const [from, count] = cutOf(reply, list);
          if (count === 0) return undefined;
          const all = ordered(await whole(call, next, list), list.key);
          return {
            ...reply,
            body: changeAt(reply.body, pathOf(list.at), () => all.slice(from, from + count)),
          };
        })();
      },
    }),
  ),
);

/** Arrays that come whole, in whatever order. */
const arrays: readonly (readonly [string, string, string])[] = [
  ['listVersions', 'data', 'PAGE-10'],
  ['listBranches', 'data', 'PAGE-10'],
  ['getDbtSyncResult', 'generatedFiles', 'open: no order of generatedFiles is shown'],
  ['addNotificationRecipients', 'createdRecipients', 'RECIP-44'],
  ['addNotificationRecipients', 'updatedRecipients', 'RECIP-44'],
  ['addNotificationRecipients', 'unchangedRecipients', 'RECIP-44'],
  ['updateFolder', 'folderPath', 'open: no direction of the chain of ancestors is shown'],
];
const atOnce = arrays.flatMap(([id, place, ground]) => {
  const shuffles = { reversed: 0, 'by chance': 1 };
  // A chain goes up or down.
  const kinds = place === 'folderPath' ? ['reversed'] : Object.keys(shuffles);
  return kinds.map(
    (kind): Variant => ({
      id: `order:${id}:${place}:${kind}`,
      ground,
      slot: `order:${id}:${place}`,
      does: ({ random }) =>
        serves(id, (reply) => ({
          ...reply,
          body: changeAt(reply.body, [place], (items) =>
            Array.isArray(items) ? shuffled(kind, items, random) : undefined,
          ),
        }))(),
    }),
  );
});
const shuffled = (kind: string, items: readonly unknown[], random: Random): unknown[] =>
  kind === 'reversed' ? items.toReversed() : random.clone().shuffled(items);

// ── how large a page may be ─────────────────────────────────────────────────────

const caps = [20, 21, 50, 100, 1000].flatMap((most) =>
  (['said', 'refused 400', 'refused 422'] as const).map(
    (how): Variant => ({
      id: `largest page:${most}:${how}`,
      ground: 'PAGE-7',
      slot: 'silence:PAGE-7',
      does: (): Operator => async (asked, next) => {
        if (!isCall(asked) || !(Number(asked.query.limit) > most)) return next(asked);
        // Who may not come in hears of that first.
        const capped = await next(
          otherCall(asked, { query: { ...asked.query, limit: String(most) } }),
        );
        return how === 'said' || !isServed(capped) ? capped : refusal(asked, Number(how.slice(-3)));
      },
    }),
  ),
);

/** RFC 7644 section 3.4.2.4: a page holds no more than asked for, and may hold fewer. */
const users = [1, 7, 20].flatMap((most) =>
  (['always', 'unless told'] as const).map(
    (when): Variant => ({
      id: `largest page of users:${most}:${when}`,
      ground: when === 'always' ? 'RFC 7644 section 3.4.2.4' : 'SCIM-12',
      slot: 'users of a page',
      does: (): Operator => async (asked, next) => {
        if (!isCall(asked) || asked.operation.id !== 'listScimUsers') return next(asked);
        const { count } = asked.query;
        const isMore = count === undefined || (when === 'always' && Number(count) > most);
        return next(
          isMore ? otherCall(asked, { query: { ...asked.query, count: String(most) } }) : asked,
        );
      },
    }),
  ),
);

/** Where a maximum is not shown, a minimum is not either. */
const least = [2, 5, 10].map(
  (fewest): Variant => ({
    id: `smallest page:${fewest}:refused`,
    ground: 'PAGE-7',
    slot: 'smallest page',
    does: (): Operator => async (asked, next) => {
      const reply = await next(asked);
      const isTooFew = isCall(asked) && Number(asked.query.limit ?? 20) < fewest;
      return isTooFew && isServed(reply) ? refusal(asked, 400) : reply;
    },
  }),
);

const zero = [400, 416, 422].map(
  (status): Variant => ({
    id: `limit of 0:${status}`,
    ground: 'PAGE-8',
    slot: 'silence:PAGE-8',
    does: (): Operator => async (asked, next) => {
      const reply = await next(asked);
      return isCall(asked) && asked.query.limit === '0' && isServed(reply)
        ? refusal(asked, status)
        : reply;
    },
  }),
);

export const listVariants: readonly Variant[] = [
  ...inPages,
  ...atOnce,
  ...caps,
  ...least,
  ...users,
  ...zero,
];
