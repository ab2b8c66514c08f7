/** Who may ask: the keys of this tenant, and what an Authorization header says. */

import { createHmac } from 'node:crypto';
import { Refusal } from './refusal.ts';

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

export const callers: readonly Caller[] = [
  { name: 'admin', secret: 'hk_live_9Qd2mB7wXz41', kind: 'key', expired: false, ...admin },
  { name: 'member', secret: 'hk_live_Lp5tRr08cVvN', kind: 'key', expired: false, ...member },
  {
    name: 'scoped',
    secret: 'hk_live_scK3yy7Tq2aa',
    kind: 'key',
    expired: false,
    ...admin,
    scope: [7001, 7005],
  },
  { name: 'oauth', secret: 'oat-3d5e77aa10b94c~x', kind: 'oauth', expired: false, ...admin },
  { name: 'memberOauth', secret: 'oat-77ff01bbcc9e2d~y', kind: 'oauth', expired: false, ...member },
  {
    name: 'embed',
    secret: sign({ embed: 'haulier-nord', sub: 'h-77' }),
    kind: 'embed',
    expired: false,
    ...member,
    edits: [],
  },
  { name: 'expired', secret: 'hk_live_OldOldOld000', kind: 'key', expired: true, ...admin },
  { name: 'scim', secret: 'prov_55aZ-81bY-scim', kind: 'scim', expired: false, ...admin },
];

const schemes = /^(bearer|api-key) +([A-Za-z0-9._~+/=-]+)$/i;

/** Throws Refusal. A key that was never issued gets 403 here, a token for metadata as well. */
export function authenticate(authorization: string): Caller {
  const secret = schemes.exec(authorization.trim())?.[2];
  if (secret === undefined) throw new Refusal(401, 'E-001 show your key');
  const caller = callers.find((candidate) => candidate.secret === secret);
  if (caller === undefined) throw new Refusal(403, 'E-002 this key opens nothing');
  if (caller.expired) throw new Refusal(401, 'E-003 this key has run out');
  return caller;
}
