/** The records of an exported file, as they are written, and how a deviation writes others. */

import type { Scene } from '../../../deviations/deviation.ts';
import { type Handle, trialOf } from '../../../deviations/transforms.ts';
import { findAndHandle } from '../../../pipeline/binding.ts';
import type { Call } from '../../../pipeline/call.ts';
import { isRefusal, type Reply } from '../../../pipeline/exchange.ts';
import { exportAuditLogs } from '../handler.ts';
import { type Query, setQuery } from './query.ts';

/** A file, as its records are written. */
interface File {
  /** Undefined where AUDIT-14 leaves it out. */
  readonly header: string | undefined;
  readonly rows: readonly string[];
}

function textOf(answer: Reply): string {
  return [...(answer.stream ?? [])].join('');
}

/** Records of a file, undivided: a line break inside of quotes ends none. */
function recordsOf(text: string): string[] {
  const records: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') quoted = !quoted;
    else if (!quoted && text.startsWith('\r\n', index)) {
      records.push(text.slice(start, index));
      start = index + 2;
    }
  }
  return records;
}

/** Fields of a record as they are written, with their quotes. */
export function fieldsOf(record: string): string[] {
  const fields: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < record.length; index += 1) {
    if (record[index] === '"') quoted = !quoted;
    else if (!quoted && record[index] === ',') {
      fields.push(record.slice(start, index));
      start = index + 1;
    }
  }
  return [...fields, record.slice(start)];
}

function fileOf(answer: Reply, call: Call): File {
  const records = recordsOf(textOf(answer));
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
export function rewrites(change: (file: File, scene: Scene) => string | undefined): Handle {
  return (next, scene) => {
    const honest = next();
    if (honest instanceof Promise || isRefusal(honest) || honest.stream === undefined)
      return honest;
    const text = change(fileOf(honest, scene.call), scene);
    const again = next();
    if (again instanceof Promise || isRefusal(again) || text === undefined) return again;
    if (text === textOf(again)) return next();
    return { ...again, stream: [text] };
  };
}

/** Keeps some of the rows. */
export function keeps(
  choose: (rows: readonly string[], scene: Scene) => readonly string[],
): Handle {
  return rewrites(({ header, rows }, scene) => written([header, ...choose(rows, scene)]));
}

/** Rows of the same call with other filters. */
export function exported(call: Call, query: Query): readonly string[] {
  const copy = trialOf<'exportAuditLogs'>(call);
  setQuery(copy, query);
  const answer = findAndHandle(exportAuditLogs, copy);
  return answer instanceof Promise || isRefusal(answer) ? [] : fileOf(answer, call).rows;
}
