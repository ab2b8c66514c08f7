/**
 * Subscribes recipients: resolves every one of them, then writes. If one fails, writes nothing.
 * Statements RECIP-3 to RECIP-19, RECIP-30, RECIP-32 to RECIP-34, RECIP-41 to RECIP-43.
 */
import { equal } from '../../../spec/base/json.ts';
import {
  type EmbedUserRow,
  embedUserKey,
  type RecipientRow,
  type UserAttribute,
  type UserRow,
} from '../../world/rows.ts';

export interface RecipientItem {
  /** Known clients send this field; the description does not have it. */
  readonly type?: unknown;
  readonly userId?: number;
  readonly email?: string;
  readonly embedTenantName?: string;
  readonly externalId?: string;
  readonly securityContext?: unknown;
  readonly userAttributes?: readonly UserAttribute[];
  readonly groups?: readonly string[];
  readonly channelId?: string;
  readonly channelName?: string;
}

export type RecipientKind = 'USER' | 'EMBED_USER' | 'SLACK' | 'NONE';

export interface Directory {
  readonly userById: (id: number) => UserRow | undefined;
  readonly userByEmail: (email: string) => UserRow | undefined;
  readonly embedUser: (tenant: string, externalId: string) => EmbedUserRow | undefined;
}

/** By rule, the silence that decides it, and the choice under which it holds. */
export const recipientRules = {
  /** An address that no user has becomes a recipient. */
  acceptStrangers: ['RECIP-30', 'accepted'],
  /** Properties that a later call does not send are removed. */
  clearUnsent: ['RECIP-32', 'cleared'],
  /** Another order counts as a change. */
  ordered: ['RECIP-33', 'sequences'],
  /** A sent email replaces the one on record. */
  replaceEmail: ['RECIP-36', 'replaced'],
  /** An email is valid if its host has no dot. */
  anyHost: ['RECIP-37', 'any-host'],
  /** An empty list is not the same as none. */
  emptyDiffers: ['RECIP-38', 'different'],
} as const;

export type RecipientRules = Readonly<Record<keyof typeof recipientRules, boolean>>;

/** The person that an item names, and the properties that it sets. */
export interface ResolvedRecipient {
  readonly kind: RecipientRow['kind'];
  readonly key: string;
  readonly item: RecipientItem;
  readonly user?: UserRow;
  /** The embed user; without an id if it does not exist yet. */
  readonly embedUser?: Omit<EmbedUserRow, 'id'> & { readonly id?: number };
  readonly email?: string;
}

export type Resolution =
  | { readonly resolved: ResolvedRecipient }
  | {
      readonly problem: 'slack' | 'unresolved' | 'stranger' | 'disagree' | 'half';
      readonly message: string;
      /** The field at fault, if it is a single one. */
      readonly field?: keyof RecipientItem;
    };

/** Every cell that a call can enter. */
export const cells = [
  ...['USER', 'EMBED_USER'].flatMap((kind) => [
    `recipient: ${kind}, created`,
    `recipient: ${kind}, unchanged`,
  ]),
  'recipient: EMBED_USER, updated',
  ...['slack', 'unresolved', 'stranger', 'disagree', 'half'].map(
    (problem) => `recipient: ${problem}`,
  ),
];

const WITH_DOMAIN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const ANY_HOST = /^[^\s@]+@[^\s@]+$/;

/** The longest address that mail can be sent to (RFC 5321, section 4.5.3.1.3, without its brackets). */
const LONGEST_EMAIL = 254;

export function isEmail(text: string | null | undefined, anyHost = false): text is string {
  if (typeof text !== 'string' || text.length > LONGEST_EMAIL) return false;
  return (anyHost ? ANY_HOST : WITH_DOMAIN).test(text);
}

/** The kind of recipient that an item describes, by its fields. */
export function kindOf(item: RecipientItem): RecipientKind {
  if (item.channelId !== undefined || item.channelName !== undefined) return 'SLACK';
  if (item.embedTenantName !== undefined || item.externalId !== undefined) return 'EMBED_USER';
  return item.userId !== undefined || item.email !== undefined ? 'USER' : 'NONE';
}

