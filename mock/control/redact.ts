/**
 * Removes secrets from texts: credentials of any world appear by name, tokens as `<token>`. A client's
 * own secrets are hidden as well, unless the mock keeps them (`--keep-secrets`). The rules prefer to
 * hide too much rather than too little.
 */
import {
  DEEPEST,
  deeperThan,
  equal,
  isObject,
  mapStrings,
  parseJson,
} from '../../spec/base/json.ts';
import type { World } from '../world/world.ts';

/** A run of letters that may hold a token. Each run is looked at once, so that no text takes long. */
const TOKEN_LETTERS = /[\w.-]+/g;
/** A word in the name of a secret. It excludes an author, a refusal's scheme and an environment's addresses. */
const SECRET_WORD =
  /key|secret|token|passw|passphrase|pwd|auth(?!or|enticate)|cookie|session|jwt|bearer|signature|private|otp|(?<!api_)credential/i;
const HIDDEN = '<hidden>';
/** A scheme and its credential. It excludes a parameter of a challenge and the next word of our own messages. */
const SCHEME =
  /\b(bearer|basic|api-key)\s+(?!(?:scheme|or)\s|[\w-]{1,40}=\\?["\w])[A-Za-z0-9\-._~+/]+=*/gi;
/** A pair of a query, a form or a challenge. It begins at the start of a word, so that the search stays linear. */
const PAIR = /(?<![^\s?&;,"'<>])([^\s?&;=,"'<>]+)=(\\?"?)(?:[^\s&;,"'<>\\]|\\(?!"))+/g;
/** A field of JSON, even if the JSON is cut. The value of an object or a list is all text that follows. */
const FIELD = /"([^"]{1,200})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|[{[][\s\S]*|[^\s,}\]]+)/g;
const PEM = /-----BEGIN [^-]{0,40}-----[^-]*(?:-----END [^-]{0,40}-----)?/g;
/** The user part of an address. */
const USER = /\/\/[^/@\s]{1,1000}@/g;

/** A cheap first test: every text with a secret has one of these characters, or the start of a token. */
const SUSPECT = /[-\s%\\=@]|eyJ/;

/** Looks at the text as it is, and as it reads without percent escapes and `\u` escapes. */
export function redact(world: World, text: string): string {
  if (!SUSPECT.test(text)) return text;
  const plain = unescaped(text);
  const clean = withoutSecrets(world, plain);
  return clean === plain ? withoutSecrets(world, text) : clean;
}

/** A JSON value whose texts are each redacted. */
export const redactAll = (world: World, value: unknown) =>
  mapStrings(value, (text) => redact(world, text));

/** A row of a world. A client wrote it, so fields with the name of a secret are hidden as well. */
export const redactRow = (world: World, row: object | undefined) =>
  redactAll(world, withoutFields(world, row));

/** Headers as a record of text, each redacted. */
export function redactHeaders(
  world: World,
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, isSecret(world, name) ? HIDDEN : redact(world, value)]];
    }),
  );
}

/** A body without the values of fields that hold secrets: of JSON, of a form, or of a part of either. */
export function redactBody(world: World, text: string): string {
  const value = deeperThan(text, DEEPEST) ? undefined : parseJson(text);
  if (value === undefined) return redact(world, withoutParts(world, text));
  const clean = withoutFields(world, value);
  return redact(world, equal(clean, value) ? text : JSON.stringify(clean));
}

function isSecret({ keepSecrets }: World, name: string): boolean {
  return !keepSecrets && SECRET_WORD.test(unescaped(name));
}

function withoutFields(world: World, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutFields(world, item));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, item]) => {
    return [name, isSecret(world, name) ? HIDDEN : withoutFields(world, item)];
  });
  return Object.fromEntries(fields);
}

/** JSON that was cut, and a form in parts. */
function withoutParts(world: World, text: string): string {
  const clean = text.replaceAll(FIELD, (whole, name: string, between: string) =>
    isSecret(world, name) ? `"${name}"${between}"${HIDDEN}"` : whole,
  );
  if (!clean.includes('form-data')) return clean;
  const parts = clean.split('\n--').map((part) => {
    const end = /\r?\n\r?\n/.exec(part);
    const [, name = ''] = /\bname="?([^";\r\n]{1,200})/.exec(part.slice(0, end?.index)) ?? [];
    if (end === null || !isSecret(world, name)) return part;
    return `${part.slice(0, end.index)}${end[0]}${HIDDEN}\r`;
  });
  return parts.join('\n--');
}

function withoutSecrets(world: World, text: string): string {
  const names = world.state.tables.credentials.rows().map((row) => row.name);
  const clean = withoutTokens(text).replaceAll(SCHEME, '$1 <credential>');
  if (names.length === 0 || !clean.includes('-')) return withoutOwn(world, clean);
  // A name may be the beginning of another one (member, memberOauth), so the next character must end it.
  const credential = new RegExp(
    `(?<![a-z0-9])[a-z0-9]{1,32}-(${names.join('|')})(?![A-Za-z0-9])`,
    'g',
  );
  return withoutOwn(world, clean.replaceAll(credential, '<$1>'));
}

/** Removes the client's own secrets, known by their names. */
function withoutOwn(world: World, text: string): string {
  if (world.keepSecrets) return text;
  return text
    .replaceAll(PEM, HIDDEN)
    .replaceAll(USER, `//${HIDDEN}@`)
    .replaceAll(PAIR, (whole, name: string, quote: string) =>
      isSecret(world, name) ? `${name}=${quote}${HIDDEN}` : whole,
    );
}

/** Removes every text that looks like a JWT: three parts with dots between them, and `eyJ` at the start. */
function withoutTokens(text: string): string {
  if (!text.includes('eyJ')) return text;
  return text.replaceAll(TOKEN_LETTERS, (run) => {
    const start = run.search(/\beyJ/);
    const isToken = start >= 0 && run.slice(start).split('.', 3).length === 3;
    return isToken ? `${run.slice(0, start)}<token>` : run;
  });
}

function unescaped(text: string): string {
  if (!/[%\\]/.test(text)) return text;
  const character = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return text
    .replaceAll(/%([2-7][0-9a-f])/gi, character)
    .replaceAll(/\\u00([2-7][0-9a-f])/gi, character);
}
