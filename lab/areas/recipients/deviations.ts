/**
 * Adding recipients, wrong in state and in time: what is written although it was refused, who is let
 * through, which change goes unnoticed, and in which list a recipient ends up.
 */
import type { JsonObject } from '../../../spec/base/json.ts';
import { count, exchange, setIn } from '../../deviations/conditions.ts';
import { type Asked, type Does, type Done, given, trial } from '../../deviations/does.ts';
import { same } from '../../deviations/places.ts';
import { accepts, despite, served } from '../../deviations/refusals.ts';
import { type Rows, table } from '../../deviations/rows.ts';
import { isServed, type Other } from '../../deviations/wire.ts';
import { deploymentsOf } from '../lists/deviations.ts';
import {
  againAs,
  asText,
  byNumber,
  isConsoleRecord,
  isEmbedRecord,
  isReordered,
  knownElsewhere,
  misses,
  ofProperty,
  oneEach,
  othersUnsubscribed,
  timesOf,
} from './again.ts';
import {
  calling,
  type Items,
  isConsole,
  isEmail,
  isEmbed,
  isNew,
  type ListName,
  moves,
  recordOf,
  refusesWith,
  relists,
  resolves,
  seesAll,
  seesEach,
  sent,
  toldLists,
  tryOut,
  where,
  who,
} from './people.ts';

const CHAT = 'RECIP-15';
const UNRESOLVABLE = 'RECIP-16';
const ITEMS = `${CHAT} ${UNRESOLVABLE}`;

// ── refused, and written ────────────────────────────────────────────────────────

/** Writes some recipients of a refused request: those of the chosen ones that resolve. */
const writes = (why: string, choose: (items: Items, bad: number) => Items = (items) => items) =>
  despite(why, async (done) => {
    const items = sent(done);
    const good = new Map<string, boolean>();
    for (const item of items) {
      const text = JSON.stringify(item);
      if (!good.has(text)) good.set(text, await resolves(done, item));
    }
    const isGood = (item: JsonObject) => good.get(JSON.stringify(item)) === true;
    const bad = items.findIndex((item) => !isGood(item));
    const chosen = choose(items, bad).filter(isGood);
    return chosen.length === 0 ? [] : [calling(done, chosen)];
  });

/** Another notification that the service knows, in any deployment: no call lists them. */
async function elsewhere(asked: Asked, item: JsonObject): Promise<Other | undefined> {
  const { call } = asked;
  const own = Number(call.path.id);
  for (const { id: deployment } of await deploymentsOf(asked)) {
    for (let near = Math.max(1, own - 15); near <= own + 15; near += 1) {
      const path = { deploymentId: String(deployment), id: String(near) };
      const other = { ...calling(asked, [item]), path };
      if (near !== own && isServed(await trial(asked, other))) return other;
    }
  }
  return undefined;
}
/** The embed users of a refused request are made, without a subscription to its notification. */
const makesUsers = despite(ITEMS, async (done) => {
  const others: Other[] = [];
  for (const item of sent(done).filter((one) => isEmbed(one) && isEmail(one.email))) {
    const other = (await resolves(done, item)) ? await elsewhere(done, item) : undefined;
    if (other !== undefined) others.push(other);
  }
  return others;
});

const noLists = toldLists({ created: [], updated: [], unchanged: [] });

// ── recipients that refuse the request that they are in ─────────────────────────

/** Serves a request that a statement refuses, with what is left of its recipients. */
const serves = (
  why: string,
  keep: (items: Items, bad: Items, done: Done) => Items | undefined,
): Does =>
  accepts(why, async (done) => {
    const bad: JsonObject[] = [];
    for (const item of sent(done)) if ((await tryOut(done, [item])).why === why) bad.push(item);
    const recipients = keep(sent(done), bad, done);
    if (recipients?.length === 0) return served(200, noLists)(done);
    return recipients && { body: { recipients } };
  });
const drops = (why: string, which: (item: JsonObject) => boolean = () => true) =>
  serves(why, (items, bad) => items.filter((item) => !which(item) || !bad.includes(item)));
/** Refuses only where this holds; elsewhere passes over whom it should refuse. */
const onlyWhere = (why: string, holds: (items: Items, bad: Items, done: Done) => boolean) =>
  serves(why, (items, bad, done) =>
    holds(items, bad, done) ? undefined : items.filter((item) => !bad.includes(item)),
  );
const once = (why: string) =>
  onlyWhere(why, (_items, _bad, { target }) => count(target.memory, 'refused') === 1);
