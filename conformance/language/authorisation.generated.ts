// Generated from conformance/authorisation.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** a mapping of actors */
        readonly perActor: {
            readonly [key: string]: Record<string, unknown>;
        };
        /** a mapping of actors to cells */
        readonly cells: {
            readonly [key: string]: string;
        };
        /** the matrix */
        readonly MatrixText: {
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
                    /**
                     * true
                     * @constant
                     */
                    readonly extra?: true;
                };
            };
            /** a step */
            readonly mint: Record<string, unknown>;
            readonly silences: {
                readonly [key: string]: Record<string, unknown>;
            };
            readonly everywhere: components["schemas"]["cells"];
            readonly operations: {
                readonly [key: string]: {
                    readonly needs?: readonly unknown[];
                    readonly let?: Record<string, unknown>;
                    readonly letFor?: components["schemas"]["perActor"];
                    readonly as?: Record<string, unknown>;
                    /** a list of steps */
                    readonly before?: readonly unknown[];
                    /** the rest of a step */
                    readonly step: Record<string, unknown>;
                    readonly require?: components["schemas"]["perActor"];
                    readonly cells: components["schemas"]["cells"];
                };
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type perActor = components['schemas']['perActor'];
export type cells = components['schemas']['cells'];
export type MatrixText = components['schemas']['MatrixText'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
