/** Calls of a walk, and what is said when the answer of one contradicts a promise. */

import { contract, type OperationId } from '../../spec/contract.ts';
import type { Answer } from '../language/answer.ts';
import type { Check, Conditions, Timing } from '../language/scenario.ts';

/** A call as a step of a scenario writes it: with references, not with values. */
export interface CallData {
  readonly as: unknown;
  readonly call: OperationId;
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  /** Reads all pages, of this size where one is given. */
  readonly pages?: { readonly size?: number | undefined } | undefined;
  /** Makes the call so many times. */
  readonly times?: number | undefined;
  /** The list that checks speak of, where it is not that of the operation. */
  readonly list?: unknown;
}

/** What was noted of a walk becomes a step of the scenario that replays it. */
export interface Note {
  readonly id: string;
  /** Undefined where earlier answers are compared. */
  readonly data: CallData | undefined;
  /** How it was read again; undefined where it was read once. */
  waited: Timing['kind'] | undefined;
  /** Of a scenario that is played: what its names stand for. */
  readonly names: ReadonlyMap<string, unknown>;
}

/** A call that was made. */
export interface Entry extends Note {
  readonly data: CallData;
  answer: Answer;
}

/**
 * Statement -> what must hold of an answer, written as the `checks` of a scenario are. They are
 * tried in this order.
 */
export type Checks = Readonly<Record<string, Conditions | readonly Conditions[]>>;

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

/** The checks of a step. Throws for a statement that promises nothing. */
export function checksFrom(checks: Checks): Check[] {
  return Object.entries(checks).flatMap(([statement, conditions]) =>
    [conditions].flat().map((item) => checkFrom(statement, item)),
  );
}

function checkFrom(
  statement: string,
  { because, only, atLeast, ...conditions }: Conditions,
): Check {
  const level = contract.statements.get(statement)?.level;
  if (level === undefined || level === 'silent') throw new Error(`${statement} is no promise`);
  return {
    statement,
    level,
    conditions,
    atLeast: (atLeast ?? {}) as Check['atLeast'],
    only: only === undefined ? [] : [only as Conditions],
    collateral: [],
    because: typeof because === 'string' ? because : undefined,
    location: { file: 'explore', line: 1, column: 1 },
  };
}
