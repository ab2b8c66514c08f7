/** Why a request was refused, as a journal keeps it. */
import type { OperationId, Requires } from '../../spec/contract.ts';

/** A place in a body that does not fit. */
export interface Problem {
  /** JSON pointer; empty for the whole body. */
  readonly at: string;
  readonly message: string;
  /** Of `openapi.yaml`. */
  readonly line?: number | undefined;
}

/** A key of `x-requires`, or `unscoped`: what AUTH-21 assumes of operations without a deployment. */
export type Rule = Exclude<keyof Requires, 'surface' | 'statements'> | 'unscoped';

/** A rule of `x-requires` that said no. */
export interface MissingRight {
  readonly rule: Rule;
  /** What it asks for. */
  readonly needs: string;
  /** What the request had instead; never a secret. */
  readonly has: string;
  /** Names of the world's credentials that every rule would have let through. */
  readonly credentials: readonly string[];
}

/** The operation that a request most likely meant which matched none. */
export interface NearestOperation {
  readonly operation: OperationId;
  readonly method: string;
  /** As the contract has it, with the names of its parameters. */
  readonly path: string;
  readonly misses: readonly Miss[];
}

/** One thing that keeps a request from an operation. */
export interface Miss {
  readonly what: 'method' | 'path' | 'credential' | 'body';
  readonly message: string;
  /** JSON pointer into the body. */
  readonly at?: string | undefined;
}

/** Why a request is refused. */
export interface Reason {
  readonly message: string;
  readonly statement: string;
  /** JSON pointer into the body, or the parameter's name, where one thing is at fault. */
  readonly at?: string | undefined;
  /** Everything about the body that does not fit; the message names the first. */
  readonly problems?: readonly Problem[] | undefined;
  /** The rule of `x-requires` that said no. */
  readonly rule?: Rule | undefined;
}

/** A reason with everything that helps to put the request right. */
export interface Explanation extends Omit<Reason, 'rule'> {
  /** What the statement says; null where a fault or a deviation refused. */
  readonly sentence: string | null;
  /** File and line of the contract, such as `spec/openapi.yaml:1365`; null where there is none. */
  readonly contract: string | null;
  /** The rule of `x-requires` that said no, and who would have been let through. */
  readonly missingRight?: MissingRight | undefined;
  /** Where no operation was matched: the one that was most likely meant. */
  readonly nearest?: NearestOperation | undefined;
}

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** A call that has to be made before: to the control API, or to the service by a credential of the world. */
export interface Precondition {
  readonly method: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Its name; without it the call is one to the control API. */
  readonly credential?: string;
}

/** One change that helps a refused request. */
export type RepairStep =
  | { readonly what: 'credential'; readonly credential: string }
  | { readonly what: 'secure' }
  | { readonly what: 'request'; readonly method: string; readonly target: string }
  /** Null for one that is to be left out. */
  | { readonly what: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  | { readonly what: 'body'; readonly patch: readonly PatchOperation[] }
  | ({ readonly what: 'before' } & Precondition);

/** Changes with which a copy of the world accepted a request that was refused. */
export interface Repair {
  readonly text: string;
  /** None where the world accepts the same request by now. */
  readonly steps: readonly RepairStep[];
  /** What the copy answered. */
  readonly status: number;
}
