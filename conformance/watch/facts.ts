/** The areas' facts for the watcher: the promises that only several calls together show. */

import type { OperationId } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import type { Mismatch } from '../language/matcher.ts';
import type { Bindings } from '../language/vocabulary.ts';

/** An answer of the service that a promise over several calls may look back at. */
export interface Seen {
  readonly operation: OperationId;
  readonly answer: Answer;
  /** Parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  /** Declared parameters of the query. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body of the request, as JSON. */
  readonly sent: unknown;
  /** When it was sent and when it was over, milliseconds since 1970. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** Undefined if the calls say nothing of the promise. A mismatch is told in words, without the data of anybody. */
export type Compared = 'holds' | Mismatch | undefined;

/** A promise that calls of one deployment show one after the other. */
export interface Sequence {
  readonly statement: string;
  readonly operations: readonly OperationId[];
  /** Only calls with the same key are compared; default all of a deployment. */
  readonly key?: (seen: Seen) => string;
  /** Failures are counted for each of these, as the promise may hold for others; default one count for all. */
  readonly subject?: (seen: Seen) => string;
  /** A change may show later: a failure counts only if there was time enough. */
  readonly lags?: true;
  /**
   * The last calls, the newest at the end. Nobody of this proxy's clients wrote in between or at the same
   * time; `settled` says whether so much time lies between two of them that a change should show.
   */
  readonly compare: (
    calls: readonly Seen[],
    settled: (from: Seen, to: Seen) => boolean,
  ) => Compared;
}

/** A list that is read page by page. */
export interface PagedList {
  readonly operations: readonly OperationId[];
  /** The statements that each item is there once, and that the total counts them. */
  readonly once: string;
  readonly counts: string;
}

/** Answers to which the description promises nothing, though it shows the operation. */
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
