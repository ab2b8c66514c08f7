/** Chat recipients that do not refuse the request that they are in. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { type Handle, type Json, setIn } from '../../../deviations/transforms.ts';
import { deviation, type Items, isChat } from './add-call.ts';
import { relists } from './answer-lists.ts';
import { CHAT, refusesItemsOnce, refusesOnlyWhere, serves } from './refused-items.ts';

/** Chat recipients that were let through are reported as any other. */
const reportsChats: Handle = relists((lists, { memory }) => {
  const chats = (memory.get('chats') ?? []) as Items;
  memory.delete('chats');
  const known = setIn(memory, 'channels');
  const records = chats.map(({ channelId, channelName }) => ({
    type: 'SLACK',
    ...(channelId === undefined ? {} : { channelId }),
    ...(channelName === undefined ? {} : { channelName }),
  }));
  const isKnown = (record: Json) => known.has(JSON.stringify(record));
  const created = [...lists.created, ...records.filter((record) => !isKnown(record))];
  const unchanged = [...lists.unchanged, ...records.filter(isKnown)];
  for (const record of records) known.add(JSON.stringify(record));
  return { ...lists, created, unchanged };
});

export const chats: readonly Deviation[] = [
  deviation('chat-dropped', 'Chat recipients are passed over in silence.', ['RECIP-15'], {
    stage: serves(CHAT, (items) => items.filter((item) => !isChat(item))),
    collateral: ['RECIP-8'],
  }),
  deviation('chat-accepted', 'Chat recipients are subscribed.', ['RECIP-15'], {
    stage: serves(CHAT, (items, _isBad, { memory }) => {
      memory.set('chats', items.filter(isChat));
      return items.filter((item) => !isChat(item));
    }),
    handle: reportsChats,
  }),
  deviation(
    'chat-refused-first-only',
    'A chat recipient is refused only where it comes first, and passed over elsewhere.',
    ['RECIP-15'],
    {
      stage: refusesOnlyWhere(CHAT, (items) => items.findIndex(isChat) === 0),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-refused-last-only',
    'A chat recipient is refused only where it comes last, and passed over elsewhere.',
    ['RECIP-15'],
    {
      stage: refusesOnlyWhere(CHAT, (items) => items.findLastIndex(isChat) === items.length - 1),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-refused-alone-only',
    'A chat recipient is refused only where it comes alone, and passed over among others.',
    ['RECIP-15'],
    {
      stage: refusesOnlyWhere(CHAT, (items) => items.every(isChat)),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-by-id-dropped',
    'A chat recipient that is named by channelId alone is passed over.',
    ['RECIP-15'],
    {
      stage: serves(CHAT, (items) =>
        items.filter((item) => !isChat(item) || item.channelName !== undefined),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-by-name-dropped',
    'A chat recipient that is named by channelName alone is passed over.',
    ['RECIP-15'],
    {
      stage: serves(CHAT, (items) =>
        items.filter((item) => !isChat(item) || item.channelId !== undefined),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-refused-once',
    'A chat recipient is refused the first time, and passed over from then on.',
    ['RECIP-15'],
    { ...refusesItemsOnce('RECIP-15'), collateral: ['RECIP-8'] },
  ),
];
