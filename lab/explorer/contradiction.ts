/** Steps of a walk, and what is said when the answer of one contradicts a promise. */

import type { Answer } from '../../conformance/language/answer.ts';
import { checksOf, noFile } from '../../conformance/language/load-check.ts';
import type { Check, CheckText, Step, StepText } from '../../conformance/language/scenario.ts';

/** A call that was made; it becomes a step of the scenario that replays the walk. */
export interface Entry {
  readonly id: string;
  /** As it is written in a scenario. */
  readonly text: StepText;
  readonly step: Step;
  readonly answer: Answer;
}

/** A check of an answer, and the statement that demands it. */
export type Rule = readonly [statement: string, check: CheckText];

/** An answer that contradicts a statement. */
export class Contradiction extends Error {
  /** The check that fails there; of a breach of the contract only the statement, as any run checks that. */
  readonly check: Check | Pick<Check, 'statement'>;
  /** The step that shows it. */
  readonly entry: Entry;

  constructor(check: Contradiction['check'], entry: Entry, because: string) {
    super(because);
    this.check = check;
    this.entry = entry;
  }
}

/** Throws a LoadError for a statement that promises nothing. */
export function checksFrom(rules: readonly Rule[]): Check[] {
  return rules.flatMap(([statement, check]) =>
    checksOf(noFile, { checks: { [statement]: check } }),
  );
}
