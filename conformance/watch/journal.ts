/** The last exchanges, without secrets and personal data: bodies are shapes. */

import type { Exchange } from './traffic.ts';

export interface JournalEntry {
  /** Of the exchange, from 1. */
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | undefined;
  readonly caller: string | null;
  readonly status: number;
  readonly ending: Exchange['ending'];
  readonly durationMs: number;
  /** As `Lockstep-Basis` says it; undefined if the answer says nothing of the service. */
  readonly basis: string | undefined;
  /** Statement and pointer. */
  readonly violations: readonly string[];
  readonly notJudged: readonly string[];
  readonly sent: unknown;
  readonly body: unknown;
}

const mostEntries = 1000;
const longestShape = 4096;

export class Journal {
  readonly #entries: JournalEntry[] = [];
  #next = 0;

  add(entry: JournalEntry): void {
    const { sent, body } = entry;
    this.#entries[this.#next] = { ...entry, sent: cut(sent), body: cut(body) };
    this.#next = (this.#next + 1) % mostEntries;
  }

  /** The newest first. */
  latest(limit = mostEntries): JournalEntry[] {
    return this.#entries.toSorted((a, b) => b.number - a.number).slice(0, limit);
  }

  entry(number: number): JournalEntry | undefined {
    return this.#entries.find((entry) => entry.number === number);
  }
}

const cut = (shape: unknown): unknown => {
  const { length = 0 } = JSON.stringify(shape) ?? '';
  return length > longestShape ? `a shape of ${length} characters` : shape;
};
