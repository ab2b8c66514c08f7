// Generated from spec/statement.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly text: string;
        /** @enum {unknown} */
        readonly Level: "documented" | "standard" | "silent";
        /** @description One way to fill a silence. */
        readonly Choice: {
            readonly id: string;
            /** @description The status of the choice, if the silence is about a status. */
            readonly status?: number | undefined;
            readonly text: components["schemas"]["text"];
            /** @description The reason why the mock cannot act on it, unless a profile adds details. */
            readonly inert?: components["schemas"]["text"] | undefined;
            /** @description The pattern of each detail that a profile may add to the choice, such as the name of a header. */
            readonly detail?: components["schemas"]["text"] | undefined;
        };
        /**
         * A statement of statements.yaml
         * @description One thing that the service's description says or leaves open.
         */
        readonly WrittenStatement: {
            /** an id such as DEPL-1 */
            readonly id: string;
            readonly level: components["schemas"]["Level"];
            /** @description Heading of the description that it comes from; `sections` has its line. */
            readonly section: components["schemas"]["text"];
            /**
             * the name of a group or an operation, or a list of them
             * @description Names of groups and operations; without them, the operations whose nodes link to it.
             */
            readonly operations?: string | readonly string[] | undefined;
            /** a sentence with a full stop at its end */
            readonly text: string;
            /** @description The reason why it follows from the description, which does not say it (documented statements only). */
            readonly inferred?: components["schemas"]["text"] | undefined;
            /** @description The reason why no call can show it, except on a tenant that lacks a feature. */
            readonly unobservable?: components["schemas"]["text"] | undefined;
            /** @description The reason why it never makes an answer count as assumed (silent statements only). */
            readonly ungraded?: components["schemas"]["text"] | undefined;
            /** @description Silences about time: the id of the choice that a single observation proves. The others may only have been seen in a lucky moment. */
            readonly conclusive?: components["schemas"]["text"] | undefined;
            /** @description For silent statements: the mock's behaviour unless a choice changes it. */
            readonly assumption?: components["schemas"]["Choice"] | undefined;
            /** @description For silent statements: the other choices that the mock can be switched to. */
            readonly alternatives?: readonly components["schemas"]["Choice"][] | undefined;
            /** @description The source of the assumption, or of the standard's promise. */
            readonly source?: components["schemas"]["text"] | undefined;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type text = components['schemas']['text'];
export type Level = components['schemas']['Level'];
export type Choice = components['schemas']['Choice'];
export type WrittenStatement = components['schemas']['WrittenStatement'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
