/** The explanation of a refusal in the journal. */
import type { OperationId, Requires } from '../../spec/contract.ts';

/** A place in a body that does not fit its schema. */
export interface Problem {
  /** JSON pointer; empty for the whole body. */
  readonly at: string;
  readonly message: string;
  /** The line in `openapi.yaml`. */
  readonly line?: number | undefined;
}

/** A key of `x-requires`, or `unscoped`: the rule that AUTH-21 assumes for operations without a deployment. */
export type Rule = Exclude<keyof Requires, 'surface' | 'statements'> | 'unscoped';

/** A rule of `x-requires` that refused the request. */
export interface MissingRight {
  readonly rule: Rule;
  readonly needs: string;
  /** The right that the request had instead; never a secret. */
  readonly has: string;
  /** Names of the world's credentials that pass every rule. */
  readonly credentials: readonly string[];
}

/** The most likely intended operation of a request that matched none. */
export interface NearestOperation {
  readonly operation: OperationId;
  readonly method: string;
  /** The contract's path, with the names of its parameters. */
  readonly path: string;
  readonly misses: readonly Miss[];
}

/** One reason why a request does not match an operation. */
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
  /** JSON pointer into the body, or the parameter's name, if a single one is at fault. */
  readonly at?: string | undefined;
  /** All places of the body that do not fit; the message names the first. */
  readonly problems?: readonly Problem[] | undefined;
  /** The rule of `x-requires` that refused. */
  readonly rule?: Rule | undefined;
}

/** A reason, with everything that helps to repair the request. */
export interface Explanation extends Omit<Reason, 'rule'> {
  /** The text of the statement; null if a fault or a deviation refused. */
  readonly sentence: string | null;
  /** File and line of the contract, such as `spec/openapi.yaml:1365`; null if there is none. */
  readonly contract: string | null;
  /** The rule of `x-requires` that refused, and the credentials that pass it. */
  readonly missingRight?: MissingRight | undefined;
  /** The operation that was most likely meant, if none matched. */
  readonly nearest?: NearestOperation | undefined;
}

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/** A call that must be made first: to the control API, or to the service with a credential of the world. */
export interface Precondition {
  readonly method: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Name of the credential; without it the call goes to the control API. */
  readonly credential?: string;
}

/** One change that helps a refused request. */
export type RepairStep =
  | { readonly what: 'credential'; readonly credential: string }
  | { readonly what: 'secure' }
  | { readonly what: 'request'; readonly method: string; readonly target: string }
  /** Null for a header to leave out. */
  | { readonly what: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  | { readonly what: 'body'; readonly patch: readonly PatchOperation[] }
  | ({ readonly what: 'before' } & Precondition);

/** Changes with which a copy of the world accepted a request that was refused. */
export interface Repair {
  readonly text: string;
  /** Empty if the world now accepts the same request. */
  readonly steps: readonly RepairStep[];
  /** The status that the copy answered. */
  readonly status: number;
}
