/**
 * Adding recipients, wrong in state and in time: what is written although it was refused, who is
 * let through, which change goes unnoticed, and in which list a recipient ends up.
 */

import { isEmail, type RecipientItem } from '../../../mock/areas/recipients/machine.ts';
import type { Call } from '../../../mock/pipeline/call.ts';
import { embedUserKey, type RecipientRow } from '../../../mock/world/rows.ts';
import type { World } from '../../../mock/world/world.ts';
import { equal, isObject, type JsonObject } from '../../../spec/base/json.ts';
import { objectsOf, same } from '../../deviations/changes.ts';
import type { Does, Scene } from '../../deviations/does.ts';
import { again, exchange, setIn } from '../../deviations/memory.ts';
import { beforehand, keeps } from '../../deviations/state.ts';
import {
  addCall,
  breaking,
  embedUserOf,
  isConsole,
  isEmbed,
  isEmbedRecord,
  itemsOf,
  type ListName,
  makeEmbedUser,
  moves,
  recordKey,
  refuses,
  relists,
  rowKey,
  seesEach,
  seesItems,
  userOf,
} from './add-call.ts';
import './refused-requests.ts';

// Those of refused requests come first: the list is filled as the files are loaded.
export { recipients } from './add-call.ts';

type Property = 'securityContext' | 'userAttributes' | 'groups';
const properties: readonly Property[] = ['securityContext', 'userAttributes', 'groups'];

// ── ways to compare that find too many values alike ─────────────────────────────

type Alike = (sent: unknown, stored: unknown) => boolean;

/** Same keys and same plain values; what is nested is taken as the same. */
const onTop: Alike = (sent, stored) => {
  if (!isObject(sent) || !isObject(stored)) return false;
  const plain = (value: unknown) => (value !== null && typeof value === 'object' ? {} : value);
  const top = (whole: JsonObject) =>
    Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, plain(value)]));
  return equal(top(sent), top(stored));
};

/** Same but for the types of plain values. */
const asText: Alike = (sent, stored) => {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'number' ? String(item) : item));
  return text(sent) === text(stored);
};

const byName: Alike = (sent, stored) => {
  const names = (list: unknown) => objectsOf(list).map(({ name }) => String(name));
  return equal(names(sent).sort(), names(stored).sort());
};

const byNumber: Alike = (sent, stored) =>
  Array.isArray(sent) && Array.isArray(stored) && sent.length === stored.length;

const always: Alike = () => true;

// ── what becomes of a change ────────────────────────────────────────────────────

/** A property that was sent, as it is stored already. */
function asStored(item: RecipientItem, row: RecipientRow, property: Property): RecipientItem {
  if (item[property] === undefined) return item;
  const { [property]: _sent, ...rest } = item;
  const stored = row[property];
  return stored === null ? rest : { ...rest, [property]: stored };
}

/** Misses a change of a property, where the two values are alike in this way. */
const misses = (property: Property, alike: Alike = always): Does =>
  seesEach((item, row) =>
    row !== undefined && row[property] !== null && alike(item[property], row[property])
      ? asStored(item, row, property)
      : item,
  );

/** Reports a change of a property and keeps the value from before it. */
const keepsOld = (property: Property): Does =>
  keeps('recipients', (row, old) => row && { ...row, ...(old && { [property]: old[property] }) });

/** Reports as newly subscribed whoever has changed in this property. */
const createdBy = (property: Property): Does =>
  moves('updated', 'created', (record, scene) => {
    const key = recordKey(record, scene);
    const old = scene.before.tables.recipients.get(key);
    const row = scene.world.state.tables.recipients.get(key);
    return !equal(old?.[property], row?.[property]);
  });

/** A context that the recipient had once is taken for the one that it has. */
const missesReturn = seesEach((item, row, { call, memory }) => {
  if (!isEmbed(item) || item.securityContext === undefined) return item;
  const had = setIn(memory, `contexts of ${rowKey(call, item)}`);
  const context = JSON.stringify(item.securityContext);
  const back = had.has(context);
  had.add(context);
  return row !== undefined && back ? asStored(item, row, 'securityContext') : item;
});

/** A property whose change goes wrong: its name, and how sentences speak of it. */
const ofProperty = (
  property: Property,
  statement: string,
  [name, words, changed, it]: readonly [string, string, string, string],
) => {
  breaking([statement], {
    [`${name}-change-unnoticed: ${changed} reported as unchanged, and not kept.`]: misses(property),
    [`${name}-change-created: An embed user whose ${words} changed is reported as created.`]:
      createdBy(property),
  });
  breaking(['RECIP-7'], {
    [`${name}-change-not-kept: ${changed} reported as updated, each time anew, as ${it} not kept.`]:
      keepsOld(property),
  });
};

