/** The three lists of an answer, and recipients that are reported in another one, twice or not at all. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersBody } from '../../deviations/answers.ts';
import { objectsOf } from '../../deviations/changes.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { again, exchange } from '../../deviations/memory.ts';
import { type Rows, rowsOf } from '../../deviations/rows.ts';
import { afterwards, beforehand, lost } from '../../deviations/state.ts';
import { embedUserKey } from '../../world/rows.ts';
import { addCall, itemsOf, rowKey, seesItems, subjectKey } from './add-call.ts';

const breaking = rowsOf('recipients', ['addNotificationRecipients']);

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
): Lists => ({
  created: change(created),
  updated: change(updated),
  unchanged: change(unchanged),
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
    const gone = [...recipients.entries()].filter(([key]) => which(key, lists, scene));
    for (const [key] of gone) recipients.delete(key);
    return gone.length > 0;
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

const createsReordered = relists((lists, scene) =>
  isReordered(scene) ? { created: [...lists.created, ...lists.unchanged], unchanged: [] } : {},
);

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
  const known = itemsOf(call).flatMap((item) => {
    if (table.has(rowKey(call, item))) return [];
    const subject = subjectKey(call, item);
    const found = [...table.entries()].find(([key]) => subjectOf(key) === subject);
    return found === undefined ? [] : [{ key: `${id}/${subject}`, row: found[1] }];
  });
  for (const { key, row } of known) table.put(key, { ...row, notificationId: id });
  return known.length > 0;
});

const fromTheThirdTime = again(recordKey);
type As = 'created' | 'updated';
const anybodyUnchanged = (as: As): Rows => ({
  [`again-${as}`]: [`Whoever is unchanged is reported as ${as}.`, moves('unchanged', as)],
});
const kindsUnchanged = (as: As): Rows => ({
  [`again-${as}-embed-users`]: [
    `An embed user that is unchanged is reported as ${as}.`,
    moves('unchanged', as, isEmbedRecord),
  ],
  [`again-${as}-console-users`]: [
    `A console user that is unchanged is reported as ${as}.`,
    moves('unchanged', as, isConsoleRecord),
  ],
});
const unchangedTwice = (as: As): Rows => ({
  [`third-time-${as}`]: [
    `Whoever is sent unchanged a second time is unchanged, and from the third on ${as}.`,
    moves('unchanged', as, fromTheThirdTime),
  ],
});

const besideAChange = (_record: JsonObject, _scene: Scene, { created, updated }: Lists) =>
  created.length + updated.length > 0;

export const repeats = [
  ...breaking(['RECIP-7'], {
    ...anybodyUnchanged('created'),
    ...anybodyUnchanged('updated'),
    ...kindsUnchanged('created'),
    ...kindsUnchanged('updated'),
    ...unchangedTwice('created'),
    ...unchangedTwice('updated'),
    'reordered-created': createsReordered,
    'created-not-kept': ['A new subscription is reported and not kept.', lost(['recipients'])],
    'others-unsubscribed': unsubscribes(
      (key, lists, scene) => isOfThisNotification(key, scene) && isNowhere(key, lists, scene),
    ),
    'unchanged-beside-change-updated': [
      'Whoever is unchanged is reported as updated where somebody else of the call is not.',
      moves('unchanged', 'updated', besideAChange),
    ],
    'one-notification-each': [
      'Subscribing somebody to a notification ends their subscription to any other.',
      unsubscribes(isCreatedElsewhere),
    ],
  }),
  ...breaking(['RECIP-10'], {
    'known-from-another-notification': [
      'Whoever is subscribed to one notification counts as subscribed to every other.',
      knowsFromElsewhere,
    ],
  }),
];

const leavesOutTheLast = relists((lists, scene) => {
  const items = itemsOf(scene.call);
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return {};
  const key = rowKey(scene.call, last);
  return eachList(lists, (records) => records.filter((record) => recordKey(record, scene) !== key));
});

const createsThoseOfBefore = relists(({ created }, { memory }) => ({
  created: [...created, ...(exchange(memory, 'created', created) ?? [])],
}));

export const lists = [
  ...breaking(['RECIP-8'], {
    'created-twice': ['Whoever is created is unchanged as well.', copies('created', 'unchanged')],
    'updated-twice': ['Whoever is updated is unchanged as well.', copies('updated', 'unchanged')],
    'updated-and-created': ['Whoever is updated is created as well.', copies('updated', 'created')],
  }),
  ...breaking(['RECIP-8', 'RECIP-10'], {
    'created-nowhere': ['Whoever is newly subscribed is in no list.', empties('created')],
    'first-alone-served': seesItems((items) => items.slice(0, 1)),
  }),
  ...breaking(['RECIP-8'], {
    'unchanged-nowhere': ['Whoever is unchanged is in no list.', empties('unchanged')],
    'last-nowhere': [
      'The last of several recipients is subscribed and left out of the answer.',
      leavesOutTheLast,
    ],
  }),
  ...breaking(['RECIP-8', 'RECIP-11', 'RECIP-12', 'RECIP-13'], {
    'updated-nowhere': ['Whoever is updated is in no list.', empties('updated')],
  }),
  ...breaking(['RECIP-7', 'RECIP-8'], {
    'created-of-the-call-before': [
      'createdRecipients holds those whom the call before created, too.',
      createsThoseOfBefore,
    ],
  }),
];
