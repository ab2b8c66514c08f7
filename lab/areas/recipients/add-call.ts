/** A call that adds recipients, and the three lists of its answer: who is seen, and reported as what. */

import { addNotificationRecipients } from '../../../mock/areas/recipients/handler.ts';
import { kindOf, type RecipientItem } from '../../../mock/areas/recipients/machine.ts';
import type { Call } from '../../../mock/pipeline/call.ts';
import type { ExchangeRequest, Refusal } from '../../../mock/pipeline/exchange.ts';
import {
  type EmbedUserRow,
  embedUserKey,
  type RecipientRow,
  type UserRow,
} from '../../../mock/world/rows.ts';
import type { World } from '../../../mock/world/world.ts';
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersBody } from '../../deviations/answers.ts';
import { objectsOf } from '../../deviations/changes.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { again } from '../../deviations/memory.ts';
import { refuses as refusesAt } from '../../deviations/refusals.ts';
import { type Deviation, type Rows, rowsOf } from '../../deviations/rows.ts';
import { callOf, sending, sentBody, trialOf } from '../../deviations/sent.ts';
import { afterwards, beforehand, lost } from '../../deviations/state.ts';

export type Items = readonly RecipientItem[];
export type Which = (item: RecipientItem) => boolean;

export const addCall = callOf<'addNotificationRecipients'>;
const { sentOf, sees } = sending<{ readonly recipients: Items }>();

export function itemsOf(call: Call): Items {
  return sentOf(call).recipients;
}

/** Why these recipients alone would be refused. */
export function refusalOf(call: Call, recipients: Items): Refusal | undefined {
  return addNotificationRecipients.validate?.(trialOf(call, { recipients }));
}

/** The recipients of a body that breaks no rule of the contract but, maybe, that of their number. */
export function sentItems(call: Call, request: ExchangeRequest): Items | undefined {
  const body = sentBody(request);
  if (body === undefined || !Array.isArray(body.recipients)) return undefined;
  const failures = call.operation.body?.validate(body) ?? [];
  return failures.every(({ keyword }) => keyword === 'maxItems')
    ? (body.recipients as Items)
    : undefined;
}

export const isChat: Which = (item) => kindOf(item) === 'SLACK';
export const isEmbed: Which = (item) => kindOf(item) === 'EMBED_USER';
export const isConsole: Which = (item) => kindOf(item) === 'USER';

function embedKeyOf(item: RecipientItem): string {
  return embedUserKey(item.embedTenantName ?? '', item.externalId ?? '');
}

export function embedUserOf(call: Call, item: RecipientItem): EmbedUserRow | undefined {
  return call.world.state.tables.embedUsers.get(embedKeyOf(item));
}

/** Makes an embed user, or makes it anew. */
export function makeEmbedUser({ state }: World, user: Omit<EmbedUserRow, 'id'>): void {
  const key = embedUserKey(user.embedTenantName, user.externalId);
  state.tables.embedUsers.put(key, { ...user, id: state.nextIds.embedUser });
  state.nextIds.embedUser += 1;
}

/** What names somebody, in a request or in an answer. */
interface Named {
  readonly userId?: unknown;
  readonly email?: unknown;
  readonly embedTenantName?: unknown;
  readonly externalId?: unknown;
}

export function userOf({ state }: World, { userId, email }: Named): UserRow | undefined {
  const { users } = state.tables;
  if (typeof userId === 'number') return users.get(userId);
  const sought = String(email).toLowerCase();
  return users.rows().find((user) => user.email.toLowerCase() === sought);
}

/** Key of the row of somebody. */
export function rowKey(call: Call, named: Named): string {
  const { embedTenantName, externalId, email } = named;
  const { id } = addCall(call).path;
  if (typeof externalId === 'string') {
    return `${id}/EMBED_USER:${embedUserKey(String(embedTenantName), externalId)}`;
  }
  const user = userOf(call.world, named);
  return `${id}/${user === undefined ? `EMAIL:${email}` : `USER:${user.id}`}`;
}

export const recordKey = (record: JsonObject, { call }: Scene) => rowKey(call, record);

export const recipients: Deviation[] = [];
export const breaking = rowsOf(recipients, 'recipients', ['addNotificationRecipients']);

// ── what the handler sees ───────────────────────────────────────────────────────

/** The handler sees other recipients than were sent; undefined leaves them. */
export const seesItems = (change: (items: Items, scene: Scene) => Items | undefined): Does =>
  sees(({ recipients }, scene) => {
    const seen = change(recipients, scene);
    return seen && { recipients: seen };
  });

/** The handler sees each recipient otherwise, given its row where it has one. */
export const seesEach = (
  change: (
    item: RecipientItem,
    row: RecipientRow | undefined,
    scene: Scene,
    index: number,
  ) => RecipientItem | undefined,
): Does =>
  seesItems((items, scene) => {
    const { recipients } = scene.world.state.tables;
    return items.map(
      (item, index) => change(item, recipients.get(rowKey(scene.call, item)), scene, index) ?? item,
    );
  });

export const UNRESOLVABLE = 'RECIP-16';

/** Refuses what would be served, where one of its recipients is like this. */
export const refuses = (
  message: string,
  when: (item: RecipientItem, call: Call, index: number, items: Items) => boolean,
): Does =>
  refusesAt('validate', UNRESOLVABLE, message, ({ call }) =>
    itemsOf(call).some((item, index, items) => when(item, call, index, items)),
  );

