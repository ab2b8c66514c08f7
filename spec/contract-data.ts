/** The contract as plain data: `generate.ts` writes it and `contract.ts` reads it. */

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

export type OperationId = keyof operations;
export type Schema = { readonly [key: string]: unknown };

/** One way to fill a silence. */
export type Choice = Omit<WrittenChoice, 'status'>;

/** One thing that the service's description says or leaves open. */
export interface Statement
  extends Omit<WrittenStatement, 'operations' | 'assumption' | 'alternatives'> {
  readonly operations: readonly string[];
  /** Line of the description with the heading that `section` names. */
  readonly line: number;
  /** For silent statements: the mock's behaviour unless a choice changes it. */
  readonly assumption?: Choice | undefined;
  /** For silent statements: the other choices that the mock can be switched to. */
  readonly alternatives?: readonly Choice[] | undefined;
}

/** The facts about all paths of one API (`x-surfaces`). */
export interface SurfaceData {
  /** The beginning of the paths of its operations. */
  readonly prefix: string;
  readonly schemes: Requires['schemes'];
  readonly credentials: Requires['credentials'];
  /** Field names in answers are compared without case. */
  readonly foldsNames?: true;
}

/** The object of a write (`x-object`). */
export interface ObjectName {
  /** For people: `folder {folderId} of deployment {deploymentId}`; `{a|b}` is the first given name. */
  readonly text: string;
  /** The fields of the body among those names. Path parameters always name the object. */
  readonly fields: readonly string[];
}

/** How the same operation reads and puts back the object of a write (`x-restore`). */
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
  /** By JSON pointer into the schema of the body, with the keywords. */
  readonly body: Readonly<Record<string, number>>;
  /** The line that links the operation to a statement. */
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
  /** The statement whose check shows that the operation succeeds (`x-success`). */
  readonly success?: string | undefined;
  readonly lock?: Lock | undefined;
  /** The same call again changes nothing more: all reads, and writes with `x-idempotent`. */
  readonly idempotent: boolean;
  readonly items?: Items | undefined;
  /** Every write has this. */
  readonly object?: ObjectName | undefined;
  /** Absent for reads, and for writes without anything to put back. */
  readonly restore?: Restore | undefined;
  readonly people?: People | undefined;
  /** The answer holds secrets, such as a minted token (`x-secret`). */
  readonly secret: boolean;
  /** Every statement that the operation's nodes link to, also the shared ones. */
  readonly statements: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: {
    readonly required: boolean;
    readonly schema: string;
    /** The examples of the document. An operation with a body has at least one. */
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
   * The statuses that the description leaves open: for each silent statement about a status, the status of
   * each of its choices; 0 if a choice refuses nothing.
   */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The meaning of the letters before the number of a statement's id. */
  readonly areas: Readonly<Record<string, string>>;
  /** Statements that code asks for by name. */
  readonly names: Readonly<Record<string, string>>;
  /** Choices that `--strict` makes, by silent statement. */
  readonly strict: Readonly<Record<string, string>>;
  /** Names that known clients send and the description does not have: `--strict` accepts them. */
  readonly clientsSend: readonly string[];
  readonly surfaces: Readonly<Record<Surface, SurfaceData>>;
  readonly operations: readonly OperationData[];
  /** Dereferenced schemas by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
}
