/** Steps of a walk, and what is said when the answer of one contradicts a promise. */

import type { Answer } from '../../conformance/language/answer.ts';
import { checksOf, noFile } from '../../conformance/language/load-check.ts';
import type { Check, Step, StepText, Timing } from '../../conformance/language/scenario.ts';

/** What was noted of a walk becomes a step of the scenario that replays it. */
export interface Note {
  readonly id: string;
  /** With references, not with values. One without a call compares earlier answers. */
  readonly step: Step;
  /** How it was read again; undefined where it was read once. */
  waited: Timing['kind'] | undefined;
  /** Of a scenario that is played: what its names stand for. */
  readonly names: ReadonlyMap<string, unknown>;
}

/** A call that was made. */
export interface Entry extends Note {
  answer: Answer;
}

/** What must hold of an answer, as the `checks` of a scenario are written; tried in this order. */
export type Checks = NonNullable<StepText['checks']>;

/** An answer that contradicts a statement. */
export class Contradiction extends Error {
  /** The check that fails there. */
  readonly check: Check;
  /** The step that shows it. */
  readonly entry: Note;

  constructor(check: Check, entry: Note, because: string) {
    super(because);
    this.check = check;
    this.entry = entry;
  }
}

/** Throws a LoadError for a statement that promises nothing. */
export function checksFrom(checks: Checks): Check[] {
  return checksOf(noFile, { checks });
}
