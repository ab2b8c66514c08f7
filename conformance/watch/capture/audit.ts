/**
 * The shape of an audit log: the types of events, their users, and their number. The time and the text of
 * each event are private, so they are invented. They are the same each time, so that a new event is one
 * more row and changes no other.
 */

import { createHash } from 'node:crypto';
import { canonical } from '../../../spec/base/json.ts';
import { readCsv } from '../../answers/csv.ts';
import { eventTimes } from '../../answers/event-time.ts';

export interface EventCount {
  readonly name: string;
  /** Empty if the row shows no email. */
  readonly email: string;
  /** Whether the row shows the word that the tenant file searches for. */
  readonly found: boolean;
  readonly times: number;
}

/** The bindings of the tenant file for the audit log. */
export interface BoundAudit {
  readonly eventName?: unknown;
  readonly userEmail?: unknown;
  readonly search?: unknown;
}

/** Matches the whole title, because a column such as `actionBy` holds people. */
const eventTitle = /^\W*(audit[ _-]?)?(event|action|type|what)s?([ _-]?(name|type))?\W*$/i;

const DAY_SECONDS = 86_400;
/** The most events in a fixture. Larger counts are reduced in proportion. */
const MOST_EVENTS = 2000;

/** Counts the events of an export; undefined if no column certainly holds their names. */
export function countEvents(text: string, bound: BoundAudit): EventCount[] | undefined {
  const { rows, header } = readCsv(text);
  const nameColumn = columnOf(rows, header, bound.eventName, eventTitle);
  if (nameColumn === undefined) return rows.length === 0 ? [] : undefined;
  const emailColumn =
    columnShowing(rows, bound.userEmail) ??
    columnOfMost(rows, (cell) => /^[^@\s]+@[^@\s]+$/.test(cell));
  const search = String(bound.search ?? '').toLowerCase();
  const counts = new Map<string, { -readonly [K in keyof EventCount]: EventCount[K] }>();
  for (const row of rows) {
    const name = row[nameColumn] ?? '';
    const cell = row[emailColumn ?? -1] ?? '';
    const email = cell.includes('@') ? cell : '';
    const found = search !== '' && row.some((value) => value.toLowerCase().includes(search));
    const key = JSON.stringify([name, email, found]);
    const count = counts.get(key) ?? { name, email, found, times: 0 };
    count.times += 1;
    counts.set(key, count);
  }
  return [...counts.values()];
}

/**
 * The column with a bound value, or else with a fitting header, or else with the fewest different
 * words.
 */
function columnOf(
  rows: readonly (readonly string[])[],
  header: readonly string[] | null,
  bound: unknown,
  titles: RegExp,
): number | undefined {
  const columns = columnsOf(rows);
  const showing = columnShowing(rows, bound);
  if (showing !== undefined) return showing;
  const titled = header?.findIndex((title) => titles.test(title)) ?? -1;
  if (titled >= 0) return titled;
  const times = eventTimes(rows, {});
  const words = columns.filter((column) => {
    const different = new Set(rows.map((row) => row[column]));
    const plain = [...different].every((cell) => /^[a-z][\w .:/-]*$/i.test(cell ?? ''));
    return plain && different.size > 1 && different.size <= Math.max(2, rows.length / 3);
  });
  return times === undefined || words.length !== 1 ? undefined : words[0];
}

const columnsOf = (rows: readonly (readonly string[])[]): number[] =>
  Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => column);

function columnShowing(rows: readonly (readonly string[])[], value: unknown): number | undefined {
  return columnsOf(rows).find((column) => rows.some((row) => row[column] === value));
}

function columnOfMost(
  rows: readonly (readonly string[])[],
  fits: (cell: string) => boolean,
): number | undefined {
  return columnsOf(rows).find(
    (column) => rows.filter((row) => fits(row[column] ?? '')).length > rows.length / 2,
  );
}

/** Makes rows from counts. The n-th event of a kind always has the same time in the period. */
export function eventRows<Event extends object>(
  counts: readonly (Event & { readonly times: number })[],
  days: number,
): (Omit<Event, 'times'> & { readonly secondsBefore: number })[] {
  const all = counts.reduce((sum, { times }) => sum + times, 0);
  const share = Math.min(1, MOST_EVENTS / Math.max(1, all));
  return counts
    .flatMap(({ times, ...event }) =>
      Array.from({ length: Math.max(1, Math.round(times * share)) }, (_, index) => {
        const bytes = createHash('sha256')
          .update(`${canonical(event)} ${index}`)
          .digest();
        const secondsBefore = 60 + (bytes.readUInt32BE() % (days * DAY_SECONDS - 120));
        return { secondsBefore, ...event };
      }),
    )
    .sort((one, other) => other.secondsBefore - one.secondsBefore);
}
