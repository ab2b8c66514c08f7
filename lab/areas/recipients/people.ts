/** A call that adds recipients: who they are, in a request and in the three lists of its answer. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { all, exchange } from '../../deviations/conditions.ts';
import { type Asked, type Does, type Done, trial } from '../../deviations/does.ts';
import type { Items } from '../../deviations/pages.ts';
import { objectsOf } from '../../deviations/places.ts';
import { asAdmin, refuses } from '../../deviations/refusals.ts';
import { body } from '../../deviations/replies.ts';
import { sees } from '../../deviations/requests.ts';
import { isServed, type Reply } from '../../deviations/wire.ts';

type Some<Value> = Value | Promise<Value>;

/** One recipient of a call, as it is sent. */
export interface One extends Asked {
  readonly item: JsonObject;
  readonly index: number;
  /** What the service has seen of the same one before, for the same notification. */
  readonly old: JsonObject | undefined;
}
export type Is = (one: One) => Some<boolean>;

export const sent = ({ call }: Asked): Items => objectsOf(call.body.recipients);
/** Who an item or a record is, as it is named. */
export const who = ({ embedTenantName, externalId, userId, email }: JsonObject): string =>
  externalId === undefined ? `user ${userId ?? email}` : `embed ${embedTenantName}/${externalId}`;
export const where = ({ call }: Asked): string => JSON.stringify(call.path);

export const isChat: Is = ({ item: { channelId, channelName } }) =>
  (channelId ?? channelName) !== undefined;
export const isEmbed: Is = ({ item }) => item.externalId !== undefined;
export const isConsole: Is = (one) => !isChat(one) && !isEmbed(one);
export const isEmail = (value: unknown) => /^[^@\s]+@[^@\s]+$/.test(String(value));
export const sendsEmail: Is = ({ item }) => item.email !== undefined;
export const hasEmailShape: Is = ({ item }) => isEmail(item.externalId);

/** Notes what the service sees of somebody. */
export function note(asked: Asked, item: JsonObject): JsonObject | undefined {
  const { memory } = asked.target;
  const key = `${where(asked)} ${who(item)}`;
  return exchange<JsonObject>(memory, key, { ...Object(memory.get(key)), ...item });
}
const oneOf = (asked: Asked, item: JsonObject, index: number): One => ({
  ...{ ...asked, item, index },
  old: asked.target.memory.get(`${where(asked)} ${who(item)}`) as JsonObject | undefined,
});
/** The recipients of a call, one by one. */
export const ones = (asked: Asked): readonly One[] =>
  sent(asked).map((item, index) => oneOf(asked, item, index));

// ── what the service would make of somebody ─────────────────────────────────────

/** The call with these recipients alone, as somebody who may make it. */
export const calling = (asked: Asked, recipients: Items) => ({
  ...asAdmin(asked),
  body: { recipients },
});
const tryOut = (asked: Asked, item: JsonObject): Promise<Reply> =>
  trial(asked, calling(asked, [item]));

/** Whether a service would subscribe somebody alone. */
export const resolves = async (one: One): Promise<boolean> => isServed(await tryOut(one, one.item));

/** The record that the service would show of somebody. */
export async function recordOf(asked: Asked, item: JsonObject): Promise<JsonObject | undefined> {
  const { created, updated, unchanged } = readLists((await tryOut(asked, item)).body);
  return [...created, ...updated, ...unchanged][0];
}

/** Whether an embed user is made by this call: its id would be that of a stranger. */
export const isNew: Is = async (one) => {
  if (!isEmbed(one)) return false;
  const { embedTenantName } = one.item;
  const stranger = { embedTenantName, externalId: 'nobody.yet@example.com' };
  const [own, next] = [await recordOf(one, one.item), await recordOf(one, stranger)];
  return own !== undefined && Number(own.embedUserId) >= Number(next?.embedUserId);
};

// ── what the service is shown ───────────────────────────────────────────────────

/** The service sees something else of each recipient than was sent. */
export const seesEach = (change: (one: One) => Some<JsonObject | undefined>): Does =>
  sees(async (request, asked) => {
    const recipients: JsonObject[] = [];
    for (const one of ones(asked)) {
      const seen = (await change(one)) ?? one.item;
      note(asked, seen);
      recipients.push(seen);
    }
    return recipients.length === 0 ? undefined : { ...request, recipients };
  });

/** Refuses what would be served, if one of its recipients is all this. */
export const refusesIf = (...is: readonly Is[]): Does =>
  refuses(400, 'RECIP-16', async (asked) => {
    let isLikeThis = false;
    for (const one of ones(asked)) {
      isLikeThis ||= await all(...is)(one);
      note(asked, one.item);
    }
    return isLikeThis;
  });

// ── the lists of the answer ─────────────────────────────────────────────────────

type ListName = 'created' | 'updated' | 'unchanged';
type Lists = Readonly<Record<ListName, Items>>;

function readLists(value: unknown): Lists {
  const lists = (value ?? {}) as JsonObject;
  return {
    created: objectsOf(lists.createdRecipients),
    updated: objectsOf(lists.updatedRecipients),
    unchanged: objectsOf(lists.unchangedRecipients),
  };
}

/** Reports recipients of one list in another. The condition is asked of every record. */
export const moves = (
  from: ListName,
  to: ListName,
  which: (record: JsonObject, done: Done, list: string) => boolean = () => true,
): Does =>
  body((whole, done) => {
    const lists = Object.entries(readLists(whole));
    const moved = lists.flatMap(([name, list]) =>
      list.filter((record) => which(record, done, name) && name === from),
    );
    const changed = lists.map(([name, list]) => {
      const left = list.filter((record) => !moved.includes(record));
      return [`${name}Recipients`, name === to ? [...left, ...moved] : left];
    });
    return Object.fromEntries(changed);
  });
