/**
 * Replaces real names by invented ones with the same shape and length. The same text always gets
 * the same name.
 *
 * Each letter and each digit moves along its own alphabet. The step follows from a key and from the
 * characters before it in its word. So two words never become one, two names still share the words
 * that they shared, and a new name changes no other. The key can reverse the names, so no output
 * holds it.
 *
 * Ids can keep their order: then a step moves none of the characters that follow the same beginning past
 * the end of the alphabet. If those characters are the whole alphabet, they stay.
 */

import { createHmac } from 'node:crypto';

/** Kinds of texts that can be kept as they are. */
export const nameKinds = ['names', 'emails', 'hosts', 'hashes', 'ids', 'paths'] as const;
export type NameKind = (typeof nameKinds)[number];

/** Words that every account has, and that clients rely on. */
const usual = new Set(['main', 'master', 'production', 'staging', 'development', 'dev']);

/** The ending of a host name that nobody can own (RFC 2606). */
const NOBODYS = '.test';

export class Pseudonyms {
  readonly #key: string;
  readonly #kept: ReadonlySet<NameKind>;
  /** A cache, because there are many words and few different ones. */
  readonly #words = new Map<string, string>();
  readonly #domains = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** The lowest and highest position of a character after a beginning, for ids that keep their order. */
  readonly #spans = new Map<string, Span>();

  constructor(key: string, kept: Iterable<NameKind> = []) {
    this.#key = key;
    this.#kept = new Set(kept);
  }

  /** The invented name of a person, a deployment, a branch, ... */
  name(text: string): string {
    return this.#kept.has('names') ? text : this.#byWord('names', text);
  }

  /** The name of a file, whose ending stays. */
  path(text: string): string {
    if (this.#kept.has('paths')) return text;
    const ending = /\.(ya?ml|js|ts|json|sql|py|csv|md)$/.exec(text)?.[0] ?? '';
    return this.#byWord('names', text.slice(0, text.length - ending.length)) + ending;
  }

  /** Lets some ids keep their order, as numbers and by their code units. Call it before the first `id`. */
  keepOrder(ids: Iterable<string>): void {
    for (const id of ids) {
      for (const [word] of id.matchAll(wordForm)) {
        for (const { sign, before, alphabet } of placesIn(word, isHexId(id))) {
          const at = alphabet.indexOf(sign);
          const { low, high } = this.#spans.get(`${alphabet[0]} ${before}`) ?? {
            low: at,
            high: at,
          };
          const span = { low: Math.min(low, at), high: Math.max(high, at) };
          this.#spans.set(`${alphabet[0]} ${before}`, span);
        }
      }
    }
  }

  id(text: string): string {
    return this.#kept.has('ids') ? text : this.#byWord('ids', text);
  }

  hash(text: string): string {
    return this.#kept.has('hashes') ? text : this.#word('hashes', text, true);
  }

  email(text: string): string {
    if (this.#kept.has('emails')) return text;
    const at = text.lastIndexOf('@');
    if (at < 0) return this.#byWord('names', text);
    return `${this.#byWord('names', text.slice(0, at))}@${this.#host(text.slice(at + 1))}`;
  }

  host(text: string): string {
    return this.#kept.has('hosts') ? text : this.#host(text);
  }

  /** A URL without its user, query and fragment; undefined if the text is not a URL. */
  url(text: string): string | undefined {
    if (!URL.canParse(text)) return undefined;
    const { protocol, hostname, port, pathname } = new URL(text);
    if (protocol !== 'https:' && protocol !== 'http:') return undefined;
    const segments = pathname.split('/').map((segment) => this.#segment(segment));
    return `${protocol}//${this.host(hostname)}${port && `:${port}`}${segments.join('/')}`;
  }

  /** A segment of a path. Versions of an API stay, and ids are replaced as in other places. */
  #segment(segment: string): string {
    return /^v\d{1,2}$/.test(segment) || this.#kept.has('hosts')
      ? segment
      : this.#byWord('ids', segment);
  }

  /**
   * Replaces a host. The last two labels become a domain that nobody owns; those before them are
   * names of machines and ids.
   */
  #host(text: string): string {
    const labels = text.toLowerCase().split('.');
    const own = labels.slice(0, -2).map((label) => this.#byWord('ids', label));
    return [...own, this.#domain(labels.slice(-2).join('.'))].join('.');
  }

  #domain(text: string): string {
    const known = this.#domains.get(text);
    if (known !== undefined) return known;
    const length = Math.max(3, text.length - NOBODYS.length);
    let made = '';
    for (let round = 0; made === '' || this.#taken.has(made); round++) {
      const bytes = this.#bytes(`domain ${round} ${text}`);
      made = Array.from({ length }, (_, at) => letters[(bytes[at % bytes.length] ?? 0) % 26]).join(
        '',
      );
    }
    this.#taken.add(made);
    this.#domains.set(text, made + NOBODYS);
    return made + NOBODYS;
  }

  #byWord(kind: NameKind, text: string): string {
    const isHex = kind === 'ids' && isHexId(text);
    return text.replaceAll(wordForm, (word) =>
      kind === 'names' && usual.has(word.toLowerCase()) ? word : this.#word(kind, word, isHex),
    );
  }

