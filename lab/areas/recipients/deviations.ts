/**
 * Deviations of adding recipients: a change is missed, a recipient is confused with another or put
 * in the wrong list, a refused request has an effect.
 */
import { equal, type JsonObject } from '../../../spec/base/json.ts';
import { sendsNo, sendsValue } from '../../deviations/conditions.ts';
import type { Asked, Does, Done, When } from '../../deviations/does.ts';
import { all, both, not, trial } from '../../deviations/does.ts';
import { count, exchange } from '../../deviations/memory.ts';
import type { Items } from '../../deviations/pages.ts';
import { objectsOf, same } from '../../deviations/places.ts';
import {
  accepts,
  asAdmin,
  despite,
  refusedWith,
  refuses,
  served,
} from '../../deviations/refusals.ts';
import { body, field, sets } from '../../deviations/replies.ts';
import { reads, sees } from '../../deviations/requests.ts';
import { type Row, table } from '../../deviations/rows.ts';
import { lost, replaces } from '../../deviations/state.ts';
import { isServed, type Reply } from '../../deviations/wire.ts';

type Some<Value> = Value | Promise<Value>;

/** One recipient in a call. */
interface One extends Asked {
  readonly item: JsonObject;
  readonly index: number;
  /** The fields that the same notification got for this recipient before. */
  readonly old: JsonObject | undefined;
}
type Is = (one: One) => Some<boolean>;

const sent = ({ call }: Asked): Items => objectsOf(call.body.recipients);
/** A key for the person in a request item or in a record of an answer. */
const who = ({ embedTenantName, externalId, userId, email }: JsonObject): string =>
  externalId === undefined ? `user ${userId ?? email}` : `embed ${embedTenantName}/${externalId}`;
const where = ({ call }: Asked): string => JSON.stringify(call.path);

const isChat = ({ item }: One) => (item.channelId ?? item.channelName) !== undefined;
const isEmbed = ({ item }: One) => item.externalId !== undefined;
const isConsole = (one: One) => !isChat(one) && !isEmbed(one);
const isEmail = (value: unknown) => /^[^@\s]+@[^@\s]+$/.test(String(value));
const sendsEmail = ({ item }: One) => item.email !== undefined;
const hasEmailShape = ({ item }: One) => isEmail(item.externalId);
const isLater = ({ index }: One) => index > 0;
const hadEmail = ({ old }: One) => old?.email !== undefined;

const keyOf = (asked: Asked, item: JsonObject) => `${where(asked)} ${who(item)}`;
/** Stores the fields that the service got for a recipient, and returns the earlier ones. */
function note(asked: Asked, item: JsonObject): JsonObject | undefined {
  const { memory } = asked.target;
  const key = keyOf(asked, item);
  return exchange<JsonObject>(memory, key, { ...Object(memory.get(key)), ...item });
}
/** The recipients of a call, one by one. */
const ones = (asked: Asked): readonly One[] =>
  sent(asked).map((item, index) => {
    const old = asked.target.memory.get(keyOf(asked, item)) as JsonObject | undefined;
    return { ...asked, item, index, old };
  });

// ── the effect that a recipient would have ─────────────────────────────────────

/** The call with only these recipients, by an administrator. */
const calling = (asked: Asked, recipients: Items) => ({
  ...asAdmin(asked),
  body: { recipients },
});
const tryOut = (asked: Asked, item: JsonObject): Promise<Reply> =>
  trial(asked, calling(asked, [item]));

/** Whether the service accepts a call with this recipient alone. */
const resolves = async (one: One): Promise<boolean> => isServed(await tryOut(one, one.item));

/** The record that the service would return for a recipient. */
const recordOf = async (asked: Asked, item: JsonObject): Promise<JsonObject | undefined> =>
  Object.values(Object((await tryOut(asked, item)).body)).flatMap(objectsOf)[0];

/**
 * Whether this call creates the embed user. If so, the id is at least the id that another unknown user would
 * get.
 */
const isNew: Is = async (one) => {
  if (!isEmbed(one)) return false;
  const { embedTenantName } = one.item;
  const stranger = { embedTenantName, externalId: 'nobody.yet@example.com' };
  const [own, next] = [await recordOf(one, one.item), await recordOf(one, stranger)];
  return own !== undefined && Number(own.embedUserId) >= Number(next?.embedUserId);
};

// ── what the service receives ───────────────────────────────────────────────────

/** Replaces each recipient before the service gets the call. */
const seesEach = (change: (one: One) => Some<JsonObject | undefined>): Does =>
  sees(async (request, asked) => {
    const recipients: JsonObject[] = [];
    for (const one of ones(asked)) {
      const seen = (await change(one)) ?? one.item;
      note(asked, seen);
      recipients.push(seen);
    }
    return recipients.length === 0 ? undefined : { ...request, recipients };
  });

