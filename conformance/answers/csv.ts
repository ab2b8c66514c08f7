/**
 * A CSV file (RFC 4180) as checks see it. The description does not name the columns of the audit-log
 * export (AUDIT-14), so this code ignores their names and finds times by value.
 */

import { type Asked, eventTimes, holdsTime, timeColumns } from './event-time.ts';

export interface CsvEvent {
  /** Date of the event in UTC, YYYY-MM-DD. */
  readonly day: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly cells: readonly string[];
}

export interface Csv {
  /** All records, with the header row. */
  readonly records: readonly (readonly string[])[];
  readonly defects: readonly string[];
  /** The file has no defect, and every record has the same number of fields. */
  readonly wellFormed: boolean;
  /** The first row, if it holds no time and the other rows do. */
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
  /** How many columns hold a time in every row. If none does, the first row may be a header. */
  readonly timeColumns: number;
  readonly events: readonly CsvEvent[];
}

/** `asked`: the days in the request for the export. */
export function readCsv(text: string, asked: Asked = {}): Csv {
  const { records, defects } = parseCsv(text);
  const [first, ...others] = records;
  const dated = (row: readonly string[]): boolean => row.some(holdsTime);
  const headed =
    first !== undefined && !dated(first) && (others.length === 0 || others.some(dated));
  const rows = headed ? others : records;
  const widths = new Set(records.map((row) => row.length));
  const wellFormed = defects.length === 0 && widths.size <= 1;
  const header = headed ? first : null;
  return {
    ...{ records, defects, wellFormed, header, rows },
    timeColumns: timeColumns(rows),
    events: eventsOf(rows, asked),
  };
}

/** Returns no events if it is unclear which column holds their times. */
function eventsOf(rows: readonly (readonly string[])[], asked: Asked): readonly CsvEvent[] {
  const times = eventTimes(rows, asked) ?? [];
  return times.map((millis, index) => {
    const time = new Date(millis).toISOString();
    return { day: time.slice(0, 10), time, cells: rows[index] ?? [] };
  });
}

/**
 * Splits the text into records, and lists the breaches of RFC 4180. It goes on after a defect, so that
 * one bad quote does not hide the rest of the file.
 */
function parseCsv(source: string): { records: string[][]; defects: string[] } {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const records: string[][] = [];
  const defects: string[] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length || row.length > 0) {
    const { cell, end, defect } = fieldAt(text, at);
    if (defect !== undefined) defects.push(`record ${records.length + 1}: ${defect}`);
    row.push(cell);
    at = end + 1;
    if (text[end] === ',') continue;
    if (text[end] === '\r' && text[at] === '\n') at++;
    records.push(row);
    row = [];
  }
  // An empty line at the end does not count as a record; elsewhere it is a record with one empty field.
  const empty = records.at(-1)?.join() === '';
  if (records.length > 1 && empty && /(?:\r\n|\r|\n){2}$/.test(text)) records.pop();
  return { records, defects };
}

/** The field that begins at a position; the separator is at its end. */
function fieldAt(text: string, at: number): { cell: string; end: number; defect?: string } {
  if (text[at] !== '"') {
    const end = untilSeparator(text, at);
    const cell = text.slice(at, end);
    return cell.includes('"')
      ? { cell, end, defect: 'a quote in a field without quotes' }
      : { cell, end };
  }
  const quote = closingQuote(text, at);
  if (quote === undefined) {
    return { cell: text.slice(at + 1), end: text.length, defect: 'a quoted field is not closed' };
  }
  const end = untilSeparator(text, quote + 1);
  const rest = text.slice(quote + 1, end);
  const cell = text.slice(at + 1, quote).replaceAll('""', '"') + rest;
  return rest === '' ? { cell, end } : { cell, end, defect: 'text after a closing quote' };
}

function closingQuote(text: string, open: number): number | undefined {
  let at = open + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return undefined;
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
}

function untilSeparator(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}
