/** Compares the changes of a world's state since its start with the expected changes. */
import { equal } from '../../spec/base/json.ts';
import type { RowChange } from '../world/changes.ts';
import { changeLine, describeChange, inline } from '../world/changes.ts';
import { type RowOf, type TableName, tableNames } from '../world/rows.ts';
import type { Fits, MatcherResult } from './received.ts';

/** By table and key: the values that the row must have now, or null if the row must be removed. */
export type ExpectedChanges = {
  readonly [T in TableName]?: Readonly<Record<string, Partial<RowOf<T>> | null>>;
};

export interface ChangeOptions {
  /** Nothing else may have changed. */
  readonly only?: boolean;
}

/** How a world has changed since its start. */
export interface Changed {
  readonly changes: readonly RowChange[];
  /** The keys of a table at the start; undefined for a world of another process. */
  readonly keysOf: ((table: TableName) => readonly (string | number)[]) | undefined;
}

/** If no changes are named: whether anything has changed. */
export function changed(
  world: Changed,
  expected: ExpectedChanges | undefined,
  options: ChangeOptions,
  fits: Fits,
): MatcherResult {
  const changes = world.changes.filter(({ before, after }) => !equal(before, after));
  const wanted = Object.entries(expected ?? {}).flatMap(([table, rows]) => {
    if (!tableNames.includes(table as TableName)) {
      throw new TypeError(`the state has ${tableNames.join(', ')}, and no ${table}`);
    }
    return Object.entries(rows).map(([key, row]) => ({ table, key, row }));
  });
  const wrong = wanted.flatMap(({ table, key, row }) => {
    const change = changes.find((made) => made.table === table && made.key === key);
    if (change === undefined) return [`  ${unchanged(world, table as TableName, key)}`];
    const isRight = row === null ? change.after === undefined : fits(change.after, row);
    if (isRight) return [];
    return [`  ${table} ${key}: expected ${inline(row)}, ${describeChange(change)}`];
  });
  const others = changes.filter(
    ({ table, key }) => !wanted.some((want) => want.table === table && want.key === key),
  );
  const extra = options.only === true ? others : [];
  const isAny = expected === undefined || (wanted.length === 0 && options.only !== true);
  const pass = isAny ? changes.length > 0 : wrong.length === 0 && extra.length === 0;
  const message = () =>
    [
      pass ? 'expected the state not to have changed so' : 'expected the state to have changed so',
      ...wrong,
      ...extra.map((change) => `  not expected: ${changeLine(change)}`),
      changes.length === 0 ? 'nothing has changed' : 'instead these rows changed:',
      ...changes.map((change) => `  ${changeLine(change)}`),
    ].join('\n');
  return { pass, message };
}

/** The most keys of a table in a message. */
const SHOWN = 10;

function unchanged({ keysOf }: Changed, table: TableName, key: string): string {
  const keys = keysOf?.(table).map(String) ?? [key];
  if (keys.includes(key)) return `${table} ${key} has not changed`;
  const more = keys.length > SHOWN ? ` and ${keys.length - SHOWN} more` : '';
  const there = keys.length === 0 ? 'none' : `${keys.slice(0, SHOWN).join(', ')}${more}`;
  return `there is no ${key} among the ${table}, and none was added; there were ${there}`;
}
