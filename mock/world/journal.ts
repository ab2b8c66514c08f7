import { hash } from 'node:crypto';
import { parseJson } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { RowChange } from './changes.ts';
import type { Explanation } from './explanation.ts';
import type { Fault } from './fault.ts';
import type { Strike } from './faults.ts';
import type { PageKind } from './paged-list.ts';

export interface StruckBy extends Pick<Fault, 'id' | 'phase'> {
  readonly delayMs?: number | undefined;
  /** How long the body of the answer took, if the fault slowed it down. */
  readonly dripMs?: number | undefined;
  /**
   * How the connection was lost. If it was lost during the body, the client got a part of the
   * answer; in all other cases none.
   */
  readonly cut?: Strike['cut'];
  /** The status that the service answered, even if the client did not get it; null if the service did nothing. */
  readonly served: number | null;
}

/** The facts about an exchange that only a proxy knows. */
export interface WatchedOnTheWay {
  /** The address of the service. */
  readonly origin: string;
  readonly durationMs: number;
  /** Reasons why a part of the answer could not be judged. */
  readonly notJudged: readonly string[];
}

/** One request and its answer in the journal. A credential appears only by its name. */
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
  /** Name of the credential; null if the world does not know it. */
  readonly credential: string | null;
  /** The body as text; null if there was none. */
  readonly requestBody: string | null;
  /** The status that the client got; 0 if no answer reached the client, even if the service answered. */
  readonly status: number;
  /** The headers and the body that the service sent. `fault.cut` says if they were lost on the way. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The body as text; null if there was none or if it was streamed. */
  readonly responseBody: string | null;
  /** `documented`, or `assumed; RECIP-9, AUTH-7`; null if the client did not get a whole answer of the service. */
  readonly basis: string | null;
  /** The silences whose choices the answer rests on. */
  readonly assumed: readonly string[];
  /** The reason of a refusal, and the statement that decides it. */
  readonly refusal: Explanation | null;
  readonly fault: StruckBy | null;
  /** One sentence for each part of the request that the description does not have, and that the mock ignored. */
  readonly passedOver: readonly string[];
  /** Which page of a list the client got; null if the answer is not a page. */
  readonly page: PageKind | null;
  /** The mock checks its own answer. These are the failures; if there is one, the mock has a defect. */
  readonly contractFailures: readonly string[];
  /** The rows that the request added, changed or removed. */
  readonly changes: readonly RowChange[];
  /** Set if a proxy recorded the exchange with another service. */
  readonly watched?: WatchedOnTheWay | undefined;
  /**
   * The body of the request, or of the response, as JSON; undefined if there was none. Throws a
   * TypeError if it is not JSON, or was cut.
   */
  json(of?: 'request' | 'response'): unknown;
  /** Equal for requests that differ only in their headers. A fault may name a fingerprint. */
  readonly fingerprint: string;
}

