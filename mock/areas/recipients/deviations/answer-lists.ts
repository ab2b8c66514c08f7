/** The three lists of an answer, and recipients that are reported in another one. */

import type { Scene } from '../../../deviations/deviation.ts';
import {
  afterwards,
  type Handle,
  isRecord,
  type Json,
  mapBody,
  same,
} from '../../../deviations/transforms.ts';
import { embedUserKey } from '../../../world/rows.ts';
import { addCall } from './add-call.ts';

type ListName = 'created' | 'updated' | 'unchanged';
type Lists = Readonly<Record<ListName, readonly Json[]>>;

export function readLists(body: Json): Lists {
  const list = (name: string) => {
    const value = body[name];
    return Array.isArray(value) ? value.filter(isRecord) : [];
  };
  return {
    created: list('createdRecipients'),
    updated: list('updatedRecipients'),
    unchanged: list('unchangedRecipients'),
  };
}

/** Changes which list holds whom. */
export function relists(change: (lists: Lists, scene: Scene) => Lists): Handle {
  return mapBody((body, scene) => {
    const lists = readLists(body);
    const { created, updated, unchanged } = change(lists, scene);
    if (same(lists, { created, updated, unchanged })) return undefined;
    return {
      createdRecipients: created,
      updatedRecipients: updated,
      unchangedRecipients: unchanged,
    };
  });
}

/** Reports recipients of one list in another. */
export function moves(
  from: ListName,
  to: ListName,
  which: (record: Json, scene: Scene, lists: Lists) => boolean = () => true,
): Handle {
  return relists((lists, scene) => {
    const moved = lists[from].filter((record) => which(record, scene, lists));
    return {
      ...lists,
      [from]: lists[from].filter((record) => !moved.includes(record)),
      [to]: [...lists[to], ...moved],
    };
  });
}

export const isEmbedRecord = (record: Json) => typeof record.externalId === 'string';

/** Key of the row that a recipient of an answer stands for. */
export function recordKey(record: Json, scene: Scene): string {
  const { userId, embedTenantName, externalId, email } = record;
  const subject = isEmbedRecord(record)
    ? `EMBED_USER:${embedUserKey(String(embedTenantName), String(externalId))}`
    : typeof userId === 'number'
      ? `USER:${userId}`
      : `EMAIL:${String(email)}`;
  return `${addCall(scene.call).path.id}/${subject}`;
}

/** Does something with the state, knowing the lists of the answer; true where that changed it. */
export function tidies(tidy: (scene: Scene, lists: Lists) => boolean): Handle {
  return afterwards((scene, { body }) => tidy(scene, readLists(body as Json)));
}

/**
 * The lists are all that a client sees of a subscription: one that is wrong shows in every check
 * that sends somebody again to find out whether they are subscribed.
 */
export const SENT_AGAIN = [
  'RECIP-3',
  'RECIP-4',
  'RECIP-5',
  'RECIP-7',
  'RECIP-8',
  'RECIP-10',
  'RECIP-11',
  'RECIP-12',
  'RECIP-13',
  'RECIP-17',
  'AUTH-14',
];
