/**
 * Metadata tokens: real JWTs (RFC 7519), signed with Ed25519 so that one seed gives one signature.
 * The key of a world is derived from its seed; it protects nothing.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { pointerKeys } from '../../spec/base/json.ts';
import type { World } from '../world/world.ts';
import { issuerOf } from './credential.ts';

export interface MetadataClaims {
  readonly context: Readonly<Record<string, unknown>>;
  /** Choice of META-11: the place of the context in the token. */
  readonly claim: string;
  /** The pointer of the context, if a profile adds it. */
  readonly place: string | undefined;
  /** ms */
  readonly createdAt: number;
  /** ms */
  readonly expiresAt: number;
  readonly environmentId: string;
}

// PKCS #8 wrapping of a raw Ed25519 key (RFC 8410 section 7).
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

const keys = new WeakMap<World, KeyObject>();

export function signMetadataToken(world: World, claims: MetadataClaims): string {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: keyId(world) };
  const payload = {
    ...contextClaim(claims),
    iss: issuerOf(world.id),
    aud: 'metadata',
    scope: 'metadata',
    environment: claims.environmentId,
    iat: Math.floor(claims.createdAt / 1000),
    exp: numericDate(claims),
  };
  const signed = [header, payload].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signed}.${base64url(sign(null, Buffer.from(signed), privateKey(world)))}`;
}

const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** A NumericDate may have a fraction. It has one only if the lifetime has one. */
function numericDate({ createdAt, expiresAt }: MetadataClaims): number {
  const whole = (expiresAt - createdAt) % 1000 === 0;
  return whole ? Math.floor(expiresAt / 1000) : expiresAt / 1000;
}

/** The world's public key as a JSON Web Key Set (RFC 7517). */
export function jwks(world: World): { keys: Record<string, unknown>[] } {
  const jwk = createPublicKey(privateKey(world)).export({ format: 'jwk' });
  return { keys: [{ ...jwk, alg: 'EdDSA', use: 'sig', kid: keyId(world) }] };
}

/** Claims of the token itself, or with a meaning in RFC 7519. */
const ownClaims = ['iss', 'aud', 'scope', 'environment', 'iat', 'exp', 'nbf', 'sub', 'jti'];

const places: Readonly<Record<string, string>> = {
  'camel-case': '/securityContext',
  nested: '/meta/context',
};

function contextClaim({ claim, context, place = places[claim] }: MetadataClaims): object {
  if (place !== undefined)
    return pointerKeys(place).reduceRight<object>((inner, key) => ({ [key]: inner }), context);
  // If the context has a key with such a name, the context goes into a separate claim, so that no
  // key is lost.
  const fits = ownClaims.every((own) => !Object.hasOwn(context, own));
  return claim === 'top-level' && fits ? { ...context } : { security_context: context };
}

function privateKey(world: World): KeyObject {
  let key = keys.get(world);
  if (key === undefined) {
    const raw = createHash('sha256').update(`lockstep key ${world.seed}`).digest();
    const der = Buffer.concat([PKCS8_ED25519, raw]);
    key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    keys.set(world, key);
  }
  return key;
}

function keyId(world: World): string {
  return `world-${world.seed}`;
}