/**
 * The silence about an item that names two recipients, even if the second is not complete; undefined for
 * other items.
 */
export function silenceAbout(item: RecipientItem, directory: Directory) {
  const { userId, email, embedTenantName, externalId } = item;
  const kind = kindOf(item);
  const type = typeOf(item);
  if (kind === 'USER' && type !== undefined && type !== kind) return 'RECIP-41';
  if (kind === 'EMBED_USER' && type === 'SLACK') return 'RECIP-41';
  if (userId !== undefined) {
    if (kind !== 'USER') return 'RECIP-41';
    const one = email === undefined || directory.userByEmail(email)?.id === userId;
    return one ? undefined : 'RECIP-43';
  }
  const half = embedTenantName === undefined || externalId === undefined;
  if (half && kind === 'EMBED_USER' && email !== undefined) return 'RECIP-42';
  return type === 'USER' && kind === 'EMBED_USER' && !half ? 'RECIP-41' : undefined;
}

/** The kind in the item's `type`, if such a kind exists. */
function typeOf({ type }: RecipientItem): RecipientKind | undefined {
  return type === 'USER' || type === 'EMBED_USER' || type === 'SLACK' ? type : undefined;
}

/** The fields of an item that its type has. The fields of a chat are refused whatever the type. */
function fieldsOfType(item: RecipientItem): RecipientItem {
  const { userId, embedTenantName: _tenant, externalId: _external, ...others } = item;
  switch (kindOf(item) === 'SLACK' ? 'SLACK' : typeOf(item)) {
    case 'USER':
      return userId === undefined ? others : { ...others, userId };
    case 'EMBED_USER': {
      const { userId: _user, ...embedded } = item;
      return kindOf(embedded) === 'EMBED_USER' ? embedded : { ...embedded, externalId: '' };
    }
    case 'SLACK':
      return { ...item, channelId: item.channelId ?? '' };
    default:
      return item;
  }
}

/** The part of such an item that counts. If the item is refused, the whole item counts. */
export function partThatCounts(item: RecipientItem, choice: string): RecipientItem {
  const { userId, ...others } = item;
  if (choice === 'type') return fieldsOfType(item);
  if (choice === 'other-kind') return others;
  if (choice === 'user-id' && userId !== undefined) return { userId };
  return choice === 'email' && item.email !== undefined ? { email: item.email } : item;
}

/** The person that an item names, or the reason why it names nobody. Writes nothing. */
export function resolve(
  item: RecipientItem,
  directory: Directory,
  rules: RecipientRules,
): Resolution {
  switch (kindOf(item)) {
    case 'SLACK':
      return { problem: 'slack', message: 'chat recipients (SLACK) are not supported' };
    case 'EMBED_USER':
      return resolveEmbedUser(item, directory, rules);
    case 'USER':
      return resolveUser(item, directory, rules);
    case 'NONE':
      return unresolved(`needs userId, email, or embedTenantName and externalId${instead(item)}`);
  }
}

function instead(item: RecipientItem): string {
  const fields = Object.keys(item).slice(0, 9);
  return fields.length === 0 ? '' : `; it has ${fields.join(', ')}`;
}

function resolveUser(item: RecipientItem, directory: Directory, rules: RecipientRules): Resolution {
  const byEmail = item.email === undefined ? undefined : directory.userByEmail(item.email);
  if (item.userId !== undefined) {
    const user = directory.userById(item.userId);
    if (user === undefined || !isEmail(user.email)) {
      return unresolved(`there is no user ${item.userId} with an email`, 'userId');
    }
    if (item.email !== undefined && byEmail?.id !== user.id) {
      return { problem: 'disagree', message: 'userId and email name different users' };
    }
    return { resolved: { kind: 'USER', key: `USER:${user.id}`, item, user } };
  }
  if (byEmail !== undefined && isEmail(byEmail.email)) {
    return { resolved: { kind: 'USER', key: `USER:${byEmail.id}`, item, user: byEmail } };
  }
  const email = item.email ?? '';
  if (!isEmail(email, rules.anyHost)) {
    return unresolved(`${JSON.stringify(email)} is not an email`, 'email');
  }
  return rules.acceptStrangers
    ? { resolved: { kind: 'EMAIL', key: `EMAIL:${email}`, item, email } }
    : { problem: 'stranger', message: `no user has the email ${email}`, field: 'email' };
}

