/** A journal entry as people and programs read it: times as text, bodies as JSON, no secret. */
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';

export function journalRecord(world: World, entry: JournalEntry): Record<string, unknown> {
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    method: entry.method,
    path: entry.path,
    query: redact(world, entry.query),
    headers: redactHeaders(world, entry.headers),
    operation: entry.operation,
    credential: entry.credential,
    requestBody: bodyOf(
      world,
      entry.requestBody === undefined ? null : new TextDecoder().decode(entry.requestBody),
    ),
    status: entry.status,
    responseHeaders: redactHeaders(world, entry.responseHeaders),
    responseBody: bodyOf(world, entry.responseBody),
    basis: entry.assumed.length === 0 ? 'documented' : 'assumed',
    assumed: entry.assumed,
    refusal: entry.refusal === null ? null : refusalOf(world, entry.refusal),
    contractFailures: entry.contractFailures,
  };
}

function refusalOf(world: World, refusal: NonNullable<JournalEntry['refusal']>) {
  const { message, statement, at } = refusal;
  return { message: redact(world, message), statement, ...(at === undefined ? {} : { at }) };
}

const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const BEARER = /\b(bearer|api-key)\s+[A-Za-z0-9\-._~+/]+=*/gi;

/** Text without credentials of the world and without tokens. */
export function redact(world: World, text: string): string {
  let clean = text.replaceAll(JWT, '<token>').replaceAll(BEARER, '$1 <credential>');
  if (clean.includes(`${world.id}-`)) {
    for (const [name, value] of Object.entries(world.credentials)) {
      clean = clean.replaceAll(value, `<${name}>`);
    }
  }
  return clean;
}

export function redactHeaders(
  world: World,
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, name === 'lockstep-admin-token' ? '<token>' : redact(world, value)]],
    ),
  );
}

function bodyOf(world: World, text: string | null): unknown {
  if (text === null || text === '') return null;
  const clean = redact(world, text);
  try {
    return JSON.parse(clean) as unknown;
  } catch {
    return clean;
  }
}
