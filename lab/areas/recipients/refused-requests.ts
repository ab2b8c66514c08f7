/** Requests that should be refused and are served, or are refused and written all the same. */

import { addNotificationRecipients } from '../../../mock/areas/recipients/handler.ts';
import { isEmail, type RecipientItem } from '../../../mock/areas/recipients/machine.ts';
import { findAndHandle } from '../../../mock/pipeline/binding.ts';
import type { Call } from '../../../mock/pipeline/call.ts';
import type { JsonObject } from '../../../spec/base/json.ts';
import { type Does, onCheck, type Scene } from '../../deviations/does.ts';
import { setIn } from '../../deviations/memory.ts';
import {
  despiteRefusal,
  refuses,
  refusesOnce,
  remembersRefusal,
} from '../../deviations/refusals.ts';
import { send, takesFor, trialOf } from '../../deviations/sent.ts';
import { unlogged } from '../../deviations/state.ts';
import {
  addCall,
  breaking,
  embedUserOf,
  type Items,
  isChat,
  isConsole,
  isEmbed,
  itemsOf,
  makeEmbedUser,
  refusalOf,
  relists,
  rowKey,
  sentItems,
  UNRESOLVABLE,
  type Which,
} from './add-call.ts';

const CHAT = 'RECIP-15';

// ── refused, and written ────────────────────────────────────────────────────────

const ITEMS = [CHAT, UNRESOLVABLE];
const ROLE = ['RECIP-20', 'RECIP-21', 'RECIP-22'];

function isNotification(call: Call): boolean {
  const { deploymentId, id } = addCall(call).path;
  const row = call.world.state.tables.notifications.get(id);
  return row?.deploymentId === String(deploymentId);
}

/** Writes some recipients of a refused request: those of the chosen ones that resolve. */
const writesRefused = (
  grounds: readonly string[],
  choose: (items: Items, bad: number, call: Call) => Items = (items) => items,
): Does =>
  despiteRefusal(grounds, ({ call, request, world }, refused) => {
    const items = isNotification(call) ? sentItems(call, request) : undefined;
    if (items === undefined) return;
    const bad = Number(/^\/recipients\/(\d+)(?=\/|$)/.exec(refused.at ?? '')?.[1] ?? -1);
    const recipients = choose(items, bad, call).filter((item) => !refusalOf(call, [item]));
    if (recipients.length === 0) return;
    unlogged(world, () => findAndHandle(addNotificationRecipients, trialOf(call, { recipients })));
  });

/** Makes the embed users of a refused request all the same, without subscribing them. */
const makesRefusedUsers = despiteRefusal(ITEMS, ({ call, request, world }) => {
  const items = sentItems(call, request)?.filter(isEmbed) ?? [];
  const fresh = items.filter((item) => embedUserOf(call, item) === undefined);
  for (const { embedTenantName, externalId, email } of fresh) {
    if (embedTenantName === undefined || externalId === undefined || !isEmail(email)) continue;
    makeEmbedUser(world, { embedTenantName, externalId, email });
  }
});

const known = (items: Items, _bad: number, call: Call) =>
  items.filter((item) => call.world.state.tables.recipients.has(rowKey(call, item)));

breaking(['RECIP-17'], {
  'partial-write-before: The recipients before the one that refuses a request are subscribed.':
    writesRefused(ITEMS, (items, bad) => items.slice(0, bad)),
  'partial-write-after: The recipients behind the one that refuses a request are subscribed.':
    writesRefused(ITEMS, (items, bad) => items.slice(bad + 1)),
  'partial-write-all-good: Every recipient of a refused request that resolves is subscribed.':
    writesRefused(ITEMS),
  'partial-write-first: The first recipient of a refused request is subscribed anyway.':
    writesRefused(ITEMS, (items) => items.slice(0, 1)),
  'partial-write-last: The last recipient of a refused request is subscribed anyway.':
    writesRefused(ITEMS, (items) => items.slice(-1)),
  'partial-write-of-fifties: Fifty recipients are written at a time: those before the bad fifty.':
    writesRefused(ITEMS, (items, bad) => items.slice(0, bad - (bad % 50))),
  'refused-chat-writes: A request that is refused for a chat recipient subscribes the others.':
    writesRefused([CHAT]),
  'refused-unresolvable-writes: A request refused for want of an email subscribes the others.':
    writesRefused([UNRESOLVABLE]),
  'refused-number-writes: A request refused for its number subscribes its first 1000.':
    writesRefused(['RECIP-27'], (items) => items.slice(0, 1000)),
  'refused-change-writes: A refused request still changes those who are subscribed.': writesRefused(
    ITEMS,
    known,
  ),
  'refused-embed-user-made: A refused request makes its embed users, and subscribes nobody.':
    makesRefusedUsers,
});
breaking(['RECIP-17', 'AUTH-14'], {
  'refused-role-writes: A request refused for want of the admin role is written all the same.':
    writesRefused(ROLE),
  'refused-scope-writes: A request outside the scope of its key is refused, and written.':
    writesRefused(['AUTH-8']),
});

