/**
 * Keeps secrets out of all that leaves the process: files, terminal, messages. A secret is found in
 * one pass, however it is spelt: in another case, with JSON or percent escapes, as hexadecimal, or
 * as base64, alone or within more. `Redacted` is a text that went through here.
 */

import { isObject, mapStrings } from './json.ts';

declare const redacted: unique symbol;
export type Redacted = string & { readonly [redacted]: true };

/** A JWT, or whatever has its form. It begins where a word does, so that the search stays linear. */
const jwt = /(?<![\w-])eyJ[\w-]{5,4096}\.[\w-]{5,16384}\.[\w-]{16,4096}/g;
/** What encoded forms need to be told from other text. */
const leastEncoded = 8;
/** Bounds for the tokens of an answer: a target may send any number of any length. */
const longestToken = 4096;
const mostForms = 1000;
/** Characters of a value. */
const mostShown = 2000;

export class Redactor {
  /** As they were given. */
  readonly #secrets = new Map<string, string>();
  /** Each form of each of them, and the same as they are looked for, with their labels. */
  readonly #forms = new Set<string>();
  readonly #plain = new Map<string, string>();

  /** `label` stands where the secret was. */
  add(secret: string, label: string): void {
    if (secret.length < 4 || this.#secrets.has(secret)) return;
    this.#secrets.set(secret, label);
    for (const form of [secret, ...encoded(secret)]) this.#look(form, label);
  }

  /** Takes the tokens of an answer as secrets: JWTs, and whatever stands under a token's name. */
  addMinted(body: unknown): void {
    for (const whole of tokensIn(body)) {
      if (this.#forms.size > mostForms) return;
      const token = whole.slice(0, longestToken);
      this.#look(token, withoutSignature(token));
    }
  }

  text(text: string): Redacted {
    let result = '';
    let done = 0;
    for (const [start, end, label] of partsWith(this.#plain, text)) {
      result += text.slice(done, start) + label;
      done = end;
    }
    result += text.slice(done);
    // With what stands before it, a secret may read as an escape: `%` before `ab...`.
    for (const [secret, label] of this.#secrets) {
      if (!label.includes(secret) && result.includes(secret))
        result = result.replaceAll(secret, label);
    }
    return (result.includes('eyJ') ? result.replace(jwt, withoutSignature) : result) as Redacted;
  }

  /** A value as JSON. */
  json(value: unknown): Redacted {
    return this.text(JSON.stringify(value));
  }

  /** The value with every string in it redacted, keys included. */
  value<T>(value: T): T {
    // Names of fields, and most words of a report, come again and again.
    const known = new Map<string, Redacted>();
    return mapStrings(value, (text) => {
      const result = known.get(text) ?? this.text(text);
      known.set(text, result);
      return result;
    }) as T;
  }

  /** A value as a report shows it: what is too long is cut, with its length. */
  shown(value: unknown): unknown {
    const text = JSON.stringify(value);
    if (text === undefined) return 'absent';
    // A copy, as a part of a text would keep the whole answer in memory.
    if (text.length <= mostShown) return JSON.parse(text);
    // Redacted before it is cut: half a secret would not be found again.
    return `${this.text(text).slice(0, mostShown)}... (${text.length} characters)`;
  }

  /** Whether a text of our own making holds a secret, in one of its forms and to the letter. */
  holds(text: string): boolean {
    return this.#forms.keys().some((form) => text.includes(form));
  }

  #look(form: string, label: string): void {
    if (this.#forms.has(form)) return;
    this.#forms.add(form);
    this.#plain.set(plainOf(form), label);
  }
}

/** Hexadecimal, and base64 at each of the three places where a secret can begin within more. */
function encoded(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and the last character may hold bits of what stands next to the secret.
    return text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6));
  });
  const percent = encodeURIComponent(secret);
  return [...base64, bytes.toString('hex'), percent].filter(({ length }) => length >= leastEncoded);
}

/** A part of a text, from its first character to the one behind its last. */
type Part = readonly [start: number, end: number, label: string];

/** JSON's escapes, and percent-encoding several times over; what is meant stands in a group. */
const spelling = /\\+(?:u([0-9a-f]{4})|([/"]))|\\{2,}|%(?:25)*([0-9a-f]{2})/gi;

/** A text as it is meant: spellings read, case and what base64url changes folded; a character for each. */
function plainOf(text: string): string {
  const meant = text.replace(spelling, (spelt, unicode?: string, same?: string, byte?: string) => {
    const code = unicode ?? byte;
    return code === undefined ? (same ?? spelt.charAt(0)) : String.fromCharCode(parseInt(code, 16));
  });
  // The one character that is two in lower case.
  const folded = meant.replaceAll('\u0130', 'i').toLowerCase();
  return folded.replaceAll('-', '+').replaceAll('_', '/');
}

/** Where the forms stand in a text, in order; what overlaps is one. Each is plain. */
function partsWith(forms: ReadonlyMap<string, string>, text: string): Part[] {
  const plain = plainOf(text);
  const found: Part[] = [];
  for (const [form, label] of forms) {
    for (let at = plain.indexOf(form); at !== -1; at = plain.indexOf(form, at + form.length))
      found.push([at, at + form.length, label]);
  }
  const apart: Part[] = [];
  for (const [start, end, label] of found.sort(([a], [b]) => a - b)) {
    const [from = 0, to = 0] = apart.at(-1) ?? [];
    if (start < to) apart.splice(-1, 1, [from, Math.max(to, end), label]);
    else apart.push([start, end, label]);
  }
  const starts = placesIn(text, apart, 0);
  const ends = placesIn(text, apart, 1);
  return apart.map(([, , label], index): Part => {
    let start = starts[index] ?? 0;
    // A backslash left behind would make an escape of what stands there then.
    while (text[start - 1] === '\\') start--;
    return [start, ends[index] ?? text.length, label];
  });
}

/** Where the parts of a plain text begin (0) or end (1) in the text itself. */
function placesIn(text: string, parts: readonly Part[], side: 0 | 1): number[] {
  if (parts.length === 0) return [];
  const places: number[] = [];
  const passOver = (until: number, longer: number): void => {
    for (let next = parts[places.length]; next !== undefined; next = parts[places.length]) {
      if (next[side] + longer > until) return;
      places.push(next[side] + longer);
    }
  };
  let longer = 0;
  for (const { 0: spelt, index } of text.matchAll(spelling)) {
    passOver(index, longer);
    longer += spelt.length - 1;
  }
  passOver(text.length, longer);
  return places;
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
