/** Reads a JWT (RFC 7519) without verifying it: the description does not say which key signs. */

import { isObject, parseJson } from '../../spec/base/json.ts';

export interface Jwt {
  readonly header: unknown;
  /** Undefined if the token is encrypted: only the holder of the key can read its claims. */
  readonly payload: unknown;
}

/**
 * Undefined if the text is neither signed nor encrypted. A signed token (RFC 7515) has three parts
 * of base64url, the first two of JSON objects. An encrypted one (RFC 7516) has five parts, the
 * first of a JSON object.
 */
export function readJwt(text: unknown): Jwt | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = text.split('.');
  const header = part(parts[0]);
  if (!isObject(header)) return undefined;
  // With `dir` the token contains no encrypted key, so the second of five parts is empty.
  const encrypted = parts.length === 5 && 'enc' in header;
  if (!parts.every((text, at) => /^[\w-]+$/.test(text) || (encrypted && at === 1 && text === ''))) {
    return undefined;
  }
  if (encrypted) return { header, payload: undefined };
  const payload = part(parts[1]);
  return parts.length === 3 && isObject(payload) ? { header, payload } : undefined;
}

function part(text = ''): unknown {
  return parseJson(Buffer.from(text, 'base64url').toString('utf8'));
}
