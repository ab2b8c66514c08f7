/** What safety must be told of the areas, beyond what the contract says of their operations. */

import type { JsonObject } from '../../spec/base/json.ts';
import type { OperationId } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import type { TenantObject } from '../target/call.ts';
import type { Target } from '../target/target.ts';

export interface SafetyFacts {
  /** By the operation that writes: where its object is not read or put back as the contract says. */
  readonly restore: Partial<Record<OperationId, Partial<Restorer>>>;
  /** Reads that are open to every working credential of a kind that the operation takes. */
  readonly probes: readonly Probe[];
  /** Whether what a tenant file says is so. */
  readonly checks: readonly PreflightCheck[];
}

export interface Probe {
  readonly call: OperationId;
  readonly query?: Query;
}

export type PreflightCheck = (context: Preflight) => Promise<readonly PreflightFinding[]>;

export interface Preflight {
  readonly target: Target;
  /** Calls as somebody who may read all that is bound; undefined where there is nobody. */
  readonly ask: Ask | undefined;
  readonly reader: string | undefined;
  /** Calls as a credential. */
  readonly askAs: (credential: string) => Ask;
  /** Whether the run may write this, so that a write that only reads may be sent. */
  readonly mayWrite: (call: OperationId, parameters: Parameters<Ask>[1]) => boolean;
  /** Bindings of which reads tell that they are what the tenant file says; the others writes must tell. */
  readonly proven: Set<string>;
}

type Query = Readonly<Record<string, string | number>>;

/** Calls an operation with path parameters; rejects with CouldNotRun. */
export type Ask = (
  call: OperationId,
  parameters: Readonly<Record<string, unknown>>,
  more?: { readonly query?: Query | undefined; readonly body?: unknown },
) => Promise<Answer>;

export interface Restorer {
  /** The state to put back; undefined where it cannot be read, null where there is no such object. */
  readonly read: (object: TenantObject, ask: Ask) => Promise<unknown>;
  /** From the object of an answer to its state; undefined where the object does not show it. */
  readonly state: (found: JsonObject) => unknown;
  readonly same: (a: unknown, b: unknown) => boolean;
  /** Whether a state is what our bodies (in any part) would have made of `before`. */
  readonly ours: (now: unknown, before: unknown, sent: readonly unknown[]) => boolean;
  /**
   * Whether the answers to writes show what became of the object. Where they do not, a run cannot
   * tell what it did itself from what others did.
   */
  readonly answersShow: boolean;
  /** Bodies that put a state back, in order. */
  readonly bodies: (object: TenantObject, before: unknown, now: unknown) => readonly JsonObject[];
  /**
   * Puts back an object that nothing shows by itself, where what it is seen by was moved by others
   * as well; false where it cannot be told from theirs. `rest` lets a change show.
   */
  readonly apart?: (
    object: TenantObject,
    before: unknown,
    ask: Ask,
    rest: () => Promise<void>,
  ) => Promise<boolean>;
  /** Where a change goes on to show after it was answered. */
  readonly lag?: Lag;
}

export interface Lag {
  /** Whether the object's own state shows a change at once. */
  readonly atOnce: (state: unknown) => boolean;
  /** What shows it in time; undefined where that cannot be read. */
  readonly read: (object: TenantObject, ask: Ask) => Promise<unknown>;
  /** What it shows in a state. */
  readonly expected: (state: unknown) => unknown;
}
