/** Recipients that are in two of the three lists, or in none. */
import type { Deviation } from '../../../deviations/deviation.ts';
import type { Json } from '../../../deviations/transforms.ts';
import { deviation, first, itemsOf, rowKey, setItems } from './add-call.ts';
import { recordKey, relists, SENT_AGAIN } from './answer-lists.ts';
import { CHANGES } from './changes.ts';

export const lists: readonly Deviation[] = [
  deviation('created-twice', 'Whoever is created is unchanged as well.', ['RECIP-8'], {
    handle: relists((lists) => ({ ...lists, unchanged: [...lists.unchanged, ...lists.created] })),
    collateral: SENT_AGAIN,
  }),
  deviation('updated-twice', 'Whoever is updated is unchanged as well.', ['RECIP-8'], {
    handle: relists((lists) => ({ ...lists, unchanged: [...lists.unchanged, ...lists.updated] })),
    collateral: SENT_AGAIN,
  }),
  deviation('updated-and-created', 'Whoever is updated is created as well.', ['RECIP-8'], {
    handle: relists((lists) => ({ ...lists, created: [...lists.created, ...lists.updated] })),
    collateral: SENT_AGAIN,
  }),
  deviation(
    'created-nowhere',
    'Whoever is newly subscribed is in no list.',
    ['RECIP-8', 'RECIP-10'],
    {
      handle: relists((lists) => ({ ...lists, created: [] })),
      collateral: ['RECIP-6', 'RECIP-17', 'AUTH-14'],
    },
  ),
  deviation('unchanged-nowhere', 'Whoever is unchanged is in no list.', ['RECIP-8'], {
    handle: relists((lists) => ({ ...lists, unchanged: [] })),
    collateral: SENT_AGAIN,
  }),
  deviation('updated-nowhere', 'Whoever is updated is in no list.', ['RECIP-8', ...CHANGES], {
    handle: relists((lists) => ({ ...lists, updated: [] })),
  }),
  deviation(
    'last-nowhere',
    'The last of several recipients is subscribed and left out of the answer.',
    ['RECIP-8'],
    {
      handle: (next, scene) => {
        const items = itemsOf(scene.call);
        const last = items.at(-1);
        if (items.length < 2 || last === undefined) return next();
        const key = rowKey(scene.call, last);
        const stays = (record: Json) => recordKey(record, scene) !== key;
        return relists((lists) => ({
          created: lists.created.filter(stays),
          updated: lists.updated.filter(stays),
          unchanged: lists.unchanged.filter(stays),
        }))(next, scene);
      },
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'first-alone-served',
    'Of several recipients only the first is subscribed and reported.',
    ['RECIP-8', 'RECIP-10'],
    {
      handle: first(({ call }) => {
        const items = itemsOf(call);
        if (items.length < 2) return false;
        setItems(call, items.slice(0, 1));
        return true;
      }),
      collateral: SENT_AGAIN,
    },
  ),
  deviation(
    'created-of-the-call-before',
    'createdRecipients holds those whom the call before created, too.',
    ['RECIP-7', 'RECIP-8'],
    {
      handle: relists((lists, { memory }) => {
        const earlier = (memory.get('created') ?? []) as readonly Json[];
        memory.set('created', lists.created);
        return { ...lists, created: [...lists.created, ...earlier] };
      }),
      collateral: [...SENT_AGAIN, 'RECIP-6', 'RECIP-18', 'RECIP-19'],
    },
  ),
];
