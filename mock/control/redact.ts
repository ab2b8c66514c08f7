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

/**
 * A sequence of characters that may contain a token. Each is checked once, so that no text takes
 * long.
 */
const TOKEN_LETTERS = /[\w.-]+/g;
/**
 * A word in the name of a secret. It excludes an author, a refusal's scheme, an environment's addresses and
 * what has passed; a short word counts only by itself.
 */
const SECRET_WORD =
  /key|secret|token|pass(?!ed|es|age|eng|ing|ive)|pwd|auth(?!or(?!iz)|enticate)|cookie|session|jwt|bearer|signature|private|otp|(?<!api_)cred(?!it)|assertion|saml|verifier|[cx]srf|hmac|connection.?string|(?<![a-z])(?:sig|sid|sas|pin|pw|salt|nonce|dsn)(?![a-z])/i;
const HIDDEN = '<hidden>';
/** A scheme and its credential. It excludes a parameter of a challenge and the next word of our own messages. */
const SCHEME =
  /(?<![\w-])(bearer|basic|api-key)\s+(?!(?:scheme|or)\s|[\w-]{1,40}=\\?["\w])[A-Za-z0-9\-._~+/]+=*/gi;
/** A pair of a query, a form or a challenge. It begins at the start of a word, so that the search stays linear. */
const PAIR = /(?<![^\s?&;,"'<>])([^\s?&;=,"'<>]+)=(\\?["']?)(?:[^\s&;,"'<>\\]|\\(?!"))+/g;
/** A parameter of a query or a form: its value may hold any other separator. */
const PARAMETER = /(?<![^?&"])([^\s?&="]+)=([^\s&"]*)/g;
/** The end of the name of a field of JSON. The value of an object or a list is all text that follows. */
const FIELD = /(["'])\s*:\s*/g;
const VALUE = /"(?:[^"\\]|\\.)*"?|'[^']*'?|[{[][\s\S]*|[^\s,}\]]+/y;
/** A tag of XML, and the text after it. */
const ELEMENT = /<([^<>]+)>(?:<!\[CDATA\[)?[^<]+/g;
/** The name before a colon, in YAML and among headers. */
const NAMED = /(?<![\w.[\]-])[\w.[\]-]{1,200}["']?[ \t]{0,9}:/g;
const PEM = /-----BEGIN [^-]{0,40}-----[\s\S]*?(?:-----END [^-]{0,40}-----|$)/g;
/** The user part of an address. */
const USER = /\/\/[^/\s"]{1,1000}@/g;

/** A cheap first test: every text with a secret has one of these characters, or the start of a token. */
const SUSPECT = /[-\s%\\=@":]|eyJ/;

/** A text, or JSON in a text. */
export function redact(world: World, text: string): string {
  return /^\s*[{[]/.test(text) ? redactBody(world, text) : redactText(world, text);
}

/** Searches the text as it is, and again without its percent escapes and `\u` escapes. */
function redactText(world: World, text: string): string {
  if (!SUSPECT.test(text)) return text;
  // An escaped separator is part of a value.
  const first = withoutSecrets(world, text);
  const plain = unescaped(first);
  const clean = withoutSecrets(world, plain);
  return clean === plain ? first : clean;
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
  if (value === undefined) return redactText(world, withoutParts(world, text));
  const clean = withoutFields(world, value);
  return redactText(world, equal(clean, value) ? text : JSON.stringify(clean));
}

function isSecret({ keepSecrets }: World, name: string): boolean {
  return !keepSecrets && SECRET_WORD.test(unescaped(name));
}

/** The fields that hold the name of another field's value, as in lists of headers and variables. */
const namesOf = ['name', 'key', 'field', 'header'];

/** Whether a text is a credential of the world that is shown by its name already. */
function isName({ state }: World, text: string): boolean {
  const [, name] = /^<(\w+)>$/.exec(text) ?? [];
  return name !== undefined && state.tables.credentials.rows().some((row) => row.name === name);
}

/** The value of a secret field. */
function hidden(world: World, value: unknown): string {
  const shown = typeof value === 'string' ? redact(world, value) : HIDDEN;
  return shown !== value && isName(world, shown) ? shown : HIDDEN;
}

function withoutFields(world: World, value: unknown): unknown {
  const isNamed = (name: unknown): boolean => typeof name === 'string' && isSecret(world, name);
  if (Array.isArray(value)) {
    if (value.length === 2 && isNamed(value[0])) return [value[0], HIDDEN];
    return value.map((item) => withoutFields(world, item));
  }
  // The text around it escapes its quotes and line ends.
  if (typeof value === 'string' && /["\n]/.test(value)) return redact(world, value);
  if (!isObject(value)) return value;
  const isPair = namesOf.some((name) => isNamed(value[name]));
  const fields = Object.entries(value).map(([name, item]) => {
    const isHidden = isSecret(world, name) || (isPair && name === 'value');
    return [name, isHidden ? hidden(world, item) : withoutFields(world, item)];
  });
  return Object.fromEntries(fields);
}

/** A form in parts, XML, and lines with a name before a colon. JSON that was cut is a text like any other. */
function withoutParts(world: World, text: string): string {
  if (/form-data/i.test(text)) return withoutFormParts(world, text);
  if (/^\s*[{[]/.test(text)) return text;
  const clean = text.replaceAll(ELEMENT, (whole, tag: string) =>
    isSecret(world, tag.replace(/\s.*/s, '')) ? `<${tag}>${HIDDEN}` : whole,
  );
  return clean.replaceAll(/[^\r\n]+/g, (line) => {
    const named = line.matchAll(NAMED).find(([name]) => isSecret(world, name));
    return named ? `${line.slice(0, named.index + named[0].length)} ${HIDDEN}` : line;
  });
}

function withoutFormParts(world: World, text: string): string {
  // The line before the first part begins each of the others.
  const [line = '--'] = /^--[^\r\n]*/.exec(text) ?? [];
  const parts = text.split(`\n${line}`).map((part) => {
    const end = /\r?\n\r?\n/.exec(part);
    const [, name = ''] =
      /\bname\*?=(?:[\w-]{1,40}'[\w-]{0,40}')?"?([^";\r\n]{1,200})/i.exec(
        part.slice(0, end?.index),
      ) ?? [];
    if (end === null || !isSecret(world, name)) return part;
    return `${part.slice(0, end.index)}${end[0]}${HIDDEN}\r`;
  });
  return parts.join(`\n${line}`);
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
  return withoutValues(world, text)
    .replaceAll(PEM, HIDDEN)
    .replaceAll(USER, `//${HIDDEN}@`)
    .replaceAll(PARAMETER, (whole, name: string, value: string) =>
      isSecret(world, name) && !isName(world, value) ? `${name}=${HIDDEN}` : whole,
    )
    .replaceAll(PAIR, (whole, name: string, quote: string) =>
      isSecret(world, name) ? `${name}=${quote}${HIDDEN}` : whole,
    );
}

/** JSON without the values of secret fields, as far as the text can be read as JSON. */
function withoutValues(world: World, text: string): string {
  let result = '';
  let done = 0;
  for (const { 0: end, 1: quote = '', index } of text.matchAll(FIELD)) {
    const name = text.slice(text.lastIndexOf(quote, index - 1) + 1, index);
    if (index < done || !isSecret(world, name)) continue;
    const start = index + end.length;
    if (name.endsWith('\\')) {
      // JSON in a text of JSON was already searched by itself, unless the text was cut.
      if (/^\\+"<\w+>/.test(text.slice(start, start + 60))) continue;
      return `${result}${text.slice(done, start)}${HIDDEN}`;
    }
    VALUE.lastIndex = start;
    const [value = ''] = VALUE.exec(text) ?? [];
    if (isName(world, value.slice(1, -1))) continue;
    result += `${text.slice(done, start)}${quote}${HIDDEN}${quote}`;
    done = start + value.length;
  }
  return result + text.slice(done);
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
