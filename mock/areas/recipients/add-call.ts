/** A call that adds recipients: who they are, and how a deviation lets the handler see others. */
import type { Does, Scene } from '../../deviations/does.ts';
import { refusesValid } from '../../deviations/refusals.ts';
import { callOf, sending, sentBody, trialOf } from '../../deviations/sent.ts';
import type { Call } from '../../pipeline/call.ts';
import type { ExchangeRequest, Refusal } from '../../pipeline/exchange.ts';
import {
  type EmbedUserRow,
  embedUserKey,
  type RecipientRow,
  type UserRow,
} from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import { addNotificationRecipients } from './handler.ts';
import { kindOf, type RecipientItem } from './machine.ts';

export type Items = readonly RecipientItem[];
export type Which = (item: RecipientItem) => boolean;

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

export const isChat: Which = (item) => kindOf(item) === 'SLACK';
export const isEmbed: Which = (item) => kindOf(item) === 'EMBED_USER';
export const isConsole: Which = (item) => kindOf(item) === 'USER';

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

// ── what the handler sees ───────────────────────────────────────────────────────

const { sees } = sending<{ readonly recipients: Items }>({
  read: (call) => ({ recipients: itemsOf(call) }),
  write: (call, { recipients }) => setItems(call, recipients),
});

/** The handler sees other recipients than were sent; undefined leaves them. */
export const seesItems = (change: (items: Items, scene: Scene) => Items | undefined): Does =>
  sees(({ recipients }, scene) => {
    const seen = change(recipients, scene);
    return seen && { recipients: seen };
  });

/** The handler sees each recipient otherwise, given its row where it has one. */
export const seesEach = (
  change: (
    item: RecipientItem,
    row: RecipientRow | undefined,
    scene: Scene,
    index: number,
  ) => RecipientItem | undefined,
): Does =>
  seesItems((items, scene) => {
    const { recipients } = scene.world.state.tables;
    return items.map(
      (item, index) => change(item, recipients.get(rowKey(scene.call, item)), scene, index) ?? item,
    );
  });

export const UNRESOLVABLE = 'RECIP-16';

/** Refuses what would be served, where one of its recipients is like this. */
export const refuses = (
  message: string,
  when: (item: RecipientItem, call: Call, index: number, items: Items) => boolean,
): Does =>
  refusesValid(UNRESOLVABLE, message, (call) =>
    itemsOf(call).some((item, index, items) => when(item, call, index, items)),
  );
