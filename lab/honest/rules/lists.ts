/** Variants of lists: their order, and the largest page. */
import { type JsonObject, pointerKeys } from '../../../spec/base/json.ts';
import type { Random } from '../../../spec/base/random.ts';
import { pageOf, pagingOf } from '../../deviations/pages.ts';
import { changeAt } from '../../deviations/places.ts';
import { type Call, isServed, otherCall, type Reply } from '../../deviations/wire.ts';
import { operations } from '../nodes.ts';
import {
  type Does,
  each,
  isCall,
  lookingAt,
  type Next,
  refusal,
  replies,
  type Scene,
  serves,
  type Variant,
} from '../variant.ts';

/** Orders the items of a list. The order stays the same while the list does not change. */
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

/** Lists with pages, which `x-items` marks, and lists without. */
const listed = operations.flatMap(({ id, items }) =>
  items === undefined ? [] : [{ id, at: pointerKeys(items.at), key: items.key }],
);

/** All items of a list, page by page. */
async function whole(call: Call, next: Next): Promise<JsonObject[] | Reply> {
  const { sent, base } = pagingOf(call);
  const all: JsonObject[] = [];
  for (;;) {
    const query = { ...call.query, [sent[0]]: String(all.length + base), [sent[1]]: '50' };
    const reply = await next(otherCall(call, { query }));
    // These calls may also be refused by a rate limit.
    if (!isServed(reply)) return reply;
    const { items, total } = pageOf(call, reply);
    all.push(...items);
    // A page beyond the end may be refused.
    if (items.length === 0 || !(all.length < total)) return all;
  }
}

const inPages = listed.flatMap((list) =>
  each({ rule: `order:${list.id}`, ground: 'PAGE-10' }, orders, (order) => ({
    does: lookingAt([list.id], (scene) => {
      const ordered = order(scene);
      return serves(list.id, async (reply, call, next) => {
        const { items, offset } = pageOf(call, reply);
        if (items.length === 0) return undefined;
        const found = await whole(call, next);
        if (!Array.isArray(found)) return found;
        // An answer may have no offset.
        const from = offset || 0;
        const page = ordered(found, list.key).slice(from, from + items.length);
        return { ...reply, body: changeAt(reply.body, list.at, () => page) };
      })();
    }),
  })),
);

/** Arrays without pages, whose order is open. */
const arrays: readonly (readonly [string, string, string])[] = [
  ['listVersions', 'data', 'PAGE-10'],
  ['listBranches', 'data', 'PAGE-10'],
  ['getDbtSyncResult', 'generatedFiles', 'PAGE-10'],
  ['addNotificationRecipients', 'createdRecipients', 'RECIP-44'],
  ['addNotificationRecipients', 'updatedRecipients', 'RECIP-44'],
  ['addNotificationRecipients', 'unchangedRecipients', 'RECIP-44'],
  ['updateFolder', 'folderPath', 'FOLDER-28'],
];
const shuffles: Readonly<Record<string, (items: readonly unknown[], random: Random) => unknown[]>> =
  {
    reversed: (items) => items.toReversed(),
    'by chance': (items, random) => random.clone().shuffled(items),
    // The description does not say that two answers have the same order.
    'otherwise each time': (items, random) => random.shuffled(items),
  };
const atOnce = arrays.flatMap(([id, place, ground]) => {
  const { reversed } = shuffles;
  // A chain of ancestors has only two sensible orders.
  const kinds = place === 'folderPath' && reversed !== undefined ? { reversed } : shuffles;
  return each({ rule: `order:${id}:${place}`, ground }, kinds, (shuffle) => ({
    does: lookingAt([id], ({ random }) =>
      serves(id, ({ body, ...reply }) => ({
        ...reply,
        body: changeAt(body, [place], (old) =>
          Array.isArray(old) ? shuffle(old, random) : undefined,
        ),
      }))(),
    ),
  }));
});

// ── how large a page may be ─────────────────────────────────────────────────────

const capped = { slot: 'silence:PAGE-7', ground: 'PAGE-7' };
/** The ways in which a list reacts to a limit above its maximum. */
const tells: Readonly<Record<string, (reply: Reply, call: Call) => Reply>> = {
  said: (reply) => reply,
  'not said': (reply, { query }) => ({
    ...reply,
    body: changeAt(reply.body, ['pagination', 'limit'], () => Number(query.limit)),
  }),
  'refused 400': (_, call) => refusal(call, 400),
  'refused 422': (_, call) => refusal(call, 422),
};
const cappedAt =
  (most: number, tell: (reply: Reply, call: Call) => Reply): Does =>
  () =>
  async (asked, next) => {
    if (!isCall(asked) || !(Number(asked.query.limit) > most)) return next(asked);
    // Authorisation is decided before the limit.
    const reply = await next(otherCall(asked, { query: { ...asked.query, limit: String(most) } }));
    return isServed(reply) ? tell(reply, asked) : reply;
  };
const caps = Object.entries(tells).flatMap(([how, tell]) =>
  each({ ...capped, rule: 'largest page' }, [20, 21, 50, 100, 1000], (most) => ({
    id: `largest page:${most}:${how}`,
    does: cappedAt(most, tell),
  })),
);
/** A deployment with more environments than fit on such a page: each personal branch has one. */
const withMany =
  (does: Does): Does =>
  (scene) => {
    const deployment = String(scene.bindings.deployment?.id);
    for (let count = 0; count < 25; count += 1)
      scene.emit?.({ type: 'createBranch', deployment, name: `own-${count}`, kind: 'personal' });
    return does(scene);
  };
const capsOfMany = each({ ...capped, rule: 'largest page of many', on: 'mock' }, tells, (tell) => ({
  does: withMany(cappedAt(20, tell)),
}));

/** Refuses some limits. Authorisation is decided first. */
const refused = (isRefused: (limit: number) => boolean, status: number): Does =>
  replies((reply, call) => {
    const isPaged = call.operation.parameters.some(({ name }) => name === 'limit');
    const isBad = isPaged && isRefused(Number(call.query.limit ?? 20));
    return isBad && isServed(reply) ? refusal(call, status) : undefined;
  });

/** The smallest page. The description names a minimum only if it names a maximum. */
const least = each(
  { ...capped, rule: 'smallest page', slot: 'smallest page' },
  [2, 5, 10],
  (fewest) => ({
    does: refused((limit) => limit < fewest, 400),
  }),
);
const zero = each(
  { rule: 'limit of 0', slot: 'silence:PAGE-8', ground: 'PAGE-8' },
  [400, 416, 422],
  (status) => ({ does: refused((limit) => limit === 0, status) }),
);

/**
 * RFC 7644 section 3.4.2.4: a page has at most the requested number of users, and may have fewer.
 */
const users = (['always', 'unless told'] as const).flatMap((when) =>
  each(
    { rule: 'largest page of users', ground: 'SCIM-12; RFC 7644 section 3.4.2.4' },
    [1, 7, 20],
    (most) => ({
      id: `largest page of users:${most}:${when}`,
      does: () => async (asked, next) => {
        if (!isCall(asked) || asked.operation.id !== 'listScimUsers') return next(asked);
        const { count } = asked.query;
        const isMore = count === undefined || (when === 'always' && Number(count) > most);
        const query = { ...asked.query, count: String(most) };
        return next(isMore ? otherCall(asked, { query }) : asked);
      },
    }),
  ),
);

export const listVariants: readonly Variant[] = [
  ...inPages,
  ...atOnce,
  ...caps,
  ...capsOfMany,
  ...least,
  ...users,
  ...zero,
];
