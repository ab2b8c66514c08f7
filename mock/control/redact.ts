/** Text without secrets: credentials of any world appear by name, tokens as `<token>`. */
import type { World } from '../world/world.ts';

const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const BEARER = /\b(bearer|api-key)\s+[A-Za-z0-9\-._~+/]+=*/gi;

/** Looks at the text as it is, and as it reads without percent escapes and `\u` escapes. */
export function redact(world: World, text: string): string {
  const names = world.state.tables.credentials.rows().map((row) => row.name);
  const plain = unescaped(text);
  const clean = withoutSecrets(plain, names);
  return clean === plain ? withoutSecrets(text, names) : clean;
}

/** A JSON value whose texts are each redacted. */
export function redactAll(world: World, value: unknown): unknown {
  if (typeof value === 'string') return redact(world, value);
  if (Array.isArray(value)) return value.map((item) => redactAll(world, item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactAll(world, item)]),
  );
}

/** Headers as a record of text, each redacted. */
export function redactHeaders(
  world: World,
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, name === 'lockstep-admin-token' ? '<token>' : redact(world, value)]];
    }),
  );
}

function withoutSecrets(text: string, names: readonly string[]): string {
  const clean = text.replaceAll(JWT, '<token>').replaceAll(BEARER, '$1 <credential>');
  if (names.length === 0 || !clean.includes('-')) return clean;
  // A name may begin with another one (member, memberOauth): what follows must end it.
  const credential = new RegExp(
    `(?<![a-z0-9])[a-z0-9]{1,32}-(${names.join('|')})(?![A-Za-z0-9])`,
    'g',
  );
  return clean.replaceAll(credential, '<$1>');
}

function unescaped(text: string): string {
  if (!/[%\\]/.test(text)) return text;
  const character = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return text
    .replaceAll(/%([2-7][0-9a-f])/gi, character)
    .replaceAll(/\\u00([2-7][0-9a-f])/gi, character);
}
