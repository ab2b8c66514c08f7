/** The keys of this tenant, and the reader of the Authorization header. */

import { createHmac } from 'node:crypto';
import { Refusal } from './exchange.ts';

export interface Caller {
  readonly name: string;
  readonly secret: string;
  readonly kind: 'key' | 'oauth' | 'embed' | 'scim';
  readonly email: string;
  readonly admin: boolean;
  readonly audits: boolean;
  /** Folders that it may edit; undefined for all. */
  readonly edits: readonly number[] | undefined;
  /** Deployments that it may reach; undefined for all. */
  readonly scope: readonly number[] | undefined;
  readonly expired: boolean;
}

const signature = 'a quay of its own';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT, signed by the tenant. */
export function sign(claims: object): string {
  const text = `${encode({ typ: 'JWT', alg: 'HS256', kid: 'q1' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', signature).update(text).digest('base64url')}`;
}

const mira = 'mira.aarhus0@harbour.example';
const jonas = 'jonas.esbjerg1@harbour.example';

const admin = { email: mira, admin: true, audits: true, edits: undefined, scope: undefined };
const member = { email: jonas, admin: false, audits: false, edits: [3310, 3340], scope: undefined };

const made = (
  name: string,
  kind: Caller['kind'],
  secret: string,
  more: Omit<Caller, 'name' | 'kind' | 'secret' | 'expired'>,
): Caller => ({ name, kind, secret, expired: name.startsWith('expired'), ...more });

export const callers: readonly Caller[] = [
  made('admin', 'key', 'hk_live_9Qd2mB7wXz41', admin),
  made('member', 'key', 'hk_live_Lp5tRr08cVvN', member),
  made('scoped', 'key', 'hk_live_scK3yy7Tq2aa', { ...admin, scope: [7001, 7005] }),
  made('oauth', 'oauth', 'oat-3d5e77aa10b94c~x', admin),
  made('memberOauth', 'oauth', 'oat-77ff01bbcc9e2d~y', member),
  made('embed', 'embed', sign({ embed: 'haulier-nord', sub: 'h-77' }), { ...member, edits: [] }),
  made('expired', 'key', 'hk_live_OldOldOld000', admin),
  made('expiredOauth', 'oauth', 'oat-00c0ffee00aa11~z', admin),
  made('scim', 'scim', 'prov_55aZ-81bY-scim', admin),
  made('expiredScim', 'scim', 'prov_11aZ-00bY-scim', admin),
];

const schemes = /^(bearer|api-key) +([A-Za-z0-9._~+/=-]+)$/i;

/**
 * Throws Refusal. This tenant answers 403 to a key that was never issued, and to a metadata token.
 */
export function authenticate(authorization: string): Caller {
  const secret = schemes.exec(authorization.trim())?.[2];
  if (secret === undefined)
    throw new Refusal(401, authorization === '' ? 'E-004 no key' : 'E-001 show your key');
  const caller = callers.find((candidate) => candidate.secret === secret);
  if (caller === undefined) {
    const code = secret.split('.').length === 3 ? 'E-005' : 'E-002';
    throw new Refusal(403, `${code} this key opens nothing`);
  }
  if (caller.expired) throw new Refusal(401, 'E-003 this key has run out');
  return caller;
}
