// Generated from spec/operation.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {unknown} */
        readonly Surface: "management" | "build" | "scim";
        /** @enum {unknown} */
        readonly CredentialKind: "apiKey" | "oauth" | "embed" | "scim";
        /** @description The authorisation rule of an operation (`x-requires`). */
        readonly Requires: {
            readonly surface: components["schemas"]["Surface"];
            readonly schemes: readonly ("Bearer" | "Api-Key")[];
            readonly credentials: readonly components["schemas"]["CredentialKind"][];
            /** @description Path parameter that the scope of a key is compared with. */
            readonly deployment?: string | undefined;
            /** @constant */
            readonly role?: "admin" | undefined;
            /** @constant */
            readonly permission?: "AuditLogManage" | undefined;
            /** @constant */
            readonly feature?: "auditLog" | undefined;
            /** @description Path parameter of the folder that the caller must be able to edit. */
            readonly edit?: string | undefined;
            /** @description What a refusal by each rule rests on. */
            readonly statements?: {
                readonly permission?: string | undefined;
                readonly feature?: string | undefined;
                readonly edit?: string | undefined;
                readonly role?: {
                    readonly [key: string]: string;
                };
            };
        };
        /**
         * @description What an accepted call does to a tenant.
         * @enum {unknown}
         */
        readonly Effect: "none" | "reversible" | "disruptive" | "permanent";
        /** @description What scenarios share in a tenant: one that writes an area has it for itself (`x-lock`). */
        readonly Lock: {
            readonly reads?: string | undefined;
            readonly writes?: string | undefined;
        };
        /** @description Where the items of a paged list stand in its answer, and what they are told apart by (`x-items`). */
        readonly Items: {
            /** @description JSON pointer. */
            readonly at: string;
            readonly key: string;
        };
        /** @description People who may be reached when a call is accepted (`x-people`). */
        readonly People: {
            /** @description Field of the body: the list of them. */
            readonly list: string;
            /** @description Fields of an item that each say who it is. */
            readonly keys: readonly string[];
            /** @description Field of an item without which its keys say nothing certain. */
            readonly within?: string | undefined;
            /** @description Binding of the tenant file that holds those who agreed to it. */
            readonly binding: string;
        };
        /** @description How the object of a write is read, and put back by the same operation (`x-restore`). */
        readonly Restore: {
            /** @description The call that shows the object; its path takes the parameters of the write. */
            readonly read: {
                readonly call: string;
                readonly body?: Record<string, unknown> | undefined;
            };
            /** @description Fields of the object in the answer, and what each of them is: a value, or `{name}` of a parameter or body field of the write. One that is given and equal is enough. */
            readonly find: Record<string, unknown>;
            /** @description Fields of the body that puts the object back, and the field of the object that each takes. */
            readonly put: {
                readonly [key: string]: string;
            };
            /** @description By field of the body: the statement that promises that the object takes what is sent. A put-back that does not take breaks it. */
            readonly promises?: {
                readonly [key: string]: string;
            };
        };
        /** What an operation of openapi.yaml says in extensions */
        readonly WrittenOperation: {
            readonly operationId: string;
            readonly "x-statements"?: readonly string[] | undefined;
            readonly "x-area": string;
            readonly "x-requires": components["schemas"]["Requires"];
            readonly "x-effect": components["schemas"]["Effect"];
            /** the id of a statement, or none */
            readonly "x-success": string;
            readonly "x-lock"?: components["schemas"]["Lock"] | undefined;
            readonly "x-idempotent"?: boolean | undefined;
            readonly "x-items"?: components["schemas"]["Items"] | undefined;
            readonly "x-object"?: string | undefined;
            /** { read, find, put }, or none where nothing is left to put back */
            readonly "x-restore"?: "none" | components["schemas"]["Restore"] | undefined;
            readonly "x-people"?: components["schemas"]["People"] | undefined;
            /** @constant */
            readonly "x-secret"?: true | undefined;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Surface = components['schemas']['Surface'];
export type CredentialKind = components['schemas']['CredentialKind'];
export type Requires = components['schemas']['Requires'];
export type Effect = components['schemas']['Effect'];
export type Lock = components['schemas']['Lock'];
export type Items = components['schemas']['Items'];
export type People = components['schemas']['People'];
export type Restore = components['schemas']['Restore'];
export type WrittenOperation = components['schemas']['WrittenOperation'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