const firstBad = (items: Items, bad: Items) => items[0] !== undefined && bad.includes(items[0]);
const withEmail = (email: (item: JsonObject) => unknown) =>
  serves(UNRESOLVABLE, (items, bad) =>
    items.map((item) => {
      const name = isEmbed(item) && bad.includes(item) ? email(item) : undefined;
      return name === undefined
        ? item
        : { ...item, email: `${encodeURIComponent(String(name))}@unknown.example.com` };
    }),
  );
const tooMany = (fits: (length: number) => boolean) =>
  accepts('any', (done) =>
    fits(sent(done).length) ? { body: { recipients: sent(done).slice(0, 1000) } } : undefined,
  );
const nobody = (fits: (recipients: unknown) => boolean) =>
  accepts('any', (done) =>
    fits(done.call.body.recipients) ? served(200, noLists)(done) : undefined,
  );

// ── the lists of the answer ─────────────────────────────────────────────────────
const empties = (name: ListName) => relists(() => ({ [name]: [] }));
const lastNowhere = relists(async (lists, done) => {
  const last = sent(done).at(-1);
  if (sent(done).length < 2 || last === undefined) return {};
  const record = await recordOf(done, last);
  const others = (list: Items) => list.filter((one) => !record || who(one) !== who(record));
  return {
    created: others(lists.created),
    updated: others(lists.updated),
    unchanged: others(lists.unchanged),
  };
});
const alsoOfBefore = relists(({ created }, { target }) => ({
  created: [...created, ...(exchange(target.memory, 'created', created) ?? [])],
}));
const renumbered = relists(({ unchanged, ...lists }, { target }) => {
  const more = count(target.memory) * 1000;
  const anew = (record: JsonObject) =>
    isEmbedRecord(record) ? { ...record, embedUserId: Number(record.embedUserId) + more } : record;
  return {
    created: [...lists.created, ...unchanged.filter(isEmbedRecord).map(anew)],
    unchanged: unchanged.filter(isConsoleRecord),
  };
});
const sharedId = relists(({ created }) => {
  const [one] = created.filter(isEmbedRecord);
  return {
    created: created.map((record) =>
      isEmbedRecord(record) ? { ...record, embedUserId: one?.embedUserId } : record,
    ),
  };
});

// ── embed users and console users ───────────────────────────────────────────────

const sendsNoEmail = ({ email }: JsonObject) => email === undefined;
const shaped = ({ externalId }: JsonObject) => isEmail(externalId);
const isFresh = async (item: JsonObject, asked: Asked) =>
  isEmbed(item) && (await isNew(asked, item));
/** The email that an embed user was sent with is forgotten after the call. */
const forgetsEmail = refusesWith((item, { target }) => {
  const named = setIn(target.memory, 'named');
  if (isEmbed(item) && !sendsNoEmail(item) && !shaped(item)) named.add(who(item));
  return isEmbed(item) && sendsNoEmail(item) && named.has(who(item));
});
const anyTenant = seesEach((item, { target }) => {
  if (!isEmbed(item)) return item;
  const key = `tenant of ${item.externalId}`;
  const tenant = target.memory.get(key) ?? item.embedTenantName;
  target.memory.set(key, tenant);
  return { ...item, embedTenantName: tenant };
});
const neighbour = async (asked: Asked, item: JsonObject): Promise<JsonObject | undefined> => {
  const own = Number((await recordOf(asked, item))?.userId);
  for (const userId of [own + 1, own - 1]) if (await resolves(asked, { userId })) return { userId };
  return undefined;
};
const namesNeighbour = (by: 'userId' | 'email') =>
  seesEach((item, asked) =>
    isConsole(item) && item[by] !== undefined ? neighbour(asked, item) : item,
  );
/** Whoever is named otherwise than at first is created again. */
const twoNames = relists(async ({ created, unchanged, ...lists }, done) => {
  const again: JsonObject[] = [];
  for (const item of sent(done).filter(isConsole)) {
    const record = await recordOf(done, item);
    const names = setIn(done.target.memory, `names of ${where(done)} ${record?.userId}`);
    const name = Object.keys(item).sort().join();
    const isOther = names.size > 0 && !names.has(name);
    names.add(name);
    if (isOther) again.push(...unchanged.filter((one) => one.userId === record?.userId));
  }
  return {
    ...lists,
    created: [...created, ...again],
    unchanged: unchanged.filter((one) => !again.includes(one)),
  };
});
const otherType = relists(({ unchanged }) => ({
  unchanged: unchanged.map((one) => (isEmbedRecord(one) ? one : { ...one, type: 'CONSOLE' })),
}));

