/**
 * Which cells of the areas' tables a run has entered: state x event. Tables are written down, so
 * that a cell that was never entered has a name as well.
 */

export interface CoverageTable {
  readonly states: readonly string[];
  readonly events: readonly string[];
  /** Cells that no walk can enter, and why. */
  readonly unreachable?: readonly (readonly [cell: RegExp, reason: string])[];
}

export type CoverageTables = Readonly<Record<string, CoverageTable>>;

export interface CoverageData {
  /** `table: state x event` -> how often. */
  readonly entered: Readonly<Record<string, number>>;
  readonly missing: readonly string[];
  /** Cells that no walk can enter -> why. */
  readonly unreachable: Readonly<Record<string, string>>;
}

/** Every cell of a table, as it is called. */
export function cellsOf(name: string, { states, events }: CoverageTable): string[] {
  return states.flatMap((state) => events.map((event) => `${name}: ${state} x ${event}`));
}

export class Coverage {
  readonly #tables: CoverageTables;
  readonly #entered = new Map<string, number>();

  constructor(tables: CoverageTables) {
    this.#tables = tables;
  }

  enter(table: string, state: string, event: string): void {
    const cell = `${table}: ${state} x ${event}`;
    this.#entered.set(cell, (this.#entered.get(cell) ?? 0) + 1);
  }

  data(): CoverageData {
    const missing: string[] = [];
    const unreachable: Record<string, string> = {};
    for (const [name, table] of Object.entries(this.#tables)) {
      for (const cell of cellsOf(name, table)) {
        if (this.#entered.has(cell)) continue;
        const reason = table.unreachable?.find(([pattern]) => pattern.test(cell))?.[1];
        if (reason === undefined) missing.push(cell);
        else unreachable[cell] = reason;
      }
    }
    const entered = [...this.#entered].sort(([a], [b]) => (a < b ? -1 : 1));
    return { entered: Object.fromEntries(entered), missing, unreachable };
  }
}

/** Of each table how many cells were never entered, where there are any. */
export function missingByTable({ missing }: CoverageData): string[] {
  const tables = Object.groupBy(missing, (cell) => cell.slice(0, cell.indexOf(': ')));
  return Object.entries(tables).map(([table, cells = []]) => `${table}: ${cells.length}`);
}
