/** The areas' facts for the watcher: the promises that only several calls together show. */

import type { OperationId } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import type { Mismatch } from '../language/matcher.ts';
import type { Bindings } from '../language/vocabulary.ts';

/** An answer of the service that a promise over several calls may look back at. */
export interface Seen {
  readonly operation: OperationId;
  readonly answer: Answer;
  readonly path: Readonly<Record<string, string>>;
  /** Declared parameters of the query. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body of the request, as JSON. */
  readonly sent: unknown;
  /** When it was sent and when it was over, milliseconds since 1970. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/**
 * Undefined if the calls show nothing about the promise. A mismatch is described without personal
 * data.
 */
export type Compared = 'holds' | Mismatch | undefined;

/** A promise that successive calls in one deployment show. */
export interface Sequence {
  readonly statement: string;
  readonly operations: readonly OperationId[];
  /** Only calls with the same key are compared; by default all calls of a deployment. */
  readonly key?: (seen: Seen) => string;
  /** Failures are counted for each of these, as the promise may hold for others; default one count for all. */
  readonly subject?: (seen: Seen) => string;
  /** Set if a change may show later. A failure then counts only after enough time. */
  readonly lags?: true;
  /**
   * Compares the last calls; the newest is the last. No client of this proxy wrote in between or in
   * parallel. `settled` says whether enough time has passed between two calls for a change to show.
   */
  readonly compare: (
    calls: readonly Seen[],
    settled: (from: Seen, to: Seen) => boolean,
  ) => Compared;
}

/** A list that is read page by page. */
export interface PagedList {
  readonly operations: readonly OperationId[];
  /** The statements about duplicates and about the total. */
  readonly once: string;
  readonly counts: string;
}

/** Answers about which the description promises nothing, although it has the operation. */
export interface OpenAnswer {
  readonly operation: OperationId;
  /** For people. */
  readonly why: string;
  readonly isOpen: (
    answer: Answer,
    path: Readonly<Record<string, string>>,
    bindings: Bindings,
  ) => boolean;
}

export interface WatchFacts {
  readonly open: readonly OpenAnswer[];
  readonly sequences: readonly Sequence[];
  readonly lists: readonly PagedList[];
}