const context = ['context', 'security context', 'A changed security context is', 'it is'] as const;
const attributes = ['attribute', 'attributes', 'Changed attributes are', 'they are'] as const;
const groups = ['group', 'groups', 'Changed groups are', 'they are'] as const;

ofProperty('securityContext', 'RECIP-11', context);
breaking(['RECIP-11'], {
  'context-compared-on-top: A change inside of a nested part of the security context is missed.':
    misses('securityContext', onTop),
  'context-compared-as-text: A number of the security context that becomes its text is missed.':
    misses('securityContext', asText),
  'context-return-unnoticed: A security context that was there before is missed when it returns.':
    missesReturn,
});
ofProperty('userAttributes', 'RECIP-12', attributes);
breaking(['RECIP-12'], {
  'attributes-compared-by-name: A changed attribute is missed: only the names are compared.':
    misses('userAttributes', byName),
});
ofProperty('groups', 'RECIP-13', groups);
breaking(['RECIP-13'], {
  'groups-compared-by-number: A group in the place of another is missed: only numbers count.':
    misses('groups', byNumber),
});
breaking(['RECIP-11', 'RECIP-12', 'RECIP-13'], {
  'second-change-unnoticed: The first change is an update; later ones are reported as unchanged.':
    moves('updated', 'unchanged', again(recordKey)),
  'change-of-first-only: Of several recipients in a call only changes of the first are noticed.':
    seesEach((item, row, _scene, index) =>
      row === undefined || index === 0
        ? item
        : properties.reduce((seen, property) => asStored(seen, row, property), item),
    ),
});

// ── the lists of the answer ─────────────────────────────────────────────────────

/** Reports everybody of one list in another as well. */
const copies = (from: ListName, to: ListName): Does =>
  relists((lists) => ({ [to]: [...lists[to], ...lists[from]] }));

/** Reports nobody in a list. */
const empties = (name: ListName): Does => relists(() => ({ [name]: [] }));

const leavesOutTheLast = relists((lists, scene) => {
  const items = itemsOf(scene.call);
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return {};
  const key = rowKey(scene.call, last);
  const others = Object.entries(lists).map(([name, records]) => [
    name,
    records.filter((record) => recordKey(record, scene) !== key),
  ]);
  return Object.fromEntries(others);
});

breaking(['RECIP-8'], {
  'created-twice: Whoever is created is unchanged as well.': copies('created', 'unchanged'),
  'updated-twice: Whoever is updated is unchanged as well.': copies('updated', 'unchanged'),
  'updated-and-created: Whoever is updated is created as well.': copies('updated', 'created'),
  'unchanged-nowhere: Whoever is unchanged is in no list.': empties('unchanged'),
  'last-nowhere: The last of several recipients is subscribed and left out of the answer.':
    leavesOutTheLast,
});
breaking(['RECIP-8', 'RECIP-10'], {
  'created-nowhere: Whoever is newly subscribed is in no list.': empties('created'),
  'first-alone-served': seesItems((items) => items.slice(0, 1)),
});
breaking(['RECIP-8', 'RECIP-11', 'RECIP-12', 'RECIP-13'], {
  'updated-nowhere: Whoever is updated is in no list.': empties('updated'),
});
breaking(['RECIP-7', 'RECIP-8'], {
  'created-of-the-call-before: createdRecipients holds those whom the call before created, too.':
    relists(({ created }, { memory }) => ({
      created: [...created, ...(exchange(memory, 'created', created) ?? [])],
    })),
});
breaking(['RECIP-8'], {
  'thousandth-dropped': seesItems((items) =>
    items.length === 1000 ? items.slice(0, 999) : undefined,
  ),
});

// ── embed users ─────────────────────────────────────────────────────────────────

type Holds = (item: RecipientItem, call: Call) => boolean;

const isNew: Holds = (item, call) => isEmbed(item) && embedUserOf(call, item) === undefined;
/** An embed user whose email is not known yet. */
const isWithoutEmail: Holds = (item, call) =>
  isEmbed(item) && !isEmail(embedUserOf(call, item)?.email);
const sendsNoEmail: Holds = ({ email }) => email === undefined;
const isEmailShaped: Holds = ({ externalId }) => isEmail(externalId);
const isResolvedByItsId: Holds = (item, call) =>
  isWithoutEmail(item, call) && sendsNoEmail(item, call) && isEmailShaped(item, call);
const NO_EMAIL = 'The embed user has no email';

const makesAnew = beforehand(({ call, world }) => {
  const known = itemsOf(call).flatMap((item) => embedUserOf(call, item) ?? []);
  for (const user of known) makeEmbedUser(world, user);
});

