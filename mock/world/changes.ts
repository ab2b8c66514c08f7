/** Finds the rows in which a state differs from an earlier one. */
import { inspect } from '../../spec/base/builtins.ts';
import { equal } from '../../spec/base/json.ts';
import { type TableName, tableNames } from './rows.ts';
import type { State } from './state.ts';

export interface RowChange {
  readonly table: TableName;
  readonly key: string;
  /** `before` is undefined if the row was added, `after` if it was removed. */
  readonly before: object | undefined;
  readonly after: object | undefined;
}

type Rows = ReadonlyMap<string | number, object | undefined>;

/** The rows written since the state's `begin`. As in `changesOf`, a row that was written again counts. */
export function changesSince({ tables }: State): RowChange[] {
  const changes: RowChange[] = [];
  for (const table of tableNames) {
    const rows: Pick<Rows, 'get'> = tables[table];
    for (const [key, before] of tables[table].before) {
      const after = rows.get(key);
      if (before !== after) changes.push({ table, key: String(key), before, after });
    }
  }
  return changes;
}

/** The rows written since `then`, or since the start. A row that was written again counts, even if it is equal. */
export function changesOf(now: State, then?: State): RowChange[] {
  return tableNames.flatMap((table) => {
    const start: Pick<Rows, 'get'> = now.base.tables[table];
    const changed: Rows = now.tables[table].changes();
    const earlier: Rows = then?.tables[table].changes() ?? new Map();
    // A table that a clone still shares did not change.
    if (changed === earlier) return [];
    const at = (overlay: Rows, key: string | number) =>
      overlay.has(key) ? overlay.get(key) : start.get(key);
    return [...new Set([...changed.keys(), ...earlier.keys()])]
      .map((key) => ({
        table,
        key: String(key),
        before: at(earlier, key),
        after: at(changed, key),
      }))
      .filter(({ before, after }) => before !== after);
  });
}

/** A change in words: `folders 11 changed: name "Finance" -> "Budget"`. */
export function changeLine(change: RowChange): string {
  return `${change.table} ${change.key} ${describeChange(change)}`;
}

export function describeChange({ before, after }: RowChange): string {
  if (after === undefined) return 'was removed';
  if (before === undefined) return `was added: ${inline(after)}`;
  const was = before as Record<string, unknown>;
  const fields = Object.entries(after)
    .filter(([name, value]) => !equal(value, was[name]))
    .map(([name, value]) => `${name} ${inline(was[name])} -> ${inline(value)}`);
  return `changed: ${fields.join(', ')}`;
}

export function inline(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY });
}
