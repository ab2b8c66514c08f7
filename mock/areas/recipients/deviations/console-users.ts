/** Console users that are taken for two, or for somebody else. */

import type { Deviation, Scene } from '../../../deviations/deviation.ts';
import { type Json, setIn } from '../../../deviations/transforms.ts';
import type { World } from '../../../world/world.ts';
import type { RecipientItem } from '../machine.ts';
import { addCall, deviation, isConsole, itemsOf, sees, userOf } from './add-call.ts';
import { relists } from './answer-lists.ts';

/** How somebody was named, where that is not how they were named at first. */
function isNamedOtherwise(record: Json, { call, world, memory }: Scene): boolean {
  const item = itemsOf(call).find(
    (candidate) => isConsole(candidate) && userOf(world, candidate)?.id === record.userId,
  );
  if (item === undefined) return false;
  const names = setIn(memory, `names of ${addCall(call).path.id}/${String(record.userId)}`);
  const name = item.userId === undefined ? 'email' : 'userId';
  const otherwise = names.size > 0 && !names.has(name);
  names.add(name);
  return otherwise;
}

/** The console user after this one. */
function neighbour(world: World, item: RecipientItem): RecipientItem {
  const rows = world.state.tables.users.rows();
  const user = userOf(world, item);
  const next = user === undefined ? undefined : rows[(rows.indexOf(user) + 1) % rows.length];
  return next === undefined ? item : { userId: next.id };
}

export const consoleUsers: readonly Deviation[] = [
  deviation(
    'id-and-email-are-two',
    'A user who was subscribed by userId is created again by email, and the other way round.',
    ['RECIP-3', 'RECIP-4'],
    {
      handle: relists((lists, scene) => {
        for (const record of lists.created) isNamedOtherwise(record, scene);
        const again = lists.unchanged.filter((record) => isNamedOtherwise(record, scene));
        return {
          ...lists,
          created: [...lists.created, ...again],
          unchanged: lists.unchanged.filter((record) => !again.includes(record)),
        };
      }),
    },
  ),
  deviation(
    'user-id-names-neighbour',
    'A userId subscribes the user behind the one that it names.',
    ['RECIP-3'],
    {
      handle: sees((item, _row, { world }) =>
        isConsole(item) && item.userId !== undefined ? neighbour(world, item) : item,
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'email-names-neighbour',
    'An email subscribes the user behind the one whose email it is.',
    ['RECIP-4'],
    {
      handle: sees((item, _row, { world }) =>
        isConsole(item) && item.userId === undefined ? neighbour(world, item) : item,
      ),
      collateral: ['RECIP-8'],
    },
  ),
];
