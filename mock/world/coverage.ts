/**
 * The coverage of a world's requests: operations by status and by page, the assumptions that the
 * answers rested on, and the rights that the accepted calls needed.
 */
import { choicesOf, contract, type Operation, operation, statement } from '../../spec/contract.ts';
import type { Assumptions } from './assumptions.ts';
import { isAccepted, type JournalEntry } from './journal.ts';
import { type PageKind, pageKinds, paginated } from './paged-list.ts';
import { Needs, type Privilege } from './privilege.ts';
import { refusesScopedKeys, requestedBy } from './requested.ts';

/** Counts by name; names with a count of 0 are left out. */
type Counts = Readonly<Record<string, number>>;

export interface ReliedOn {
  /** The question that the description leaves open. */
  readonly text: string;
  /** How many answers rested on it. */
  readonly answers: number;
  /** The number of these answers for each choice. */
  readonly choices: Counts;
  /** The other choices, which a client should survive as well. */
  readonly alternatives: readonly { readonly id: string; readonly text: string }[];
}

export interface Coverage {
  /**
   * By operation, the number of answers of each status. Status 0 counts answers that a fault lost. An
   * operation that was never called is empty.
   */
  readonly operations: Readonly<Record<string, Counts>>;
  /** By paginated operation, the number of pages of each kind. */
  readonly pages: Readonly<Record<string, Counts>>;
  /** The operations, statuses and pages that were not met. */
  readonly never: {
    readonly operations: readonly string[];
    /** By called operation: the statuses that the contract declares. */
    readonly statuses: Readonly<Record<string, readonly string[]>>;
    /** By called operation. */
    readonly pages: Readonly<Record<string, readonly PageKind[]>>;
  };
  /** By silent statement. */
  readonly assumptions: Readonly<Record<string, ReliedOn>>;
  /** By name of the credential: the least that its accepted calls needed. */
  readonly privileges: Readonly<Record<string, Privilege>>;
  /** Requests that matched no operation. */
  readonly unmatched: number;
}

/** Counts answers as they are given, so nothing is lost when a journal is cleared or full. */
export class CoverageCount {
  readonly #operations = new Table();
  readonly #pages = new Table();
  readonly #assumptions = new Table();
  /** By credential. */
  readonly #needs = new Map<string, Needs>();
  #unmatched = 0;

  /**
   * `parameters` are the path parameters, if the path belongs to an operation. `shown` are the
   * choices that the answer of another service shows; its other choices are unknown.
   */
  add(
    entry: Omit<JournalEntry, 'id' | 'json' | 'fingerprint'>,
    assumptions: Assumptions,
    parameters: Readonly<Record<string, string>> = {},
    shown?: ReadonlyMap<string, string>,
  ): void {
    const { operation: id, status, assumed, page, credential } = entry;
    for (const silence of assumed) {
      const choice =
        shown === undefined ? assumptions.choice(silence, id ?? '') : shown.get(silence);
      this.#assumptions.count(silence, choice ?? 'not shown');
    }
    if (id === null) {
      this.#unmatched += 1;
      return;
    }
    this.#operations.count(id, String(status));
    if (page !== null) this.#pages.count(id, page);
    if (!isAccepted(entry) || credential === null) return;
    const { requires } = operation(id);
    const unscoped = refusesScopedKeys(requires, (silence) => assumptions.choice(silence));
    this.#needsOf(credential).add(id, requestedBy(requires, parameters), unscoped);
  }

  merge(other: Coverage): void {
    this.#operations.merge(other.operations);
    this.#pages.merge(other.pages);
    for (const [id, { choices }] of Object.entries(other.assumptions)) {
      this.#assumptions.merge({ [id]: choices });
    }
    for (const [name, privilege] of Object.entries(other.privileges)) {
      this.#needsOf(name).merge(privilege);
    }
    this.#unmatched += other.unmatched;
  }

  toCoverage(): Coverage {
    const operations = this.#operations.record(contract.operations.keys());
    const pages = this.#pages.record(paginated);
    const assumptions = Object.entries(this.#assumptions.record());
    const { called = [], never = [] } = Object.groupBy(contract.operations.values(), ({ id }) =>
      Object.keys(operations[id] ?? {}).length > 0 ? 'called' : 'never',
    );
    return {
      operations,
      pages,
      never: {
        operations: never.map(({ id }) => id),
        statuses: Object.fromEntries(
          called.map((operation) => [operation.id, unmetStatuses(operation, operations)]),
        ),
        pages: Object.fromEntries(
          called
            .filter(({ id }) => paginated.has(id))
            .map(({ id }) => [id, pageKinds.filter((kind) => pages[id]?.[kind] === undefined)]),
        ),
      },
      assumptions: Object.fromEntries(
        assumptions.map(([id, choices]) => [id, relied(id, choices)]),
      ),
      privileges: Object.fromEntries(
        [...this.#needs].map(([name, needs]) => [name, needs.toPrivilege()]),
      ),
      unmatched: this.#unmatched,
    };
  }

  #needsOf(credential: string): Needs {
    const known = this.#needs.get(credential) ?? new Needs();
    this.#needs.set(credential, known);
    return known;
  }
}

/**
 * Declared statuses that were never answered. `4XX` stands for all statuses without a declaration
 * of their own.
 */
function unmetStatuses(operation: Operation, operations: Coverage['operations']): string[] {
  const met = Object.keys(operations[operation.id] ?? {}).map((status) =>
    operation.responseFor(Number(status)),
  );
  return Object.entries(operation.responses).flatMap(([status, response]) =>
    met.includes(response) ? [] : [status],
  );
}

function relied(id: string, choices: Counts): ReliedOn {
  const silence = statement(id);
  return {
    text: silence.text,
    answers: Object.values(choices).reduce((sum, times) => sum + times, 0),
    choices,
    alternatives: choicesOf(silence)
      .filter((choice) => choice.inert === undefined && choices[choice.id] === undefined)
      .map((choice) => ({ id: choice.id, text: choice.text })),
  };
}

/** Counts all worlds of the process. It is a global, because a test runner may load this module twice. */
export const everywhere = globalThis as { lockstepCoverage?: CoverageCount };

/** Counts by two names. */
class Table {
  readonly #rows = new Map<string, Map<string, number>>();

  count(row: string, column: string, times = 1): void {
    const counts = this.#rows.get(row) ?? new Map<string, number>();
    this.#rows.set(row, counts);
    counts.set(column, (counts.get(column) ?? 0) + times);
  }

  merge(other: Readonly<Record<string, Counts>>): void {
    for (const [row, counts] of Object.entries(other)) {
      for (const [column, times] of Object.entries(counts)) this.count(row, column, times);
    }
  }

  /** The rows that have counts, after those that are named. */
  record(named: Iterable<string> = []): Record<string, Counts> {
    return Object.fromEntries(
      [...new Set([...named, ...this.#rows.keys()])].map((row) => [
        row,
        Object.fromEntries(this.#rows.get(row) ?? []),
      ]),
    );
  }
}
