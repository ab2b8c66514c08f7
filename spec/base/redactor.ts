/**
 * Keeps secrets out of everything that leaves the process: files, terminal, messages. It first undoes the
 * spelling of a text (escapes of JSON, URLs and HTML, case, white space). Then it searches for each form of a
 * secret: as it is, as hexadecimal, or as base64, alone or inside other text. `Redacted` is a text that
 * passed through here.
 */

import { isObject, mapStrings } from './json.ts';

declare const redacted: unique symbol;
export type Redacted = string & { readonly [redacted]: true };

/** A JWT, or a text of the same form. It begins at the start of a word, so that the search stays linear. */
const jwt = /(?<![\w-])eyJ[\w-]{5,4096}\.[\w-]{5,16384}\.[\w-]{16,4096}/g;
/** The shortest encoded form that can be told from other text. */
const leastEncoded = 8;
/** Limits for the tokens of an answer: a target may send any number of any length. */
const longestToken = 4096;
const mostMinted = 1000;
/** The limit in characters for a value. */
const mostShown = 2000;

/** A form of a secret to look for, with its spelling undone. */
interface Form {
  readonly label: string;
  /** If the end of the form was cut off with a mark, this many characters (three or more) still reveal it. */
  readonly least: number;
  /**
   * The secret if it consists of letters and separators alone. Without its separators it may be a part of
   * other words: `t-scim` of "list SCIM".
   */
  readonly word?: string | undefined;
}

/** The number of buckets of `markBuckets`. */
const buckets = 2 ** 16;

export class Redactor {
  /** The secrets as they were given. */
  readonly #secrets = new Map<string, string>();
  /** Each form of each secret, as it is written and with its spelling undone. */
  readonly #letters = new Set<string>();
  readonly #forms = new Map<string, Form>();
  /** Texts of our own, and on first use the same texts with their spelling undone. */
  readonly #own = new Set<string>();
  #words: string | undefined;
  #minted = 0;

