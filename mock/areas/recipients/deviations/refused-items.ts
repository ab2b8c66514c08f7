/** Requests that some of their recipients should refuse, served without these. */

import type { Memory } from '../../../deviations/deviation.ts';
import {
  type Hooks,
  refusesValid,
  remembersRefusal,
  type StageHook,
} from '../../../deviations/transforms.ts';
import type { Call } from '../../../pipeline/call.ts';
import type { RecipientItem } from '../machine.ts';
import { type Items, itemsOf, refusalOf, setItems } from './add-call.ts';

export const CHAT = ['RECIP-15'];
export const UNRESOLVABLE = ['RECIP-16'];

type Keep<Result> = (
  items: Items,
  isBad: (item: RecipientItem) => boolean,
  scene: { readonly call: Call; readonly memory: Memory },
) => Result;

/** Serves a request that was refused on these grounds, with the recipients that are left of it. */
export function serves(grounds: readonly string[], keep: Keep<Items | undefined>): StageHook {
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

/** Refuses on these grounds only where this holds; elsewhere passes over whom it should refuse. */
export function refusesOnlyWhere(grounds: readonly string[], where: Keep<boolean>): StageHook {
  return serves(grounds, (items, isBad, scene) =>
    where(items, isBad, scene) ? undefined : without(items, isBad),
  );
}

/** Refuses by a statement once, and passes over whom it should refuse from then on. */
export function refusesItemsOnce(statement: string): Hooks {
  return {
    stage: refusesOnlyWhere([statement], (_items, _isBad, { memory }) => !memory.has('refused')),
    refused: remembersRefusal(statement),
  };
}

/** Refuses what would be served, where one of its recipients is of this kind. */
export function refuses(
  statement: string,
  message: string,
  when: (item: RecipientItem, call: Call) => boolean,
): StageHook {
  return refusesValid(statement, message, (call) => itemsOf(call).some((item) => when(item, call)));
}
