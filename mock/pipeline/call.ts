/**
 * The input and the answers of a handler, typed from the contract. `reply` takes the statuses that the
 * contract declares for the operation, with their bodies. A status that the contract leaves open is
 * named by its silent statement, and comes from `statements.yaml`.
 */
import {
  named,
  type Operation,
  type OperationId,
  type operations,
  type StatusStatement,
} from '../../spec/contract.ts';
import { type Requested, requestedBy } from '../world/requested.ts';
import type { World } from '../world/world.ts';
import type { Basis } from './basis.ts';
import type { Caller } from './credential.ts';
import { type Refusal, type Reply, refusal } from './exchange.ts';
import { readQuery } from './request-line.ts';

type Responses<K extends OperationId> = operations[K]['responses'];
/** Statuses that the contract declares exactly. */
export type DeclaredStatus<K extends OperationId> = Extract<keyof Responses<K>, number>;
type SuccessStatus<K extends OperationId> = Extract<DeclaredStatus<K>, 200 | 201 | 202 | 204>;
type RefusalStatus<K extends OperationId> = Exclude<DeclaredStatus<K>, 200 | 201 | 202 | 204>;
export type BodyOf<K extends OperationId, S extends DeclaredStatus<K>> = Responses<K>[S] extends {
  content: infer C;
}
  ? C[keyof C]
  : undefined;

type ParametersOf<K extends OperationId> = operations[K]['parameters'];
export type PathOf<K extends OperationId> =
  ParametersOf<K> extends { path: infer P } ? P : Record<never, never>;
export type QueryOf<K extends OperationId> =
  ParametersOf<K> extends { query?: infer Q } ? NonNullable<Q> : Record<never, never>;
export type InputOf<K extends OperationId> = operations[K] extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? B
  : undefined;

const NOTHING: ReadonlyMap<string, readonly string[]> = new Map();

/** One request for an operation, with everything that a handler may use. */
export class Call<K extends OperationId = OperationId> {
  readonly operation: Operation & { readonly id: K };
  readonly world: World;
  readonly caller: Caller;
  readonly path: PathOf<K>;
  /** Names of path parameters whose text does not have their type. */
  readonly badPath: readonly string[];
  /** The ids that the access rules of the operation use. */
  readonly requested: Requested;
  readonly query: Partial<QueryOf<K>>;
  /** The undecoded query, for parameters that the contract does not know. */
  readonly rawQuery: string;
  readonly sentQuery: ReadonlyMap<string, readonly string[]>;
  /** Parameters that the contract does not know and the operation still reads. */
  readonly alsoReads: readonly string[];
  basis: Basis;
  /** The body, once it has been validated. */
  input: InputOf<K>;
  /** Parts of the request that the description does not know and the mock ignored. */
  passedOver: readonly string[] = [];

  constructor(parts: {
    operation: Operation;
    caller: Caller;
    path: unknown;
    badPath?: readonly string[] | undefined;
    rawQuery: string;
    alsoReads?: readonly string[] | undefined;
    basis: Basis;
  }) {
    this.operation = parts.operation as Operation & { readonly id: K };
    this.world = parts.basis.world;
    this.caller = parts.caller;
    this.path = parts.path as PathOf<K>;
    this.badPath = parts.badPath ?? [];
    this.requested = requestedBy(
      parts.operation.requires,
      parts.path as Readonly<Record<string, string | number>>,
    );
    this.query = {};
    this.rawQuery = parts.rawQuery;
    this.sentQuery = parts.rawQuery === '' ? NOTHING : readQuery(parts.rawQuery);
    this.alsoReads = parts.alsoReads ?? [];
    this.basis = parts.basis;
    this.input = undefined as InputOf<K>;
  }

  /** Records that a cell of a machine's table was entered. */
  enter(cell: string): void {
    this.world.entered.add(cell);
  }

  /** Appends an action of the caller to the audit log. */
  audit(name: string, deploymentId: string, details: string): void {
    this.world.audit({ name, userEmail: this.caller.user?.email ?? '', deploymentId, details });
  }

  assume(statement: string): string {
    return this.basis.assume(statement);
  }

  choice(statement: string): string {
    return this.basis.choice(statement);
  }

  /** The details that a profile adds to the choice. */
  details(statement: string): readonly string[] {
    return this.basis.details(statement);
  }

  /** An answer with a status that the contract declares. */
  reply<S extends SuccessStatus<K>>(status: S, body: BodyOf<K, S>): Reply {
    return { status, body };
  }

  /** An answer whose status a silent statement decides. */
  replyAssumed(statement: StatusStatement, body: unknown): Reply {
    return { status: this.basis.status(statement), body };
  }

  /** A refusal with a status that the contract declares. */
  refuse(status: RefusalStatus<K>, statement: string, message: string, at?: string): Refusal {
    return refusal(status, statement, message, at);
  }

  /** A refusal whose status a silent statement decides. */
  refuseAssumed(statement: StatusStatement, message: string, at?: string): Refusal {
    return this.basis.refuse(statement, message, at);
  }

  /** Refuses a query parameter with an invalid value; undefined if the value is ignored. */
  invalidParameter(name: string, message: string): Refusal | undefined {
    const statement = named.invalidParameter;
    if (this.assume(statement) !== 'default') return this.refuseAssumed(statement, message, name);
    delete (this.query as Record<string, unknown>)[name];
    return undefined;
  }

  /**
   * Refuses a path identifier that is not a number, if the choice at the silence about it is one of these.
   */
  refuseText(parameter: string, ...choices: readonly string[]): Refusal | undefined {
    const text = String((this.path as Readonly<Record<string, unknown>>)[parameter]);
    if (/^\d+$/.test(text)) return undefined;
    const statement = named.malformedPath;
    if (!choices.includes(this.assume(statement))) return undefined;
    const message = `${parameter} in the path must be an integer, not ${JSON.stringify(text)}`;
    return this.refuseAssumed(statement, message, parameter);
  }

  /**
   * Refuses an invalid body. If another silence decides whether it is refused, the refusal names
   * that silence, and a profile may add a status to its choice.
   */
  invalidBody(message: string, at?: string, silence?: string): Refusal {
    const refused = this.refuseAssumed(named.invalidBody, message, at);
    if (silence === undefined) return refused;
    const [status = refused.status] = this.details(silence).map(Number);
    return { ...refused, status, statement: silence };
  }
}
