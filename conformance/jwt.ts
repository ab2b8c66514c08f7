/** Reads a JWT (RFC 7519) without verifying it: which key signs is no promise of the description. */

import { isObject } from './json.ts';

export interface Jwt {
  readonly header: unknown;
  readonly payload: unknown;
}

/** Undefined where the text is not three parts of base64url, the first two of JSON objects. */
export function readJwt(text: unknown): Jwt | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return undefined;
  const [header, payload] = [part(parts[0]), part(parts[1])];
  return isObject(header) && isObject(payload) ? { header, payload } : undefined;
}

function part(text: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
