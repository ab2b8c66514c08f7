// Generated from conformance/ledger.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly key: string;
        /** @description the seal of a line: HMAC-SHA256 over the target, the run and the line, in hexadecimal, with a key derived from the credential of the run */
        readonly mac: string;
        readonly run: {
            /** @constant */
            readonly kind: "run";
            readonly runId: string;
            readonly baseUrl: string;
            readonly startedAt: string;
            readonly pid: number;
            /** @description start of the process in clock ticks, if the system tells it: a pid alone may be reused */
            readonly born?: string | undefined;
        };
        readonly write: {
            /** @constant */
            readonly kind: "write";
            readonly key: components["schemas"]["key"];
            /** @description for people */
            readonly object: components["schemas"]["key"];
            readonly operation: components["schemas"]["key"];
            readonly method: string;
            readonly path: string;
            /** @description its state before the run's first write to it; null if that could not be read */
            readonly before: unknown;
            /** @description the body of this write */
            readonly sent: unknown;
            /**
             * @description permanent writes are listed by undo and cannot be taken back
             * @enum {unknown}
             */
            readonly effect: "none" | "reversible" | "disruptive" | "permanent";
            readonly mac?: components["schemas"]["mac"] | undefined;
        };
        /** @description the object in the answer to a write; it may differ from the body of the write */
        readonly seen: {
            /** @constant */
            readonly kind: "seen";
            readonly key: components["schemas"]["key"];
            readonly value: unknown;
            readonly mac?: components["schemas"]["mac"] | undefined;
        };
        readonly restored: {
            /** @constant */
            readonly kind: "restored";
            readonly key: components["schemas"]["key"];
            readonly mac?: components["schemas"]["mac"] | undefined;
        };
        /**
         * LedgerLine
         * @description A line of a ledger: the next write of a run on a tenant, so that undo can put it back. A ledger may come from anywhere, so undo follows no line that does not fit.
         */
        readonly LedgerLine: components["schemas"]["run"] | components["schemas"]["write"] | components["schemas"]["seen"] | components["schemas"]["restored"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type key = components['schemas']['key'];
export type mac = components['schemas']['mac'];
export type run = components['schemas']['run'];
export type write = components['schemas']['write'];
export type seen = components['schemas']['seen'];
export type restored = components['schemas']['restored'];
export type LedgerLine = components['schemas']['LedgerLine'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
