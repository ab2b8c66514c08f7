/** A journal entry as people and programs read it: times as text, bodies as JSON, no secret. */
import { DEEPEST, deeperThan, parseJson } from '../../spec/base/json.ts';
import { explanationLines, tellFault } from '../pipeline/explain.ts';
import type { Repair } from '../world/explanation.ts';
import type { JournalEntry, StruckBy } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { redact, redactAll, redactBody, redactHeaders, redactRow } from './redact.ts';

/** Only a single entry has `repairs`. */
export function journalRecord(
  world: World,
  entry: JournalEntry,
  repairs?: readonly Repair[],
): Record<string, unknown> {
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    method: entry.method,
    path: redact(world, entry.path),
    query: redact(world, entry.query),
    headers: redactHeaders(world, entry.headers),
    operation: entry.operation,
    credential: entry.credential,
    requestBody: shownBody(world, entry.requestBody),
    status: entry.status,
    responseHeaders: redactHeaders(world, entry.responseHeaders),
    responseBody: shownBody(world, entry.responseBody),
    basis: entry.basis?.split(';')[0] ?? null,
    assumed: entry.assumed,
    refusal:
      entry.refusal &&
      redactAll(world, { ...entry.refusal, lines: explanationLines(entry.refusal, repairs) }),
    fault: faultRecord(entry.fault),
    passedOver: redactAll(world, entry.passedOver),
    page: entry.page,
    contractFailures: entry.contractFailures,
    fingerprint: entry.fingerprint,
    changes: entry.changes.map(({ table, key, before, after }) => ({
      table,
      key: redact(world, key),
      before: redactRow(world, before),
      after: redactRow(world, after),
    })),
    ...(entry.watched && { watched: entry.watched }),
    ...(repairs === undefined ? {} : { repairs }),
  };
}

/** A fault, with its effect in words. */
export function faultRecord(fault: StruckBy | null) {
  return fault === null ? null : { ...fault, text: tellFault(fault) };
}

function shownBody(world: World, text: string | null): unknown {
  if (text === null || text === '') return null;
  const clean = redactBody(world, text);
  // A value nested deeper than any body of the API could not be written as JSON again.
  const value = deeperThan(clean, DEEPEST) ? undefined : parseJson(clean);
  return value === undefined ? clean : value;
}
