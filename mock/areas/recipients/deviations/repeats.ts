/** The same call again: whoever is unchanged is said to be new or changed, or was forgotten. */
import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { count, forgets } from '../../../deviations/transforms.ts';
import { addCall, deviation, first, itemsOf, rowKey, subjectKey } from './add-call.ts';
import { isEmbedRecord, moves, recordKey, SENT_AGAIN, tidies } from './answer-lists.ts';

/** A call with the recipients of an earlier one, in an order in which it has not come before. */
function isReordered({ call, memory }: Scene): boolean {
  const items = itemsOf(call).map((item) => JSON.stringify(item));
  const key = items.toSorted().join();
  const order = items.join();
  if (!memory.has(key)) memory.set(key, order);
  return memory.get(key) !== order;
}

export const repeats: readonly Deviation[] = [
  deviation('again-created', 'Whoever is unchanged is reported as created.', ['RECIP-7'], {
    handle: moves('unchanged', 'created'),
    collateral: SENT_AGAIN,
  }),
  deviation('again-updated', 'Whoever is unchanged is reported as updated.', ['RECIP-7'], {
    handle: moves('unchanged', 'updated'),
    collateral: SENT_AGAIN,
  }),
  deviation(
    'again-created-embed-users',
    'An embed user that is unchanged is reported as created.',
    ['RECIP-7'],
    { handle: moves('unchanged', 'created', isEmbedRecord), collateral: SENT_AGAIN },
  ),
  deviation(
    'again-created-console-users',
    'A console user that is unchanged is reported as created.',
    ['RECIP-7'],
    {
      handle: moves('unchanged', 'created', (record) => !isEmbedRecord(record)),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'again-updated-embed-users',
    'An embed user that is unchanged is reported as updated.',
    ['RECIP-7'],
    { handle: moves('unchanged', 'updated', isEmbedRecord), collateral: SENT_AGAIN },
  ),
  deviation(
    'again-updated-console-users',
    'A console user that is unchanged is reported as updated.',
    ['RECIP-7'],
    {
      handle: moves('unchanged', 'updated', (record) => !isEmbedRecord(record)),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'third-time-created',
    'Whoever is sent unchanged a second time is unchanged, and from the third on created.',
    ['RECIP-7'],
    {
      handle: moves(
        'unchanged',
        'created',
        (record, scene) => count(scene.memory, recordKey(record, scene)) >= 2,
      ),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'third-time-updated',
    'Whoever is sent unchanged a second time is unchanged, and from the third on updated.',
    ['RECIP-7'],
    {
      handle: moves(
        'unchanged',
        'updated',
        (record, scene) => count(scene.memory, recordKey(record, scene)) >= 2,
      ),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'reordered-created',
    'The same recipients in another order are created again.',
    ['RECIP-7'],
    {
      handle: (next, scene) => {
        const reordered = isReordered(scene);
        return moves('unchanged', 'created', () => reordered)(next, scene);
      },
      collateral: SENT_AGAIN,
    },
  ),
  deviation('created-not-kept', 'A new subscription is reported and not kept.', ['RECIP-7'], {
    handle: forgets(() => true, 'recipients'),
    collateral: SENT_AGAIN,
  }),
  deviation('others-unsubscribed', 'A call unsubscribes whoever is not in it.', ['RECIP-7'], {
    handle: tidies((scene, lists) => {
      const { recipients: table } = scene.world.state.tables;
      const { id } = addCall(scene.call).path;
      const stay = new Set(
        Object.values(lists).flatMap((list) => list.map((record) => recordKey(record, scene))),
      );
      const gone = [...table.entries()].filter(
        ([key, row]) => row.notificationId === id && !stay.has(key),
      );
      for (const [key] of gone) table.delete(key);
      return gone.length > 0;
    }),
    collateral: SENT_AGAIN,
  }),
  deviation(
    'unchanged-beside-change-updated',
    'Whoever is unchanged is reported as updated where somebody else of the call is not.',
    ['RECIP-7'],
    {
      handle: moves(
        'unchanged',
        'updated',
        (_record, _scene, lists) => lists.created.length + lists.updated.length > 0,
      ),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'one-notification-each',
    'Subscribing somebody to a notification ends their subscription to any other.',
    ['RECIP-7'],
    {
      handle: tidies((scene, lists) => {
        const { recipients: table } = scene.world.state.tables;
        const mine = lists.created.map((record) => recordKey(record, scene));
        const gone = [...table.entries()].filter(([key]) =>
          mine.some((own) => own !== key && subjectOf(own) === subjectOf(key)),
        );
        for (const [key] of gone) table.delete(key);
        return gone.length > 0;
      }),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'known-from-another-notification',
    'Whoever is subscribed to one notification counts as subscribed to every other.',
    ['RECIP-10'],
    {
      handle: first(({ call, world }) => {
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
      }),
      collateral: SENT_AGAIN,
    },
  ),
];

/** The part of a row's key that says who it is. */
function subjectOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