// ── recipients that refuse the request that they are in ─────────────────────────

/** Serves a request that a statement refuses, with what is left of its recipients. */
const serves = (
  statement: string,
  keep: (items: Items, isBad: Which, scene: Scene) => Items | undefined,
): Does =>
  onCheck('validate', (refused, scene) => {
    const { call } = scene;
    if (refused?.statement !== statement) return refused;
    const isBad: Which = (item) => refusalOf(call, [item])?.statement === statement;
    const left = keep(itemsOf(call), isBad, scene);
    if (left === undefined || refusalOf(call, left) !== undefined) return refused;
    send(call, { recipients: left });
    return undefined;
  });

/** Passes over the recipients that a statement refuses, or some of them. */
const drops = (statement: string, which: Which = () => true): Does =>
  serves(statement, (items, isBad) => items.filter((item) => !which(item) || !isBad(item)));

/** Refuses by a statement only where this holds; elsewhere passes over whom it should refuse. */
const refusesOnlyWhere = (
  statement: string,
  where: (items: Items, isBad: Which, scene: Scene) => boolean,
): Does =>
  serves(statement, (items, isBad, scene) =>
    where(items, isBad, scene) ? undefined : items.filter((item) => !isBad(item)),
  );

/** Refuses by a statement once, and passes over whom it should refuse from then on. */
const refusesItemsOnce = (statement: string): readonly Does[] => [
  refusesOnlyWhere(statement, (_items, _isBad, { memory }) => !memory.has('refused')),
  remembersRefusal(statement),
];

// ── chat recipients ─────────────────────────────────────────────────────────────

const keepsChatsBack = serves(CHAT, (items, _isBad, { memory }) => {
  memory.set('chats', items.filter(isChat));
  return items.filter((item) => !isChat(item));
});

/** Chat recipients that were let through are reported as any other. */
const reportsChats = relists((lists, { memory }: Scene) => {
  const chats = (memory.get('chats') ?? []) as Items;
  memory.delete('chats');
  const known = setIn(memory, 'channels');
  const records: JsonObject[] = chats.map(({ channelId, channelName }) => ({
    type: 'SLACK',
    ...(channelId === undefined ? {} : { channelId }),
    ...(channelName === undefined ? {} : { channelName }),
  }));
  const { created = [], unchanged = [] } = Object.groupBy(records, (record) =>
    known.has(JSON.stringify(record)) ? 'unchanged' : 'created',
  );
  for (const record of records) known.add(JSON.stringify(record));
  return {
    created: [...lists.created, ...created],
    unchanged: [...lists.unchanged, ...unchanged],
  };
});

breaking(['RECIP-15'], {
  'chat-dropped: Chat recipients are passed over in silence.': drops(CHAT),
  'chat-accepted: Chat recipients are subscribed.': [keepsChatsBack, reportsChats],
  'chat-refused-first-only': refusesOnlyWhere(CHAT, (items) => items.findIndex(isChat) === 0),
  'chat-refused-last-only': refusesOnlyWhere(
    CHAT,
    (items) => items.findLastIndex(isChat) === items.length - 1,
  ),
  'chat-refused-alone-only': refusesOnlyWhere(CHAT, (items) => items.every(isChat)),
  'chat-by-id-dropped': drops(CHAT, ({ channelName }) => channelName === undefined),
  'chat-by-name-dropped': drops(CHAT, ({ channelId }) => channelId === undefined),
  'chat-refused-once': refusesItemsOnce(CHAT),
});

