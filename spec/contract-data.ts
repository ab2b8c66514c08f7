/** The contract as plain data: what `generate.ts` writes and `contract.ts` reads. */

import type { operations } from './openapi.types.ts';

/** The operations of the contract. */
export type OperationId = keyof operations;
export type Level = 'documented' | 'standard' | 'silent';
export type Surface = 'management' | 'build' | 'scim';
export type CredentialKind = 'apiKey' | 'oauth' | 'embed' | 'scim';
/** What an accepted call does to a tenant. */
export type Effect = 'none' | 'reversible' | 'disruptive' | 'permanent';
export type Schema = { readonly [key: string]: unknown };

/** One way to answer a silence. */
export interface Choice {
  readonly id: string;
  readonly text: string;
  /** Why the mock cannot act on it. */
  readonly inert?: string;
}

/** One thing that the service's description says, or leaves unsaid. */
export interface StatementData {
  readonly id: string;
  readonly level: Level;
  /** Heading of the description that it comes from. */
  readonly section: string;
  readonly operations: readonly string[];
  readonly text: string;
  /** Why no call can show it, but on a tenant that lacks a feature (documented statements only). */
  readonly unobservable?: string;
  /** Why it never makes an answer count as assumed (silent statements only). */
  readonly ungraded?: string;
  /** Silent statements: what the mock does unless told otherwise. */
  readonly assumption?: Choice;
  /** Silent statements: what it can be switched to. */
  readonly alternatives?: readonly Choice[];
  /** Where the assumption, or the standard's promise, comes from. */
  readonly source?: string;
}

/** The authorisation rule of an operation (`x-requires`). */
export interface Requires {
  readonly surface: Surface;
  readonly schemes: readonly ('Bearer' | 'Api-Key')[];
  readonly credentials: readonly CredentialKind[];
  /** Path parameter that the scope of a key is compared with. */
  readonly deployment?: string;
  readonly role?: 'admin';
  readonly permission?: 'AuditLogManage';
  readonly feature?: 'auditLog';
  /** Path parameter of the folder that the caller must be able to edit. */
  readonly edit?: string;
  /** What a refusal by each rule rests on. */
  readonly statements?: {
    readonly permission?: string;
    readonly feature?: string;
    readonly edit?: string;
    readonly role?: Readonly<Partial<Record<CredentialKind, string>>>;
  };
}

/** What holds for all paths of one API (`x-surfaces`). */
export interface SurfaceData {
  /** Path below which its operations stand. */
  readonly prefix: string;
  readonly schemes: Requires['schemes'];
  readonly credentials: Requires['credentials'];
}

/** What scenarios share in a tenant: one that writes an area has it for itself (`x-lock`). */
export interface Lock {
  readonly reads?: string;
  readonly writes?: string;
}

/** Where the items of a paged list stand in its answer, and what they are told apart by (`x-items`). */
export interface Items {
  /** JSON pointer. */
  readonly at: string;
  readonly key: string;
}

/** What a write changes (`x-object`). */
export interface ObjectName {
  /** For people: `folder {folderId} of deployment {deploymentId}`; `{a|b}` is the first that is given. */
  readonly text: string;
  /** The fields of the body among those names. Path parameters always name the object. */
  readonly fields: readonly string[];
}

/** How the object of a write is read, and put back by the same operation (`x-restore`). */
export interface Restore {
  /** The call that shows the object; its path takes the parameters of the write. */
  readonly read: { readonly call: OperationId; readonly body?: Schema };
  /**
   * Fields of the object in the answer, and what each of them is: a value, or `{name}` of a
   * parameter or body field of the write. One that is given and equal is enough.
   */
  readonly find: Readonly<Record<string, unknown>>;
  /** Fields of the body that puts the object back, and the field of the object that each takes. */
  readonly put: Readonly<Record<string, string>>;
}

/** People who may be reached when a call is accepted (`x-people`). */
export interface People {
  /** Field of the body: the list of them. */
  readonly list: string;
  /** Fields of an item that each say who it is. */
  readonly keys: readonly string[];
  /** Field of an item without which its keys say nothing certain. */
  readonly within?: string;
  /** Binding of the tenant file that holds those who agreed to it. */
  readonly binding: string;
}

export interface ParameterData {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
  readonly statements: readonly string[];
}

export interface HeaderData {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly statements: readonly string[];
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
  readonly parameters: readonly ParameterData[];
  readonly body: { readonly required: boolean; readonly schema: string } | null;
  /** By status: exact (`200`), class (`4XX`). */
  readonly responses: Readonly<Record<string, ResponseData>>;
  readonly lines: OperationLines;
}

export interface ContractData {
  readonly version: string;
  /** Digests of the two files that the data was made from. */
  readonly sha256: { readonly openapi: string; readonly statements: string };
  readonly statements: readonly StatementData[];
  /**
   * The statuses that the description leaves open: for each silent statement about a status, what
   * each of its choices answers; 0 where a choice refuses nothing.
   */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Statements that code asks for by name. */
  readonly names: Readonly<Record<string, string>>;
  /** Choices that `--strict` makes, by silent statement. */
  readonly strict: Readonly<Record<string, string>>;
  readonly surfaces: Readonly<Record<Surface, SurfaceData>>;
  readonly operations: readonly OperationData[];
  /** Dereferenced schemas by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
}
