/**
 * Keeps secrets out of everything that is written. Evidence goes through here when it is captured:
 * credentials become their names, and of a token that the service made only the signature goes, so
 * that its claims can still be judged from the evidence.
 */

import { isObject, mapStrings } from '../../spec/base/json.ts';

const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const secretHeaders = new Set(['cookie', 'set-cookie', 'proxy-authorization', 'x-api-key']);

export class Redactor {
  /** Longest first, so that a secret within another does not break it up. */
  #secrets: { readonly secret: string; readonly label: string }[] = [];
  readonly #known = new Set<string>();

  add(secret: string, label: string): void {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]) {
      if (form.length < 4 || this.#known.has(form)) continue;
      this.#known.add(form);
      this.#secrets.push({ secret: form, label });
    }
    this.#secrets.sort((a, b) => b.secret.length - a.secret.length);
  }

  /** Takes the tokens of an answer as secrets: JWTs, and whatever stands under a token's name. */
  addMinted(body: unknown): void {
    for (const token of tokensIn(body)) {
      if (!this.#known.has(token)) this.add(token, withoutSignature(token));
    }
  }

  text(text: string): string {
    let result = text;
    for (const { secret, label } of this.#secrets) {
      if (result.includes(secret)) result = result.replaceAll(secret, label);
    }
    return result.includes('eyJ') ? result.replace(jwt, withoutSignature) : result;
  }

  value(value: unknown): unknown {
    return mapStrings(value, (text) => this.text(text));
  }

  header(name: string, value: string): string {
    return secretHeaders.has(name.toLowerCase()) ? '{redacted}' : this.text(value);
  }

  /** Whether a text holds a secret of the target. */
  holds(text: string): boolean {
    return this.#secrets.some(({ secret }) => text.includes(secret));
  }
}

/** A token with as many parts as before, none of which opens anything. */
function withoutSignature(token: string): string {
  const parts = token.split('.');
  if (parts.length === 3) return `${parts[0]}.${parts[1]}.redacted`;
  return parts.map(() => 'redacted').join('.');
}

function* tokensIn(value: unknown, name = ''): Generator<string> {
  if (typeof value === 'string') {
    const isJwt = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value);
    if (isJwt || (/token/i.test(name) && value.length >= 8)) yield value;
  } else if (Array.isArray(value)) for (const item of value) yield* tokensIn(item, name);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* tokensIn(item, key);
  }
}
