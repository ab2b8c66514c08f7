/**
 * Who is asking: reads the Authorization header of a request against a world's credentials.
 *
 * Sees the difference between what the description promises (missing, malformed and expired: 401)
 * and what it leaves open (a key that was never issued, a token of another surface).
 */
import { assumedStatus, type Requires, type StatusStatement } from '../../spec/contract.ts';
import type { Requested } from '../world/requested.ts';
import type { CredentialRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Basis } from './basis.ts';
import type { Caller } from './caller.ts';
import { isRefusal, type Refusal, refusal } from './exchange.ts';
import { describeCredential, lackOf } from './rights.ts';

/** A well-formed Authorization header. */
interface Presented {
  readonly scheme: 'bearer' | 'api-key';
  readonly token: string;
}

// RFC 6750 section 2.1: b64token.
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const CREDENTIAL = /^([a-z0-9]{1,32})-([A-Za-z][A-Za-z0-9]*)$/;
const JWT = /^[\w-]+\.([\w-]+)\.[\w-]*$/;

/** The world that a request's credential names, and the credential's name; undefined for neither. */
export function readCredential(
  header: string | undefined,
): { readonly world: string; readonly name: string } | undefined {
  const presented = header === undefined ? undefined : present(header);
  if (presented === undefined) return undefined;
  const match = CREDENTIAL.exec(presented.token);
  if (match !== null) return { world: match[1] ?? '', name: match[2] ?? '' };
  const world = metadataWorld(presented.token);
  return world === undefined ? undefined : { world, name: METADATA };
}

/** Name under which a minted metadata token appears in journals. */
export const METADATA = 'metadataToken';

/** Issuer of the metadata tokens of a world. */
export function issuerOf(world: string): string {
  return `lockstep:${world}`;
}

/** What a request has sent to say who it is, without the secret. */
function presented(header: string | undefined, world: World): string {
  if (header === undefined) return 'no Authorization header';
  const token = present(header)?.token;
  if (token === undefined) return 'an Authorization header of another form';
  if (metadataWorld(token) !== undefined) return 'a metadata token';
  const named = readCredential(header);
  // What it says is not repeated: it may be a real key.
  if (named?.world !== world.id) return `a token that is no credential of the world ${world.id}`;
  const row = world.state.tables.credentials.get(named.name);
  return row === undefined ? 'a token that was never issued' : describeCredential(row, world);
}

/** A refusal of `authenticate`, with the rule that said no and who would have been let through. */
export function explainRefusal(
  refused: Refusal,
  request: Requested,
  header: string | undefined,
  world: World,
): Refusal {
  const rule = ['AUTH-3', 'AUTH-18'].includes(refused.statement) ? 'schemes' : 'credentials';
  return { ...refused, lack: lackOf(rule, request, world, presented(header, world)) };
}

/** What is asked for: an operation, or a path that only a description knows. */
interface Guarded {
  readonly requires: Requires;
}

/** Answers with the caller, or the refusal that the operation's surface owes. */
export function authenticate(
  operation: Guarded,
  header: string | undefined,
  world: World,
  basis: Basis,
): Caller | Refusal {
  if (header === undefined) return unauthorized('AUTH-1', 'The Authorization header is missing');
  const presented = present(header);
  if (presented === undefined) {
    const schemes = operation.requires.schemes.join(' or ');
    return unauthorized(
      'AUTH-3',
      `The Authorization header is malformed: ${schemes}, a space and a token are expected`,
    );
  }
  const trial = basis.trial();
  const identified = identify(operation, presented.token, world, trial);
  if (presented.scheme === 'api-key' && !operation.requires.schemes.includes('Api-Key')) {
    // Where the token itself is answered 401, the scheme makes no difference.
    if (!isRefusal(identified) || identified.status !== 401) basis.assume('AUTH-18');
    if (basis.peek('AUTH-18') === 'refused') {
      return unauthorized(
        'AUTH-18',
        'The Api-Key scheme is taken by the SCIM API only; use Bearer',
      );
    }
  }
  basis.merge(trial);
  return identified;
}

/** Who a token belongs to, and whether it is for this operation at all. */
function identify(operation: Guarded, token: string, world: World, basis: Basis): Caller | Refusal {
  const match = CREDENTIAL.exec(token);
  if (match === null && metadataWorld(token) === world.id) {
    return open(basis, 'META-16', 'A metadata token opens no operation of this API');
  }
  const row =
    match === null || match[1] !== world.id
      ? undefined
      : world.state.tables.credentials.get(match[2] ?? '');
  if (row?.state === 'expired') {
    return unauthorized('AUTH-4', 'The credential has expired');
  }
  if (row === undefined || row.state === 'revoked') {
    return open(basis, 'AUTH-7', 'The credential is not known, or has been revoked');
  }
  return acceptKind(operation, row, world, basis);
}

/** Decides what the description promises, or leaves open, for a credential of this kind here. */
function acceptKind(
  operation: Guarded,
  row: CredentialRow,
  world: World,
  basis: Basis,
): Caller | Refusal {
  const user = row.userId === null ? null : (world.state.tables.users.get(row.userId) ?? null);
  const caller: Caller = { credential: row.name, kind: row.kind, user, scope: row.deployments };
  if (operation.requires.credentials.includes(row.kind)) return caller;
  if (row.kind === 'scim') {
    return open(basis, 'AUTH-19', 'A SCIM token is for the SCIM API only');
  }
  if (operation.requires.surface === 'scim') {
    if (basis.assume('AUTH-20') === 'accepted') {
      return user?.admin === true && row.kind !== 'embed'
        ? caller
        : refusal(403, 'AUTH-20', 'Listing users needs the admin role');
    }
    return open(basis, 'AUTH-20', 'The SCIM API takes a SCIM token');
  }
  return open(basis, 'AUTH-22', 'An embed JWT is not authorised for this operation');
}

function present(header: string): Presented | undefined {
  const space = header.indexOf(' ');
  if (space <= 0) return undefined;
  const scheme = header.slice(0, space).toLowerCase();
  // RFC 9110 section 11.4: one space or more.
  const token = header.slice(space).replace(/^ +/, '');
  if ((scheme !== 'bearer' && scheme !== 'api-key') || !TOKEN.test(token)) return undefined;
  return { scheme, token };
}

function metadataWorld(token: string): string | undefined {
  const payload = JWT.exec(token)?.[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const issuer = (claims as { iss?: unknown } | null)?.iss;
    return typeof issuer === 'string' && issuer.startsWith('lockstep:')
      ? issuer.slice('lockstep:'.length)
      : undefined;
  } catch {
    return undefined;
  }
}

function unauthorized(statement: string, message: string): Refusal {
  return refusal(401, statement, message);
}

function open(basis: Basis, statement: StatusStatement, message: string): Refusal {
  return refusal(assumedStatus(statement, basis.assume(statement)), statement, message);
}