/** Refuses a valid call if one of its recipients meets all conditions. */
const refusesIf = (...is: readonly Is[]): Does =>
  refuses(400, 'RECIP-16', async (asked) => {
    let isLikeThis = false;
    for (const one of ones(asked)) {
      isLikeThis ||= await all(...is)(one);
      note(asked, one.item);
    }
    return isLikeThis;
  });

// ── the lists of the answer ─────────────────────────────────────────────────────

const CREATED = 'createdRecipients';
const UPDATED = 'updatedRecipients';
const UNCHANGED = 'unchangedRecipients';

/**
 * Moves records from one list of the answer to another. The condition is evaluated for every
 * record.
 */
export const moves = (
  from: string,
  to: string,
  which: (record: JsonObject, done: Done, list: string) => boolean = () => true,
): Does =>
  body((whole, done) => {
    const lists = Object.entries(Object(whole)).map(
      ([name, list]) => [name, objectsOf(list)] as const,
    );
    const chosen = lists.flatMap(([name, list]) => list.filter((one) => which(one, done, name)));
    const moved = objectsOf(Object(whole)[from]).filter((record) => chosen.includes(record));
    const changed = lists.map(([name, list]) => {
      const left = list.filter((record) => !moved.includes(record));
      return [name, name === to ? [...left, ...moved] : left];
    });
    return Object.fromEntries(changed);
  });

// ── requests that are refused ───────────────────────────────────────────────────

const CHAT = 'RECIP-15';
const UNRESOLVABLE = 'RECIP-16';
const ITEMS = `${CHAT} ${UNRESOLVABLE}`;

/** A refused request subscribes those of its recipients that are valid, or some of them. */
const writes = (why: string, choose: (items: Items, bad: number) => Items = (items) => items) =>
  despite(why, async (done) => {
    const good: JsonObject[] = [];
    for (const one of ones(done)) if (await resolves(one)) good.push(one.item);
    const bad = sent(done).findIndex((item) => !good.includes(item));
    const chosen = choose(sent(done), bad).filter((item) => good.includes(item));
    return chosen.length === 0 ? undefined : calling(done, chosen);
  });
const nobody = served(200, { [CREATED]: [], [UPDATED]: [], [UNCHANGED]: [] });
/** Serves a request as if it did not name these recipients. */
const without = (is: Is) => async (done: Done) => {
  const recipients: JsonObject[] = [];
  for (const one of ones(done)) if (!(await is(one))) recipients.push(one.item);
  return recipients.length === 0 ? nobody(done) : { body: { recipients } };
};
const dropsChat = accepts(CHAT, without(isChat));
const isChatAt =
  (place: number): When =>
  (asked) => {
    const one = ones(asked).at(place);
    return one !== undefined && isChat(one);
  };
const takesFirst = (most: number) => reads('recipients', (items: Items) => items.slice(0, most));
/** Whether a call names more than so many distinct people. */
const isAbove =
  (most: number): When =>
  (asked) =>
    new Set(sent(asked).map(who)).size > most;
/** The embed users that a call names. A user who is named twice is in the list twice. */
const sendsEmbedUsers =
  (most: number): When =>
  (asked) =>
    ones(asked).filter(isEmbed).length > most;
const isEmpty = (recipients: unknown) => same(recipients, []);
const addressed = (item: JsonObject, name: unknown) => ({
  ...item,
  email: `${encodeURIComponent(String(name))}@unknown.example.com`,
});
/** Gives an address to an embed user without one. */
const addressOfId = (from: number): Does =>
  seesEach((one) =>
    one.index >= from && isEmbed(one) && !sendsEmail(one) && !hasEmailShape(one)
      ? addressed(one.item, one.item.externalId)
      : undefined,
  );
const addressOfEmail = seesEach(({ item }) =>
  item.externalId !== undefined && item.email !== undefined && !isEmail(item.email)
    ? addressed(item, item.email)
    : undefined,
);
const sendsNoAddress: When = (asked) =>
  ones(asked).some((one) => sendsEmail(one) && !isEmail(one.item.email));
/** The next request uses the address that a refused request sent. */
const emailKept = seesEach(({ item, old }) => (old ? { email: old.email, ...item } : undefined));

