/** The three lists of an answer, and recipients that are reported in another one. */
import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { answersBody } from '../../deviations/answers.ts';
import { objectsOf } from '../../deviations/changes.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { afterwards } from '../../deviations/state.ts';
import { embedUserKey } from '../../world/rows.ts';
import { addCall } from './add-call.ts';

export type ListName = 'created' | 'updated' | 'unchanged';
export type Lists = Readonly<Record<ListName, readonly JsonObject[]>>;

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
export const eachList = (
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
export const copies = (from: ListName, to: ListName): Does =>
  relists((lists) => ({ [to]: [...lists[to], ...lists[from]] }));

/** Reports nobody in a list. */
export const empties = (name: ListName): Does => relists(() => ({ [name]: [] }));

export const isEmbedRecord = (record: JsonObject) => typeof record.externalId === 'string';
export const isConsoleRecord = (record: JsonObject) => !isEmbedRecord(record);

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
export const unsubscribes = (which: (key: string, lists: Lists, scene: Scene) => boolean): Does =>
  afterwards((scene, { body }) => {
    const { recipients } = scene.world.state.tables;
    const lists = readLists(body);
    const gone = [...recipients.entries()].filter(([key]) => which(key, lists, scene));
    for (const [key] of gone) recipients.delete(key);
    return gone.length > 0;
  });