  /** Replaces a word. `Mira` and `mira` become the same word, each in its own case. */
  #word(kind: NameKind, word: string, isHex: boolean): string {
    const key = `${kind} ${isHex} ${word}`;
    const known = this.#words.get(key);
    if (known !== undefined) return known;
    const state = this.#bytes(`${kind} word`);
    const made = placesIn(word, isHex).map(({ sign, before, alphabet }) => {
      const step = createHmac('sha256', state).update(before).digest().readUInt32BE();
      const span = kind === 'ids' ? this.#spans.get(`${alphabet[0]} ${before}`) : undefined;
      return moved(sign, step, alphabet, span ?? { low: 0, high: 0 });
    });
    if (this.#words.size >= MOST_WORDS) this.#words.clear();
    this.#words.set(key, made.join(''));
    return made.join('');
  }

  #bytes(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

interface Span {
  readonly low: number;
  readonly high: number;
}

const wordForm = /[\p{L}\p{M}\p{N}]+/gu;
/** Whether a text is a hexadecimal id, such as a UUID. */
const isHexId = (text: string): boolean => /^[0-9a-f-]{8,}$/i.test(text) && /[a-f]/i.test(text);
const MOST_WORDS = 50_000;
const letters = 'abcdefghijklmnopqrstuvwxyz';
const laterAlphabets = [letters, letters.toUpperCase(), '0123456789'];
/** The alphabets for the first character, because a number does not begin with 0. */
const firstAlphabets = [letters, letters.toUpperCase(), '0', '123456789'];
const hexAlphabets = ['0123456789abcdef', 'ABCDEF'];

/** The characters of a word, each with its beginning in small letters and its alphabet. */
function placesIn(word: string, isHex: boolean) {
  const signs = [...word];
  return signs.map((sign, index) => {
    const before = signs.slice(0, index).join('').toLowerCase();
    const alphabets = index === 0 ? firstAlphabets : laterAlphabets;
    const own = (isHex ? hexAlphabets : alphabets).find((one) => one.includes(sign));
    return { sign, before, alphabet: own === undefined ? neighboursOf(sign) : [...own] };
  });
}

/**
 * The character that is about `step` places further in its alphabet. It stays the same only if there is no other
 * one, or if each step would move one end of the span past the other.
 */
function moved(sign: string, step: number, alphabet: readonly string[], span: Span) {
  const size = alphabet.length;
  for (let more = 0; more < size - 1; more++) {
    const places = 1 + ((step + more) % (size - 1));
    const to = (at: number): number => (at + places) % size;
    if (to(span.low) <= to(span.high)) return alphabet[to(alphabet.indexOf(sign))] ?? sign;
  }
  return sign;
}

const neighbours = new Map<string, readonly string[]>();

/** The characters of the same kind in its block of 256, which are mostly letters of one script. */
function neighboursOf(sign: string): readonly string[] {
  const kind = kinds.find((one) => one.test(sign));
  const block = (sign.codePointAt(0) ?? 0) >> 8;
  const key = `${kind} ${block}`;
  const known = neighbours.get(key);
  if (known !== undefined) return known;
  const all = Array.from({ length: 256 }, (_, low) => String.fromCodePoint((block << 8) + low));
  const alike = kind === undefined ? [sign] : all.filter((one) => kind.test(one) && one > '\x7f');
  neighbours.set(key, alike);
  return alike;
}

const kinds = [/^\p{Lu}$/u, /^\p{Ll}$/u, /^\p{L}$/u, /^\p{M}$/u, /^\p{N}$/u];
