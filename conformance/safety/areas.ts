/** What safety must be told of the areas, beyond what the contract says of their operations. */

import type { OperationId } from '../../spec/contract.ts';
import type { PreflightFinding } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import type { Target } from '../target/target.ts';
import type { Restorer } from './restorer.ts';

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
}

type Query = Readonly<Record<string, string | number>>;

/** Calls an operation with path parameters; rejects with CouldNotRun. */
export type Ask = (
  call: OperationId,
  parameters: Readonly<Record<string, unknown>>,
  more?: { readonly query?: Query; readonly body?: unknown },
) => Promise<Answer>;
