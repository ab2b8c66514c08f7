/**
 * Adding recipients, wrong in state and in time: which change goes unnoticed, who is taken for whom,
 * and in which list a recipient ends up.
 */
import { equal, type JsonObject } from '../../../spec/base/json.ts';
import { count, exchange, setIn } from '../../deviations/conditions.ts';
import {
  type Asked,
  type Does,
  type Done,
  given,
  makes,
  type When,
} from '../../deviations/does.ts';

import { type Rows, table } from '../../deviations/rows.ts';
import { besides, first } from '../../deviations/state.ts';
import { isServed } from '../../deviations/wire.ts';
import {
  type Items,
  isConsole,
  isEmail,
  isEmbed,
  isNew,
  type ListName,
  moves,
  readLists,
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

// ── the same call again ─────────────────────────────────────────────────────────

const isEmbedRecord = ({ externalId }: JsonObject) => typeof externalId === 'string';
const isConsoleRecord = (record: JsonObject) => !isEmbedRecord(record);
const timesOf = (record: JsonObject, done: Done) =>
  count(done.target.memory, `${where(done)} ${who(record)}`);
const againAs = (as: 'created' | 'updated', breaks = 'RECIP-7'): Rows => ({
  [breaks]: {
    [`again-${as}`]: moves('unchanged', as),
    [`again-${as}-embed-users`]: moves('unchanged', as, isEmbedRecord),
    [`again-${as}-console-users`]: moves('unchanged', as, isConsoleRecord),
    [`third-time-${as}`]: moves('unchanged', as, (record, done) => timesOf(record, done) >= 2),
  },
});
/** A call with the recipients of an earlier one, in an order in which it has not come before. */
const isReordered: When = (asked) => {
  const items = sent(asked).map((item) => JSON.stringify(item));
  const earlier = exchange(asked.target.memory, items.toSorted().join(), items.join());
  return earlier !== undefined && earlier !== items.join();
};

/** Puts back what was before an earlier call, and makes this one again. */
async function withoutThat({ call, target }: Done, before: unknown): Promise<void> {
  target.restore(before);
  await makes({ call, target }, [{ body: call.body }]);
}
/** Subscribing somebody ends the subscriptions that the call before has made. */
const othersUnsubscribed: Does = async (call, target) => {
  const now = target.snapshot();
  const reply = await target.handle(call);
  const earlier = target.memory.get(where({ call, target }));
  if (!isServed(reply)) return reply;
  if (earlier !== undefined) await withoutThat({ call, target, reply }, earlier);
  target.memory.set(where({ call, target }), earlier === undefined ? now : earlier);
  return reply;
};
/** What somebody was subscribed to elsewhere is forgotten with a new subscription. */
const oneEach: Does = async (call, target) => {
  const now = target.snapshot();
  const reply = await target.handle(call);
  const here = where({ call, target });
  for (const record of readLists(reply.body).created) {
    const before = target.memory.get(who(record)) as
      | { readonly at: string; readonly now: unknown }
      | undefined;
    if (before !== undefined && before.at !== here)
      await withoutThat({ call, target, reply }, before.now);
    target.memory.set(who(record), { at: here, now });
  }
  return reply;
};
/** A subscriber of one notification is known to every other. */
const knownElsewhere = first((asked) => {
  const seen = setIn(asked.target.memory, 'seen');
  const key = (item: JsonObject, at: string) => `${at} ${JSON.stringify(item)}`;
  const known = sent(asked).filter((item) =>
    [...seen].some((one) => one.endsWith(key(item, '')) && !one.startsWith(where(asked))),
  );
  for (const item of sent(asked)) seen.add(key(item, where(asked)));
  return known.length === 0 ? [] : [{ body: { recipients: known } }];
});

// ── what becomes of a change ────────────────────────────────────────────────────

type Alike = (sent: unknown, stored: unknown) => boolean;
const asText: Alike = (a, b) => {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'number' ? String(item) : item));
  return text(a) === text(b);
};
const byNumber: Alike = (a, b) => Array.isArray(a) && Array.isArray(b) && a.length === b.length;

/** What was last sent of somebody, and kept. */
const kept = (asked: Asked, item: JsonObject): JsonObject | undefined =>
  asked.target.memory.get(`kept ${where(asked)} ${who(item)}`) as JsonObject | undefined;
const keep = (asked: Asked, item: JsonObject): void =>
  void asked.target.memory.set(`kept ${where(asked)} ${who(item)}`, {
    ...kept(asked, item),
    ...item,
  });
/** Notes what a served call has sent. */
const noting =
  (does: Does): Does =>
  async (call, target) => {
    const reply = await does(call, target);
    if (isServed(reply)) for (const item of sent({ call, target })) keep({ call, target }, item);
    return reply;
  };
const asKept = (asked: Asked, item: JsonObject, property: string): JsonObject => {
  const { [property]: _sent, ...rest } = item;
  const old = kept(asked, item)?.[property];
  return old === undefined ? rest : { ...rest, [property]: old };
};
/** Misses a change of a property, where the two values are alike in this way. */
const misses = (property: string, alike: Alike = () => true): Does => {
  const missing = seesEach((item, asked) => {
    const old = kept(asked, item)?.[property];
    const isMissed =
      old !== undefined && item[property] !== undefined && alike(item[property], old);
    if (!isMissed) keep(asked, item);
    return isMissed ? asKept(asked, item, property) : item;
  });
  return missing;
};
/** Reports a change of a property and keeps the value from before it. */
const keepsOld = (property: string): Does => {
  const putsBack = besides((done) => {
    const changed = sent(done).filter((item) => kept(done, item)?.[property] !== undefined);
    const old = changed.map((item) => asKept(done, item, property));
    for (const item of sent(done).filter((one) => !changed.includes(one))) keep(done, item);
    return old.length === 0 ? [] : [{ body: { recipients: old } }];
  });
  return putsBack;
};
/** Reports as newly subscribed whoever has changed in this property. */
const createdBy = (property: string): Does =>
  noting(
    moves('updated', 'created', (record, done) => {
      const item = sent(done).find((one) => who(one) === who(record));
      return item !== undefined && !equal(item[property], kept(done, item)?.[property]);
    }),
  );
const ofProperty = (name: string, property: string, breaks: string): Rows => ({
  [breaks]: {
    [`${name}-change-unnoticed`]: misses(property),
    [`${name}-change-created`]: createdBy(property),
  },
  'RECIP-7': {
    [`${name}-change-not-kept`]: keepsOld(property),
  },
});

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