export type ListName = 'created' | 'updated' | 'unchanged';
type Lists = Readonly<Record<ListName, readonly JsonObject[]>>;

export function readLists(body: unknown): Lists {
  const of = isObject(body) ? body : {};
  return {
    created: objectsOf(of.createdRecipients),
    updated: objectsOf(of.updatedRecipients),
    unchanged: objectsOf(of.unchangedRecipients),
  };
}

/** Changes which list holds whom. */
export const relists = (change: (lists: Lists, scene: Scene) => Partial<Lists>): Does =>
  answersBody((body, scene) => {
    const lists = readLists(body);
    const { created, updated, unchanged } = { ...lists, ...change(lists, scene) };
    return {
      createdRecipients: created,
      updatedRecipients: updated,
      unchangedRecipients: unchanged,
    };
  });

/** Reports recipients of one list in another. */
export const moves = (
  from: ListName,
  to: ListName,
  which: (record: JsonObject, scene: Scene, lists: Lists) => boolean = () => true,
): Does =>
  relists((lists, scene) => {
    const moved = lists[from].filter((record) => which(record, scene, lists));
    return {
      [from]: lists[from].filter((record) => !moved.includes(record)),
      [to]: [...lists[to], ...moved],
    };
  });

export const isEmbedRecord = (record: JsonObject) => typeof record.externalId === 'string';
const isConsoleRecord = (record: JsonObject) => !isEmbedRecord(record);

/** Ends subscriptions once a call was served, knowing the lists of its answer. */
const unsubscribes = (which: (key: string, lists: Lists, scene: Scene) => boolean): Does =>
  afterwards((scene, { body }) => {
    const { recipients } = scene.world.state.tables;
    const lists = readLists(body);
    for (const [key] of [...recipients.entries()]) {
      if (which(key, lists, scene)) recipients.delete(key);
    }
  });

// ── the same call again ─────────────────────────────────────────────────────────

/** A call with the recipients of an earlier one, in an order in which it has not come before. */
function isReordered({ call, memory }: Scene): boolean {
  const items = itemsOf(call).map((item) => JSON.stringify(item));
  const key = items.toSorted().join();
  const order = items.join();
  if (!memory.has(key)) memory.set(key, order);
  return memory.get(key) !== order;
}

/** The part of a row's key that says who it is. */
const subjectOf = (key: string) => key.slice(key.indexOf('/') + 1);

const isNowhere = (key: string, lists: Lists, scene: Scene) =>
  Object.values(lists)
    .flat()
    .every((record) => recordKey(record, scene) !== key);

const isOfThisNotification = (key: string, { call }: Scene) =>
  key.startsWith(`${addCall(call).path.id}/`);

const isCreatedElsewhere = (key: string, { created }: Lists, scene: Scene) =>
  created
    .map((record) => recordKey(record, scene))
    .some((own) => own !== key && subjectOf(own) === subjectOf(key));

/** Subscribes to this notification whoever is subscribed to another one. */
const knowsFromElsewhere = beforehand(({ call, world }) => {
  const { recipients: table } = world.state.tables;
  const { id } = addCall(call).path;
  for (const key of itemsOf(call).map((item) => rowKey(call, item))) {
    const found = [...table.entries()].find(([other]) => subjectOf(other) === subjectOf(key));
    if (found !== undefined && !table.has(key)) table.put(key, { ...found[1], notificationId: id });
  }
});

const fromTheThirdTime = again(recordKey);
type As = 'created' | 'updated';
const anybodyUnchanged = (as: As): Rows => ({
  [`again-${as}: Whoever is unchanged is reported as ${as}.`]: moves('unchanged', as),
});
const kindsUnchanged = (as: As): Rows => ({
  [`again-${as}-embed-users: An embed user that has not changed is reported as ${as} anyway.`]:
    moves('unchanged', as, isEmbedRecord),
  [`again-${as}-console-users: A console user that has not changed is reported as ${as} anyway.`]:
    moves('unchanged', as, isConsoleRecord),
});
const unchangedTwice = (as: As): Rows => ({
  [`third-time-${as}: From the third time on, whoever is unchanged is reported as ${as}.`]: moves(
    'unchanged',
    as,
    fromTheThirdTime,
  ),
});

const besideAChange = (_record: JsonObject, _scene: Scene, { created, updated }: Lists) =>
  created.length + updated.length > 0;

breaking(['RECIP-7'], {
  ...anybodyUnchanged('created'),
  ...anybodyUnchanged('updated'),
  ...kindsUnchanged('created'),
  ...kindsUnchanged('updated'),
  ...unchangedTwice('created'),
  ...unchangedTwice('updated'),
  'reordered-created': relists((lists, scene) =>
    isReordered(scene) ? { created: [...lists.created, ...lists.unchanged], unchanged: [] } : {},
  ),
  'created-not-kept: A new subscription is reported and not kept.': lost(['recipients']),
  'others-unsubscribed': unsubscribes(
    (key, lists, scene) => isOfThisNotification(key, scene) && isNowhere(key, lists, scene),
  ),
  'unchanged-beside-change-updated: Whoever is unchanged beside a change is reported as updated.':
    moves('unchanged', 'updated', besideAChange),
  'one-notification-each: A new subscription of somebody ends their subscription to any other.':
    unsubscribes(isCreatedElsewhere),
});
breaking(['RECIP-10'], {
  'known-from-another-notification: A subscriber of one notification is known to every other.':
    knowsFromElsewhere,
});
