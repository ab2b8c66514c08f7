/** The deviations that are switched on in a world. The pipeline applies them. */

import { Refused } from '../../spec/base/refused.ts';
import type { OperationId } from '../../spec/contract.ts';

/** A deviation as a world knows it: one deliberate departure from one or more statements. */
export interface DeviationRecord {
  /** Unique, lower-case words with dashes and colons. Never changes meaning. */
  readonly id: string;
  /** The mistake, in a sentence. */
  readonly text: string;
  /** Statements that it breaks: documented or standard, and observable. */
  readonly breaks: readonly string[];
  /** Further statements that always fail when it is noticed. */
  readonly alsoBreaks?: readonly string[];
  /** Operations that it can take effect in. */
  readonly operations: readonly OperationId[];
  /** It takes effect only in every nth request to its operations; in each request if this is absent. */
  readonly every?: number;
  /** Set if no scenario makes the needed calls in order, so that only the explorer can find it. */
  readonly foundBy?: 'explore';
}

/** The memory of a deviation: facts about earlier calls. */
export type Memory = Map<string, unknown>;

/**
 * An active deviation. Its effects are counted, because a deviation without an effect proves
 * nothing.
 */
export interface ActiveDeviation {
  readonly deviation: DeviationRecord;
  memory: Memory;
  effects: number;
  /** The number of requests to its operations so far. */
  requests: number;
}

/** The deviations of one world, in the order in which they were named. */
export class ActiveDeviations {
  #active: ActiveDeviation[] = [];
  /** Settles when the last request that a deviation may have changed is served. */
  last: Promise<unknown> = Promise.resolve();

  get any(): boolean {
    return this.#active.length > 0;
  }

  set(deviations: readonly DeviationRecord[]): void {
    this.#active = deviations.map((deviation) => ({
      ...{ deviation, memory: new Map(), effects: 0, requests: 0 },
    }));
  }

  /** Clears the memory of earlier calls; the deviations stay switched on. */
  reset(): void {
    this.set(this.#active.map(({ deviation }) => deviation));
  }

  list(): readonly Readonly<ActiveDeviation>[] {
    return this.#active;
  }

  /**
   * The deviations that can take effect in the next request to an operation. Counts that request.
   */
  of(operation: OperationId): readonly ActiveDeviation[] {
    return this.#active.filter(
      (active) => active.deviation.operations.includes(operation) && isDue(active),
    );
  }
}

function isDue(active: ActiveDeviation): boolean {
  const { every = 1 } = active.deviation;
  active.requests += 1;
  return active.requests % every === 0;
}

/** An id that no deviation has; the message names similar ids. */
export class UnknownDeviation extends Refused {
  override readonly name = 'UnknownDeviation';
}