const ofRefused: readonly Row[] = [
  ['partial-write-after', 'RECIP-17', writes(ITEMS, (items, bad) => items.slice(bad + 1))],
  ['refused-unresolvable-writes', 'RECIP-17', writes(UNRESOLVABLE)],
  ['refused-number-writes', 'RECIP-17', writes('RECIP-27', (items) => items.slice(0, 1000))],
  ['refused-embed-user-made', 'RECIP-46', emailKept],
  ['refused-role-writes', 'RECIP-17 AUTH-14', writes('RECIP-20 RECIP-21 RECIP-22')],
  ['refused-scope-writes', 'RECIP-17 AUTH-14', writes('AUTH-8')],
  ['chat-refused-first-only', 'RECIP-15', dropsChat, not(isChatAt(0))],
  ['chat-refused-last-only', 'RECIP-15', dropsChat, not(isChatAt(-1))],
  ['unresolvable-embed-user-accepted', 'RECIP-16', addressOfId(0)],
  ['unresolvable-behind-five-accepted', 'RECIP-16', addressOfId(5)],
  ['embed-user-without-address-accepted', 'RECIP-16', addressOfEmail],
  ['no-address-422', 'RECIP-16', refusedWith(422, UNRESOLVABLE), sendsNoAddress],
  ['above-500-people-refused', 'RECIP-23', refuses(400, 'RECIP-27', isAbove(500))],
  ['above-500-embed-users-refused', 'RECIP-23', refuses(400, 'RECIP-27', sendsEmbedUsers(500))],
  ['behind-1000-dropped', 'RECIP-24', takesFirst(1000)],
  ['empty-list-accepted', 'RECIP-25', accepts('any', nobody), sendsValue('recipients', isEmpty)],
  ['missing-list-accepted', 'RECIP-25', accepts('any', nobody), sendsNo('recipients')],
];

// ── the lists of the answer ─────────────────────────────────────────────────────

const isEmbedRecord = ({ externalId }: JsonObject) => typeof externalId === 'string';
/** Holds when a person is in a list for the n-th time, and each time after that. */
const fromTime = (times: number) => (record: JsonObject, done: Done, list: string) =>
  count(done.target.memory, `${where(done)} ${who(record)} ${list}`) >= times;
/** Holds if a call has the recipients of an earlier call in another order. */
const isReordered: When = (asked) => {
  const items = sent(asked).map((item) => JSON.stringify(item));
  const earlier = exchange(asked.target.memory, items.toSorted().join(), items.join());
  return earlier !== undefined && earlier !== items.join();
};
/** Whether a property of a recipient has changed since the last call. */
const isOther =
  (of: (record: JsonObject, done: Done) => string) => (record: JsonObject, done: Done) => {
    const now = of(record, done);
    return (exchange<string>(done.target.memory, who(record), now) ?? now) !== now;
  };
const isNamedOtherwise = isOther(({ userId }, done) =>
  sent(done).some((item) => item.userId === userId) ? 'userId' : 'email',
);
const isSeenElsewhere = isOther((_record, done) => where(done));
const isAlone: When = (asked) => sent(asked).length < 2;
const lastNowhere = field(CREATED, (list) => objectsOf(list).slice(0, -1));
const alsoOfBefore = field(CREATED, (own, { target }) => [
  ...objectsOf(own),
  ...(exchange(target.memory, 'created', objectsOf(own)) ?? []),
]);
const anotherId = field('unchangedRecipients.*.embedUserId', (id) => Number(id) + 1000);
const madeAnew = both(anotherId, moves(UNCHANGED, CREATED, isEmbedRecord));
const otherType = field('unchangedRecipients.*.type', (type) =>
  type === 'USER' ? 'CONSOLE' : type,
);

// ── what becomes of a change ────────────────────────────────────────────────────

type Alike = (sent: unknown, old: unknown) => boolean;
const asText: Alike = (a, b) => {
  const texts = (_key: string, value: unknown) =>
    typeof value === 'number' ? String(value) : value;
  return JSON.stringify(a, texts) === JSON.stringify(b, texts);
};
/** Misses a change of a property if the two values are equal by this comparison. */
const misses = (property: string, alike: Alike = () => true): Does =>
  seesEach(({ item, old }) => {
    const [own, before] = [item[property], old?.[property]];
    const isMissed = own !== undefined && before !== undefined && alike(own, before);
    return isMissed ? { ...item, [property]: before } : undefined;
  });
/**
 * Holds if a call changes a property of a known recipient. If none is changed, the values are
 * stored.
 */
const changes =
  (property: string): When =>
  (asked) => {
    const isChanged = ones(asked).some(({ item, old }) => {
      const [own, before] = [item[property], old?.[property]];
      return own !== undefined && before !== undefined && !equal(own, before);
    });
    if (!isChanged) for (const item of sent(asked)) note(asked, item);
    return isChanged;
  };
