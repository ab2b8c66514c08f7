/** Requests that are refused, and written all the same, as a whole or in part. */

import type { Deviation } from '../../../deviations/deviation.ts';
import { type Json, type RefusedHook, unlogged } from '../../../deviations/transforms.ts';
import { findAndHandle } from '../../../pipeline/binding.ts';
import type { Call } from '../../../pipeline/call.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import { addNotificationRecipients } from '../handler.ts';
import { isEmail } from '../machine.ts';
import {
  addCall,
  copyFor,
  deviation,
  embedKeyOf,
  embedUserOf,
  type Items,
  isEmbed,
  refusalOf,
  rowKey,
  sentItems,
} from './add-call.ts';
import { readLists } from './answer-lists.ts';
import { CHAT, UNRESOLVABLE } from './refused-items.ts';

const ITEM_GROUNDS = [...CHAT, ...UNRESOLVABLE];
const ROLE_GROUNDS = ['RECIP-20', 'RECIP-21', 'RECIP-22'];

/** Writes some recipients of a refused request: those of the chosen ones that resolve. */
function writesRefused(
  grounds: readonly string[],
  choose: (items: Items, bad: number, call: Call) => Items = (items) => items,
): RefusedHook {
  return (refused, scene) => {
    const { call, request, world } = scene;
    if (!grounds.includes(refused.statement) || !isNotification(call)) return;
    const items = sentItems(call, request);
    if (items === undefined) return;
    const bad = Number(/^\/recipients\/(\d+)(?=\/|$)/.exec(refused.at ?? '')?.[1] ?? -1);
    const good = choose(items, bad, call).filter((item) => refusalOf(call, [item]) === undefined);
    if (good.length === 0) return;
    const result = unlogged(world, () =>
      findAndHandle(addNotificationRecipients, copyFor(call, good)),
    );
    if (result instanceof Promise || isRefusal(result)) return;
    const lists = readLists(result.body as Json);
    if (lists.created.length + lists.updated.length > 0) scene.took();
  };
}

function isNotification(call: Call): boolean {
  const { deploymentId, id } = addCall(call).path;
  const row = call.world.state.tables.notifications.get(id);
  return row?.deploymentId === String(deploymentId);
}

/** Makes the embed users of a refused request all the same, without subscribing them. */
const makesRefusedUsers: RefusedHook = (refused, scene) => {
  const { call, request, world } = scene;
  if (!ITEM_GROUNDS.includes(refused.statement)) return;
  for (const item of (sentItems(call, request) ?? []).filter(isEmbed)) {
    const { embedTenantName, externalId, email } = item;
    if (embedTenantName === undefined || externalId === undefined || !isEmail(email)) continue;
    if (embedUserOf(call, item) !== undefined) continue;
    const id = world.state.nextEmbedUserId;
    world.state.nextEmbedUserId += 1;
    world.state.tables.embedUsers.put(embedKeyOf(item), { id, embedTenantName, externalId, email });
    scene.took();
  }
};

export const refusedWrites: readonly Deviation[] = [
  deviation(
    'partial-write-before',
    'The recipients before the one that refuses a request are subscribed.',
    ['RECIP-17'],
    { refused: writesRefused(ITEM_GROUNDS, (items, bad) => items.slice(0, bad)) },
  ),
  deviation(
    'partial-write-after',
    'The recipients behind the one that refuses a request are subscribed.',
    ['RECIP-17'],
    { refused: writesRefused(ITEM_GROUNDS, (items, bad) => items.slice(bad + 1)) },
  ),
  deviation(
    'partial-write-all-good',
    'Every recipient of a refused request that resolves is subscribed.',
    ['RECIP-17'],
    { refused: writesRefused(ITEM_GROUNDS) },
  ),
  deviation(
    'partial-write-first',
    'The first recipient of a refused request is subscribed.',
    ['RECIP-17'],
    { refused: writesRefused(ITEM_GROUNDS, (items) => items.slice(0, 1)) },
  ),
  deviation(
    'partial-write-last',
    'The last recipient of a refused request is subscribed.',
    ['RECIP-17'],
    { refused: writesRefused(ITEM_GROUNDS, (items) => items.slice(-1)) },
  ),
  deviation(
    'partial-write-of-fifties',
    'A list is looked at and written fifty recipients at a time: those before the bad fifty stay.',
    ['RECIP-17'],
    {
      refused: writesRefused(ITEM_GROUNDS, (items, bad) => items.slice(0, bad - (bad % 50))),
    },
  ),
  deviation(
    'refused-chat-writes',
    'A request that is refused for a chat recipient subscribes the others.',
    ['RECIP-17'],
    { refused: writesRefused(CHAT) },
  ),
  deviation(
    'refused-unresolvable-writes',
    'A request that is refused for a recipient without an email subscribes the others.',
    ['RECIP-17'],
    { refused: writesRefused(UNRESOLVABLE) },
  ),
  deviation(
    'refused-role-writes',
    'A request that is refused for want of the admin role is written all the same.',
    ['RECIP-17', 'AUTH-14'],
    { refused: writesRefused(ROLE_GROUNDS) },
  ),
  deviation(
    'refused-scope-writes',
    'A request outside the scope of its key is refused, and written all the same.',
    ['RECIP-17', 'AUTH-14'],
    { refused: writesRefused(['AUTH-8']) },
  ),
  deviation(
    'refused-number-writes',
    'A request with too many recipients is refused, and its first 1000 are subscribed.',
    ['RECIP-17'],
    { refused: writesRefused(['RECIP-27'], (items) => items.slice(0, 1000)) },
  ),
  deviation(
    'refused-change-writes',
    'A refused request subscribes nobody new, but changes those who are subscribed.',
    ['RECIP-17'],
    {
      refused: writesRefused(ITEM_GROUNDS, (items, _bad, call) =>
        items.filter((item) => call.world.state.tables.recipients.has(rowKey(call, item))),
      ),
    },
  ),
  deviation(
    'refused-embed-user-made',
    'A refused request makes its embed users, with their emails, though it subscribes none of them.',
    ['RECIP-17'],
    { refused: makesRefusedUsers, collateral: ['RECIP-16'] },
  ),
];
