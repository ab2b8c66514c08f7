/** A call that adds recipients, and the three lists of its answer: who is seen, and reported as what. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersBody } from '../../deviations/answers.ts';
import { objectsOf } from '../../deviations/changes.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { again, exchange } from '../../deviations/memory.ts';
import { refuses as refusesAt } from '../../deviations/refusals.ts';
import { type Deviation, type Rows, rowsOf } from '../../deviations/rows.ts';
import { callOf, sending, sentBody, trialOf } from '../../deviations/sent.ts';
import { afterwards, beforehand, lost } from '../../deviations/state.ts';
import type { Call } from '../../pipeline/call.ts';
import type { ExchangeRequest, Refusal } from '../../pipeline/exchange.ts';
import {
  type EmbedUserRow,
  embedUserKey,
  type RecipientRow,
  type UserRow,
} from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import { addNotificationRecipients } from './handler.ts';
import { kindOf, type RecipientItem } from './machine.ts';

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

export function embedKeyOf(item: RecipientItem): string {
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

export function userOf(world: World, item: RecipientItem): UserRow | undefined {
  const { users } = world.state.tables;
  if (item.userId !== undefined) return users.get(item.userId);
  const email = item.email?.toLowerCase();
  return users.rows().find((user) => user.email.toLowerCase() === email);
}

/** Key of an item's row. */
export function rowKey(call: Call, item: RecipientItem): string {
  const subject = isEmbed(item)
    ? `EMBED_USER:${embedKeyOf(item)}`
    : `USER:${userOf(call.world, item)?.id ?? ''}`;
  return `${addCall(call).path.id}/${subject}`;
}

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

export const repeats: Deviation[] = [];
const breaking = rowsOf(repeats, 'recipients', ['addNotificationRecipients']);

type ListName = 'created' | 'updated' | 'unchanged';
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

/** Changes each of the lists. */
const eachList = (
  { created, updated, unchanged }: Lists,
  change: (records: readonly JsonObject[]) => readonly JsonObject[],
): Lists => ({ created: change(created), updated: change(updated), unchanged: change(unchanged) });

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

/** Reports everybody of one list in another as well. */
const copies = (from: ListName, to: ListName): Does =>
  relists((lists) => ({ [to]: [...lists[to], ...lists[from]] }));

/** Reports nobody in a list. */
const empties = (name: ListName): Does => relists(() => ({ [name]: [] }));

export const isEmbedRecord = (record: JsonObject) => typeof record.externalId === 'string';
const isConsoleRecord = (record: JsonObject) => !isEmbedRecord(record);

/** Key of the row that a recipient of an answer stands for. */
export function recordKey(record: JsonObject, scene: Scene): string {
  const { userId, embedTenantName, externalId, email } = record;
  const subject = isEmbedRecord(record)
    ? `EMBED_USER:${embedUserKey(String(embedTenantName), String(externalId))}`
    : typeof userId === 'number'
      ? `USER:${userId}`
      : `EMAIL:${String(email)}`;
  return `${addCall(scene.call).path.id}/${subject}`;
}

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

const leavesOutTheLast = relists((lists, scene) => {
  const items = itemsOf(scene.call);
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return {};
  const key = rowKey(scene.call, last);
  return eachList(lists, (records) => records.filter((record) => recordKey(record, scene) !== key));
});

export const lists: Deviation[] = [];
const breakingLists = rowsOf(lists, 'recipients', ['addNotificationRecipients']);
breakingLists(['RECIP-8'], {
  'created-twice: Whoever is created is unchanged as well.': copies('created', 'unchanged'),
  'updated-twice: Whoever is updated is unchanged as well.': copies('updated', 'unchanged'),
  'updated-and-created: Whoever is updated is created as well.': copies('updated', 'created'),
  'unchanged-nowhere: Whoever is unchanged is in no list.': empties('unchanged'),
  'last-nowhere: The last of several recipients is subscribed and left out of the answer.':
    leavesOutTheLast,
});
breakingLists(['RECIP-8', 'RECIP-10'], {
  'created-nowhere: Whoever is newly subscribed is in no list.': empties('created'),
  'first-alone-served': seesItems((items) => items.slice(0, 1)),
});
breakingLists(['RECIP-8', 'RECIP-11', 'RECIP-12', 'RECIP-13'], {
  'updated-nowhere: Whoever is updated is in no list.': empties('updated'),
});
breakingLists(['RECIP-7', 'RECIP-8'], {
  'created-of-the-call-before: createdRecipients holds those whom the call before created, too.':
    relists(({ created }, { memory }) => ({
      created: [...created, ...(exchange(memory, 'created', created) ?? [])],
    })),
});
