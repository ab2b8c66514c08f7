/** What an oracle says when an answer contradicts a promise, and how an answer is tied to it. */

import type { OperationId } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import type { Conditions } from '../language/scenario.ts';

/** A call as a step of a scenario writes it: with references, not with values. */
export interface CallData {
  readonly as: unknown;
  readonly call: OperationId;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A call that was made. The entries of a walk are the steps of the scenario that replays it. */
export interface Entry {
  readonly id: string;
  readonly data: CallData;
  answer: Answer;
  /** Further keys of the step: `walkPages`, `scimList`, `eventually`. */
  readonly verbs: Record<string, unknown>;
}

/** An answer that contradicts a statement. */
export class Contradiction extends Error {
  readonly statement: string;
  /** The step that shows it. */
  readonly entry: Entry;
  /** The check of the statement, in the scenario language; it fails on the entry's answer. */
  readonly conditions: Conditions;

  constructor(statement: string, entry: Entry, conditions: Conditions, because: string) {
    super(because);
    this.statement = statement;
    this.entry = entry;
    this.conditions = conditions;
  }
}