  /** `label` replaces the secret. */
  add(secret: string, label: string): void {
    if (secret.length < 4 || this.#secrets.has(secret)) return;
    this.#secrets.set(secret, label);
    // Other programs drop padding at the end of a secret, which also changes the encoding of the rest.
    const core = secret.trim().replace(/(?<!=)=+$/, '');
    for (const letters of [core, ...encoded(core)]) {
      this.#letters.add(letters);
      const word =
        letters === core && /^[a-z]+(?:[^a-z0-9]+[a-z]+)+$/i.test(core) ? core : undefined;
      this.#look(letters, { label, least: Math.min(leastEncoded, letters.length), word });
    }
  }

  /** Forgets all secrets, because another command begins in the same process. */
  forget(): void {
    for (const known of [this.#secrets, this.#letters, this.#forms, this.#own]) known.clear();
    this.#words = undefined;
    this.#minted = 0;
  }

  /** Takes the tokens of an answer as secrets: JWTs, and every value under a token's name, but no words. */
  addMinted(body: unknown): void {
    for (const whole of tokensIn(body)) {
      if (this.#minted++ >= mostMinted) return;
      const token = whole.slice(0, longestToken);
      this.#words ??= [...this.#own].map(meantBy).join('\n');
      if (this.#words.includes(meantBy(token))) continue;
      // Many tokens have the same beginning.
      this.#look(token, { label: withoutSignature(token), least: token.length });
    }
  }

  text(text: string): Redacted {
    let result = '';
    let done = 0;
    for (const [start, end, label] of this.#partsOf(text)) {
      result += text.slice(done, start) + label;
      done = end;
    }
    result += text.slice(done);
    // Together with the text before it, a secret may look like an escape: `%` before `ab...`.
    for (const [secret, label] of this.#secrets) {
      if (!label.includes(secret) && result.includes(secret))
        result = result.replaceAll(secret, label);
    }
    return (result.includes('eyJ') ? result.replace(jwt, withoutSignature) : result) as Redacted;
  }

  json(value: unknown): Redacted {
    return this.text(JSON.stringify(value));
  }

  /** The value, with every string and every key in it redacted. */
  value<T>(value: T): T {
    // Names of fields and most words of a report occur many times.
    const known = new Map<string, Redacted>();
    return mapStrings(value, (text) => {
      const result = known.get(text) ?? this.text(text);
      known.set(text, result);
      return result;
    }) as T;
  }

  /** A value for a report: one that is too long is cut, and its length is added. */
  shown(value: unknown): unknown {
    const text = JSON.stringify(value);
    if (text === undefined) return 'absent';
    // It is redacted before it is cut, because half a secret would not be found.
    const clean = this.text(text);
    // A copy, because a slice of a text would keep the whole answer in memory.
    if (clean.length <= mostShown) return JSON.parse(clean);
    return `${clean.slice(0, mostShown)}... (${text.length} characters)`;
  }

  /** Whether a text of our own contains a secret in one of its forms, letter by letter. */
  holds(text: string): boolean {
    return this.#letters.keys().some((form) => text.includes(form));
  }

  /**
   * Adds a text of our own, which every report quotes. No part of it ever counts as a token.
   * Returns the label of a secret that is a word of this text, and so could not be redacted.
   */
  addWords(text: string): string | undefined {
    this.#own.add(text);
    this.#words = undefined;
    const isWord = ([secret]: readonly [string, string]): boolean => {
      const around = text.toLowerCase().split(secret.trim().toLowerCase());
      return around.some(
        (before, index) => !/\w$/.test(before) && /^(?!\w)/.test(around[index + 1] ?? 'w'),
      );
    };
    return [...this.#secrets].find(isWord)?.[1];
  }

  #look(letters: string, form: Form): void {
    const folded = meantBy(letters);
    if (folded.length >= 3 && !this.#forms.has(folded)) this.#forms.set(folded, form);
  }

  /** The parts of a text that are secrets, in order; parts that overlap are one. */
  #partsOf(text: string): readonly Part[] {
    const texts = [text];
    for (const { meant } of readings) texts.push(meant(texts.at(-1) ?? ''));
    const found = partsWith(this.#forms, fold(texts.at(-1) ?? ''));
    if (found.length === 0) return [];
    texts.pop();
    const spelt = texts.at(-1) ?? '';
    let parts = apart(found.flatMap(({ word, parts: all }) => inWords(spelt, all, word)));
    for (const { placed } of readings.toReversed()) parts = placed(texts.pop() ?? '', parts);
    return parts.map(([start, end, label]): Part => {
      let first = start;
      // A remaining backslash would make an escape of the label after it.
      while (text[first - 1] === '\\') first--;
      return [first, end, label];
    });
  }
}

/** Hexadecimal and base64, of UTF-8 and of UTF-16 in both orders; base64 also twice, in both alphabets. */
function encoded(secret: string): string[] {
  const wide = Buffer.from(secret, 'utf16le');
  const all = [Buffer.from(secret), wide, Buffer.from(wide).swap16()];
  const once = all.flatMap(base64Of);
  const inUrls = once.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const twice = [...once, ...inUrls].flatMap((text) => base64Of(Buffer.from(text)));
  const hex = all.map((bytes) => bytes.toString('hex'));
  const forms = [...once, ...twice, ...hex, encodeURIComponent(secret)];
  return forms.filter(({ length }) => length >= leastEncoded);
}

/** The base64 at each of the three offsets in a longer text. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and the last character may hold bits of the text next to it.
    return text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** A part of a text: its first character, and the character after its last. */
type Part = readonly [start: number, end: number, label: string];

/** Undoes spellings, and finds the parts of the plain text in the original. */
interface Reading {
  readonly meant: (text: string) => string;
  readonly placed: (text: string, parts: readonly Part[]) => readonly Part[];
}

/** `meaning` returns a character, or nothing, for each match of the pattern. */
function readingOf(
  pattern: RegExp,
  meaning: (...groups: (string | undefined)[]) => string,
): Reading {
  return {
    meant: (text) => text.replace(pattern, (...groups) => meaning(...groups)),
    placed: (text, parts) => {
      // The positions of the first and the last character of each part.
      const wanted = parts.flatMap(([start, end]) => [start, end - 1]);
      const places: (readonly [start: number, end: number])[] = [];
      let shift = 0;
      const pass = (until: number, place: (at: number) => readonly [number, number]): void => {
        for (let at = wanted[places.length]; at !== undefined && at < until; ) {
          places.push(place(at));
          at = wanted[places.length];
        }
      };
      const plainly = (at: number) => [at + shift, at + shift + 1] as const;
      for (const match of text.matchAll(pattern)) {
        const { 0: spelt, index } = match;
        pass(index - shift, plainly);
        const { length } = meaning(...match);
        pass(index - shift + length, () => [index, index + spelt.length]);
        shift += spelt.length - length;
      }
      pass(Number.POSITIVE_INFINITY, plainly);
      return parts.map(([, , label], index): Part => {
        const [start] = places[2 * index] ?? [0];
        const [, end] = places[2 * index + 1] ?? [0, text.length];
        return [start, end, label];
      });
    },
  };
}

/** All names that HTML has for characters of ASCII. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', lowbar: '_', underbar: '_' },
  ...{
    nbsp: ' ',
    tab: ' ',
    newline: ' ',
    plus: '+',
    equals: '=',
    excl: '!',
    num: '#',
    dollar: '$',
  },
  ...{ percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', comma: ',', period: '.' },
  ...{ colon: ':', semi: ';', quest: '?', commat: '@', bsol: '\\', hat: '^', grave: '`' },
  ...{ lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', lbrace: '{', rcub: '}' },
  ...{ rbrace: '}', verbar: '|', vert: '|', verticalline: '|', diacriticalgrave: '`' },
};

/**
 * Escapes of JSON, repeated percent-encoding, and entities of HTML. The number of an entity needs no
 * semicolon.
 */
const escapes = readingOf(
  /\\+(?:u([0-9a-f]{4})|(["/nrt]))|\\{2,}|%(?:25)*([0-9a-f]{2})|&(?:#x0*([0-9a-f]{1,6});?|#0*(\d{1,7});?|([a-z]{1,16});)/gi,
  (spelt = '', unicode, same, byte, hex, decimal, entity) => {
    const code = unicode ?? byte ?? hex;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    if (entity !== undefined) return entities[entity.toLowerCase()] ?? spelt.charAt(0);
    if (same !== undefined) return /[nrt]/i.test(same) ? ' ' : same;
    return spelt.charAt(0);
  },
);

/** White space, the NUL of UTF-16, padding, the `+` of base64, of a blank, and of base64url, and the `:` of hexadecimal. */
const loose = readingOf(/[\s\0=+:-]+/g, () => '');

/** An escaped text may be escaped again, and in another way. */
const readings = [escapes, escapes, escapes, loose];

function meantBy(text: string): string {
  return fold(readings.reduce((spelt, reading) => reading.meant(spelt), text));
}

/** Folds case and the two letters of base64url; the number of characters stays. */
function fold(text: string): string {
  // This is the only character that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('_', '/');
}

const bucketAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) % buckets;

/** One array for all texts, because a run looks at thousands of them. */
const marked = new Uint8Array(buckets);

/**
 * Marks a bucket for each three characters of a text. If the bucket of a form is not marked, the
 * form does not occur.
 */
function markBuckets(text: string): void {
  marked.fill(0);
  for (let at = 0; at < text.length - 2; at++) marked[bucketAt(text, at)] = 1;
}

/** The parts of each form that occurs. */
function partsWith(forms: ReadonlyMap<string, Form>, text: string) {
  const all: { readonly word: string | undefined; readonly parts: readonly Part[] }[] = [];
  markBuckets(text);
  for (const [form, { label, least, word }] of forms) {
    // There are hundreds of forms, and to search for each takes a quarter of a run.
    if (marked[bucketAt(form, 0)] === 0) continue;
    const found: Part[] = [];
    const head = form.slice(0, least);
    for (let at = text.indexOf(head); at !== -1; ) {
      let end = at + head.length;
      while (end < at + form.length && text[end] === form[end - at]) end++;
      const isWhole = end === at + form.length;
      const isMarked = text[end] === '…' || text.startsWith('...', end);
      // Somebody who reads most of a secret can guess the rest.
      const isMost = 4 * (end - at) >= 3 * form.length;
      if (isWhole || isMarked || isMost) found.push([at, end, label]);
      at = text.indexOf(head, isWhole ? end : at + 1);
    }
    if (found.length > 0) all.push({ word, parts: found });
  }
  return all;
}

/**
 * The parts that are the secret. With its own separators, it is the secret anywhere. If separators
 * are missing or different, as in a text that was broken into lines, it is the secret unless it
 * begins or ends within a word.
 */
function inWords(spelt: string, parts: readonly Part[], word: string | undefined): readonly Part[] {
  if (word === undefined) return parts;
  const own = apart([...parts]);
  const places = loose.placed(spelt, own);
  return own.filter((_, index) => {
    const [start = 0, end = 0] = places[index] ?? [];
    const isWhole = !/[a-z]/i.test(spelt[start - 1] ?? '') && !/[a-z]/i.test(spelt[end] ?? '');
    const written = spelt.slice(start, end).replaceAll(/\s/g, '');
    return isWhole || fold(word).startsWith(fold(written));
  });
}

function apart(parts: Part[]): readonly Part[] {
  const found: Part[] = [];
  for (const [start, end, label] of parts.sort(([a], [b]) => a - b)) {
    const [from = 0, to = 0] = found.at(-1) ?? [];
    if (start < to) found.splice(-1, 1, [from, Math.max(to, end), label]);
    else found.push([start, end, label]);
  }
  return found;
}

/** A token with the same number of parts, but without a valid signature. */
function withoutSignature(token: string): string {
  const parts = token.split('.');
  if (parts.length === 3) return `${parts[0]}.${parts[1]}.redacted`;
  return parts.map(() => 'redacted').join('.');
}

/**
 * Whether a header could carry it (RFC 6750). A mere word is not a token, because a target must not choose
 * the words that a report omits.
 */
function mayBeToken(text: string): boolean {
  return /^[\w.~+/-]{8,}=*$/.test(text) && (text.length >= 16 || /\d/.test(text));
}

function* tokensIn(value: unknown, name = ''): Generator<string> {
  if (typeof value === 'string') {
    const isJwt = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value);
    if (isJwt || (/token/i.test(name) && mayBeToken(value))) yield value;
  } else if (Array.isArray(value)) for (const item of value) yield* tokensIn(item, name);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* tokensIn(item, key);
  }
}
