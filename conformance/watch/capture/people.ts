/** Users and credentials, from the SCIM list and the tenant file. */

import { isObject, type JsonObject } from '../../../spec/base/json.ts';
import { kindOfCredential } from '../../safety/claims.ts';
import type { Credential, Target } from '../../target/target.ts';
import { isText } from './reads.ts';
import type { Written } from './written.ts';

interface User {
  id: number;
  email: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly createdAt?: string;
  admin?: boolean;
  auditLogManage?: boolean;
  edits?: readonly unknown[];
}

export function people(
  target: Target,
  listed: readonly JsonObject[] | undefined,
  written: Written,
) {
  const domain = domainOf(target);
  const users: User[] = (listed ?? []).map((item) => userRow(item, domain, written));
  makeUnique(users);
  const userOf = (bound: JsonObject): JsonObject | undefined => {
    const { userId, email } = bound;
    const id = userId === undefined ? undefined : written.number(userId);
    const address = isText(email) ? written.email(email) : undefined;
    if (id === undefined && address === undefined) return undefined;
    if (!users.some((user) => user.id === id || isSame(user.email, address))) {
      written.note('a recipient that is bound and that no list shows is invented');
      users.push({
        id: id ?? written.number(address),
        email: address ?? `invented-${id}@invented.test`,
      });
    }
    return id === undefined ? { email: address } : { userId: id };
  };
  for (const bound of Object.values(target.bindings.recipients ?? {}).flat())
    if (isObject(bound) && bound.embedTenantName === undefined) userOf(bound);
  const { admin, member } = owners(users, written);
  const credentials = [...target.credentials].map(([name, { claims = {} }]) =>
    credentialRow(name, claims, isAdmin(name, claims) ? admin : member, written),
  );
  grant(target, admin, member, written);
  const bound = target.bindings.recipients?.embedUsers;
  const embedUsers = (Array.isArray(bound) ? bound.filter(isObject) : []).map((one) => {
    const row = written.embedUser(one);
    const isEmail = String(row.externalId).includes('@');
    return { email: isEmail ? null : `${written.number(row.externalId)}@invented.test`, ...row };
  });
  if (embedUsers.length > 0)
    written.note('embed users cannot be read: those that are bound are invented');
  return { fixture: { users, credentials, embedUsers }, userOf };
}

const isSame = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase();

/** The email domain of the account, for a list that shows only names. */
function domainOf({ bindings }: Target): string {
  const users = bindings.recipients?.users;
  const emails = (Array.isArray(users) ? users : []).map((one) => (isObject(one) ? one.email : ''));
  const email = [...emails, bindings.audit?.userEmail].find(
    (one) => isText(one) && one.includes('@'),
  );
  return String(email ?? 'x@invented.test').split('@')[1] ?? '';
}

function userRow(item: JsonObject, domain: string, written: Written): User {
  const { id, userName, emails, name, displayName, meta } = item;
  const addresses = (Array.isArray(emails) ? emails.filter(isObject) : []).map(
    ({ value }) => value,
  );
  const told = [...addresses, userName].find((one) => isText(one) && one.includes('@'));
  if (told === undefined) written.note('the SCIM list shows no emails: they are made of the names');
  const email = String(told ?? `${String(userName)}@${domain}`);
  const { givenName, familyName } = isObject(name) ? name : {};
  const [first, ...rest] = isText(displayName) ? displayName.split(' ') : [];
  const [given, family] = [givenName ?? first, familyName ?? rest.join(' ')];
  for (const text of [email.split('@')[0], given, family])
    if (isText(text)) written.addPerson(text);
  const number = numberOfUser(item);
  if (String(id) !== number)
    written.note('SCIM ids are numbers here: those of the tenant have another shape');
  const createdAt = isObject(meta) ? written.time(meta.created) : undefined;
  return {
    ...{ id: written.number(number), email: written.email(email) },
    ...(isText(given) && { givenName: written.names.name(given) }),
    ...(isText(family) && { familyName: written.names.name(family) }),
    ...(createdAt !== undefined && { createdAt }),
  };
}

/** The digits of a user's id; the whole id if it has none. */
export const numberOfUser = ({ id }: JsonObject): string =>
  /\d+/.exec(String(id))?.[0] ?? String(id);

/** Makes ids and emails unique. */
function makeUnique(users: readonly User[]): void {
  const taken = new Set<unknown>();
  for (const user of users) {
    while (taken.has(user.id)) user.id += 1;
    if (taken.has(user.email.toLowerCase())) user.email = `${user.id}-${user.email}`;
    taken.add(user.id).add(user.email.toLowerCase());
  }
}

/**
 * The owners of the credentials. Nothing shows the real owners, so the first two people get them.
 */
function owners(users: User[], written: Written) {
  for (const kind of ['admin', 'member']) {
    if (users.length >= 2) break;
    const id = written.number(kind);
    users.push({ id, email: `${kind}-${id}@invented.test` });
    written.note('there are fewer than two people in the SCIM list: others are invented');
  }
  written.note(
    "nothing shows whose a credential is: those of an administrator are the first user's, the others the second's",
  );
  const [admin, member] = users;
  if (admin === undefined || member === undefined) throw new Error('there are two users');
  return { admin, member };
}

type Claims = NonNullable<Credential['claims']>;

function isAdmin(name: string, { role }: Claims): boolean {
  return role === undefined ? !/^(member|embed)/.test(name) : role === 'admin';
}

function credentialRow(name: string, claims: Claims, owner: User, written: Written): JsonObject {
  const kind = kindOfCredential(name);
  return {
    ...{ name, kind, userId: kind === 'scim' ? null : owner.id },
    ...(claims.deployments !== undefined &&
      kind === 'apiKey' && {
        deployments: claims.deployments.flatMap((id) => written.rowId('deployment', id) ?? []),
      }),
    ...(name.startsWith('expired') && { state: 'expired' }),
  };
}

/** Gives them the rights that the tenant file claims. */
function grant({ credentials }: Target, admin: User, member: User, written: Written): void {
  admin.admin = true;
  admin.auditLogManage = credentials.get('admin')?.claims?.auditLogManage !== false;
  const claims = credentials.get('member')?.claims ?? credentials.get('memberOauth')?.claims;
  member.edits = claims?.edits?.flatMap((id) => written.rowId('folder', id) ?? []) ?? [];
  member.auditLogManage = claims?.auditLogManage === true;
}