/** Path and query, without a slash at the path's end. */
export function targetOf({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const clean = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return query === '' ? clean : `${clean}?${query}`;
}

/** The fingerprint of a request. If the journal cuts the body, only the kept part counts. */
export function fingerprintOf(
  request: Pick<JournalEntry, 'method' | 'path' | 'query' | 'requestBody'>,
): string {
  const { method, requestBody } = request;
  return hash('sha256', `${method} ${targetOf(request)} ${requestBody}`).slice(0, 16);
}

/** The status that the service answered, even if the client did not get it; null if the service did nothing. */
export function servedStatus({
  status,
  fault,
}: Pick<JournalEntry, 'status' | 'fault'>): number | null {
  return fault === null ? status : fault.served;
}

/** Whether the service carried the request out, even if a fault lost the answer. */
export function isAccepted(entry: Pick<JournalEntry, 'status' | 'fault'>): boolean {
  return isOk(servedStatus(entry) ?? 0);
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 400;
}

/** The status that the client got, in words: `no answer`, or `200, cut` if a part of the answer was lost. */
export function tellStatus({ status, fault }: Pick<JournalEntry, 'status' | 'fault'>): string {
  if (status === 0) return 'no answer';
  return fault?.cut === undefined ? String(status) : `${status}, cut`;
}

/** The journal holds the body of an answer up to this length. It cuts a longer one, and marks the cut. */
const ANSWER_LIMIT = 64 * 1024;
/** That of a request may be longer: tests compare it, and the largest list that the service takes fits. */
const REQUEST_LIMIT = 256 * 1024;
/** The most bytes that all journals of one budget may hold together. */
const BYTE_BUDGET = 32 * 1024 * 1024;
/** The cost of an entry in addition to its texts, bytes. */
const ENTRY_COST = 512;
/** The cost of each header, bytes. */
const HEADER_COST = 128;
const CUT = '… (cut)';
/** The most notes that a journal keeps. */
const MOST_NOTES = 100;

const utf8 = new TextDecoder();

/** The body of a request as a journal holds it. */
export function heldText(body: Uint8Array | undefined): string | null {
  return body === undefined || body.length === 0 ? null : cutText(body, REQUEST_LIMIT);
}

/** Whether the journal holds only the beginning of a body. */
export function isCut(body: string | null): boolean {
  return body?.endsWith(CUT) === true;
}

/** Whether the journal holds the whole body of a request, and the body is text. */
export function isBodyWhole({ requestBody }: Pick<JournalEntry, 'requestBody'>): boolean {
  return !isCut(requestBody) && requestBody?.includes('\uFFFD') !== true;
}

/** Cuts the bytes and not the text: a slice of a text would keep the whole text in memory. */
export function cutText(bytes: Uint8Array, most: number): string {
  const text = utf8.decode(bytes.subarray(0, most));
  return bytes.length > most ? `${text}${CUT}` : text;
}

function json(this: JournalEntry, of: 'request' | 'response' = 'request'): unknown {
  const text = of === 'request' ? this.requestBody : this.responseBody;
  if (text === null || text === '') return undefined;
  const value = parseJson(text);
  if (value !== undefined) return value;
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const why = isCut(text) ? 'is longer than the journal holds' : 'is not JSON';
  throw new TypeError(`the ${of} of ${this.method} ${this.path} ${why}: ${shown}`);
}

/**
 * The memory that the journals of a service share. If it is full, the least recently used journal
 * forgets first.
 */
export class JournalBudget {
  #bytes = 0;
  /** In the order of their last entries. */
  readonly #journals = new Set<Journal>();
  #last: Journal | undefined;

  /** Bytes that all journals hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the bytes that a journal took, and makes room for them. */
  take(journal: Journal, bytes: number): void {
    this.#bytes += bytes;
    if (this.#last !== journal) {
      this.#journals.delete(journal);
      this.#journals.add(journal);
      this.#last = journal;
    }
    while (this.#bytes > BYTE_BUDGET) {
      const [quiet] = this.#journals;
      if (quiet?.forgetOldest() !== true) break;
    }
  }

  /** Counts the bytes that a journal released; `empty` says that the journal holds nothing any more. */
  give(journal: Journal, bytes: number, empty: boolean): void {
    this.#bytes -= bytes;
    if (!empty) return;
    this.#journals.delete(journal);
    if (this.#last === journal) this.#last = undefined;
  }
}

/** An entry that the journal will overwrite, so no other code may keep it. */
type Held = {
  -readonly [Name in keyof Omit<JournalEntry, 'json' | 'fingerprint'>]: JournalEntry[Name];
};

/** A copy that the journal never overwrites. */
function copied(entry: Held): JournalEntry {
  const copy = { ...entry } as JournalEntry;
  // The method is not enumerable, so that comparisons and prints do not show it.
  return withBodies(Object.defineProperty(copy, 'fingerprint', { get: () => fingerprintOf(copy) }));
}

/** Adds the method `json` to an entry. */
export function withBodies(entry: JournalEntry): JournalEntry {
  return Object.defineProperty(entry, 'json', { value: json });
}

/** The headers of the previous entry, if only the credential differs. Then both entries share one object. */
function same<Kept extends Held['headers']>(sent: Kept, last: Kept | undefined): Kept | undefined {
  let names = 0;
  for (const name in sent) {
    if (name === 'authorization' || name === 'cookie') continue;
    if (last === undefined || sent[name] !== last[name]) return undefined;
    names += 1;
  }
  for (const _name in last) names -= 1;
  return names === 0 ? last : undefined;
}

function withoutCredential(sent: Held['headers']): Held['headers'] {
  const { authorization: _secret, cookie: _cookie, ...kept } = sent;
  return kept;
}

/** The last requests of a world, oldest first, bounded in number and in bytes. */
export class Journal {
  /**
   * An entry's place follows from its id and the capacity. It overwrites the object of the entry that it
   * replaces: a new object for each request would live for a thousand requests. The pauses to collect such old
   * objects delayed the slowest 1 % of all calls.
   */
  #entries: (Held | undefined)[] = [];
  #budget: JournalBudget;
  readonly #capacity: number;
  #recorded = 0;
  #dropped = 0;
  #cleared = 0;
  #notes: string[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();

  constructor(budget = new JournalBudget(), capacity = 1000) {
    this.#budget = budget;
    this.#capacity = capacity;
  }

  /** The number of requests since the start, including forgotten ones. */
  get recorded(): number {
    return this.#recorded;
  }

  /** The number of requests that the journal has forgotten. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many of them it had no room for; a call of `clear` starts the count again. */
  get lost(): number {
    return this.#dropped - this.#cleared;
  }

  /** The result is valid until the next entry is recorded. */
  record(entry: Omit<Held, 'id'>): Readonly<Held> {
    const before = this.#entries[(this.#recorded - 1) % this.#capacity];
    const place = this.#recorded % this.#capacity;
    const pushedOut = this.#entries[place];
    if (pushedOut !== undefined) this.forgetOldest();
    this.#recorded += 1;
    const { path, headers, responseHeaders, responseBody } = entry;
    const ofBefore = {
      path: path === before?.path ? before.path : path,
      headers: same(headers, before?.headers) ?? withoutCredential(headers),
      responseHeaders: same(responseHeaders, before?.responseHeaders) ?? responseHeaders,
    };
    const numbered: Held = pushedOut ? Object.assign(pushedOut, entry) : (entry as Held);
    numbered.id = this.#recorded;
    numbered.path = ofBefore.path;
    numbered.headers = ofBefore.headers;
    numbered.responseHeaders = ofBefore.responseHeaders;
    if (responseBody !== null && responseBody.length > ANSWER_LIMIT) {
      numbered.responseBody = `${responseBody.slice(0, ANSWER_LIMIT)}${CUT}`;
    }
    this.#entries[place] = numbered;
    this.#budget.take(this, sizeOf(numbered));
    for (const listener of this.#listeners) listener(copied(numbered));
    return numbered;
  }

  list(): JournalEntry[] {
    const ids = Array.from({ length: this.#recorded - this.#dropped }, (_, at) => at + 1);
    return ids.flatMap((at) => this.get(this.#dropped + at) ?? []);
  }

  /** Records something that is not a request, such as an event. */
  note(text: string): void {
    const after = this.#recorded === 0 ? 'before the first request' : `after #${this.#recorded}`;
    this.#notes = [...this.#notes, `${after}: ${text}`].slice(-MOST_NOTES);
  }

  /** The last hundred notes, oldest first. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  get(id: number): JournalEntry | undefined {
    const isHeld = id > this.#dropped && id <= this.#recorded;
    const entry = isHeld ? this.#entries[(id - 1) % this.#capacity] : undefined;
    return entry && copied(entry);
  }

  last(): JournalEntry | undefined {
    return this.get(this.#recorded);
  }

  clear(): void {
    while (this.forgetOldest());
    this.#cleared = this.#dropped;
  }

  /**
   * Called when the world is dropped. The journal keeps its entries, but no longer counts in the
   * shared budget.
   */
  leave(): void {
    const bytes = this.list().reduce((sum, entry) => sum + sizeOf(entry), 0);
    this.#budget.give(this, bytes, true);
    this.#budget = new JournalBudget();
    this.#budget.take(this, bytes);
  }

  /** Forgets the oldest entry; false if there is none. */
  forgetOldest(): boolean {
    const place = this.#dropped % this.#capacity;
    const entry = this.#entries[place];
    if (entry === undefined) return false;
    this.#entries[place] = undefined;
    this.#dropped += 1;
    this.#budget.give(this, sizeOf(entry), this.#dropped === this.#recorded);
    return true;
  }

  /** Empties the journal; ids begin at 1 again. */
  reset(): void {
    this.clear();
    this.#recorded = 0;
    this.#dropped = 0;
    this.#cleared = 0;
    this.#notes = [];
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Calls the listener for each entry from now on. Call the result to stop that. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The approximate size of an entry in bytes. */
function sizeOf(entry: Held): number {
  const { path, query, headers, requestBody, responseBody, passedOver } = entry;
  let size = ENTRY_COST + path.length + query.length;
  for (const { before, after } of entry.changes)
    size += ENTRY_COST + textIn(before) + textIn(after);
  size += (requestBody?.length ?? 0) + (responseBody?.length ?? 0);
  for (const text of passedOver) size += text.length;
  for (const name in headers) size += HEADER_COST + name.length + (headers[name]?.length ?? 0);
  return size;
}

/** The length of all texts in a row. */
function textIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + textIn(item), 0);
}
