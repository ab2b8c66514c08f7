import type { components } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal, type Refusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import {
  type EmbedUserRow,
  embedUserKey,
  type NotificationRow,
  type RecipientRow,
  type UserRow,
} from '../../world/rows.ts';
import type { World } from '../../world/world.ts';
import {
  bringsTheSame,
  type Directory,
  kindOf,
  partThatCounts,
  type RecipientChange,
  type RecipientItem,
  type RecipientRules,
  type ResolvedRecipient,
  recipientRules,
  resolve,
  silenceAbout,
  subscribe,
} from './machine.ts';

type AddCall = Call<'addNotificationRecipients'>;
type Recipient = components['schemas']['Recipient'];

export const addNotificationRecipients: Handler<'addNotificationRecipients', NotificationRow> = {
  validate(call) {
    const resolved = resolveAll(call);
    if (isRefusal(resolved)) return resolved;
    const recipients = call.input.recipients as readonly RecipientItem[];
    for (const [index, item] of recipients.entries()) {
      const at = `/recipients/${index}`;
      const embedOnly = item.securityContext ?? item.userAttributes ?? item.groups;
      if (kindOf(item) !== 'USER' || embedOnly === undefined) continue;
      if (call.assume('RECIP-35') !== 'refused') continue;
      const message =
        'securityContext, userAttributes and groups are for embed users, and this is a console user';
      return call.invalidBody(`recipients[${index}]: ${message}`, at, 'RECIP-35');
    }
    resolutions.set(call, resolved);
    return undefined;
  },
  find(call) {
    const { deploymentId, id } = call.path;
    const notification = call.world.state.tables.notifications.get(id);
    if (notification?.deploymentId === String(deploymentId)) return notification;
    return call.refuseAssumed('RECIP-31', `Deployment ${deploymentId} has no notification ${id}`);
  },
  handle(call) {
    const resolved = resolvedBy(call);
    if (isRefusal(resolved)) return resolved;
    const lists: Record<RecipientChange, Recipient[]> = { created: [], updated: [], unchanged: [] };
    const { created, updated, unchanged } = lists;
    const nulls = call.assume('RECIP-29') === 'nulls';
    const rules = rulesOf(call);
    const first = new Map<string, RecipientChange>();
    for (const recipient of resolved) {
      const { change: own, row, embedUser } = write(call, recipient, rules);
      const change = first.get(recipient.key) ?? own;
      if (call.choice('RECIP-9') === 'alike') first.set(recipient.key, change);
      call.enter(`recipient: ${row.kind}, ${change}`);
      lists[change].push(recipientRecord(call, row, recipient, embedUser, nulls));
    }
    if (call.assume('RECIP-44') === 'last-first') {
      for (const list of Object.values(lists)) list.reverse();
    }
    if (created.length + updated.length > 0) {
      const { deploymentId, id } = call.path;
      const counts = `${created.length} created, ${updated.length} updated`;
      call.audit('RecipientsAdded', String(deploymentId), `notification ${id}: ${counts}`);
    }
    return call.reply(200, {
      createdRecipients: created,
      updatedRecipients: updated,
      unchangedRecipients: unchanged,
    });
  },
};

/**
 * The recipients that validation has resolved, by call, so that a thousand are not looked up twice.
 */
const resolutions = new WeakMap<AddCall, ResolvedRecipient[]>();

function resolvedBy(call: AddCall): ResolvedRecipient[] | Refusal {
  // A deviation may have changed the call or skipped its validation.
  const found = call.world.deviations.any ? undefined : resolutions.get(call);
  return found ?? resolveAll(call);
}

const TWICE = 'recipients names one recipient more than once';

/**
 * Every item resolved, or the refusal if nothing is written. Each recipient appears once, unless RECIP-9
 * allows repeats. A promised refusal of any item comes before a refusal that a silence decides.
 */