breaking(['RECIP-6'], {
  'embed-user-not-made: An embed user that does not exist is refused.': refuses(
    'There is no such embed user',
    isNew,
  ),
  'embed-users-share-an-id': relists(({ created }, { before }) => {
    const isFresh = ({ embedTenantName, externalId }: JsonObject) =>
      !before.tables.embedUsers.has(embedUserKey(String(embedTenantName), String(externalId)));
    const fresh = created.filter((record) => isEmbedRecord(record) && isFresh(record));
    const embedUserId = fresh[0]?.embedUserId;
    return {
      created: created.map((record) =>
        fresh.includes(record) ? { ...record, embedUserId } : record,
      ),
    };
  }),
});
breaking(['RECIP-5', 'RECIP-7'], { 'embed-user-made-anew': makesAnew });
breaking(['RECIP-18'], {
  'email-shaped-id-refused': refuses(
    NO_EMAIL,
    (item, call) => isWithoutEmail(item, call) && sendsNoEmail(item, call),
  ),
  'email-shaped-id-resolves-once: An email-shaped externalId resolves for the first of a call.':
    refuses(
      NO_EMAIL,
      (item, call, index, items) =>
        index > 0 && isResolvedByItsId(item, call) && !same(item, items[0]),
    ),
});
breaking(['RECIP-19'], {
  'sent-email-resolves-nothing': refuses(
    NO_EMAIL,
    (item, call) =>
      isWithoutEmail(item, call) && !sendsNoEmail(item, call) && !isEmailShaped(item, call),
  ),
  'sent-email-forgotten': keeps('embedUsers', (row, old, { call }) => {
    const isSent = itemsOf(call).some(
      (it) => it.email !== undefined && embedUserOf(call, it) === row,
    );
    return row && isSent ? { ...row, email: old?.email ?? null } : row;
  }),
  'external-id-beats-sent-email': seesEach((item) =>
    isEmbed(item) && item.email !== undefined && isEmail(item.externalId)
      ? { ...item, email: item.externalId }
      : item,
  ),
});
breaking(['RECIP-5'], {
  'known-embed-user-refused: The email of a known embed user is not looked up.': refuses(
    NO_EMAIL,
    (item, call) =>
      isEmbed(item) &&
      !isWithoutEmail(item, call) &&
      sendsNoEmail(item, call) &&
      !isEmailShaped(item, call),
  ),
  'embed-tenant-ignored: An embed user is found by its externalId alone, in any embed tenant.':
    seesEach((item, _row, { world }) => {
      if (!isEmbed(item)) return item;
      const known = world.state.tables.embedUsers
        .rows()
        .find((user) => user.externalId === item.externalId);
      return known && { ...item, embedTenantName: known.embedTenantName };
    }),
});

// ── console users ───────────────────────────────────────────────────────────────

/** How somebody was named, where that is not how they were named at first. */
function isNamedOtherwise(record: JsonObject, { call, world, memory }: Scene): boolean {
  const item = itemsOf(call).find(
    (candidate) => isConsole(candidate) && userOf(world, candidate)?.id === record.userId,
  );
  if (item === undefined) return false;
  const names = setIn(memory, `names of ${addCall(call).path.id}/${String(record.userId)}`);
  const otherwise = names.size > 0 && !names.has(namedBy(item));
  names.add(namedBy(item));
  return otherwise;
}

/** The console user after this one. */
function neighbour(world: World, item: RecipientItem): RecipientItem | undefined {
  const rows = world.state.tables.users.rows();
  const user = userOf(world, item);
  const next = user && rows[(rows.indexOf(user) + 1) % rows.length];
  return next && { userId: next.id };
}

const namedBy = ({ userId }: RecipientItem) => (userId === undefined ? 'email' : 'userId');

const namesNeighbour = (by: 'userId' | 'email') =>
  seesEach((item, _row, { world }) =>
    isConsole(item) && namedBy(item) === by ? neighbour(world, item) : item,
  );

breaking(['RECIP-3', 'RECIP-4'], {
  'id-and-email-are-two: A user subscribed by userId is created again by email, and vice versa.':
    relists(({ created, unchanged }, scene) => {
      for (const record of created) isNamedOtherwise(record, scene);
      const again = unchanged.filter((record) => isNamedOtherwise(record, scene));
      return {
        created: [...created, ...again],
        unchanged: unchanged.filter((record) => !again.includes(record)),
      };
    }),
});
breaking(['RECIP-3'], { 'user-id-names-neighbour': namesNeighbour('userId') });
breaking(['RECIP-4'], { 'email-names-neighbour': namesNeighbour('email') });
breaking(['RECIP-26'], {
  'console-user-of-another-type': relists(({ unchanged }) => ({
    unchanged: unchanged.map((it) => (isEmbedRecord(it) ? it : { ...it, type: 'CONSOLE' })),
  })),
});
