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
const mostCharacters = 60_000;

export class Redactor {
  /** As they were given. */
  readonly #secrets = new Map<string, string>();
  /** In each form that is looked for. */
  readonly #forms = new Map<string, string>();
  #characters = 0;
  #finder: Finder | undefined;

  /** `label` stands where the secret was. */
  add(secret: string, label: string): void {
    if (secret.length < 4 || this.#secrets.has(secret)) return;
    this.#secrets.set(secret, label);
    for (const form of [secret, ...encoded(secret)]) this.#look(form, label);
  }

  /** Takes the tokens of an answer as secrets: JWTs, and whatever stands under a token's name. */
  addMinted(body: unknown): void {
    for (const whole of tokensIn(body)) {
      if (this.#characters > mostCharacters) return;
      const token = whole.slice(0, longestToken);
      this.#look(token, withoutSignature(token));
    }
  }

  text(text: string): Redacted {
    let result = '';
    let done = 0;
    for (const { start, end, label } of this.#found(text)) {
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

  /** Whether a text of our own making holds a secret, in one of its forms and to the letter. */
  holds(text: string): boolean {
    return this.#forms.keys().some((form) => text.includes(form));
  }

  #look(form: string, label: string): void {
    if (this.#forms.has(form)) return;
    this.#forms.set(form, label);
    this.#characters += form.length;
    this.#finder = undefined;
  }

  #found(text: string): Found[] {
    this.#finder ??= new Finder(this.#forms);
    return this.#finder.in(text);
  }
}

/** Hexadecimal, and base64 at each of the three places where a secret can begin within more. */
function encoded(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and the last character may hold bits of what stands beside the secret.
    return text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6));
  });
  const percent = encodeURIComponent(secret);
  return [...base64, bytes.toString('hex'), percent].filter(({ length }) => length >= leastEncoded);
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Finds many texts in one pass (Aho and Corasick). Case, and what base64url changes, are folded. */
class Finder {
  /** Of a character; 0 for one that stands in no form. */
  readonly #classes = new Uint16Array(0x1_0000);
  #width = 1;
  /** The next state, by state and class. */
  readonly #next: Int32Array;
  /** The form that ends in a state. */
  readonly #ends = new Map<number, { readonly length: number; readonly label: string }>();
  readonly #isEnd: Uint8Array;
  /** Where the latest characters of a text began, as many as the longest form has. */
  readonly #starts: Int32Array;

