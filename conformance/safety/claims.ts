/** Contradictions in a tenant file, found before the first call: no answer can satisfy both claims. */

import type { CredentialKind } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import { type Bindings, kindOfBinding } from '../language/vocabulary.ts';
import type { Credential, Target } from '../target/target.ts';

export function contradictionsIn({ credentials, bindings }: Target): PreflightFinding[] {
  return [
    ...wrongRoles(credentials),
    ...sameSecrets(credentials),
    ...sameObjects(bindings),
    ...twoNumbers(bindings),
  ];
}

export const kindOfCredential = (name: string): CredentialKind => kinds[name] ?? 'apiKey';

const kinds: Readonly<Record<string, CredentialKind>> = {
  oauth: 'oauth',
  memberOauth: 'oauth',
  embed: 'embed',
  adminEmbed: 'embed',
  scim: 'scim',
  expiredOauth: 'oauth',
  expiredScim: 'scim',
};

type Credentials = ReadonlyMap<string, Credential>;

const roles = { member: 'member', memberOauth: 'member', admin: 'admin' };

function wrongRoles(credentials: Credentials): PreflightFinding[] {
  return Object.entries(roles).flatMap(([name, role]): PreflightFinding[] => {
    const said = credentials.get(name)?.claims?.role ?? role;
    const message = `the tenant file gives it ${said === 'admin' ? 'the' : 'no'} admin role`;
    return said === role ? [] : [{ name, kind: 'credential', message }];
  });
}

/** A key of the account may also be the SCIM token. Every other credential needs its own key. */
function sameSecrets(credentials: Credentials): PreflightFinding[] {
  const alike = pairs([...credentials], ([a, { secret: one }], [b, { secret: other }]) => {
    const isShared = [a, b].includes('scim') && !`${a} ${b}`.includes('expired');
    return one === other && !isShared;
  });
  return alike.map(([[name], [other]]) => {
    const message = `it has the secret of ${other}, but the tenant file says that they differ`;
    return { name, kind: 'credential', message };
  });
}

/** A nested folder can be the same folder as another binding. */
const mayBeBoth = /^nested/;

function sameObjects(bindings: Bindings): PreflightFinding[] {
  const bound = Object.entries(bindings).filter(([name]) => !mayBeBoth.test(name));
  const alike = pairs(bound, ([a, one], [b, other]) => {
    const isSame = identifiers.some((key) => same(one[key], other[key]));
    return kindOfBinding(a) === kindOfBinding(b) && isSame;
  });
  return alike.map(([[name, item], [other]]) => {
    const message = `it is the same as ${other} (${String(item.name ?? item.id)}), but the tenant file says that they differ`;
    return { name, kind: 'binding', message };
  });
}

/** An id that is a number is the number in paths as well. Only the id of a deployment is a text (DEPL-4). */
function twoNumbers(bindings: Bindings): PreflightFinding[] {
  return Object.entries(bindings).flatMap(([name, { id, numericId }]): PreflightFinding[] => {
    const isText = kindOfBinding(name) === 'deployment' || !/^\d+$/.test(String(id));
    if (isText || numericId === undefined || same(id, numericId)) return [];
    const message = `its id is ${String(id)}, and its numericId ${String(numericId)}: they are the same number`;
    return [{ name, kind: 'binding', message }];
  });
}

/** The fields of a binding that name its object. */
export const identifiers = ['id', 'numericId', 'name'];

export const same = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && String(one) === String(other);

/** All ordered pairs of items that are alike. */
function pairs<T>(items: readonly T[], alike: (one: T, other: T) => boolean): (readonly [T, T])[] {
  return items.flatMap((one) =>
    items.flatMap((other) => (one !== other && alike(one, other) ? [[one, other] as const] : [])),
  );
}
