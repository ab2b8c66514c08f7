/** Recipients of a notification. */

import { bodyOf, type Call } from '../call.ts';
import { type Fields, isFields, type Json, Refusal, type Reply, reply, same } from '../exchange.ts';
import { has } from '../habits.ts';
import type { EmbedUser, State } from '../state.ts';

/** A person in a request, before anything is written: a known user, or an embed user. */
type Named =
  | { readonly who: string; readonly shown: Fields }
  | { readonly embed: Fields; readonly email: string };

/** Any host is accepted. */
const isEmail = (text: Json | undefined): text is string =>
  typeof text === 'string' && /^[^@\s]+@[^@\s]+$/.test(text);

const properties = ['securityContext', 'userAttributes', 'groups'];
const channel = ['channelId', 'channelName'];
const identity = ['userId', 'email', 'embedTenantName', 'externalId'];
const fields = [...identity, ...channel, ...properties];

/** Checks that the notification exists, then the role, then the body. */
export function recipients(call: Call): Reply {
  const { state, deployment, caller } = call;
  const notification = Number(call.id);
  const isKnown = state.notifications.some(
    (one) => one.id === notification && one.deployment === deployment,
  );
  if (!isKnown) throw new Refusal(400, 'E-900 no such notification');
  if (!caller.admin) {
    const code = { embed: 'E-913', oauth: 'E-912', key: 'E-901', scim: 'E-901' }[caller.kind];
    throw new Refusal(403, `${code} administrators only`);
  }
  const named = rowsOf(call).map((row) => resolve(state, row));
  const lists: Record<`${'created' | 'updated' | 'unchanged'}Recipients`, Fields[]> = {
    createdRecipients: [],
    updatedRecipients: [],
    unchangedRecipients: [],
  };
  const isBare = has(state, 'recipients-show-type-alone');
  for (const one of named) {
    const { who, shown, changed } = settle(state, one);
    const isNew = !state.subscriptions.some(
      (entry) => entry.notification === notification && entry.who === who,
    );
    if (isNew) state.subscriptions.push({ notification, who });
    const list = isNew
      ? 'createdRecipients'
      : changed
        ? 'updatedRecipients'
        : 'unchangedRecipients';
    lists[list].push(isBare ? { type: shown.type ?? null } : shown);
  }
  return reply(200, { ...lists, notificationId: notification });
}

function rowsOf(call: Call): Fields[] {
  const { recipients: list } = bodyOf(call, ['recipients']);
  if (!Array.isArray(list) || list.length === 0) throw new Refusal(422, 'E-902 nobody?');
  if (list.length > 1000) throw new Refusal(413, 'E-903 too many');
  const rows = list.filter(isFields);
  if (rows.length < list.length) throw new Refusal(422, 'E-904 a recipient is an object');
  if (rows.some((row) => channel.some((name) => name in row)))
    throw new Refusal(400, 'E-905 no chat');
  return rows;
}

function resolve(state: State, row: Fields): Named {
  const strange = Object.keys(row).find((name) => !fields.includes(name));
  if (strange !== undefined) throw new Refusal(422, `E-906 surplus: ${strange}`);
  if (!fits(row)) throw new Refusal(422, 'E-911 types');
  const { userId, email, embedTenantName: tenant, externalId } = row;
  if (tenant !== undefined || externalId !== undefined) return resolveEmbed(state, row);
  if (properties.some((name) => name in row)) throw new Refusal(422, 'E-907 for embed users only');
  const user = state.users.find((one) =>
    userId === undefined ? one.email === email : one.id === userId,
  );
  if (user !== undefined) {
    const { id, email, name } = user;
    return { who: `user:${id}`, shown: { type: 'USER', userId: id, email, username: name } };
  }
  if (userId !== undefined || !isEmail(email)) throw new Refusal(400, 'E-908 no address');
  return { who: `mail:${email}`, shown: { type: 'ADDRESS', email } };
}

function resolveEmbed(state: State, row: Fields): Named {
  const { userId, email, embedTenantName: tenant, externalId, userAttributes, groups } = row;
  if (tenant === undefined || externalId === undefined || userId !== undefined)
    throw new Refusal(400, 'E-909 who?');
  const address = knownAs(state, row)?.email ?? email ?? externalId;
  if (!isEmail(address) || (email !== undefined && !isEmail(email)))
    throw new Refusal(400, 'E-910 no address');
  const isFilled = (list: Json | undefined) => Array.isArray(list) && list.length > 0;
  if (tenant !== 'haulier-nord' && has(state, 'embed-tenants-must-exist'))
    throw new Refusal(404, 'E-914 no such tenant');
  if (isFilled(userAttributes) && has(state, 'attributes-must-exist'))
    throw new Refusal(422, 'E-915 no such attribute');
  if (isFilled(groups) && has(state, 'groups-must-exist'))
    throw new Refusal(422, 'E-916 no such group');
  return { embed: row, email: address };
}

const knownAs = ({ embedUsers }: State, row: Fields): EmbedUser | undefined =>
  embedUsers.find(
    ({ tenant, externalId }) => tenant === row.embedTenantName && externalId === row.externalId,
  );

/** Whether the fields of a recipient have the promised types. */
function fits({ userId, securityContext, userAttributes = [], groups = [], ...texts }: Fields) {
  const isText = (value: Json | undefined): boolean => typeof value === 'string';
  return (
    (userId === undefined || Number.isInteger(userId)) &&
    Object.values(texts).every(isText) &&
    (securityContext === undefined || isFields(securityContext)) &&
    Array.isArray(groups) &&
    groups.every(isText) &&
    Array.isArray(userAttributes) &&
    userAttributes.every((item) => isFields(item) && isText(item.name) && isText(item.value))
  );
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

/** Creates a new embed user. For a known one, clears the fields that are not sent. */
function settle(state: State, one: Named) {
  if ('who' in one) return { who: one.who, changed: false, shown: { ...nothing, ...one.shown } };
  const { embed, email } = one;
  const sent: Fields = {};
  for (const name of properties) if (embed[name] !== undefined) sent[name] = embed[name];
  const [tenant, externalId] = [String(embed.embedTenantName), String(embed.externalId)];
  const known = knownAs(state, embed);
  const id = 52_001 + state.embedUsers.length;
  const user = known ?? { id, tenant, externalId, email, properties: sent };
  const changed = !same(user.properties, sent);
  if (known === undefined) state.embedUsers.push(user);
  user.properties = sent;
  const shown = { embedTenantName: tenant, externalId, embedUserId: user.id, email: user.email };
  return { who: `embed:${user.id}`, changed, shown: { ...nothing, type: 'GUEST', ...shown } };
}
