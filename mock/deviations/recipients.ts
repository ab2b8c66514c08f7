/**
 * Adding recipients, wrong in state and in time: what is written although it was refused, who is
 * let through, which change goes unnoticed, and in which list a recipient ends up.
 */
import { isDeepStrictEqual } from 'node:util';
import { Call, refusal } from '../call.ts';
import type { ExchangeRequest, Refusal } from '../exchange.ts';
import { isRefusal } from '../exchange.ts';
import { isEmail, kindOf, type RecipientItem } from '../machines/recipients.ts';
import { addNotificationRecipients } from '../operations/notifications.ts';
import { type EmbedUserRow, embedUserKey, type RecipientRow, type UserRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Deviation, Memory, Scene } from './deviation.ts';
import {
  count,
  deviationOf,
  forgets,
  type Handle,
  type Hooks,
  isRecord,
  type Json,
  mapBody,
  remembersRefusal,
  same,
  sentBody,
  setIn,
  whenDone,
} from './transforms.ts';

type AddCall = Call<'addNotificationRecipients'>;
type Items = readonly RecipientItem[];
type Stage = NonNullable<Deviation['stage']>;
type Refused = NonNullable<Deviation['refused']>;

const deviation = deviationOf('recipients', 'addNotificationRecipients');

// ── calls and items ─────────────────────────────────────────────────────────────

function addCall(call: Call): AddCall {
  return call as unknown as AddCall;
}

function itemsOf(call: Call): Items {
  return addCall(call).input.recipients as Items;
}

function setItems(call: Call, items: Items): void {
  addCall(call).input = { recipients: [...items] } as AddCall['input'];
}

/** The same call for other recipients; what it assumes is no part of the answer's basis. */
function copyFor(call: Call, items: Items): AddCall {
  const { operation, caller, path, rawQuery } = call;
  const copy = new Call({ operation, caller, path, rawQuery, basis: call.basis.trial() });
  setItems(copy, items);
  return addCall(copy);
}

/** Why these recipients alone would be refused. */
function refusalOf(call: Call, items: Items): Refusal | undefined {
  return addNotificationRecipients.validate?.(copyFor(call, items));
}

/** The recipients of a body that breaks no rule of the contract but, maybe, that of their number. */
function sentItems(call: Call, request: ExchangeRequest): Items | undefined {
  const body = sentBody(request);
  if (body === undefined || !Array.isArray(body.recipients)) return undefined;
  const failures = call.operation.body?.validate(body) ?? [];
  return failures.every(({ keyword }) => keyword === 'maxItems')
    ? (body.recipients as Items)
    : undefined;
}

const isChat = (item: RecipientItem) => kindOf(item) === 'SLACK';
const isEmbed = (item: RecipientItem) => kindOf(item) === 'EMBED_USER';
const isConsole = (item: RecipientItem) => kindOf(item) === 'USER';

function embedKeyOf(item: RecipientItem): string {
  return embedUserKey(item.embedTenantName ?? '', item.externalId ?? '');
}

function embedUserOf(call: Call, item: RecipientItem): EmbedUserRow | undefined {
  return call.world.state.tables.embedUsers.get(embedKeyOf(item));
}

function userOf(world: World, item: RecipientItem): UserRow | undefined {
  const { users } = world.state.tables;
  if (item.userId !== undefined) return users.get(item.userId);
  const email = item.email?.toLowerCase();
  return users.rows().find((user) => user.email.toLowerCase() === email);
}

/** Key of an item's row, for whichever notification. */
function subjectKey(call: Call, item: RecipientItem): string {
  return isEmbed(item)
    ? `EMBED_USER:${embedKeyOf(item)}`
    : `USER:${userOf(call.world, item)?.id ?? ''}`;
}

function rowKey(call: Call, item: RecipientItem): string {
  return `${addCall(call).path.id}/${subjectKey(call, item)}`;
}

// ── what is let through, and what is not ────────────────────────────────────────

