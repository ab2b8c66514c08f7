/** The facts of the areas that safety needs and the contract does not hold. */

import type { JsonObject } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import type { Bindings } from '../language/vocabulary.ts';
import type { TenantObject } from '../target/call.ts';
import type { Target } from '../target/target.ts';

export interface SafetyFacts {
  /** Exceptions, by the operation that writes, to the contract's way to read an object and put it back. */
  readonly restore: Partial<Record<OperationId, Partial<Restorer>>>;
  /** Reads that every working credential of an accepted kind may make. */
  readonly probes: readonly Probe[];
  /** Checks of the claims in a tenant file. */
  readonly checks: readonly PreflightCheck[];
  /** Checks of the claims about an object that is read before it is written. */
  readonly objectChecks: readonly ((
    shown: ShownObject,
    bindings: Bindings,
  ) => string | undefined)[];
}

export interface ShownObject {
  readonly binding: string;
  /** The body of the last answer to the reads of the object. */
  readonly body: unknown;
}

export interface Probe {
  readonly call: OperationId;
  readonly query?: Query;
}

export type PreflightCheck = (context: Preflight) => Promise<readonly PreflightFinding[]>;

export interface Preflight {
  readonly target: Target;
  /** Calls with a credential that may read every bound object; undefined if there is none. */
  readonly ask: Ask | undefined;
  readonly reader: string | undefined;
  /** Calls with a credential. */
  readonly askAs: (credential: string) => Ask;
  /** Whether the run may make this write. So the check may send a write that changes nothing. */
  readonly mayWrite: (call: OperationId, parameters: Parameters<Ask>[1]) => boolean;
  /** Bindings that reads have confirmed; for the others only writes can tell. */
  readonly proven: Set<string>;
  /** Reports a fact that is not a contradiction, but keeps scenarios from being tried. */
  readonly warn: (message: string) => void;
}

export type Query = Readonly<Record<string, string | number>>;

/** Calls an operation with path parameters; rejects with CouldNotRun. */
export type Ask = (
  call: OperationId,
  parameters: Readonly<Record<string, unknown>>,
  more?: { readonly query?: Query | undefined; readonly body?: unknown },
) => Promise<Answer>;

export interface Restorer {
  /** The state to put back; undefined if it cannot be read, null if the object does not exist. */
  readonly read: (object: TenantObject, ask: Ask) => Promise<unknown>;
  /** From the object of an answer to its state; undefined if the object does not show it. */
  readonly state: (found: JsonObject) => unknown;
  readonly same: (a: unknown, b: unknown) => boolean;
  /** Whether our bodies, or a part of them, could have made this state from `before`. */
  readonly ours: (now: unknown, before: unknown, sent: readonly unknown[]) => boolean;
  /**
   * Whether answers to writes show the new state of the object. If not, a run cannot tell its own
   * changes from the changes of others.
   */
  readonly answersShow: boolean;
  /** The bodies that put a state back, in order. */
  readonly bodies: (object: TenantObject, before: unknown, now: unknown) => readonly JsonObject[];
  /**
   * Puts back an object that no read shows directly, if others have changed the list that shows it
   * indirectly. Returns false if their changes cannot be told apart from the run's. `rest` lets a change
   * show.
   */
  readonly apart?: (
    object: TenantObject,
    before: unknown,
    ask: Ask,
    rest: () => Promise<void>,
  ) => Promise<boolean>;
  /** For a change that shows only some time after its answer. */
  readonly lag?: Lag;
}

export interface Lag {
  /** Whether the object's own state shows a change at once. */
  readonly atOnce: (state: unknown) => boolean;
  /** Reads the part that shows the change late; undefined if it cannot be read. */
  readonly read: (object: TenantObject, ask: Ask) => Promise<unknown>;
  /** The value that it should show for a state. */
  readonly expected: (state: unknown) => unknown;
}