// ── recipients without an email ─────────────────────────────────────────────────

/** An address that nobody gave. */
const invented = (name: string | undefined) =>
  `${encodeURIComponent(name ?? '')}@unknown.example.com`;

/** Serves embed users without an email with one that is made up. */
const servesWith = (email: (item: RecipientItem) => string | undefined): Does =>
  serves(UNRESOLVABLE, (items, isBad) =>
    items.map((item) => {
      const address = isEmbed(item) && isBad(item) ? email(item) : undefined;
      return address === undefined ? item : { ...item, email: address };
    }),
  );

breaking(['RECIP-16'], {
  'unresolvable-dropped': drops(UNRESOLVABLE),
  'unresolvable-user-dropped': drops(UNRESOLVABLE, ({ userId }) => userId !== undefined),
  'unresolvable-embed-user-dropped': drops(UNRESOLVABLE, isEmbed),
  'unresolvable-address-dropped': drops(
    UNRESOLVABLE,
    (item) => isConsole(item) && item.userId === undefined,
  ),
  'unresolvable-refused-first-only': refusesOnlyWhere(
    UNRESOLVABLE,
    (items, isBad) => items.findIndex(isBad) === 0,
  ),
  'unresolvable-refused-alone-only': refusesOnlyWhere(UNRESOLVABLE, (items, isBad) =>
    items.every(isBad),
  ),
  'unresolvable-refused-once': refusesItemsOnce(UNRESOLVABLE),
  'unresolvable-embed-user-accepted: An embed user without an email gets one that nobody gave.':
    servesWith(({ externalId }) => invented(externalId)),
  'embed-user-without-address-accepted: An embed user is subscribed with any text as its email.':
    servesWith(({ email }) => (email === undefined ? undefined : invented(email))),
});

// ── numbers and roles ───────────────────────────────────────────────────────────

/** Refuses a number of recipients that is allowed. */
const refusesNumber = (when: (count: number) => boolean): Does =>
  refuses('validate', 'RECIP-24', 'There are too many recipients', ({ call }) =>
    when(itemsOf(call).length),
  );

/** Serves these of the recipients that were refused for their number. */
const servesOf = (choose: (sent: Items) => Items | undefined): Does =>
  takesFor((_sent, { call, request }) => {
    const sent = sentItems(call, request);
    const recipients = sent && choose(sent);
    return recipients && refusalOf(call, recipients) === undefined ? { recipients } : undefined;
  });

/** Serves a body that lacks recipients as one without any. */
const servesNobody = (when: (recipients: unknown) => boolean): Does =>
  takesFor(({ recipients }) => (when(recipients) ? { recipients: [] } : undefined));

breaking(['RECIP-23'], {
  'limit-999: 1000 recipients are refused.': refusesNumber((count) => count === 1000),
  'limit-100: More than 100 recipients are refused.': refusesNumber((count) => count > 100),
});
breaking(['RECIP-24'], {
  'limit-1001: 1001 recipients are served.': servesOf((sent) =>
    sent.length === 1001 ? sent : undefined,
  ),
  'behind-1000-dropped: Of a request with more than 1000 recipients the first 1000 are served.':
    servesOf((sent) => (sent.length > 1000 ? sent.slice(0, 1000) : undefined)),
});
breaking(['RECIP-25'], {
  'empty-list-accepted': servesNobody(
    (recipients) => Array.isArray(recipients) && recipients.length === 0,
  ),
  'missing-list-accepted': servesNobody((recipients) => recipients === undefined),
});

/** The role is asked for once; a caller that was refused is served the next time. */
const askedOnce = (of: string, who: string, statement: string) =>
  breaking([statement], {
    [`role-asked-once-of-${of}: ${who} without the admin role is refused once, then served.`]:
      refusesOnce('authorise', statement),
  });

askedOnce('keys', 'An API key', 'RECIP-20');
askedOnce('oauth', 'An OAuth token', 'RECIP-21');
askedOnce('embed', 'An embed JWT', 'RECIP-22');
