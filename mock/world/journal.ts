import type { OperationId } from '../../spec/contract.ts';
import type { Explanation } from './explanation.ts';
import type { Fault } from './fault.ts';
import type { Strike } from './faults.ts';
import type { PageKind } from './paged-list.ts';

/** The fault that struck a request. */
export interface StruckBy extends Pick<Fault, 'id' | 'phase'> {
  readonly delayMs?: number | undefined;
  /** What became of the connection, where it was lost: all but `mid-body` leave the client no answer. */
  readonly cut?: Strike['cut'];
  /** The status that the service had come to; null where the request never got to it. */
  readonly served: number | null;
}

/** One request and its answer, as a world remembers them. Credentials appear by name only. */
export interface JournalEntry {
  readonly id: number;
  /** World time, ms. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Headers without the credential. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly operation: OperationId | null;
  /** Name of the credential; null where none was known. */
  readonly credential: string | null;
  readonly requestBody: Uint8Array | undefined;
  /** What the client got: 0 where no answer reached it, whatever the service had come to. */
  readonly status: number;
  /** The service's, as is the body, even where `fault.cut` says that they were lost on the way. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The body as text, null where there was none or where it was streamed. */
  readonly responseBody: string | null;
  /** `documented`, or `assumed; RECIP-9, AUTH-7`; null where it is no whole answer of the service's. */
  readonly basis: string | null;
  /** Silences that the answer rests on. */
  readonly assumed: readonly string[];
  /** Why it was refused, and the statement behind that. */
  readonly refusal: Explanation | null;
  /** The fault that struck it. */
  readonly fault: StruckBy | null;
  /** What of the request the description does not know, and was passed over: one sentence each. */
  readonly passedOver: readonly string[];
  /** Which page of a list the client got; null where it is none. */
  readonly page: PageKind | null;
  /** Failures of the mock's check of its own answer. Always empty, or the mock has a defect. */
  readonly contractFailures: readonly string[];
}

/** The status that the service came to, whatever reached the client; null where it did nothing. */
export function servedStatus({
  status,
  fault,
}: Pick<JournalEntry, 'status' | 'fault'>): number | null {
  return fault === null ? status : fault.served;
}

/** The status in words: what was lost on the way is not told as if it had arrived. */
export function tellStatus({ status, fault }: Pick<JournalEntry, 'status' | 'fault'>): string {
  if (status === 0) return 'no answer';
  return fault?.cut === undefined ? String(status) : `${status}, cut`;
}

/** Bodies are held up to this length; a longer one is cut, and says so. */
const BODY_LIMIT = 64 * 1024;
/** All bodies of a journal together, bytes; the oldest entries go first. */
const BYTE_BUDGET = 16 * 1024 * 1024;
const CUT = '… (cut)';

/** The last requests of a world, oldest first, bounded in number and in bytes. */
export class Journal {
  #entries: JournalEntry[] = [];
  readonly #capacity: number;
  #recorded = 0;
  #bytes = 0;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  /** Requests since the start, forgotten ones included. */
  get recorded(): number {
    return this.#recorded;
  }

  /** Requests that are no longer held. */
  get dropped(): number {
    return this.#recorded - this.#entries.length;
  }

  record(entry: Omit<JournalEntry, 'id'>): JournalEntry {
    this.#recorded += 1;
    const numbered = entry as JournalEntry & {
      id: number;
      requestBody: JournalEntry['requestBody'];
      responseBody: string | null;
    };
    numbered.id = this.#recorded;
    if ((numbered.requestBody?.length ?? 0) > BODY_LIMIT) {
      // Copied, so that the whole is not held by its part.
      numbered.requestBody = numbered.requestBody?.slice(0, BODY_LIMIT);
    }
    if ((numbered.responseBody?.length ?? 0) > BODY_LIMIT) {
      numbered.responseBody = `${numbered.responseBody?.slice(0, BODY_LIMIT)}${CUT}`;
    }
    this.#entries.push(numbered);
    this.#bytes += sizeOf(numbered);
    // The oldest are forgotten first.
    while (this.#entries.length > this.#capacity || this.#bytes > BYTE_BUDGET) {
      this.#bytes -= sizeOf(this.#entries.shift());
    }
    for (const listener of this.#listeners) listener(numbered);
    return numbered;
  }

  list(): JournalEntry[] {
    return [...this.#entries];
  }

  get(id: number): JournalEntry | undefined {
    return this.#entries[id - 1 - this.dropped];
  }

  last(): JournalEntry | undefined {
    return this.#entries.at(-1);
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  /** As at the start: empty, and ids count from 1 again. */
  reset(): void {
    this.#recorded = 0;
    this.clear();
  }

  /** Calls back for each entry from now on; the result ends it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function sizeOf(entry: JournalEntry | undefined): number {
  return (entry?.requestBody?.length ?? 0) + (entry?.responseBody?.length ?? 0);
}
