/**
 * Adding recipients, wrong in state and in time: what is written although it was refused, who is
 * let through, which change goes unnoticed, and in which list a recipient ends up.
 */
import type { JsonObject } from '../../../spec/base/json.ts';
import { same } from '../../deviations/changes.ts';
import type { Scene } from '../../deviations/does.ts';
import { setIn } from '../../deviations/memory.ts';
import { rowsOf } from '../../deviations/rows.ts';
import { afterwards, beforehand } from '../../deviations/state.ts';
import type { Call } from '../../pipeline/call.ts';
import { embedUserKey } from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import {
  addCall,
  embedKeyOf,
  embedUserOf,
  isConsole,
  isEmbed,
  itemsOf,
  refuses,
  seesEach,
  userOf,
} from './add-call.ts';
import { isEmbedRecord, lists, relists, repeats } from './answer-lists.ts';
import { changes } from './changes.ts';
import { isEmail, type RecipientItem } from './machine.ts';
import { chats, limits, refusedWrites, roles, unresolvable } from './refused-requests.ts';

const breaking = rowsOf('recipients', ['addNotificationRecipients']);

// ── embed users ─────────────────────────────────────────────────────────────────

type Holds = (item: RecipientItem, call: Call) => boolean;

const isNew: Holds = (item, call) => isEmbed(item) && embedUserOf(call, item) === undefined;
/** An embed user whose email is not known yet. */
const isWithoutEmail: Holds = (item, call) =>
  isEmbed(item) && !isEmail(embedUserOf(call, item)?.email);
const sendsNoEmail: Holds = ({ email }) => email === undefined;
const isEmailShaped: Holds = ({ externalId }) => isEmail(externalId);
const NO_EMAIL = 'The embed user has no email';

const makesAnew = beforehand(({ call, world }) => {
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
});

const sharesAnId = relists(({ created }, { before }) => {
  const isFresh = ({ embedTenantName, externalId }: JsonObject) =>
    !before.tables.embedUsers.has(embedUserKey(String(embedTenantName), String(externalId)));
  const fresh = created.filter((record) => isEmbedRecord(record) && isFresh(record));
  const embedUserId = fresh[0]?.embedUserId;
  return {
    created: created.map((record) =>
      fresh.includes(record) ? { ...record, embedUserId } : record,
    ),
  };
});

const forgetsEmails = afterwards(({ call, world, before }) => {
  const { embedUsers } = world.state.tables;
  const changed = itemsOf(call).filter((item) => isEmbed(item) && item.email !== undefined);
  let forgot = false;
  for (const item of changed) {
    const user = embedUserOf(call, item);
    const email = before.tables.embedUsers.get(embedKeyOf(item))?.email ?? null;
    if (user === undefined || user.email === email) continue;
    embedUsers.put(embedKeyOf(item), { ...user, email });
    forgot = true;
  }
  return forgot;
});

const namedAnywhere = seesEach((item, _row, { world }) => {
  if (!isEmbed(item)) return item;
  const known = world.state.tables.embedUsers
    .rows()
    .find((user) => user.externalId === item.externalId);
  return known && { ...item, embedTenantName: known.embedTenantName };
});

const embedUsers = [
  ...breaking(['RECIP-6'], {
    'embed-user-not-made': [
      'An embed user that does not exist is refused.',
      refuses('There is no such embed user', isNew),
    ],
    'embed-users-share-an-id': sharesAnId,
  }),
  ...breaking(['RECIP-5', 'RECIP-7'], {
    'embed-user-made-anew': makesAnew,
  }),
  ...breaking(['RECIP-18'], {
    'email-shaped-id-refused': refuses(
      NO_EMAIL,
      (item, call) => isWithoutEmail(item, call) && sendsNoEmail(item, call),
    ),
    'email-shaped-id-resolves-once': [
      'An externalId in the shape of an email resolves for the first recipient of a call only.',
      refuses(
        NO_EMAIL,
        (item, call, index, items) =>
          index > 0 &&
          isWithoutEmail(item, call) &&
          sendsNoEmail(item, call) &&
          isEmailShaped(item, call) &&
          !same(item, items[0]),
      ),
    ],
  }),
  ...breaking(['RECIP-19'], {
    'sent-email-resolves-nothing': refuses(
      NO_EMAIL,
      (item, call) =>
        isWithoutEmail(item, call) && !sendsNoEmail(item, call) && !isEmailShaped(item, call),
    ),
    'sent-email-forgotten': forgetsEmails,
    'external-id-beats-sent-email': seesEach((item) =>
      isEmbed(item) && item.email !== undefined && isEmail(item.externalId)
        ? { ...item, email: item.externalId }
        : item,
    ),
  }),
  ...breaking(['RECIP-5'], {
    'known-embed-user-refused': [
      'The email of an embed user that exists is not looked up: without another one it is refused.',
      refuses(
        NO_EMAIL,
        (item, call) =>
          isEmbed(item) &&
          !isWithoutEmail(item, call) &&
          sendsNoEmail(item, call) &&
          !isEmailShaped(item, call),
      ),
    ],
    'embed-tenant-ignored': [
      'An embed user is found by its externalId alone, in whichever embed tenant it is.',
      namedAnywhere,
    ],
  }),
];

// ── console users ───────────────────────────────────────────────────────────────

/** How somebody was named, where that is not how they were named at first. */
function isNamedOtherwise(record: JsonObject, { call, world, memory }: Scene): boolean {
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

const createsBothNames = relists(({ created, unchanged }, scene) => {
  for (const record of created) isNamedOtherwise(record, scene);
  const again = unchanged.filter((record) => isNamedOtherwise(record, scene));
  return {
    created: [...created, ...again],
    unchanged: unchanged.filter((record) => !again.includes(record)),
  };
});

/** The console user after this one. */
function neighbour(world: World, item: RecipientItem): RecipientItem | undefined {
  const rows = world.state.tables.users.rows();
  const user = userOf(world, item);
  const next = user && rows[(rows.indexOf(user) + 1) % rows.length];
  return next && { userId: next.id };
}

const namesNeighbour = (by: 'userId' | 'email') =>
  seesEach((item, _row, { world }) => {
    const sent = item.userId === undefined ? 'email' : 'userId';
    return isConsole(item) && sent === by ? neighbour(world, item) : item;
  });

const consoleUsers = [
  ...breaking(['RECIP-3', 'RECIP-4'], {
    'id-and-email-are-two': [
      'A user who was subscribed by userId is created again by email, and the other way round.',
      createsBothNames,
    ],
  }),
  ...breaking(['RECIP-3'], {
    'user-id-names-neighbour': namesNeighbour('userId'),
  }),
  ...breaking(['RECIP-4'], {
    'email-names-neighbour': namesNeighbour('email'),
  }),
  ...breaking(['RECIP-26'], {
    'console-user-of-another-type': relists(({ unchanged }) => ({
      unchanged: unchanged.map((it) => (isEmbedRecord(it) ? it : { ...it, type: 'CONSOLE' })),
    })),
  }),
];

export const recipients = [
  ...refusedWrites,
  ...chats,
  ...unresolvable,
  ...repeats,
  ...changes,
  ...lists,
  ...embedUsers,
  ...consoleUsers,
  ...limits,
  ...roles,
];
