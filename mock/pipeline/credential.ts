/** Reads the Authorization header of a request once, and describes the caller. */
import { isObject, parseJson } from '../../spec/base/json.ts';
import type { CredentialKind } from '../../spec/contract.ts';
import type { CredentialRow, UserRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';

type Scheme = 'bearer' | 'api-key';

export type Credential =
  | { readonly form: 'missing' }
  | { readonly form: 'malformed' }
  /** The credential is well formed, but of no world. */
  | { readonly form: 'foreign'; readonly scheme: Scheme }
  /** The name of a credential and its world, or a metadata token that a world has made. */
  | {
      readonly form: 'issued' | 'metadata';
      readonly scheme: Scheme;
      readonly world: string;
      readonly name: string;
    };

// RFC 6750 section 2.1: b64token.
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const ISSUED = /^([a-z0-9]{1,32})-([A-Za-z][A-Za-z0-9]*)$/;
const JWT = /^[\w-]+\.([\w-]+)\.[\w-]*$/;

/** Name under which a minted metadata token appears in journals. */
export const METADATA = 'metadataToken';
const ISSUER = 'lockstep:';

/** Issuer of the metadata tokens of a world. */
export function issuerOf(world: string): string {
  return `${ISSUER}${world}`;
}

/** Several headers, joined as HTTP joins them. */
const SEVERAL = /^((?:bearer|api-key) +[^ ,]+), *(?:bearer|api-key) /i;

/** Whether a request has sent more than one Authorization header. */
export function sendsSeveral(header: string | undefined): boolean {
  return header !== undefined && SEVERAL.test(header);
}

/** Reads a header; if there are several, the first. */
export function readCredential(headers: string | undefined): Credential {
  if (headers === undefined) return { form: 'missing' };
  const header = SEVERAL.exec(headers)?.[1] ?? headers;
  const space = header.indexOf(' ');
  const scheme = header.slice(0, Math.max(space, 0)).toLowerCase();
  // RFC 9110 section 11.4: one space or more.
  const token = header.slice(space).replace(/^ +/, '');
  if ((scheme !== 'bearer' && scheme !== 'api-key') || !TOKEN.test(token)) {
    return { form: 'malformed' };
  }
  const [, world, name] = ISSUED.exec(token) ?? [];
  if (world !== undefined && name !== undefined) return { form: 'issued', scheme, world, name };
  const minter = minterOf(token);
  return minter === undefined
    ? { form: 'foreign', scheme }
    : { form: 'metadata', scheme, world: minter, name: METADATA };
}

export function worldOf(credential: Credential): string | undefined {
  return 'world' in credential ? credential.world : undefined;
}

/** The world that has minted a metadata token. */
function minterOf(token: string): string | undefined {
  const payload = JWT.exec(token)?.[1];
  if (payload === undefined) return undefined;
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  const issuer = isObject(claims) ? claims.iss : undefined;
  if (typeof issuer !== 'string' || !issuer.startsWith(ISSUER)) return undefined;
  return issuer.slice(ISSUER.length);
}

/** An authenticated principal. */
export interface Caller {
  readonly credential: string;
  readonly kind: CredentialKind;
  readonly user: UserRow | null;
  /** The deployments in the scope of the key; null if the key has no scope. */
  readonly scope: readonly string[] | null;
}

export function callerOf({ name, kind, userId, deployments }: CredentialRow, world: World): Caller {
  const user = userId === null ? null : (world.state.tables.users.get(userId) ?? null);
  return { credential: name, kind, user, scope: deployments };
}
