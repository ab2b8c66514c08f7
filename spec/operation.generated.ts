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
            /** @description Path parameter that is compared with the scope of a key. */
            readonly deployment?: string | undefined;
            /** @constant */
            readonly role?: "admin" | undefined;
            /** @constant */
            readonly permission?: "AuditLogManage" | undefined;
            /** @constant */
            readonly feature?: "auditLog" | undefined;
            /** @description Path parameter of the folder that the caller must be able to edit. */
            readonly edit?: string | undefined;
            /** @description The statement about a refusal by each rule. */
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
         * @description The effect of an accepted call on a tenant.
         * @enum {unknown}
         */
        readonly Effect: "none" | "reversible" | "disruptive" | "permanent";
        /** @description The areas of a tenant that scenarios share: a scenario that writes an area locks it (`x-lock`). */
        readonly Lock: {
            readonly reads?: string | undefined;
            readonly writes?: string | undefined;
        };
        /** @description The place of the items of a paged list in its answer, and the key that tells them apart (`x-items`). */
        readonly Items: {
            /** @description JSON pointer. */
            readonly at: string;
            readonly key: string;
        };
        /** @description People whom an accepted call may reach (`x-people`). */
        readonly People: {
            /** @description Field of the body with the list of people. */
            readonly list: string;
            /** @description Fields of an item, each of which identifies the person. */
            readonly keys: readonly string[];
            /** @description Field of an item that its keys need to identify the person. */
            readonly within?: string | undefined;
            /** @description Binding of the tenant file with the people who agreed. */
            readonly binding: string;
        };
        /** @description The way to read the object of a write, and to put it back by the same operation (`x-restore`). */
        readonly Restore: {
            /** @description The call that shows the object; its path takes the parameters of the write. */
            readonly read: {
                readonly call: string;
                readonly body?: Record<string, unknown> | undefined;
            };
            /** @description Fields of the object in the answer, and the value of each: a value, or `{name}` of a parameter or body field of the write. One equal field is enough. */
            readonly find: Record<string, unknown>;
            /** @description Fields of the body that puts the object back, each with the field of the object for it. */
            readonly put: {
                readonly [key: string]: string;
            };
            /** @description The field of `put` that can carry the mark of a run: a name that anybody may choose. */
            readonly mark?: string | undefined;
            /** @description For each field of the body: the statement that promises that the object takes the sent value. A put-back without effect breaks it. */
            readonly promises?: {
                readonly [key: string]: string;
            };
        };
        /** The extensions of an operation in openapi.yaml */
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
            /** { read, find, put }, or none if nothing is left to put back */
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
