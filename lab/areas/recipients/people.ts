/** A call that adds recipients: who they are, in a request and in the three lists of its answer. */
import type { JsonObject } from '../../../spec/base/json.ts';
import { type Asked, type Does, type Done, trial } from '../../deviations/does.ts';
import { objectsOf } from '../../deviations/places.ts';
import { asAdmin, refuses } from '../../deviations/refusals.ts';
import { body } from '../../deviations/replies.ts';
import { sees } from '../../deviations/requests.ts';
import { isServed, type Reply } from '../../deviations/wire.ts';

export type Items = readonly JsonObject[];
type Some<Value> = Value | Promise<Value>;

export const isChat = ({ channelId, channelName }: JsonObject) =>
  channelId !== undefined || channelName !== undefined;
export const isEmbed = ({ externalId }: JsonObject) => externalId !== undefined;
export const isConsole = (item: JsonObject) => !isChat(item) && !isEmbed(item);
export const isEmail = (value: unknown) => /^[^@\s]+@[^@\s]+$/.test(String(value));
export const sent = ({ call }: Asked): Items => objectsOf(call.body.recipients);

/** Who an item or a record is, as it is named. */
export const who = ({ embedTenantName, externalId, userId, email }: JsonObject): string =>
  externalId === undefined ? `user ${userId ?? email}` : `embed ${embedTenantName}/${externalId}`;
export const where = ({ call }: Asked): string => JSON.stringify(call.path);

// ── what the service would make of somebody ─────────────────────────────────────

/** The call with these recipients alone, as somebody who may make it. */
export const calling = (asked: Asked, recipients: Items) => ({
  ...asAdmin(asked),
  body: { recipients },
});
export const tryOut = (asked: Asked, recipients: Items): Promise<Reply> =>
  trial(asked, calling(asked, recipients));

/** Whether a service would subscribe somebody alone. */
export async function resolves(asked: Asked, item: JsonObject): Promise<boolean> {
  return isServed(await tryOut(asked, [item]));
}

/** The record that the service would show of somebody. */
export async function recordOf(asked: Asked, item: JsonObject): Promise<JsonObject | undefined> {
  const { created, updated, unchanged } = readLists((await tryOut(asked, [item])).body);
  return [...created, ...updated, ...unchanged][0];
}

/** Whether an embed user is made by this call: its id would be that of a stranger. */
export async function isNew(asked: Asked, item: JsonObject): Promise<boolean> {
  const { embedTenantName } = item;
  const stranger = { embedTenantName, externalId: 'nobody.yet@example.com' };
  const [own, next] = [await recordOf(asked, item), await recordOf(asked, stranger)];
  return own !== undefined && Number(own.embedUserId) >= Number(next?.embedUserId);
}

// ── what the service is shown ───────────────────────────────────────────────────

/** The service sees other recipients than were sent. */
export const seesAll = (change: (items: Items, asked: Asked) => Some<Items | undefined>): Does =>
  sees(async (request, asked) => {
    const recipients = await change(sent(asked), asked);
    return recipients && { ...request, recipients };
  });
export const seesEach = (
  change: (item: JsonObject, asked: Asked, index: number) => Some<JsonObject | undefined>,
): Does =>
  seesAll(async (items, asked) => {
    const seen: JsonObject[] = [];
    for (const [index, item] of items.entries())
      seen.push((await change(item, asked, index)) ?? item);
    return seen;
  });

/** Refuses what would be served, where one of its recipients is like this. */
export const refusesWith = (
  is: (item: JsonObject, asked: Asked, index: number) => Some<boolean>,
): Does =>
  refuses(400, 'RECIP-16', async (asked) => {
    for (const [index, item] of sent(asked).entries())
      if (await is(item, asked, index)) return true;
    return false;
  });

// ── the lists of the answer ─────────────────────────────────────────────────────

export type ListName = 'created' | 'updated' | 'unchanged';
export type Lists = Readonly<Record<ListName, Items>>;

export function readLists(value: unknown): Lists {
  const lists = (value ?? {}) as JsonObject;
  return {
    created: objectsOf(lists.createdRecipients),
    updated: objectsOf(lists.updatedRecipients),
    unchanged: objectsOf(lists.unchangedRecipients),
  };
}

export const toldLists = ({ created, updated, unchanged }: Lists): JsonObject => ({
  createdRecipients: created,
  updatedRecipients: updated,
  unchangedRecipients: unchanged,
});

/** Changes which list holds whom. */
export const relists = (change: (lists: Lists, done: Done) => Some<Partial<Lists>>): Does =>
  body(async (whole, done) => {
    const lists = readLists(whole);
    return toldLists({ ...lists, ...(await change(lists, done)) });
  });

/** Reports recipients of one list in another. */
export const moves = (
  from: ListName,
  to: ListName,
  which: (record: JsonObject, done: Done, lists: Lists) => boolean = () => true,
): Does =>
  relists((lists, done) => {
    const moved = lists[from].filter((record) => which(record, done, lists));
    return {
      [from]: lists[from].filter((record) => !moved.includes(record)),
      [to]: [...lists[to], ...moved],
    };
  });
