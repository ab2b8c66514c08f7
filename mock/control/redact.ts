/** Text without secrets: credentials of any world appear by name, tokens as `<token>`. */
import { mapStrings } from '../../spec/base/json.ts';
import type { World } from '../world/world.ts';

/** What a token is a part of; each is looked at once, so that no text takes long. */
const TOKEN_LETTERS = /[\w.-]+/g;
/** What a header, parameter or field is called that holds a secret, whoever's it is. */
const SECRET = '(?:api[-_]?key|auth|authorization|cookie|passw(?:or)?d|secret|token|jwt)';
const SECRET_NAME = new RegExp(`${SECRET}$`, 'i');
const SECRET_FIELD = new RegExp(`("[^"\\\\]*${SECRET}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi');
const HIDDEN = '<hidden>';
const BEARER = /\b(bearer|api-key)\s+[A-Za-z0-9\-._~+/]+=*/gi;

/** What a text has that holds a secret: a name or scheme with what follows it, a token, an escape. */
const SUSPECT = /[-\s%\\]|eyJ/;

/** Looks at the text as it is, and as it reads without percent escapes and `\u` escapes. */
export function redact(world: World, text: string): string {
  if (!SUSPECT.test(text)) return text;
  const names = world.state.tables.credentials.rows().map((row) => row.name);
  const plain = unescaped(text);
  const clean = withoutSecrets(plain, names);
  return clean === plain ? withoutSecrets(text, names) : clean;
}

/** A JSON value whose texts are each redacted. */
export const redactAll = (world: World, value: unknown) =>
  mapStrings(value, (text) => redact(world, text));

/** Headers as a record of text, each redacted. */
export function redactHeaders(
  world: World,
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, SECRET_NAME.test(name) ? HIDDEN : redact(world, value)]];
    }),
  );
}

/** A query string without the values of parameters that hold secrets. */
export function redactQuery(world: World, query: string): string {
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    return name !== part && SECRET_NAME.test(unescaped(name)) ? `${name}=${HIDDEN}` : part;
  });
  return redact(world, parts.join('&'));
}

/** A body without the texts of JSON fields that hold secrets. */
export function redactBody(world: World, text: string): string {
  return redact(world, text.replaceAll(SECRET_FIELD, `$1"${HIDDEN}"`));
}

function withoutSecrets(text: string, names: readonly string[]): string {
  const clean = withoutTokens(text).replaceAll(BEARER, '$1 <credential>');
  if (names.length === 0 || !clean.includes('-')) return clean;
  // A name may begin with another one (member, memberOauth): what follows must end it.
  const credential = new RegExp(
    `(?<![a-z0-9])[a-z0-9]{1,32}-(${names.join('|')})(?![A-Za-z0-9])`,
    'g',
  );
  return clean.replaceAll(credential, '<$1>');
}

/** Without what looks like a JWT: three parts with dots between them, the first of which is `eyJ...`. */
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
