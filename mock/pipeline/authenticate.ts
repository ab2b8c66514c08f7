/**
 * Finds the caller: compares a credential with the credentials that a world has issued.
 *
 * The description promises 401 for a missing, malformed or expired credential. It does not say how a key is refused that was never issued, or a token of another surface.
 */
import { named, type Requires } from '../../spec/contract.ts';
import type { CredentialRow } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import { whyGone } from '../world/world-request.ts';
import type { Basis } from './basis.ts';
import { type Caller, type Credential, callerOf } from './credential.ts';
import { isRefusal, type Refusal, refusal } from './exchange.ts';
import { describeCredential } from './rights.ts';

/** Returns the caller, or the refusal of the surface with the rule that refused. */
export function authenticate(
  requires: Requires,
  credential: Credential,
  basis: Basis,
): Caller | Refusal {
  const found = readCaller(requires, credential, basis);
  if (!isRefusal(found)) return found;
  const ofScheme: readonly string[] = [named.malformedCredential, named.apiKeyScheme];
  return { ...found, rule: ofScheme.includes(found.statement) ? 'schemes' : 'credentials' };
}

function readCaller(requires: Requires, credential: Credential, basis: Basis): Caller | Refusal {
  if (credential.form === 'missing') {
    return refusal(401, named.missingCredential, 'The Authorization header is missing');
  }
  if (credential.form === 'malformed') {
    const schemes = requires.schemes.join(' or ');
    const message = `The Authorization header is malformed: ${schemes}, a space and a token are expected`;
    return refusal(401, named.malformedCredential, message);
  }
  const trial = basis.trial();
  const identified = identify(requires, credential, trial);
  const isRefused = isRefusal(identified) && identified.status === 401;
  // The refusal is promised, and is the same for every scheme.
  if (isRefused && trial.assumed().length === 0) return identified;
  if (credential.scheme === 'api-key' && !requires.schemes.includes('Api-Key')) {
    const isScheme = basis.choice(named.apiKeyScheme) === 'refused';
    // If the token is refused with 401 and the scheme is accepted, the scheme makes no difference.
    if (isScheme || !isRefused) basis.assume(named.apiKeyScheme);
    if (isScheme) {
      const message = 'The Api-Key scheme is accepted by the SCIM API only; use Bearer';
      return refusal(401, named.apiKeyScheme, message);
    }
  }
  basis.merge(trial);
  return identified;
}

/**
 * Finds the owner of a credential, and checks that this kind of credential is for this operation.
 */
function identify(requires: Requires, credential: Credential, basis: Basis): Caller | Refusal {
  const { world } = basis;
  const own = 'world' in credential && credential.world === world.id ? credential : undefined;
  if (own?.form === 'metadata') {
    const message = 'A metadata token opens no operation of this API';
    return basis.refuse(named.metadataTokenAsCredential, message);
  }
  const row = own && world.state.tables.credentials.get(own.name);
  if (row?.state === 'expired') {
    return refusal(401, named.expiredCredential, 'The credential has expired');
  }
  if (row === undefined || row.state === 'revoked') {
    const message =
      'world' in credential && own === undefined
        ? `There is no world of this credential: ${whyGone(credential.world)}`
        : 'The credential is not known, or has been revoked';
    return basis.refuse(named.unknownCredential, message);
  }
  return acceptKind(requires, row, basis);
}

/** Applies the promise or the silence about this kind of credential for this operation. */
function acceptKind(requires: Requires, row: CredentialRow, basis: Basis): Caller | Refusal {
  const { world } = basis;
  const caller = callerOf(row, world);
  if (requires.credentials.includes(row.kind)) return caller;
  if (row.kind === 'scim') {
    const statement = named.scimTokenElsewhere;
    if (basis.assume(statement) !== 'accepted') {
      return basis.refuse(statement, 'A SCIM token is for the SCIM API only');
    }
    const administrator = world.state.tables.users.rows().find(({ admin }) => admin) ?? null;
    return { ...caller, kind: 'apiKey', user: administrator };
  }
  if (requires.surface === 'scim') {
    const statement = named.otherTokenForScim;
    if (basis.assume(statement) !== 'accepted') {
      return basis.refuse(statement, 'The SCIM API takes a SCIM token');
    }
    return caller.user?.admin === true && row.kind !== 'embed'
      ? caller
      : refusal(403, statement, 'Listing users needs the admin role');
  }
  const { embedTokenOfReaders, embedTokenElsewhere } = named;
  const statement = basis.isAbout(embedTokenOfReaders) ? embedTokenOfReaders : embedTokenElsewhere;
  if (basis.assume(statement) === 'accepted') return caller;
  return basis.refuse(statement, 'An embed JWT is not authorised for this operation');
}

/** A description of the sent credential, without the secret. */
export function describeSent(credential: Credential, world: World): string {
  const { form } = credential;
  if (form === 'missing') return 'no Authorization header';
  if (form === 'malformed') return 'an Authorization header of another form';
  if (form === 'metadata') return 'a metadata token';
  if (form === 'issued' && credential.world === world.id) {
    const row = world.state.tables.credentials.get(credential.name);
    return row === undefined ? 'a token that was never issued' : describeCredential(row, world);
  }
  // The token is not repeated: it may be a real key.
  return `a token that is not a credential of the world ${world.id}`;
}