  constructor(forms: ReadonlyMap<string, string>) {
    const words = [...forms].map(([form, label]) => ({ codes: codesOf(form), label }));
    for (const { codes } of words) for (const code of codes) this.#classify(code);
    const states = words.reduce((sum, { codes }) => sum + codes.length, 1);
    this.#next = new Int32Array(states * this.#width);
    const longest = Math.max(1, ...words.map(({ codes }) => codes.length));
    this.#starts = new Int32Array(2 ** Math.ceil(Math.log2(longest + 1)));
    let last = 0;
    for (const { codes, label } of words) {
      let state = 0;
      for (const code of codes) {
        const cell = state * this.#width + (this.#classes[code] ?? 0);
        if (this.#next[cell] === 0) this.#next[cell] = ++last;
        state = this.#next[cell] ?? 0;
      }
      this.#ends.set(state, { length: codes.length, label });
    }
    this.#complete();
    this.#isEnd = new Uint8Array(states);
    for (const end of this.#ends.keys()) this.#isEnd[end] = 1;
  }

  /** Where the forms stand, in order; what overlaps is one. */
  in(text: string): Found[] {
    const found: Found[] = [];
    if (this.#ends.size === 0) return found;
    const [next, classes, width, isEnd] = [this.#next, this.#classes, this.#width, this.#isEnd];
    const starts = this.#starts;
    const last = starts.length - 1;
    const unit: Unit = { code: 0, end: 0 };
    let state = 0;
    let count = 0;
    for (let at = 0, end = 0; at < text.length; at = end, count++) {
      let code = text.charCodeAt(at);
      end = at + 1;
      if (code === backslash || code === percent) {
        readUnit(text, at, unit);
        code = unit.code;
        end = unit.end;
      }
      starts[count & last] = at;
      // Indices stay in their arrays; without the checks it is twice as fast.
      state = next[state * width + (classes[code] as number)] as number;
      if (isEnd[state] === 0) continue;
      const { length, label } = this.#ends.get(state) ?? { length: 1, label: '' };
      let start = starts[(count - length + 1) & last] ?? 0;
      // A backslash left behind would make an escape of what stands there then.
      while (start > 0 && text.charCodeAt(start - 1) === backslash) start--;
      while ((found.at(-1)?.end ?? 0) > start) start = Math.min(start, found.pop()?.start ?? start);
      found.push({ start, end, label });
    }
    return found;
  }

  #classify(code: number): void {
    const alike = foldedWith(code).map((one) => this.#classes[one] ?? 0);
    const known = Math.max(...alike);
    const own = known === 0 ? this.#width++ : known;
    for (const one of foldedWith(code)) this.#classes[one] = own;
  }

  /** Gives every state a next one for every class, the longest end that is a beginning. */
  #complete(): void {
    const [next, width] = [this.#next, this.#width];
    const fallback = new Int32Array(next.length / width);
    const queue: number[] = [0];
    for (let at = 0; at < queue.length; at++) {
      const state = queue[at] ?? 0;
      const behind = fallback[state] ?? 0;
      for (let one = 1; one < width; one++) {
        const cell = state * width + one;
        const child = next[cell] ?? 0;
        const other = state === 0 ? 0 : (next[behind * width + one] ?? 0);
        if (child === 0) {
          next[cell] = other;
          continue;
        }
        fallback[child] = other;
        const shorter = this.#ends.get(other);
        if (shorter !== undefined && !this.#ends.has(child)) this.#ends.set(child, shorter);
        queue.push(child);
      }
    }
  }
}

/** A character as it is meant, and where its spelling ends; at first, the one that is read. */
interface Unit {
  code: number;
  end: number;
}

const backslash = 0x5c;
const percent = 0x25;

/** Reads through JSON's escapes and through percent-encoding, several times over if need be. */
function readUnit(text: string, at: number, unit: Unit): void {
  unit.code = text.charCodeAt(at);
  unit.end = at + 1;
  if (unit.code === backslash) {
    while (text.charCodeAt(unit.end) === backslash) unit.end++;
    const behind = text.charAt(unit.end);
    if (behind === '/' || behind === '"') unit.code = text.charCodeAt(unit.end++);
    else if (behind === 'u') readHex(text, unit.end + 1, 4, unit);
  } else if (unit.code === percent) {
    while (text.startsWith('25', unit.end)) unit.end += 2;
    readHex(text, unit.end, 2, unit);
  }
}

function readHex(text: string, at: number, length: number, unit: Unit): void {
  let code = 0;
  for (let place = at; place < at + length; place++) {
    const digit = Number.parseInt(text.charAt(place), 16);
    if (Number.isNaN(digit)) return;
    code = code * 16 + digit;
  }
  unit.code = code;
  unit.end = at + length;
}

/** The characters of a form, as they are read in a text. */
function codesOf(form: string): number[] {
  const codes: number[] = [];
  const unit: Unit = { code: 0, end: 0 };
  for (let at = 0; at < form.length; at = unit.end) {
    readUnit(form, at, unit);
    codes.push(unit.code);
  }
  return codes;
}

/** The characters that count as this one. */
function foldedWith(code: number): number[] {
  const text = String.fromCharCode(code);
  const base64url: Readonly<Record<string, string>> = { '-': '+', '+': '-', _: '/', '/': '_' };
  const alike = [text, text.toLowerCase(), text.toUpperCase(), base64url[text] ?? text];
  return alike.map((one) => one.charCodeAt(0));
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
