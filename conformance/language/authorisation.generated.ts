// Generated from conformance/authorisation.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** the matrix */
        readonly root: {
            readonly actors: {
                readonly [key: string]: {
                    /** @description as in a scenario */
                    readonly as: unknown;
                    /**
                     * true
                     * @constant
                     */
                    readonly elsewhere?: true;
                    /**
                     * http
                     * @constant
                     */
                    readonly over?: "http";
                    /**
                     * true
                     * @constant
                     */
                    readonly mint?: true;
                };
            };
            /** a step */
            readonly mint: {
                readonly [key: string]: unknown;
            };
            readonly silences: {
                readonly [key: string]: {
                    readonly [key: string]: unknown;
                };
            };
            readonly everywhere: components["schemas"]["cells"];
            readonly operations: {
                readonly [key: string]: {
                    readonly needs?: readonly unknown[];
                    readonly let?: {
                        readonly [key: string]: unknown;
                    };
                    readonly letFor?: components["schemas"]["perActor"];
                    readonly as?: {
                        readonly [key: string]: unknown;
                    };
                    /** a list of steps */
                    readonly before?: readonly unknown[];
                    /** the rest of a step */
                    readonly step: {
                        readonly [key: string]: unknown;
                    };
                    readonly require?: components["schemas"]["perActor"];
                    readonly cells: components["schemas"]["cells"];
                };
            };
        };
        /** a mapping of actors */
        readonly perActor: {
            readonly [key: string]: {
                readonly [key: string]: unknown;
            };
        };
        /** a mapping of actors to cells */
        readonly cells: {
            readonly [key: string]: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
