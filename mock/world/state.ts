import { mapInTurns } from '../../spec/base/turns.ts';
import { BaseRows, type Grown } from './base-rows.ts';
import {
  type AuditEvent,
  type KeyOf,
  keys,
  type RowOf,
  type TableName,
  tableNames,
} from './rows.ts';
import { Table } from './table.ts';

/** The rows that a world starts from: frozen, and shared by every world made from it. */
export interface Base {
  readonly tables: { readonly [T in TableName]: BaseRows<KeyOf<T>, RowOf<T>> };
  readonly features: { readonly auditLog: boolean };
  /** Repository of the container image that versions are shown with. */
  readonly imageRepository: string;
  /** Audit events before the world's start, oldest first; `at` counts from the start (so below 0). */
  readonly audit: readonly AuditEvent[];
  /** Events that a world has written itself before it became a fixture; `at` counts from the start. */
  readonly ownAudit: readonly AuditEvent[];
  /** The first ids that no row has. */
  readonly nextIds: Readonly<Record<'embedUser' | 'deployment' | 'branch' | 'environment', number>>;
}

type Tables = { readonly [T in TableName]: Table<KeyOf<T>, RowOf<T>> };

/** The source of the tables: lists of rows, or rows by key if a key does not follow from its row. */
export type TableRows = {
  readonly [T in TableName]: readonly RowOf<T>[] | ReadonlyMap<KeyOf<T>, RowOf<T>>;
};
export type GrownTables = { readonly [T in TableName]?: Grown<KeyOf<T>, RowOf<T>> };

export async function tablesOf(rows: TableRows, grown: GrownTables): Promise<Base['tables']> {
  const tables: Record<string, unknown> = {};
  for (const name of tableNames) {
    const keyOfRow = keys[name] as (row: unknown) => string;
    const given: readonly object[] | ReadonlyMap<string | number, object> = rows[name];
    const table = new Map<string | number, object>('get' in given ? given : []);
    await mapInTurns('get' in given ? [] : given, (row) => table.set(keyOfRow(row), row));
    tables[name] = new BaseRows(table, grown[name] as Grown<string | number, object> | undefined);
  }
  return tables as unknown as Base['tables'];
}

/** The state of one world: the fixture's tables under an overlay, and the events since the start. */
export class State {
  readonly base: Base;
  readonly tables: Tables;
  readonly events: EventLog;
  /** The next ids for new objects; an id is never used twice. */
  readonly nextIds: { -readonly [Name in keyof Base['nextIds']]: number };

  constructor(base: Base, from?: State) {
    this.base = base;
    const tables: Record<string, unknown> = {};
    for (const name of tableNames) {
      const shared = base.tables[name] as BaseRows<string, object>;
      tables[name] = from === undefined ? new Table(shared) : from.tables[name].clone();
    }
    this.tables = tables as unknown as Tables;
    this.events = from === undefined ? new EventLog() : from.events.clone();
    this.nextIds = { ...(from ?? base).nextIds };
  }

  /** The audit events since the start, oldest first. */
  get audit(): readonly AuditEvent[] {
    return this.events.list();
  }

  /** From now on, `changesSince` counts written rows. */
  begin(): void {
    for (const name of tableNames) this.tables[name].begin();
  }

  clone(): State {
    return new State(this.base, this);
  }
}

/** Audit events since the start, oldest first. A clone shares the events so far, so it always costs the same. */
export class EventLog {
  #events: AuditEvent[] = [];
  /** The number of events of this log, because other logs may append to the shared list. */
  #length = 0;

  push(event: AuditEvent): void {
    if (this.#events.length !== this.#length) this.#events = this.#events.slice(0, this.#length);
    this.#events.push(event);
    this.#length += 1;
  }

  list(): readonly AuditEvent[] {
    return this.#events.slice(0, this.#length);
  }

  clone(): EventLog {
    const copy = new EventLog();
    copy.#events = this.#events;
    copy.#length = this.#length;
    return copy;
  }
}
