/** A call that adds recipients: who they are, and how a deviation lets the handler see others. */
import { type Does, onCheck, type Scene } from '../../deviations/does.ts';
import { refusesValid, remembersRefusal } from '../../deviations/refusals.ts';
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

function setItems(call: Call, items: Items): void {
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

// ── recipients that refuse the request that they are in ─────────────────────────

export const CHAT = 'RECIP-15';
export const UNRESOLVABLE = 'RECIP-16';

/** Serves a request that a statement refuses, with what is left of its recipients. */
export const serves = (
  statement: string,
  keep: (items: Items, isBad: Which, scene: Scene) => Items | undefined,
): Does =>
  onCheck('validate', (refused, scene) => {
    const { call } = scene;
    if (refused?.statement !== statement) return refused;
    const isBad: Which = (item) => refusalOf(call, [item])?.statement === statement;
    const left = keep(itemsOf(call), isBad, scene);
    if (left === undefined || refusalOf(call, left) !== undefined) return refused;
    setItems(call, left);
    return undefined;
  });

/** Passes over the recipients that a statement refuses, or some of them. */
export const drops = (statement: string, which: Which = () => true): Does =>
  serves(statement, (items, isBad) => items.filter((item) => !which(item) || !isBad(item)));

/** Refuses by a statement only where this holds; elsewhere passes over whom it should refuse. */
export const refusesOnlyWhere = (
  statement: string,
  where: (items: Items, isBad: Which, scene: Scene) => boolean,
): Does =>
  serves(statement, (items, isBad, scene) =>
    where(items, isBad, scene) ? undefined : items.filter((item) => !isBad(item)),
  );

/** Refuses by a statement once, and passes over whom it should refuse from then on. */
export const refusesItemsOnce = (statement: string): readonly Does[] => [
  refusesOnlyWhere(statement, (_items, _isBad, { memory }) => !memory.has('refused')),
  remembersRefusal(statement),
];

/** Refuses what would be served, where one of its recipients is like this. */
export const refuses = (
  message: string,
  when: (item: RecipientItem, call: Call, index: number, items: Items) => boolean,
): Does =>
  refusesValid(UNRESOLVABLE, message, (call) =>
    itemsOf(call).some((item, index, items) => when(item, call, index, items)),
  );

// ── how many recipients ─────────────────────────────────────────────────────────

/** Refuses a number of recipients that is allowed. */
export const refusesNumber = (when: (count: number) => boolean): Does =>
  refusesValid('RECIP-24', 'There are too many recipients', (call) => when(itemsOf(call).length));

/** Serves these of the recipients that were refused for their number. */
export const servesOf = (choose: (sent: Items) => Items | undefined): Does =>
  onCheck('validate', (refused, { call, request }) => {
    const sent = refused && sentItems(call, request);
    const chosen = sent && choose(sent);
    if (chosen === undefined || refusalOf(call, chosen) !== undefined) return refused;
    setItems(call, chosen);
    return undefined;
  });

/** Serves a body that lacks recipients as one without any. */
export const servesNobody = (when: (recipients: unknown) => boolean): Does =>
  onCheck('validate', (refused, { call, request }) => {
    const body = sentBody(request);
    if (refused === undefined || body === undefined || !when(body.recipients)) return refused;
    setItems(call, []);
    return undefined;
  });
