/** A call of a walk, the rules for its answer, and what an area tells the explorer of its operations. */

import type { Arbitrary } from 'fast-check';
import type { Answer } from '../../conformance/language/answer.ts';
import { checksOf, noFile } from '../../conformance/language/load-check.ts';
import type { Check, CheckText, Step, StepText } from '../../conformance/language/scenario.ts';
import type { Target } from '../../conformance/target/target.ts';
import type { JsonObject } from '../../spec/base/json.ts';
import type { Operation, OperationId } from '../../spec/contract.ts';

export interface Call {
  readonly operation: Operation;
  /** A credential of the tenant file, or `none`. */
  readonly as: string;
  /** References to what is bound, or missing. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: JsonObject;
  /** Of a list whose pages are all read: the size that is asked for, or null if none is sent. */
  readonly pages: number | null | undefined;
  /** Undefined for a call without a body. */
  readonly body?: Body | undefined;
}

/** The knowledge of a walk, as far as areas ask. */
export interface WalkMemory {
  /** The areas' own notes. */
  readonly notes: Map<string, unknown>;
  /** The value that a field of an object was set to; undefined if nobody knows. */
  known(call: Call, field: string, binding?: string): unknown;
  /** The id of the first entry of a key; undefined if this one is the first. */
  since(key: string, entry: Entry): string | undefined;
}

/** What to send, given what is known just now; undefined if there is nothing to send. */
export type Body = (model: WalkMemory, call: Call) => Sent | undefined;

export interface Sent {
  readonly body: JsonObject;
  /** The binding of the object that the body names; without it the path names the object. */
  readonly binding?: string | undefined;
  /** The fields that the object shows afterwards: by field of `x-restore.put`, with the statement that says so. */
  readonly sets?: Readonly<Record<string, Known>> | undefined;
  /** A name for the state that the object is in then; without it, that of its fields. */
  readonly state?: string | undefined;
  /** Says that whoever may make the call is served; without it, both is right. */
  readonly serves?: string | undefined;
  /** Further rules for the answer, if the caller may make the call. */
  readonly rules?: readonly Rule[] | undefined;
}

/** A value, as it is written in a scenario, and the statement that another one contradicts. */
export interface Known {
  readonly value: unknown;
  readonly statement: string;
}

/** The facts of an operation that the contract does not hold. */
export interface ExploredOperation {
  /** Without it, an operation that takes a body is not called. */
  readonly body?: (target: Target) => Arbitrary<Body> | undefined;
  /** Given if the values of its query parameters are not those of their schemas. */
  readonly query?: (target: Target) => Arbitrary<JsonObject>;
  readonly judge?: Judge;
  /** The verb that reads all its pages, and what each such walk is judged by. */
  readonly pages?: PageRules;
}

/** Judges an answer of 2xx, and learns from it. */
export type Judge = (entry: Entry, call: Call, model: WalkMemory) => readonly Rule[];

export interface PageRules {
  readonly verb: 'walkPages' | 'scimList';
  /** The option of the verb that says how long a page is. */
  readonly size: 'limit' | 'count';
  readonly rules: readonly Rule[];
}

export type Explored = Partial<Record<OperationId, ExploredOperation>>;

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
