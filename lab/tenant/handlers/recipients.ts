/** Recipients of a notification. */

import {
  bodyOf,
  type Fields,
  isFields,
  type Json,
  type KnownCall,
  type Reply,
  reply,
  rowsOf,
  same,
} from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { EmbedUser, State, User } from '../state.ts';

type Resolved =
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'mail'; readonly email: string }
  | {
      readonly kind: 'embed';
      readonly sent: Fields;
      readonly email: string;
      readonly known: EmbedUser | undefined;
    };

/** Any host will do. */
const isEmail = (text: Json | undefined): text is string =>
  typeof text === 'string' && /^[^@\s]+@[^@\s]+$/.test(text);

const properties = ['securityContext', 'userAttributes', 'groups'];
const fields = [
  'userId',
  'email',
  'embedTenantName',
  'externalId',
  'channelId',
  'channelName',
  ...properties,
];

/** Finds the notification first, then asks for the role, then reads the body. */
export function recipients(call: KnownCall, state: State): Reply {
  knowsOnly(call, []);
  const notification = Number(call.path[1]);
  const found = state.notifications.find(
    ({ id, deployment }) => id === notification && deployment === Number(call.path[0]),
  );
  if (found === undefined) throw new Refusal(400, 'E-900 no such notification');
  if (!call.caller.admin) throw new Refusal(403, 'E-901 administrators only');
  const { recipients: list } = bodyOf(call, ['recipients']);
  if (!Array.isArray(list) || list.length === 0) throw new Refusal(422, 'E-902 nobody?');
  if (list.length > 1000) throw new Refusal(413, 'E-903 too many');
  const rows = rowsOf(list);
  if (rows.length < list.length) throw new Refusal(422, 'E-904 a recipient is an object');
  if (rows.some((row) => 'channelId' in row || 'channelName' in row))
    throw new Refusal(400, 'E-905 no chat');
  const resolved = rows.map((row) => resolve(state, row));
  const lists: Record<'createdRecipients' | 'updatedRecipients' | 'unchangedRecipients', Fields[]> =
    {
      createdRecipients: [],
      updatedRecipients: [],
      unchangedRecipients: [],
    };
  for (const one of resolved) {
    const { who, changed, shown } = settle(state, one);
    const subscribed = state.subscriptions.some(
      (entry) => entry.notification === notification && entry.who === who,
    );
    if (!subscribed) state.subscriptions.push({ notification, who });
    const list = !subscribed
      ? 'createdRecipients'
      : changed
        ? 'updatedRecipients'
        : 'unchangedRecipients';
    lists[list].push(shown);
  }
  return reply(200, { ...lists, notificationId: notification });
}

function resolve(state: State, row: Fields): Resolved {
  const strange = Object.keys(row).find((name) => !fields.includes(name));
  if (strange !== undefined) throw new Refusal(422, `E-906 surplus: ${strange}`);
  checkTypes(row);
  const { userId, email, embedTenantName: tenant, externalId } = row;
  if (tenant === undefined && externalId === undefined) {
    if (properties.some((name) => name in row))
      throw new Refusal(422, 'E-907 for embed users only');
    const user =
      userId === undefined
        ? state.users.find((one) => one.email === email)
        : state.users.find((one) => one.id === userId);
    if (user !== undefined) return { kind: 'user', user };
    if (userId !== undefined || !isEmail(email)) throw new Refusal(400, 'E-908 no address');
    return { kind: 'mail', email };
  }
  if (tenant === undefined || externalId === undefined || userId !== undefined)
    throw new Refusal(400, 'E-909 who?');
  const known = state.embedUsers.find(
    (one) => one.tenant === tenant && one.externalId === externalId,
  );
  const address = known?.email ?? email ?? externalId;
  if (!isEmail(address) || (email !== undefined && !isEmail(email)))
    throw new Refusal(400, 'E-910 no address');
  return { kind: 'embed', sent: row, email: address, known };
}

function checkTypes(row: Fields): void {
  const { userId, securityContext, userAttributes, groups } = row;
  const texts = ['email', 'embedTenantName', 'externalId'].map((name) => row[name]);
  const attributes = userAttributes === undefined ? [] : userAttributes;
  const fits =
    (userId === undefined || Number.isInteger(userId)) &&
    texts.every((text) => text === undefined || typeof text === 'string') &&
    (securityContext === undefined || isFields(securityContext)) &&
    (groups === undefined ||
      (Array.isArray(groups) && groups.every((group) => typeof group === 'string'))) &&
    Array.isArray(attributes) &&
    attributes.every(
      (item) => isFields(item) && typeof item.name === 'string' && typeof item.value === 'string',
    );
  if (!fits) throw new Refusal(422, 'E-911 types');
}

interface Settled {
  readonly who: string;
  readonly changed: boolean;
  readonly shown: Fields;
}

const nothing: Fields = {
  channelId: null,
  channelName: null,
  email: null,
  embedTenantName: null,
  embedUserId: null,
  externalId: null,
  userId: null,
  username: null,
};

/** Makes an embed user who is new. What is not sent of one who is known is cleared. */
function settle(state: State, one: Resolved): Settled {
  if (one.kind === 'user') {
    const { id, email, name } = one.user;
    return {
      who: `user:${id}`,
      changed: false,
      shown: { ...nothing, type: 'USER', userId: id, email, username: name },
    };
  }
  if (one.kind === 'mail') {
    const { email } = one;
    return { who: `mail:${email}`, changed: false, shown: { ...nothing, type: 'ADDRESS', email } };
  }
  const { sent } = one;
  const now = Object.fromEntries(
    properties.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
  );
  const [tenant, externalId] = [String(sent.embedTenantName), String(sent.externalId)];
  let user = state.embedUsers.find(
    (known) => known.tenant === tenant && known.externalId === externalId,
  );
  const changed = user !== undefined && !same(user.properties, now);
  if (user === undefined) {
    user = {
      id: 52_001 + state.embedUsers.length,
      tenant,
      externalId,
      email: one.email,
      properties: now,
    };
    state.embedUsers.push(user);
  }
  user.properties = now;
  const shown = { embedTenantName: tenant, externalId, embedUserId: user.id, email: user.email };
  return { who: `embed:${user.id}`, changed, shown: { ...nothing, type: 'GUEST', ...shown } };
}
