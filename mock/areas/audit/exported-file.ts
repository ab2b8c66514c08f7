/** The file of an export, its filters and records, and what deviations make of them. */

import type { Does, Scene } from '../../deviations/does.ts';
import { onHandling } from '../../deviations/does.ts';
import { callOf, replace, sending, trialOf } from '../../deviations/sent.ts';
import { findAndHandle } from '../../pipeline/binding.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal, type Reply } from '../../pipeline/exchange.ts';
import { exportAuditLogs } from './handler.ts';

export type Filter = 'start' | 'end' | 'search' | 'eventName' | 'userEmail';
export type Query = Readonly<Partial<Record<Filter, string>>>;
type Records = readonly string[];

export function queryOf(call: Call): Query {
  return callOf<'exportAuditLogs'>(call).query;
}

function setQuery(call: Call, query: Query): void {
  replace(queryOf(call), query);
}

export const { sees, reads, ignores, refuses } = sending<Query>({
  read: queryOf,
  write: setQuery,
});

/** A file, as its records are written. */
interface File {
  /** Undefined where AUDIT-14 leaves it out. */
  readonly header: string | undefined;
  readonly rows: Records;
}

function textOf(reply: Reply): string {
  return [...(reply.stream ?? [])].join('');
}

/** The parts of a CSV text up to each of these marks, undivided inside of quotes; then the rest. */
function split(text: string, mark: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') quoted = !quoted;
    else if (!quoted && text.startsWith(mark, index)) {
      parts.push(text.slice(start, index));
      start = index + mark.length;
    }
  }
  return [...parts, text.slice(start)];
}

/** Fields of a record as they are written, with their quotes. */
export const fieldsOf = (record: string) => split(record, ',');

function fileOf(reply: Reply, call: Call): File {
  const records = split(textOf(reply), '\r\n').slice(0, -1);
  return call.peek('AUDIT-14') === 'no-header'
    ? { header: undefined, rows: records }
    : { header: records[0], rows: records.slice(1) };
}

export function plain(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}

export function written(records: readonly (string | undefined)[]): string {
  return records.flatMap((record) => (record === undefined ? [] : [`${record}\r\n`])).join('');
}

/** Changes the text of the file. A stream is read once only, so the handler is asked again. */
export const rewrites = (change: (file: File, scene: Scene) => string | undefined): Does =>
  onHandling((next, scene) => {
    const honest = next();
    if (honest instanceof Promise || isRefusal(honest) || honest.stream === undefined)
      return honest;
    const text = change(fileOf(honest, scene.call), scene);
    const again = next();
    if (again instanceof Promise || isRefusal(again) || text === undefined) return again;
    if (text === textOf(again)) return next();
    return { ...again, stream: [text] };
  });

/** Keeps some of the rows. */
export const keeps = (choose: (rows: Records, scene: Scene) => Records): Does =>
  rewrites(({ header, rows }, scene) => written([header, ...choose(rows, scene)]));

/** Writes each row in another way. */
export const writesRows = (change: (row: string, index: number, rows: Records) => string): Does =>
  keeps((rows) => rows.map(change));

/** Writes some of the fields of each row in another way. */
export const writesFields = (change: (field: string) => string): Does =>
  writesRows((row) => fieldsOf(row).map(change).join(','));

/** Rows of the same call with other filters. */
export function exported(call: Call, query: Query): Records {
  const copy = trialOf<'exportAuditLogs'>(call);
  setQuery(copy, query);
  const reply = findAndHandle(exportAuditLogs, copy);
  return reply instanceof Promise || isRefusal(reply) ? [] : fileOf(reply, call).rows;
}
