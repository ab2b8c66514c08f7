/** The contract as plain data: what `generate.ts` writes and `contract.ts` reads. */

import type { operations } from './openapi.types.ts';
import type {
  CredentialKind,
  Effect,
  Items,
  Lock,
  People,
  Requires,
  Surface,
  Restore as WrittenRestore,
} from './operation.generated.ts';
import type { Level, Choice as WrittenChoice, WrittenStatement } from './statement.generated.ts';

export type { CredentialKind, Effect, Items, Level, Lock, People, Requires, Surface };

/** The operations of the contract. */
export type OperationId = keyof operations;
export type Schema = { readonly [key: string]: unknown };

/** One way to answer a silence. */
export type Choice = Omit<WrittenChoice, 'status'>;

/** One thing that the service's description says, or leaves unsaid. */
export interface Statement
  extends Omit<WrittenStatement, 'operations' | 'assumption' | 'alternatives'> {
  readonly operations: readonly string[];
  /** Line of the description that has the heading which `section` names. */
  readonly line: number;
  /** Silent statements: what the mock does unless told otherwise. */
  readonly assumption?: Choice | undefined;
  /** Silent statements: what it can be switched to. */
  readonly alternatives?: readonly Choice[] | undefined;
}

/** What holds for all paths of one API (`x-surfaces`). */
export interface SurfaceData {
  /** Path below which its operations stand. */
  readonly prefix: string;
  readonly schemes: Requires['schemes'];
  readonly credentials: Requires['credentials'];
  /** Fields of an answer whose names differ in the case of their letters alone are the same. */
  readonly foldsNames?: true;
}

/** What a write changes (`x-object`). */
export interface ObjectName {
  /** For people: `folder {folderId} of deployment {deploymentId}`; `{a|b}` is the first that is given. */
  readonly text: string;
  /** The fields of the body among those names. Path parameters always name the object. */
  readonly fields: readonly string[];
}

/** How the object of a write is read, and put back by the same operation (`x-restore`). */
export interface Restore extends Omit<WrittenRestore, 'read'> {
  /** The call that shows the object; its path takes the parameters of the write. */
  readonly read: { readonly call: OperationId; readonly body?: Schema };
}

export interface HeaderData {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly statements: readonly string[];
}

export interface Parameter extends HeaderData {
  readonly in: 'path' | 'query';
  readonly example?: unknown;
}

export interface ResponseData {
  readonly mediaType: string | null;
  /** Key into `schemas`. */
  readonly schema: string | null;
  readonly statements: readonly string[];
  readonly headers: readonly HeaderData[];
}

/** Lines of `openapi.yaml`, from 1. */
export interface OperationLines {
  readonly operation: number;
  readonly requires: number;
  readonly parameters: Readonly<Record<string, number>>;
  /** By JSON pointer into the schema of the body, keywords included. */
  readonly body: Readonly<Record<string, number>>;
  /** The place that links the operation to a statement. */
  readonly statements: Readonly<Record<string, number>>;
}

export interface OperationData {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly requires: Requires;
  readonly effect: Effect;
  /** The folder of the operation under `areas/` (`x-area`). */
  readonly area: string;
  /** The statement whose check sees that the operation succeeds (`x-success`). */
  readonly success?: string | undefined;
  readonly lock?: Lock | undefined;
  /** The same call again changes nothing more: all reads, and the writes that say so (`x-idempotent`). */
  readonly idempotent: boolean;
  readonly items?: Items | undefined;
  /** Of every write. */
  readonly object?: ObjectName | undefined;
  /** Absent for reads, and for writes that leave nothing that could be put back. */
  readonly restore?: Restore | undefined;
  readonly people?: People | undefined;
  /** The answer holds secrets, such as a minted token (`x-secret`). */
  readonly secret: boolean;
  /** Every statement that the operation's nodes link to, shared ones included. */
  readonly statements: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: {
    readonly required: boolean;
    readonly schema: string;
    /** Those of the document: an operation that takes a body has one at least. */
    readonly examples: readonly unknown[];
  } | null;
  /** By status: exact (`200`), class (`4XX`). */
  readonly responses: Readonly<Record<string, ResponseData>>;
  readonly lines: OperationLines;
}

export interface ContractData {
  readonly version: string;
  /** Digests of the two files that the data was made from. */
  readonly sha256: { readonly openapi: string; readonly statements: string };
  readonly statements: readonly Statement[];
  /**
   * The statuses that the description leaves open: for each silent statement about a status, what
   * each of its choices answers; 0 where a choice refuses nothing.
   */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What the letters before the number of a statement's id stand for. */
  readonly areas: Readonly<Record<string, string>>;
  /** Statements that code asks for by name. */
  readonly names: Readonly<Record<string, string>>;
  /** Choices that `--strict` makes, by silent statement. */
  readonly strict: Readonly<Record<string, string>>;
  /** What known clients send and the description does not know: `--strict` refuses none of it. */
  readonly clientsSend: readonly string[];
  readonly surfaces: Readonly<Record<Surface, SurfaceData>>;
  readonly operations: readonly OperationData[];
  /** Dereferenced schemas by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
}