const ofProperty = (name: string, property: string, breaks: string): readonly Row[] => [
  [`${name}-change-created`, breaks, moves(UPDATED, CREATED), changes(property)],
  [`${name}-change-not-kept`, 'RECIP-7', lost, changes(property)],
];

// ── embed users and console users ───────────────────────────────────────────────

const anyTenant = seesEach(({ item, target: { memory } }) => {
  const key = `tenant of ${item.externalId}`;
  memory.set(key, memory.get(key) ?? item.embedTenantName);
  return item.externalId === undefined ? item : { ...item, embedTenantName: memory.get(key) };
});
const idForEmail = seesEach((one) =>
  hasEmailShape(one) && sendsEmail(one) ? { ...one.item, email: one.item.externalId } : undefined,
);
const nextUser = seesEach(async (one) => {
  const record = isConsole(one) && sendsEmail(one) ? await recordOf(one, one.item) : undefined;
  return record && { userId: Number(record.userId) + 1 };
});
const oneEach = replaces(
  (asked) => who(sent(asked)[0] ?? {}),
  (call, first) => call.target !== first.target,
);
const isNameless = all(isEmbed, not(sendsEmail), not(hasEmailShape));
const isShapedId = all(hasEmailShape, not(sendsEmail));

const rows: readonly Row[] = [
  ...ofRefused,
  ['third-time-created', 'RECIP-7', moves(UNCHANGED, CREATED, fromTime(2))],
  ['third-time-updated', 'RECIP-7', moves(UNCHANGED, UPDATED, fromTime(2))],
  ['reordered-created', 'RECIP-7', moves(UNCHANGED, CREATED), isReordered],
  ['others-unsubscribed', 'RECIP-7', replaces(({ call }) => call.target)],
  ['one-notification-each', 'RECIP-7', oneEach],
  ['known-from-another-notification', 'RECIP-10', moves(CREATED, UNCHANGED, isSeenElsewhere)],
  ...ofProperty('context', 'securityContext', 'RECIP-11'),
  ...ofProperty('attribute', 'userAttributes', 'RECIP-12'),
  ...ofProperty('group', 'groups', 'RECIP-13'),
  ['context-compared-as-text', 'RECIP-11', misses('securityContext', asText)],
  ['unchanged-nowhere', 'RECIP-8', sets(UNCHANGED, [])],
  ['last-nowhere', 'RECIP-8', lastNowhere, not(isAlone)],
  ['created-nowhere', 'RECIP-8 RECIP-10', sets(CREATED, [])],
  ['first-alone-served', 'RECIP-8 RECIP-10', takesFirst(1)],
  ['updated-nowhere', 'RECIP-8 RECIP-11 RECIP-12 RECIP-13', sets(UPDATED, [])],
  ['created-of-the-call-before', 'RECIP-7 RECIP-8 RECIP-47', alsoOfBefore],
  ['embed-user-not-made', 'RECIP-6', refusesIf(isNew)],
  ['embed-users-share-an-id', 'RECIP-6', sets('createdRecipients.*.embedUserId', 1000)],
  ['embed-user-made-anew', 'RECIP-5 RECIP-7', madeAnew],
  ['email-shaped-id-refused', 'RECIP-18', refusesIf(isShapedId, isNew)],
  ['email-shaped-id-resolves-once', 'RECIP-18', refusesIf(isLater, isShapedId, isNew)],
  ['sent-email-resolves-nothing', 'RECIP-19', refusesIf(sendsEmail, not(hasEmailShape), isNew)],
  ['sent-email-forgotten', 'RECIP-19', refusesIf(isNameless, hadEmail)],
  ['external-id-beats-sent-email', 'RECIP-19', idForEmail],
  ['known-embed-user-refused', 'RECIP-5', refusesIf(isNameless)],
  ['embed-tenant-ignored', 'RECIP-5', anyTenant],
  ['user-id-refused', 'RECIP-3', refusesIf(({ item }) => item.userId !== undefined)],
  ['email-refused', 'RECIP-4', refusesIf(isConsole, sendsEmail)],
  ['id-and-email-are-two', 'RECIP-3 RECIP-4', moves(UNCHANGED, CREATED, isNamedOtherwise)],
  ['user-id-names-neighbour', 'RECIP-3', reads('recipients.*.userId', (id: number) => id + 1)],
  ['email-names-neighbour', 'RECIP-4', nextUser],
  ['console-user-of-another-type', 'RECIP-26', otherType],
];

export const recipients = table('recipients', ['addNotificationRecipients'], rows);