function resolveAll(call: AddCall): ResolvedRecipient[] | Refusal {
  const items = call.input.recipients as readonly RecipientItem[];
  const resolved: ResolvedRecipient[] = [];
  const directory = directoryOf(call);
  const rules = rulesOf(call);
  const otherRules = { ...rules, anyHost: !rules.anyHost };
  let ofNewTenant: number | undefined;
  let open: (() => Refusal) | undefined;
  const own = call.basis;
  const trial = own.trial();
  for (const [index, sent] of items.entries()) {
    call.basis = trial;
    const before = trial.assumed().length;
    const silence = silenceAbout(sent, directory);
    const item = silence === undefined ? sent : partThatCounts(sent, call.assume(silence));
    const result = resolve(item, directory, rules);
    const isResolved = 'resolved' in result;
    // An item that is valid under the stricter rule is valid under the other.
    if (isResolved === rules.anyHost) {
      if ('resolved' in resolve(item, directory, otherRules) !== isResolved)
        call.assume('RECIP-37');
    }
    call.basis = own;
    if (!('resolved' in result)) {
      const refuse = () => refuseItem(call, index, result, silence);
      if (!['disagree', 'half'].includes(result.problem)) {
        // The silences about earlier items make no difference to this refusal.
        for (const assumed of trial.assumed().slice(before)) call.assume(assumed);
        return refuse();
      }
      open ??= refuse;
      continue;
    }
    resolved.push(result.resolved);
    const { embedUser } = result.resolved;
    if (embedUser && !embedTenants(call.world).has(embedUser.embedTenantName))
      ofNewTenant ??= index;
  }
  own.merge(trial);
  if (open !== undefined) return open();
  if (ofNewTenant !== undefined && call.assume('RECIP-49') === 'refused') {
    const at = `/recipients/${ofNewTenant}/embedTenantName`;
    return call.invalidBody(`recipients[${ofNewTenant}]: no such embed tenant`, at, 'RECIP-49');
  }
  const byKey = new Map(resolved.map((recipient) => [recipient.key, recipient]));
  if (byKey.size === resolved.length) return resolved;
  switch (call.assume('RECIP-9')) {
    case 'refused':
      return call.invalidBody(TWICE, '/recipients', 'RECIP-9');
    case 'each':
    case 'alike':
      return resolved;
    default:
      return [...byKey.values()];
  }
}

function refuseItem(
  call: AddCall,
  index: number,
  result: { readonly problem: string; readonly message: string; readonly field?: string },
  silence: string | undefined,
): Refusal {
  call.enter(`recipient: ${result.problem}`);
  const message = `recipients[${index}]: ${result.message}`;
  const at = `/recipients/${index}${result.field === undefined ? '' : `/${result.field}`}`;
  switch (result.problem) {
    case 'slack':
      return call.refuse(400, 'RECIP-15', message, at);
    case 'stranger':
      call.assume('RECIP-30');
      return call.refuse(400, 'RECIP-30', message, at);
    case 'disagree':
    case 'half':
      return call.invalidBody(message, at, silence);
    default:
      return call.refuse(400, 'RECIP-16', message, at);
  }
}

function rulesOf(call: AddCall): RecipientRules {
  const rules = Object.entries(recipientRules).map(([rule, [silence, choice]]) => [
    rule,
    call.choice(silence) === choice,
  ]);
  return Object.fromEntries(rules);
}

function directoryOf(call: AddCall): Directory {
  const { users, embedUsers } = call.world.state.tables;
  return {
    userById: (id) => users.get(id),
    userByEmail(email) {
      const index = usersByEmail(call.world);
      const exact = index.exact.get(email);
      const folded = exact ?? index.folded.get(email.toLowerCase());
      if (exact === folded) return exact;
      return call.assume('RECIP-34') === 'exact' ? undefined : folded;
    },
    embedUser: (tenant, externalId) => embedUsers.get(embedUserKey(tenant, externalId)),
  };
}

type EmailIndex = Readonly<Record<'exact' | 'folded', ReadonlyMap<string, UserRow>>>;
const emailIndexes = new WeakMap<object, EmailIndex>();
/** Users by email, cached for each state of the users table. */
function usersByEmail(world: World): EmailIndex {
  const rows = world.state.tables.users.rows();
  const index = emailIndexes.get(rows) ?? {
    exact: new Map(rows.map((user) => [user.email, user])),
    folded: new Map(rows.map((user) => [user.email.toLowerCase(), user])),
  };
  emailIndexes.set(rows, index);
  return index;
}