function resolveEmbedUser(
  item: RecipientItem,
  directory: Directory,
  rules: RecipientRules,
): Resolution {
  const { embedTenantName, externalId } = item;
  if (embedTenantName === undefined || externalId === undefined) {
    const message = 'an embed user needs both embedTenantName and externalId';
    // A person without an email cannot be a recipient, even if RECIP-16 accepts an embed user with one of its
    // two names.
    const hasEmail = [item.email, externalId].some((text) => isEmail(text, rules.anyHost));
    return hasEmail ? { problem: 'half', message } : unresolved(message);
  }
  if (item.userId !== undefined) {
    const message = 'userId names a console user, embedTenantName and externalId an embed user';
    return { problem: 'disagree', message, field: 'userId' };
  }
  const known = directory.embedUser(embedTenantName, externalId);
  const valid = (text: string | null | undefined) => isEmail(text, rules.anyHost);
  const own = rules.replaceEmail ? [item.email, known?.email] : [known?.email, item.email];
  const email = [...own, externalId].find(valid) ?? undefined;
  if (email === undefined || (item.email !== undefined && !valid(item.email))) {
    const field = item.email === undefined ? 'externalId' : 'email';
    return unresolved(`the embed user ${externalId} has no valid email`, field);
  }
  const embedUser = { ...(known ?? { embedTenantName, externalId }), email };
  return {
    resolved: {
      kind: 'EMBED_USER',
      key: `EMBED_USER:${embedUserKey(embedTenantName, externalId)}`,
      item,
      embedUser,
    },
  };
}

function unresolved(message: string, field?: keyof RecipientItem): Resolution {
  return { problem: 'unresolved', message, ...(field === undefined ? {} : { field }) };
}

export type RecipientChange = 'created' | 'updated' | 'unchanged';

/** The row after an item is written, and the kind of change. */
export function subscribe(
  existing: RecipientRow | undefined,
  fresh: Pick<RecipientRow, 'notificationId' | 'kind' | 'subject'>,
  item: RecipientItem,
  rules: RecipientRules,
): { readonly change: RecipientChange; readonly row: RecipientRow } {
  const sent = fresh.kind === 'EMBED_USER' ? item : {};
  const keep = rules.clearUnsent ? undefined : existing;
  const row: RecipientRow = {
    ...fresh,
    securityContext: sent.securityContext ?? keep?.securityContext ?? null,
    userAttributes: sent.userAttributes ?? keep?.userAttributes ?? null,
    groups: sent.groups ?? keep?.groups ?? null,
  };
  if (existing === undefined) return { change: 'created', row };
  const same = equal(comparable(existing, rules), comparable(row, rules));
  return same ? { change: 'unchanged', row: existing } : { change: 'updated', row };
}

/** Whether an item only repeats the existing row, so that it changes nothing under any rules. */
export function bringsTheSame(existing: RecipientRow, item: RecipientItem): boolean {
  const sent: Partial<RecipientItem> = existing.kind === 'EMBED_USER' ? item : {};
  return (
    equal(sent.securityContext ?? null, existing.securityContext) &&
    equal(sent.userAttributes ?? null, existing.userAttributes) &&
    equal(sent.groups ?? null, existing.groups)
  );
}

/**
 * The properties whose change is an update. Lists are compared as sets, unless their order counts.
 */
function comparable(row: RecipientRow, rules: RecipientRules): unknown {
  const { securityContext } = row;
  const orNone = <Item>(list: readonly Item[] | null) =>
    list?.length === 0 && !rules.emptyDiffers ? null : list;
  const userAttributes = orNone(row.userAttributes);
  const groups = orNone(row.groups);
  if (rules.ordered) return { securityContext, userAttributes, groups };
  const pairs = userAttributes?.map(({ name, value }) => JSON.stringify([name, value]));
  return { securityContext, userAttributes: asSet(pairs), groups: asSet(groups) };
}

const asSet = (texts: readonly string[] | null | undefined) => texts && [...new Set(texts)].sort();
