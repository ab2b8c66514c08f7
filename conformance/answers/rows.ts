/**
 * Compares rows of two exports as events. The same event may have another row number or another export
 * time in each. The description does not name the columns, so columns that change by themselves are found
 * by asking for the same export twice.
 */

import { canonical, equal } from '../../spec/base/json.ts';

export type Rows = readonly (readonly string[])[];

/**
 * Columns that do not belong to an event. They differ between two exports of one query, only count
 * the rows, or are the same in all rows, such as the minute of the export. Undefined if the two
 * exports hold different events, or the same events in another order.
 */
export function unsteadyColumns(first: Rows, again: Rows): readonly number[] | undefined {
  if (first.length !== again.length) return undefined;
  const width = first[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, column) => column);
  const sorted = (rows: Rows): string[] => rows.map(canonical).sort();
  const differing = equal(sorted(first), sorted(again))
    ? []
    : columns.filter((column) => first.some((row, at) => row[column] !== again[at]?.[column]));
  if (differing.length > 0 && differing.length >= width / 2) return undefined;
  const idle = columns.filter((column) => {
    const cells = first.map((row) => row[column] ?? '');
    return counts(cells) || isConstant(cells);
  });
  return [...new Set([...differing, ...idle])];
}

/** Whether all rows but a possible header are equal; needs three rows. */
function isConstant([, ...cells]: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell) => cell === cells[0]);
}

/** Whether the cells are 0, 1, 2, ... or 1, 2, 3, ..., or the same backwards. */
function counts(cells: readonly string[]): boolean {
  if (cells.length < 2) return false;
  const up = (list: readonly string[], from: number): boolean =>
    list.every((cell, at) => cell === String(at + from));
  return [cells, cells.toReversed()].some((list) => up(list, 0) || up(list, 1));
}

/** The rows that the other rows do not have. Each row of the others can match only one. */
export function rowsMinus(
  rows: readonly unknown[],
  others: readonly unknown[],
  ignoring: readonly number[],
): unknown[] {
  const key = (row: unknown): string =>
    canonical(Array.isArray(row) ? row.filter((_cell, column) => !ignoring.includes(column)) : row);
  const left = Map.groupBy(others, key);
  return rows.filter((row) => left.get(key(row))?.pop() === undefined);
}

/**
 * Rows that a search left out, although they show the word. The description does not say which columns a
 * search reads. It reads a column if it found a row that has the word only there. If it found nothing, no
 * row may show the word.
 */
export function searchDefects(
  word: RegExp,
  found: Rows,
  period: Rows,
  ignoring: readonly number[],
): Rows {
  const showing = (row: readonly string[]): number[] =>
    row.flatMap((cell, column) => (word.test(cell) ? [column] : []));
  const alone = found.map(showing).filter((columns) => columns.length === 1);
  const read = new Set(alone.flat());
  return (rowsMinus(period, found, ignoring) as Rows).filter((row) =>
    showing(row).some((column) => found.length === 0 || read.has(column)),
  );
}

/**
 * Rows that a filter kept or left out wrongly. The description does not name the columns. A column
 * counts as the filtered one if all kept rows have the value in it. It also counts if most kept
 * rows and no left-out row have it. Other columns may hold the value too. The first row may be a
 * header. Undefined if the column cannot be found.
 */
export function filterDefects(
  value: string,
  found: Rows,
  period: Rows,
  ignoring: readonly number[],
): Rows | undefined {
  const header = found[0]?.includes(value) === false && equal(found[0], period[0]) ? 1 : 0;
  const [kept, all] = [found.slice(header), period.slice(header)];
  const leftOut = rowsMinus(all, kept, ignoring) as Rows;
  const columns = (all[0] ?? []).map((_cell, column) => column);
  const having = (rows: Rows, column: number): Rows => rows.filter((row) => row[column] === value);
  const whole = columns.filter((column) => having(kept, column).length === kept.length);
  if (kept.length === 0) return all.filter((row) => row.includes(value));
  if (whole.length > 0)
    return leftOut.filter((row) => whole.every((column) => row[column] === value));
  const most = columns.find(
    (column) =>
      having(kept, column).length > kept.length / 2 && having(leftOut, column).length === 0,
  );
  return most === undefined ? undefined : kept.filter((row) => row[most] !== value);
}
