/** Requests that some of their recipients should refuse, served without these. */
import { type Call, refusal } from '../../call.ts';
import type { RecipientItem } from '../../machines/recipients.ts';
import type { Deviation, Memory } from '../deviation.ts';
import type { Items } from './add-call.ts';
import { itemsOf, refusalOf, setItems } from './add-call.ts';

export type Stage = NonNullable<Deviation['stage']>;

/** Serves a request that was refused on these grounds, with the recipients that are left of it. */
export function serves(
  grounds: readonly string[],
  keep: (
    items: Items,
    isBad: (item: RecipientItem) => boolean,
    scene: { readonly call: Call; readonly memory: Memory },
  ) => Items | undefined,
): Stage {
  return (stage, refused, { call, memory }) => {
    if (stage !== 'validate' || refused === undefined || !grounds.includes(refused.statement)) {
      return refused;
    }
    const items = itemsOf(call);
    const isBad = (item: RecipientItem) =>
      grounds.includes(refusalOf(call, [item])?.statement ?? '');
    const left = keep(items, isBad, { call, memory });
    if (left === undefined || refusalOf(call, left) !== undefined) return refused;
    setItems(call, left);
    return undefined;
  };
}

export const without = (items: Items, isBad: (item: RecipientItem) => boolean) =>
  items.filter((item) => !isBad(item));

/** Refuses what would be served, where one of its recipients is of this kind. */
export function refuses(
  statement: string,
  message: string,
  when: (item: RecipientItem, call: Call) => boolean,
): Stage {
  return (stage, refused, { call }) =>
    stage === 'validate' && refused === undefined && itemsOf(call).some((item) => when(item, call))
      ? refusal(400, statement, message)
      : refused;
}

export const CHAT = ['RECIP-15'];

export const UNRESOLVABLE = ['RECIP-16'];
