/** A call that adds recipients: who they are, and how a deviation lets the handler see others. */
import { isDeepStrictEqual } from 'node:util';
import type { Scene } from '../../../deviations/deviation.ts';
import {
  callOf,
  deviationOf,
  type Handle,
  sentBody,
  trialOf,
} from '../../../deviations/transforms.ts';
import type { Call } from '../../../pipeline/call.ts';
import type { ExchangeRequest, Refusal } from '../../../pipeline/exchange.ts';
import {
  type EmbedUserRow,
  embedUserKey,
  type RecipientRow,
  type UserRow,
} from '../../../world/rows.ts';
import type { World } from '../../../world/world.ts';
import { addNotificationRecipients } from '../handler.ts';
import { kindOf, type RecipientItem } from '../machine.ts';

export type Items = readonly RecipientItem[];

export const deviation = deviationOf('recipients', 'addNotificationRecipients');

export const addCall = callOf<'addNotificationRecipients'>;
type AddCall = ReturnType<typeof addCall>;

export function itemsOf(call: Call): Items {
  return addCall(call).input.recipients as Items;
}

export function setItems(call: Call, items: Items): void {
  addCall(call).input = { recipients: [...items] } as AddCall['input'];
}

/** The same call for other recipients. */
export function copyFor(call: Call, items: Items): AddCall {
  const copy = addCall(trialOf(call));
  setItems(copy, items);
  return copy;
}

/** Why these recipients alone would be refused. */
export function refusalOf(call: Call, items: Items): Refusal | undefined {
  return addNotificationRecipients.validate?.(copyFor(call, items));
}

/** The recipients of a body that breaks no rule of the contract but, maybe, that of their number. */
export function sentItems(call: Call, request: ExchangeRequest): Items | undefined {
  const body = sentBody(request);
  if (body === undefined || !Array.isArray(body.recipients)) return undefined;
  const failures = call.operation.body?.validate(body) ?? [];
  return failures.every(({ keyword }) => keyword === 'maxItems')
    ? (body.recipients as Items)
    : undefined;
}

export const isChat = (item: RecipientItem) => kindOf(item) === 'SLACK';
export const isEmbed = (item: RecipientItem) => kindOf(item) === 'EMBED_USER';
export const isConsole = (item: RecipientItem) => kindOf(item) === 'USER';

export function embedKeyOf(item: RecipientItem): string {
  return embedUserKey(item.embedTenantName ?? '', item.externalId ?? '');
}

export function embedUserOf(call: Call, item: RecipientItem): EmbedUserRow | undefined {
  return call.world.state.tables.embedUsers.get(embedKeyOf(item));
}

export function userOf(world: World, item: RecipientItem): UserRow | undefined {
  const { users } = world.state.tables;
  if (item.userId !== undefined) return users.get(item.userId);
  const email = item.email?.toLowerCase();
  return users.rows().find((user) => user.email.toLowerCase() === email);
}

/** Key of an item's row, for whichever notification. */
export function subjectKey(call: Call, item: RecipientItem): string {
  return isEmbed(item)
    ? `EMBED_USER:${embedKeyOf(item)}`
    : `USER:${userOf(call.world, item)?.id ?? ''}`;
}

export function rowKey(call: Call, item: RecipientItem): string {
  return `${addCall(call).path.id}/${subjectKey(call, item)}`;
}

/** Lets the handler see the items otherwise than they were sent. */
export function sees(
  change: (
    item: RecipientItem,
    row: RecipientRow | undefined,
    scene: Scene,
    index: number,
  ) => RecipientItem,
): Handle {
  return (next, scene) => {
    const { call, world } = scene;
    const sent = itemsOf(call);
    const seen = sent.map((item, index) =>
      change(item, world.state.tables.recipients.get(rowKey(call, item)), scene, index),
    );
    if (!isDeepStrictEqual(sent, seen)) {
      setItems(call, seen);
      scene.took();
    }
    return next();
  };
}

/** Does something with the state before the call is handled; true where it did. */
export function first(prepare: (scene: Scene) => boolean): Handle {
  return (next, scene) => {
    if (prepare(scene)) scene.took();
    return next();
  };
}