const rows: readonly Rows[] = [
  {
    'RECIP-17': {
      'partial-write-after': writes(ITEMS, (items, bad) => items.slice(bad + 1)),
      'refused-unresolvable-writes': writes(UNRESOLVABLE),
      'refused-number-writes: A request refused for its number subscribes its first 1000.': writes(
        'RECIP-27',
        (items) => items.slice(0, 1000),
      ),
      'refused-embed-user-made': makesUsers,
    },
    'RECIP-17 AUTH-14': {
      'refused-role-writes': writes('RECIP-20 RECIP-21 RECIP-22'),
      'refused-scope-writes': writes('AUTH-8'),
    },
    'RECIP-15': {
      'chat-refused-first-only': onlyWhere(CHAT, firstBad),
      'chat-refused-last-only': onlyWhere(CHAT, (items, bad) => firstBad(items.toReversed(), bad)),
      'chat-refused-once': once(CHAT),
    },
    'RECIP-16': {
      'unresolvable-address-dropped': drops(
        UNRESOLVABLE,
        (item) => isConsole(item) && item.userId === undefined,
      ),
      'unresolvable-embed-user-accepted': withEmail(({ externalId }) => externalId),
      'embed-user-without-address-accepted': withEmail(({ email }) => email),
    },
    'RECIP-24': {
      'behind-1000-dropped': tooMany((length) => length > 1000),
    },
    'RECIP-25': {
      'empty-list-accepted': nobody((recipients) => same(recipients, [])),
      'missing-list-accepted': nobody((recipients) => recipients === undefined),
    },
  },
  againAs('created'),
  againAs('updated'),
  {
    'RECIP-7': {
      'reordered-created': given(isReordered, moves('unchanged', 'created')),
      'others-unsubscribed': othersUnsubscribed,
      'one-notification-each': oneEach,
    },
    'RECIP-10': {
      'known-from-another-notification': knownElsewhere,
    },
  },
  ofProperty('context', 'securityContext', 'RECIP-11'),
  ofProperty('attribute', 'userAttributes', 'RECIP-12'),
  ofProperty('group', 'groups', 'RECIP-13'),
  {
    'RECIP-11': {
      'context-compared-as-text': misses('securityContext', asText),
    },
    'RECIP-13': {
      'groups-compared-by-number': misses('groups', byNumber),
    },
    'RECIP-11 RECIP-12 RECIP-13': {
      'second-change-unnoticed': moves(
        'updated',
        'unchanged',
        (record, done) => timesOf(record, done) >= 2,
      ),
    },
    'RECIP-8': {
      'unchanged-nowhere': empties('unchanged'),
      'last-nowhere': lastNowhere,
    },
    'RECIP-8 RECIP-10': {
      'created-nowhere': empties('created'),
      'first-alone-served': seesAll((items) => items.slice(0, 1)),
    },
    'RECIP-8 RECIP-11 RECIP-12 RECIP-13': {
      'updated-nowhere': empties('updated'),
    },
    'RECIP-7 RECIP-8': {
      'created-of-the-call-before': alsoOfBefore,
    },
    'RECIP-6': {
      'embed-user-not-made': refusesWith(isFresh),
      'embed-users-share-an-id': sharedId,
    },
    'RECIP-5 RECIP-7': {
      'embed-user-made-anew': renumbered,
    },
    'RECIP-18': {
      'email-shaped-id-refused': refusesWith(
        async (item, asked) => sendsNoEmail(item) && shaped(item) && (await isFresh(item, asked)),
      ),
      'email-shaped-id-resolves-once': refusesWith(
        async (item, asked, index) =>
          index > 0 && sendsNoEmail(item) && shaped(item) && (await isFresh(item, asked)),
      ),
    },
    'RECIP-19': {
      'sent-email-resolves-nothing': refusesWith(
        async (item, asked) => !sendsNoEmail(item) && !shaped(item) && (await isFresh(item, asked)),
      ),
      'sent-email-forgotten': forgetsEmail,
      'external-id-beats-sent-email': seesEach((item) =>
        shaped(item) && !sendsNoEmail(item) ? { ...item, email: item.externalId } : item,
      ),
    },
    'RECIP-5': {
      'known-embed-user-refused': refusesWith(
        (item) => isEmbed(item) && sendsNoEmail(item) && !shaped(item),
      ),
      'embed-tenant-ignored': anyTenant,
    },
    'RECIP-3 RECIP-4': {
      'id-and-email-are-two': twoNames,
    },
    'RECIP-3': {
      'user-id-names-neighbour': namesNeighbour('userId'),
    },
    'RECIP-4': {
      'email-names-neighbour': namesNeighbour('email'),
    },
    'RECIP-26': {
      'console-user-of-another-type': otherType,
    },
  },
];

export const recipients = table('recipients', ['addNotificationRecipients'], rows);
