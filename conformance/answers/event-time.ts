/**
 * Finds the column of an export that holds the time of its events. The description does not name the
 * columns (AUDIT-14), so the column is found by evidence. If the evidence is unclear, no column is chosen:
 * a wrong column would make an honest service look wrong.
 */

import { toMillis } from '../../spec/base/time.ts';

type Rows = readonly (readonly string[])[];

/** The days of the request for an export; undefined if it had no such bound. */
export interface Asked {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

interface Column {
  readonly times: readonly number[];
  readonly wholeDays: boolean;
}

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Milliseconds since 1970 of each row; undefined if no column qualifies, or several do. A column
 * qualifies if each row has a time, the times move with the rows (or all lie in the period), and
 * some lie in the period. Numbers may be identifiers, so they count only if no text qualifies.
 */
export function eventTimes(rows: Rows, asked: Asked): readonly number[] | undefined {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  // An unreadable column of dates may be the one with the event's date.
  if (columns.some((cells) => cells.length > 0 && cells.every(isUnreadDate))) return undefined;
  const period = periodOf(asked);
  const text = readable(columns, (cell) => !isNumber(cell)).filter(fits(period));
  if (text.length > 0) return only(text);
  if (period === undefined) return undefined;
  return only(readable(columns, isNumber).filter(fits(period)));
}

/** The number of columns that hold a time in every row, in any form. */
export function timeColumns(rows: Rows): number {
  const [first = []] = rows;
  return first.filter((_cell, at) => rows.every((row) => holdsTime(row[at] ?? ''))).length;
}

/** Whether a cell holds a time, in any form. */
export function holdsTime(cell: string): boolean {
  return isTime(cell) || isUnreadDate(cell);
}

function isTime(cell: string): boolean {
  return cell.length >= 8 && toMillis(cell) !== undefined;
}

function isNumber(cell: string): boolean {
  return /^[\d.]+$/.test(cell.trim());
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const unread: readonly RegExp[] = [
  /^\d{1,2}[/-]\d{1,2}[/-]\d{2}(?:\d{2})?\b/,
  /^\d{1,2}\.\d{1,2}\.\d{4}\b(?!\.)/,
  /^\d{4}[/.]\d{1,2}[/.]\d{1,2}\b(?!\.)/,
  new RegExp(`^(?:[A-Z][a-z]+,? )?(?:${month}\\.? \\d{1,2}|\\d{1,2}[ -]${month})\\b`),
];

/**
 * Whether a date is ambiguous: in `11/7/2026, 10:42 PM` or `7 Nov 26` the day, the month or the
 * year is unclear.
 */
function isUnreadDate(cell: string): boolean {
  return cell.length <= 60 && !isTime(cell) && unread.some((form) => form.test(cell.trim()));
}

function readable(columns: Rows, wanted: (cell: string) => boolean): Column[] {
  return columns.flatMap((cells) => {
    if (!cells.every((cell) => isTime(cell) && wanted(cell))) return [];
    const wholeDays = cells.every((cell) => /^\d{4}-\d{2}-\d{2}$/.test(cell.trim()));
    return [{ times: cells.map((cell) => toMillis(cell) ?? 0), wholeDays }];
  });
}

type Period = readonly [from: number, to: number];

/** The period, with a day added at each side because a date does not show its zone. */
function periodOf({ start, end }: Asked): Period | undefined {
  const [from, to] = [toMillis(start), toMillis(end)];
  if (from === undefined && to === undefined) return undefined;
  return [(from ?? Number.NEGATIVE_INFINITY) - day, (to ?? Number.POSITIVE_INFINITY) + 2 * day];
}

function fits(period: Period | undefined): (column: Column) => boolean {
  return ({ times }) => {
    if (period === undefined) return goesOneWay(times);
    const [from, to] = period;
    const inside = times.filter((time) => time >= from && time <= to).length;
    const bounded = Number.isFinite(from) && Number.isFinite(to);
    return (bounded && inside === times.length) || (inside > 0 && goesOneWay(times));
  };
}

/**
 * Whether times rise or fall with the rows. A small step back is allowed, because an event may be
 * written a little late.
 */
function goesOneWay(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return steps.every((step) => step >= -hour) || steps.every((step) => step <= hour);
}

/** The only column, or the most precise one if several columns agree. */
function only(columns: readonly Column[]): readonly number[] | undefined {
  const spread = columns.filter(({ times }) => span(times) > hour);
  // If a column of times varies, a constant column is not the time of the events.
  const left = (spread.length > 0 ? spread : columns).toSorted(
    (a, b) => Number(a.wholeDays) - Number(b.wholeDays),
  );
  const [first, ...others] = left;
  if (first === undefined) return undefined;
  const alike = others.every(({ times, wholeDays }) => {
    const apart = times.map((time, index) => Math.abs(time - (first.times[index] ?? 0)));
    return apart.every((distance) => distance <= (wholeDays ? 2 * day : hour));
  });
  return alike ? first.times : undefined;
}

function span(times: readonly number[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) [least, most] = [Math.min(least, time), Math.max(most, time)];
  return most - least;
}
