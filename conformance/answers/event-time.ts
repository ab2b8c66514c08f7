/**
 * Which column of an export holds the time of its events. The columns are a silence (AUDIT-14), so
 * the column is found by evidence, and where the evidence is not plain there is none: taking the
 * wrong column for the time would call an honest service a liar.
 */

import { toMillis } from '../../spec/base/time.ts';

type Rows = readonly (readonly string[])[];

/** The days that an export was asked for, as it was asked; undefined where a bound was not. */
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
 * Milliseconds since 1970 of each row; undefined where no column, or more than one, may be meant. A
 * column qualifies where each row has a time, they move with the rows (or all lie in the period),
 * and some lie in the period. Numbers, which may be identifiers, count only where no text does.
 */
export function eventTimes(rows: Rows, asked: Asked): readonly number[] | undefined {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  // Who cannot read all dates cannot tell which of them is the event's.
  if (columns.some((cells) => cells.length > 0 && cells.every(isUnreadDate))) return undefined;
  const period = periodOf(asked);
  const text = readable(columns, (cell) => !isNumber(cell)).filter(fits(period));
  if (text.length > 0) return only(text);
  if (period === undefined) return undefined;
  return only(readable(columns, isNumber).filter(fits(period)));
}

/** How many columns hold a time in every row, in whatever form. */
export function timeColumns(rows: Rows): number {
  const [first = []] = rows;
  return first.filter((_cell, at) => rows.every((row) => holdsTime(row[at] ?? ''))).length;
}

/** Whether a cell holds a time, in whatever form. */
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

/** `11/7/2026, 10:42 PM`, `7 Nov 26`: what is day, month or year is a guess. */
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

/** With a day to each side: the zone of a date is not shown. */
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

/** Up or down with the rows; what is written a little late may stand a little late. */
function goesOneWay(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return steps.every((step) => step >= -hour) || steps.every((step) => step <= hour);
}

/** The one column; of several that say the same, the finest. */
function only(columns: readonly Column[]): readonly number[] | undefined {
  const spread = columns.filter(({ times }) => span(times) > hour);
  // Beside a column that moves, one that stands still is the time of something else.
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