/** Serves a request that was refused on these grounds, with the recipients that are left of it. */
function serves(
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

const without = (items: Items, isBad: (item: RecipientItem) => boolean) =>
  items.filter((item) => !isBad(item));

/** Refuses what would be served, where one of its recipients is of this kind. */
function refuses(
  statement: string,
  message: string,
  when: (item: RecipientItem, call: Call) => boolean,
): Stage {
  return (stage, refused, { call }) =>
    stage === 'validate' && refused === undefined && itemsOf(call).some((item) => when(item, call))
      ? refusal(400, statement, message)
      : refused;
}

/** Refuses, or serves, by the number of recipients that were sent. */
function counts(decide: (sent: Items, call: Call) => Items | 'refused' | undefined): Stage {
  return (stage, refused, { call, request }) => {
    if (stage !== 'validate') return refused;
    const sent = sentItems(call, request);
    const decided = sent === undefined ? undefined : decide(sent, call);
    if (decided === undefined) return refused;
    if (decided === 'refused') {
      return refused ?? refusal(400, 'RECIP-24', 'There are too many recipients');
    }
    if (refused === undefined || refusalOf(call, decided) !== undefined) return refused;
    setItems(call, decided);
    return undefined;
  };
}

/** Serves a body that lacks what the contract asks of it, as one without recipients. */
function servesNobody(when: (body: Json) => boolean): Stage {
  return (stage, refused, { call, request }) => {
    const body = sentBody(request);
    if (stage !== 'validate' || refused === undefined || body === undefined || !when(body)) {
      return refused;
    }
    setItems(call, []);
    return undefined;
  };
}

/** The role is asked for once; a caller that was refused is served the next time. */
function roleOnce(statement: string): Hooks {
  return {
    stage: (stage, refused, { memory }) =>
      stage === 'authorise' && refused?.statement === statement && memory.has('refused')
        ? undefined
        : refused,
    refused: remembersRefusal(statement),
    collateral: ['AUTH-13'],
  };
}

// ── what is written although it was refused ─────────────────────────────────────

const ITEM_GROUNDS = ['RECIP-15', 'RECIP-16'];
const ROLE_GROUNDS = ['RECIP-20', 'RECIP-21', 'RECIP-22'];

/** Writes some recipients of a refused request: those of the chosen ones that resolve. */
function writesRefused(
  grounds: readonly string[],
  choose: (items: Items, bad: number, call: Call) => Items = (items) => items,
): Refused {
  return (refused, scene) => {
    const { call, request, world } = scene;
    if (!grounds.includes(refused.statement) || !isNotification(call)) return;
    const items = sentItems(call, request);
    if (items === undefined) return;
    const bad = Number(/^\/recipients\/(\d+)$/.exec(refused.at ?? '')?.[1] ?? -1);
    const good = choose(items, bad, call).filter((item) => refusalOf(call, [item]) === undefined);
    if (good.length === 0) return;
    const { audit } = world.state;
    const events = audit.length;
    const result = addNotificationRecipients.handle(copyFor(call, good));
    audit.length = events;
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
const makesRefusedUsers: Refused = (refused, scene) => {
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

// ── the three lists ─────────────────────────────────────────────────────────────

type ListName = 'created' | 'updated' | 'unchanged';
type Lists = Readonly<Record<ListName, readonly Json[]>>;

function readLists(body: Json): Lists {
  const list = (name: string) => {
    const value = body[name];
    return Array.isArray(value) ? value.filter(isRecord) : [];
  };
  return {
    created: list('createdRecipients'),
    updated: list('updatedRecipients'),
    unchanged: list('unchangedRecipients'),
  };
}

/** Changes which list holds whom. */
function relists(change: (lists: Lists, scene: Scene) => Lists): Handle {
  return mapBody((body, scene) => {
    const lists = readLists(body);
    const { created, updated, unchanged } = change(lists, scene);
    if (same(lists, { created, updated, unchanged })) return undefined;
    return {
      createdRecipients: created,
      updatedRecipients: updated,
      unchangedRecipients: unchanged,
    };
  });
}

/** Reports recipients of one list in another. */
function moves(
  from: ListName,
  to: ListName,
  which: (record: Json, scene: Scene, lists: Lists) => boolean = () => true,
): Handle {
  return relists((lists, scene) => {
    const moved = lists[from].filter((record) => which(record, scene, lists));
    return {
      ...lists,
      [from]: lists[from].filter((record) => !moved.includes(record)),
      [to]: [...lists[to], ...moved],
    };
  });
}

const isEmbedRecord = (record: Json) => typeof record.externalId === 'string';

/** Key of the row that a recipient of an answer stands for. */
function recordKey(record: Json, scene: Scene): string {
  const { userId, embedTenantName, externalId, email } = record;
  const subject = isEmbedRecord(record)
    ? `EMBED_USER:${embedUserKey(String(embedTenantName), String(externalId))}`
    : typeof userId === 'number'
      ? `USER:${userId}`
      : `EMAIL:${String(email)}`;
  return `${addCall(scene.call).path.id}/${subject}`;
}

/** A call with the recipients of an earlier one, in an order in which it has not come before. */
function isReordered({ call, memory }: Scene): boolean {
  const items = itemsOf(call).map((item) => JSON.stringify(item));
  const key = items.toSorted().join();
  const order = items.join();
  if (!memory.has(key)) memory.set(key, order);
  return memory.get(key) !== order;
}

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

// ── changes of an existing recipient ────────────────────────────────────────────

type Property = 'securityContext' | 'userAttributes' | 'groups';
const PROPERTIES: readonly Property[] = ['securityContext', 'userAttributes', 'groups'];
const CHANGES = ['RECIP-11', 'RECIP-12', 'RECIP-13'];

/** Lets the handler see the items otherwise than they were sent. */
function sees(
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

/** A property that was sent, as it is stored already. */
function asStored(item: RecipientItem, row: RecipientRow, property: Property): RecipientItem {
  if (item[property] === undefined) return item;
  const { [property]: _sent, ...rest } = item;
  const stored = row[property];
  return stored === null ? rest : { ...rest, [property]: stored };
}

/** Misses a change of a property, where the two values are alike in this way. */
function misses(
  property: Property,
  alike: (sent: unknown, stored: unknown) => boolean = () => true,
): Handle {
  return sees((item, row) =>
    row !== undefined && row[property] !== null && alike(item[property], row[property])
      ? asStored(item, row, property)
      : item,
  );
}

/** Reports a change of a property and keeps the value from before it. */
function keepsOld(property: Property): Handle {
  return (next, scene) =>
    whenDone(next(), (done) => {
      const { call, world, before } = scene;
      const { recipients } = world.state.tables;
      for (const item of isRefusal(done) ? [] : itemsOf(call)) {
        const key = rowKey(call, item);
        const old = before.tables.recipients.get(key);
        const row = recipients.get(key);
        if (old === undefined || row === undefined) continue;
        if (isDeepStrictEqual(old[property], row[property])) continue;
        recipients.put(key, { ...row, [property]: old[property] });
        scene.took();
      }
      return done;
    });
}

/** Reports as newly subscribed whoever has changed in this property. */
function createdByChange(property: Property): Handle {
  return moves('updated', 'created', (record, scene) => {
    const key = recordKey(record, scene);
    const old = scene.before.tables.recipients.get(key);
    const row = scene.world.state.tables.recipients.get(key);
    return !isDeepStrictEqual(old?.[property], row?.[property]);
  });
}

/** Same keys and same plain values; what is nested is taken as the same. */
function alikeOnTop(sent: unknown, stored: unknown): boolean {
  if (!isRecord(sent) || !isRecord(stored)) return false;
  const keys = Object.keys(sent);
  return (
    keys.length === Object.keys(stored).length &&
    keys.every((key) => {
      const [a, b] = [sent[key], stored[key]];
      const nested = (value: unknown) => value !== null && typeof value === 'object';
      return key in stored && (nested(a) && nested(b) ? true : a === b);
    })
  );
}

/** Same but for the types of plain values. */
function alikeAsText(sent: unknown, stored: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'number' ? String(item) : item));
  return text(sent) === text(stored);
}

/** All that was sent is stored, maybe with more. */
function isPartOf(sent: unknown, stored: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.every((item) => stored.some((other) => isDeepStrictEqual(item, other)));
  }
  if (!isRecord(sent) || !isRecord(stored)) return false;
  return Object.entries(sent).every(([key, value]) => isDeepStrictEqual(value, stored[key]));
}

function sameNames(sent: unknown, stored: unknown): boolean {
  const names = (list: unknown) =>
    Array.isArray(list) ? list.map((item) => (isRecord(item) ? String(item.name) : '')).sort() : [];
  return isDeepStrictEqual(names(sent), names(stored));
}

function sameNumber(sent: unknown, stored: unknown): boolean {
  return Array.isArray(sent) && Array.isArray(stored) && sent.length === stored.length;
}

/** A context that the recipient had once is taken for the one that it has. */
const missesReturn: Handle = sees((item, row, { call, memory }) => {
  if (!isEmbed(item) || item.securityContext === undefined) return item;
  const had = setIn(memory, `contexts of ${rowKey(call, item)}`);
  const context = JSON.stringify(item.securityContext);
  const back = had.has(context);
  had.add(context);
  return row !== undefined && back ? asStored(item, row, 'securityContext') : item;
});

// ── who it is ───────────────────────────────────────────────────────────────────

/** The console user after this one. */
function neighbour(world: World, item: RecipientItem): RecipientItem {
  const rows = world.state.tables.users.rows();
  const user = userOf(world, item);
  const next = user === undefined ? undefined : rows[(rows.indexOf(user) + 1) % rows.length];
  return next === undefined ? item : { userId: next.id };
}

/** Does something with the state before the call is handled; true where it did. */
function first(prepare: (scene: Scene) => boolean): Handle {
  return (next, scene) => {
    if (prepare(scene)) scene.took();
    return next();
  };
}

/** Does something with the state once the call was handled; true where it did. */
function afterwards(tidy: (scene: Scene, lists: Lists) => boolean): Handle {
  return (next, scene) =>
    whenDone(next(), (done) => {
      if (!isRefusal(done) && tidy(scene, readLists(done.body as Json))) scene.took();
      return done;
    });
}

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

/**
 * The lists are all that a client sees of a subscription: one that is wrong shows in every check
 * that sends somebody again to find out whether they are subscribed.
 */
const SENT_AGAIN = [
  'RECIP-3',
  'RECIP-4',
  'RECIP-5',
  'RECIP-7',
  'RECIP-8',
  'RECIP-10',
  'RECIP-11',
  'RECIP-12',
  'RECIP-13',
  'RECIP-17',
  'AUTH-14',
];

const CHAT = ['RECIP-15'];
const UNRESOLVABLE = ['RECIP-16'];

export const recipients: readonly Deviation[] = [
  // Refused, and written all the same.
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

  // Chat recipients.
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
      stage: serves(CHAT, (items, isBad) =>
        items.findIndex(isChat) === 0 ? undefined : without(items, isBad),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-refused-last-only',
    'A chat recipient is refused only where it comes last, and passed over elsewhere.',
    ['RECIP-15'],
    {
      stage: serves(CHAT, (items, isBad) =>
        items.findLastIndex(isChat) === items.length - 1 ? undefined : without(items, isBad),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'chat-refused-alone-only',
    'A chat recipient is refused only where it comes alone, and passed over among others.',
    ['RECIP-15'],
    {
      stage: serves(CHAT, (items, isBad) =>
        items.every(isChat) ? undefined : without(items, isBad),
      ),
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
    {
      stage: serves(CHAT, (items, isBad, { memory }) =>
        memory.has('refused') ? without(items, isBad) : undefined,
      ),
      refused: remembersRefusal('RECIP-15'),
      collateral: ['RECIP-8'],
    },
  ),

  // Recipients that resolve to no email.
  deviation(
    'unresolvable-dropped',
    'Recipients without a valid email are passed over in silence.',
    ['RECIP-16'],
    { stage: serves(UNRESOLVABLE, without), collateral: ['RECIP-8'] },
  ),
  deviation(
    'unresolvable-user-dropped',
    'A userId of nobody is passed over in silence.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.filter((item) => item.userId === undefined || !isBad(item)),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-embed-user-dropped',
    'An embed user without an email is passed over in silence.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.filter((item) => !isEmbed(item) || !isBad(item)),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-address-dropped',
    'A console user whose email is not one is passed over in silence.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.filter((item) => !isConsole(item) || item.userId !== undefined || !isBad(item)),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-refused-first-only',
    'A recipient without an email refuses the request only where it comes first.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.findIndex(isBad) === 0 ? undefined : without(items, isBad),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-refused-alone-only',
    'A recipient without an email refuses the request only where it comes alone.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.every(isBad) ? undefined : without(items, isBad),
      ),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-refused-once',
    'A recipient without an email refuses a request the first time, and is passed over from then on.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad, { memory }) =>
        memory.has('refused') ? without(items, isBad) : undefined,
      ),
      refused: remembersRefusal('RECIP-16'),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'unresolvable-embed-user-accepted',
    'An embed user without an email is made and subscribed, with an email that nobody gave.',
    ['RECIP-16'],
    {
      stage: serves(UNRESOLVABLE, (items, isBad) =>
        items.map((item) =>
          isEmbed(item) && isBad(item)
            ? { ...item, email: `${encodeURIComponent(item.externalId ?? '')}@unknown.example.com` }
            : item,
        ),
      ),
    },
  ),

  // The same call again.
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
    handle: afterwards((scene, lists) => {
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
      handle: afterwards((scene, lists) => {
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

  // Changes.
  deviation(
    'context-change-unnoticed',
    'A changed security context is reported as unchanged, and not kept.',
    ['RECIP-11'],
    { handle: misses('securityContext') },
  ),
  deviation(
    'attribute-change-unnoticed',
    'Changed attributes are reported as unchanged, and not kept.',
    ['RECIP-12'],
    { handle: misses('userAttributes') },
  ),
  deviation(
    'group-change-unnoticed',
    'Changed groups are reported as unchanged, and not kept.',
    ['RECIP-13'],
    { handle: misses('groups') },
  ),
  deviation(
    'context-change-not-kept',
    'A changed security context is reported as updated, each time anew, as it is not kept.',
    ['RECIP-7'],
    { handle: keepsOld('securityContext'), collateral: ['RECIP-11'] },
  ),
  deviation(
    'attribute-change-not-kept',
    'Changed attributes are reported as updated, each time anew, as they are not kept.',
    ['RECIP-7'],
    { handle: keepsOld('userAttributes'), collateral: ['RECIP-12'] },
  ),
  deviation(
    'group-change-not-kept',
    'Changed groups are reported as updated, each time anew, as they are not kept.',
    ['RECIP-7'],
    { handle: keepsOld('groups'), collateral: ['RECIP-13'] },
  ),
  deviation(
    'context-change-created',
    'An embed user whose security context changed is reported as created.',
    ['RECIP-11'],
    { handle: createdByChange('securityContext'), collateral: SENT_AGAIN },
  ),
  deviation(
    'attribute-change-created',
    'An embed user whose attributes changed is reported as created.',
    ['RECIP-12'],
    { handle: createdByChange('userAttributes'), collateral: SENT_AGAIN },
  ),
  deviation(
    'group-change-created',
    'An embed user whose groups changed is reported as created.',
    ['RECIP-13'],
    { handle: createdByChange('groups'), collateral: SENT_AGAIN },
  ),
  deviation(
    'context-compared-on-top',
    'A change inside of a nested part of the security context is missed.',
    ['RECIP-11'],
    { handle: misses('securityContext', alikeOnTop) },
  ),
  deviation(
    'context-compared-as-text',
    'A number of the security context that becomes its own text is missed.',
    ['RECIP-11'],
    { handle: misses('securityContext', alikeAsText) },
  ),
  deviation(
    'context-only-grows',
    'A security context that loses a key is reported as unchanged, and keeps it.',
    ['RECIP-11'],
    { handle: misses('securityContext', isPartOf) },
  ),
  deviation(
    'attributes-only-grow',
    'An attribute that is no longer sent is not missed: nothing is reported, and it stays.',
    ['RECIP-12'],
    { handle: misses('userAttributes', isPartOf) },
  ),
  deviation(
    'groups-only-grow',
    'A group that is no longer sent is not missed: nothing is reported, and it stays.',
    ['RECIP-13'],
    { handle: misses('groups', isPartOf) },
  ),
  deviation(
    'attributes-compared-by-name',
    'An attribute whose value changed is missed, as only the names are compared.',
    ['RECIP-12'],
    { handle: misses('userAttributes', sameNames) },
  ),
  deviation(
    'groups-compared-by-number',
    'A group in the place of another is missed, as only their number is compared.',
    ['RECIP-13'],
    { handle: misses('groups', sameNumber) },
  ),
  deviation(
    'context-return-unnoticed',
    'A security context that the recipient had before is missed when it returns.',
    ['RECIP-11'],
    { handle: missesReturn },
  ),
  deviation(
    'second-change-unnoticed',
    'The first change of a recipient is an update; all later ones are reported as unchanged.',
    CHANGES,
    {
      handle: moves(
        'updated',
        'unchanged',
        (record, scene) => count(scene.memory, recordKey(record, scene)) >= 2,
      ),
    },
  ),
  deviation(
    'change-of-first-only',
    'Of several recipients in a call only changes of the first are noticed.',
    CHANGES,
    {
      handle: sees((item, row, _scene, index) =>
        row === undefined || index === 0
          ? item
          : PROPERTIES.reduce((seen, property) => asStored(seen, row, property), item),
      ),
    },
  ),

  // One list each.
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

  // Who it is.
  deviation('embed-user-not-made', 'An embed user that does not exist is refused.', ['RECIP-6'], {
    stage: refuses(
      'RECIP-16',
      'There is no such embed user',
      (item, call) => isEmbed(item) && embedUserOf(call, item) === undefined,
    ),
    collateral: ['RECIP-5', 'RECIP-7', 'RECIP-10', 'RECIP-18', 'RECIP-19'],
  }),
  deviation(
    'embed-user-made-anew',
    'An embed user is made anew, with a new embedUserId, at each call.',
    ['RECIP-5', 'RECIP-7'],
    {
      handle: first(({ call, world }) => {
        const { state } = world;
        const known = itemsOf(call)
          .filter(isEmbed)
          .flatMap((item) => embedUserOf(call, item) ?? []);
        for (const user of known) {
          const key = embedUserKey(user.embedTenantName, user.externalId);
          state.tables.embedUsers.put(key, { ...user, id: state.nextEmbedUserId });
          state.nextEmbedUserId += 1;
        }
        return known.length > 0;
      }),
    },
  ),
  deviation(
    'embed-users-share-an-id',
    'Of several new embed users of a call only the first is made; the others get its embedUserId.',
    ['RECIP-6'],
    {
      handle: relists((lists, { before }) => {
        const isNew = ({ embedTenantName, externalId }: Json) =>
          !before.tables.embedUsers.has(embedUserKey(String(embedTenantName), String(externalId)));
        const fresh = lists.created.filter((record) => isEmbedRecord(record) && isNew(record));
        const id = fresh[0]?.embedUserId;
        return {
          ...lists,
          created: lists.created.map((record) =>
            fresh.includes(record) ? { ...record, embedUserId: id } : record,
          ),
        };
      }),
    },
  ),
  deviation(
    'email-shaped-id-refused',
    'An externalId in the shape of an email resolves to nothing.',
    ['RECIP-18'],
    {
      stage: refuses(
        'RECIP-16',
        'The embed user has no email',
        (item, call) =>
          isEmbed(item) && item.email === undefined && !isEmail(embedUserOf(call, item)?.email),
      ),
      collateral: ['RECIP-5', 'RECIP-6', 'RECIP-7', 'RECIP-10'],
    },
  ),
  deviation(
    'email-shaped-id-resolves-once',
    'An externalId in the shape of an email resolves for the first recipient of a call only.',
    ['RECIP-18'],
    {
      stage: (stage, refused, { call }) =>
        stage === 'validate' &&
        refused === undefined &&
        itemsOf(call).some(
          (item, index, items) =>
            index > 0 &&
            isEmbed(item) &&
            item.email === undefined &&
            isEmail(item.externalId) &&
            !isEmail(embedUserOf(call, item)?.email) &&
            !same(item, items[0]),
        )
          ? refusal(400, 'RECIP-16', 'The embed user has no email')
          : refused,
      collateral: ['RECIP-5', 'RECIP-6', 'RECIP-7', 'RECIP-8', 'RECIP-10'],
    },
  ),
  deviation(
    'sent-email-resolves-nothing',
    'An email that is sent with an embed user does not resolve it.',
    ['RECIP-19'],
    {
      stage: refuses(
        'RECIP-16',
        'The embed user has no email',
        (item, call) =>
          isEmbed(item) &&
          item.email !== undefined &&
          !isEmail(item.externalId) &&
          !isEmail(embedUserOf(call, item)?.email),
      ),
      collateral: ['RECIP-5', 'RECIP-6', 'RECIP-10'],
    },
  ),
  deviation(
    'sent-email-forgotten',
    'An email that is sent with an embed user resolves it in that call, and is then forgotten.',
    ['RECIP-19'],
    {
      handle: afterwards(({ call, world, before }) => {
        const { embedUsers } = world.state.tables;
        const sent = itemsOf(call).filter((item) => isEmbed(item) && item.email !== undefined);
        let forgot = false;
        for (const item of sent) {
          const user = embedUserOf(call, item);
          const email = before.tables.embedUsers.get(embedKeyOf(item))?.email ?? null;
          if (user === undefined || user.email === email) continue;
          embedUsers.put(embedKeyOf(item), { ...user, email });
          forgot = true;
        }
        return forgot;
      }),
    },
  ),
  deviation(
    'external-id-beats-sent-email',
    'An externalId in the shape of an email counts as the email of its user, whatever email is sent.',
    ['RECIP-19'],
    {
      handle: sees((item) =>
        isEmbed(item) && item.email !== undefined && isEmail(item.externalId)
          ? { ...item, email: item.externalId }
          : item,
      ),
    },
  ),
  deviation(
    'known-embed-user-refused',
    'The email of an embed user that exists is not looked up: without another one it is refused.',
    ['RECIP-5'],
    {
      stage: refuses(
        'RECIP-16',
        'The embed user has no email',
        (item, call) =>
          isEmbed(item) &&
          item.email === undefined &&
          !isEmail(item.externalId) &&
          isEmail(embedUserOf(call, item)?.email),
      ),
    },
  ),
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

  // How many.
  deviation('limit-999', 'A request with 1000 recipients is refused.', ['RECIP-23'], {
    stage: counts((sent) => (sent.length === 1000 ? 'refused' : undefined)),
  }),
  deviation('limit-100', 'A request with more than 100 recipients is refused.', ['RECIP-23'], {
    stage: counts((sent) => (sent.length > 100 ? 'refused' : undefined)),
  }),
  deviation('limit-1001', 'A request with 1001 recipients is served.', ['RECIP-24'], {
    stage: counts((sent) => (sent.length === 1001 ? sent : undefined)),
  }),
  deviation(
    'behind-1000-dropped',
    'Of a request with more than 1000 recipients the first 1000 are served.',
    ['RECIP-24'],
    {
      stage: counts((sent) => (sent.length > 1000 ? sent.slice(0, 1000) : undefined)),
      collateral: ['RECIP-8'],
    },
  ),
  deviation(
    'thousandth-dropped',
    'The last of 1000 recipients is passed over in silence.',
    ['RECIP-8'],
    {
      handle: first(({ call }) => {
        const items = itemsOf(call);
        if (items.length !== 1000) return false;
        setItems(call, items.slice(0, 999));
        return true;
      }),
      collateral: ['RECIP-10', 'RECIP-23'],
    },
  ),
  deviation('empty-list-accepted', 'An empty list of recipients is served.', ['RECIP-25'], {
    stage: servesNobody((body) => Array.isArray(body.recipients) && body.recipients.length === 0),
  }),
  deviation('missing-list-accepted', 'A request without recipients is served.', ['RECIP-25'], {
    stage: servesNobody((body) => body.recipients === undefined),
  }),

  // Administrators only, but not each time.
  deviation(
    'role-asked-once-of-keys',
    'An API key without the admin role is refused once, and served from then on.',
    ['RECIP-20'],
    roleOnce('RECIP-20'),
  ),
  deviation(
    'role-asked-once-of-oauth',
    'An OAuth token without the admin role is refused once, and served from then on.',
    ['RECIP-21'],
    roleOnce('RECIP-21'),
  ),
  deviation(
    'role-asked-once-of-embed',
    'An embed JWT without the admin role is refused once, and served from then on.',
    ['RECIP-22'],
    roleOnce('RECIP-22'),
  ),
];

/** The part of a row's key that says who it is. */
function subjectOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