const tenantNames = new WeakMap<object, ReadonlySet<string>>();
/** The embed tenants with at least one user, cached for each state of the embed users table. */
function embedTenants(world: World): ReadonlySet<string> {
  const rows = world.state.tables.embedUsers.rows();
  const names = tenantNames.get(rows) ?? new Set(rows.map((user) => user.embedTenantName));
  tenantNames.set(rows, names);
  return names;
}

/** The rules that decide whether a recipient has changed. */
const changeRules = ['clearUnsent', 'ordered', 'emptyDiffers'] as const;

/** Writes one recipient, and the embed user if it is new. */
function write(call: AddCall, recipient: ResolvedRecipient, rules: RecipientRules) {
  const { state } = call.world;
  const newEmail = replacesEmail(call, recipient);
  const embedUser = recipient.embedUser && provision(call, recipient.embedUser);
  const notificationId = call.path.id;
  const subject = recipient.user?.id ?? embedUser?.id ?? recipient.email ?? '';
  const key = `${notificationId}/${recipient.key}`;
  const existing = state.tables.recipients.get(key);
  if (existing !== undefined && bringsTheSame(existing, recipient.item)) {
    const change: RecipientChange = newEmail ? 'updated' : 'unchanged';
    return { change, row: existing, embedUser };
  }
  const fresh = { notificationId, kind: recipient.kind, subject };
  const result = subscribe(existing, fresh, recipient.item, rules);
  if (existing !== undefined) {
    const otherwise = (rule: keyof RecipientRules) =>
      subscribe(existing, fresh, recipient.item, { ...rules, [rule]: !rules[rule] });
    for (const rule of changeRules) {
      if (otherwise(rule).change !== result.change) call.assume(recipientRules[rule][0]);
    }
  }
  if (result.change !== 'unchanged') state.tables.recipients.put(key, result.row);
  else if (newEmail) return { ...result, change: 'updated' as const, embedUser };
  return { ...result, embedUser };
}

/** Whether a sent email replaces a different one on record (RECIP-36). */
function replacesEmail(call: AddCall, { item, embedUser }: ResolvedRecipient): boolean {
  if (embedUser === undefined || item.email === undefined) return false;
  const { embedTenantName, externalId } = embedUser;
  const known = call.world.state.tables.embedUsers.get(embedUserKey(embedTenantName, externalId));
  if (known === undefined || known.email === null || known.email === item.email) return false;
  return call.assume('RECIP-36') === 'replaced';
}

function provision(
  call: AddCall,
  wanted: Omit<EmbedUserRow, 'id'> & { readonly id?: number },
): EmbedUserRow {
  const { state } = call.world;
  const key = embedUserKey(wanted.embedTenantName, wanted.externalId);
  const known = state.tables.embedUsers.get(key);
  const user: EmbedUserRow = { ...wanted, id: known?.id ?? state.nextIds.embedUser };
  if (known === undefined) state.nextIds.embedUser += 1;
  if (known?.email !== user.email) state.tables.embedUsers.put(key, user);
  return user;
}

function recipientRecord(
  call: AddCall,
  row: RecipientRow,
  { user, email }: ResolvedRecipient,
  embedUser: EmbedUserRow | undefined,
  nulls: boolean,
): Recipient {
  const isUser = row.kind !== 'EMBED_USER' || call.assume('RECIP-28') === 'user';
  const [type = 'EMBED_USER'] = isUser ? ['USER'] : call.details('RECIP-28');
  const address = user?.email ?? embedUser?.email ?? email;
  const record: Recipient = {
    type,
    ...(address && { email: address }),
    ...(user && { userId: user.id, username: `${user.givenName} ${user.familyName}` }),
    ...(embedUser && {
      embedTenantName: embedUser.embedTenantName,
      embedUserId: embedUser.id,
      externalId: embedUser.externalId,
    }),
  };
  if (!nulls) return record;
  return {
    channelId: null,
    channelName: null,
    email: null,
    embedTenantName: null,
    embedUserId: null,
    externalId: null,
    userId: null,
    username: null,
    ...record,
  };
}
