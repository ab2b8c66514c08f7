/**
 * A call of a walk, the rules for its answer, and the facts that an area gives the explorer about
 * its operations.
 */

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
  /** References to bound objects, or to missing ones. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: JsonObject;
  /** The page size to request when all pages of a list are read; null sends none. */
  readonly pages: number | null | undefined;
  /** Undefined for a call without a body. */
  readonly body?: Body | undefined;
}

/** The part of a walk's knowledge that areas can use. */
export interface WalkMemory {
  /** The areas' own notes. */
  readonly notes: Map<string, unknown>;
  /** The value that a field of an object was last set to; undefined if it is not known. */
  known(call: Call, field: string, binding?: string): unknown;
  /** The id of the first entry with this key; undefined if this entry is the first. */
  since(key: string, entry: Entry): string | undefined;
}

/** Decides what to send, given the walk's knowledge; undefined skips the call. */
export type Body = (model: WalkMemory, call: Call) => Sent | undefined;

export interface Sent {
  readonly body: JsonObject;
  /** The binding of the object, if the body names it. Without it, the path names the object. */
  readonly binding?: string | undefined;
  /**
   * The fields that the object must show afterwards, by field of `x-restore.put`. Each has the
   * statement that promises it.
   */
  readonly sets?: Readonly<Record<string, Known>> | undefined;
  /** A name for the object's new state; by default its fields are the name. */
  readonly state?: string | undefined;
  /**
   * The statement that promises success to every permitted caller. Without it, the call may succeed
   * or fail.
   */
  readonly serves?: string | undefined;
  /** More rules for the answer, used if the caller is permitted. */
  readonly rules?: readonly Rule[] | undefined;
}

/** A value in a scenario's notation, and the statement that any other value would break. */
export interface Known {
  readonly value: unknown;
  readonly statement: string;
}

/** Facts about an operation that are not in the contract. */
export interface ExploredOperation {
  /** Without this, an operation with a body is not called. */
  readonly body?: (target: Target) => Arbitrary<Body> | undefined;
  /** Needed only if the schemas do not give useful values for the query. */
  readonly query?: (target: Target) => Arbitrary<JsonObject>;
  readonly judge?: Judge;
  /** The verb that reads all pages, and the checks for it. */
  readonly pages?: PageRules;
}

/** Judges a 2xx answer, and learns from it. */
export type Judge = (entry: Entry, call: Call, model: WalkMemory) => readonly Rule[];

export interface PageRules {
  readonly verb: 'walkPages' | 'scimList';
  /** The option of the verb that sets the page size. */
  readonly size: 'limit' | 'count';
  readonly rules: readonly Rule[];
}

export type Explored = Partial<Record<OperationId, ExploredOperation>>;

/** A call that was made; it becomes a step of the scenario that replays the walk. */
export interface Entry {
  readonly id: string;
  /** The step in a scenario's notation. */
  readonly text: StepText;
  readonly step: Step;
  readonly answer: Answer;
}

/** A check of an answer, and the statement that demands it. */
export type Rule = readonly [statement: string, check: CheckText];

/** An answer that contradicts a statement. */
export class Contradiction extends Error {
  /**
   * The check that fails. For a breach of the schema it has only the statement, because every run
   * checks schemas.
   */
  readonly check: Check | Pick<Check, 'statement'>;
  /** The step that shows it. */
  readonly entry: Entry;

  constructor(check: Contradiction['check'], entry: Entry, because: string) {
    super(because);
    this.check = check;
    this.entry = entry;
  }
}

/** Throws a LoadError if a statement is a silence. */
export function checksFrom(rules: readonly Rule[]): Check[] {
  return rules.flatMap(([statement, check]) =>
    checksOf(noFile, { checks: { [statement]: check } }),
  );
}
