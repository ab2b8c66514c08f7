/**
 * Adding recipients, wrong in state and in time: which change goes unnoticed, who is taken for whom,
 * and in which list a recipient ends up.
 */
import type { JsonObject } from '../../../spec/base/json.ts';
import { count, exchange, setIn } from '../../deviations/conditions.ts';
import { type Asked, given } from '../../deviations/does.ts';
import { type Rows, table } from '../../deviations/rows.ts';
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
  where,
  who,
} from './people.ts';
import { ofRefused } from './refused-requests.ts';

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

export const recipients = table('recipients', ['addNotificationRecipients'], [ofRefused, ...rows]);
