// Generated from conformance/gate.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Known problems of a target */
        readonly Baseline: {
            /** a list of problems, or [] */
            readonly problems: readonly components["schemas"]["BaselineEntry"][];
        };
        /** @description One check that is known to fail. */
        readonly BaselineEntry: {
            /** the id of a statement */
            readonly statement: string;
            /** the title of a scenario */
            readonly scenario?: string;
            /** the id of a step */
            readonly step?: string;
            readonly check?: components["schemas"]["Which"];
            readonly verdict: components["schemas"]["FailedVerdict"];
            /** @description The first day on which it failed. */
            readonly since: components["schemas"]["date"];
            /** @description The last day on which the entry excuses the failure. */
            readonly until?: components["schemas"]["date"];
            /**
             * one line of text
             * @description The reason why it is accepted. Without one the entry is shown as unreviewed.
             */
            readonly reason?: string | null;
        };
        /**
         * a number, contract or standing
         * @description The number of the check if a step has several checks of a statement. `contract`: the comparison with the contract's schema. `standing`: a promise that holds for every answer.
         */
        readonly Which: number | ("contract" | "standing");
        /**
         * @description The last two are gaps, which fail under --complete, and the first of them if an earlier night tried the statement.
         * @enum {unknown}
         */
        readonly FailedVerdict: "violated" | "deviates" | "unstable" | "not-testable" | "verified-in-part";
        /** @description A check, and the known facts about it. */
        readonly Finding: {
            readonly statement: string;
            readonly scenario?: string;
            readonly step?: string;
            readonly check?: components["schemas"]["Which"];
            readonly verdict: components["schemas"]["FailedVerdict"];
            readonly since: components["schemas"]["date"];
            readonly until?: components["schemas"]["date"];
            /** @description Of the baseline. */
            readonly reason?: string | null;
            /**
             * @description Of a known problem: whether it failed, held, or was not tried.
             * @enum {unknown}
             */
            readonly tonight?: "failed" | "held" | "untried";
            /** @description A further warning: an excuse ran out, or the failure got worse. */
            readonly note?: string;
            /** @description Why, in a line. */
            readonly detail?: string;
            /** @description The calls by hand, one a line, with variables for secrets: the writes that the failure may depend on, then its call. */
            readonly curl?: string;
        };
        readonly ReachedClient: {
            readonly name: string;
            /**
             * @description `relies`: tests fail without it. `meets`: tests meet it, but none would notice. `not`: no test relies on it. `unknown`: not all of it was tried.
             * @enum {unknown}
             */
            readonly how: "relies" | "meets" | "not" | "unknown";
            /** @description The tests that rely on it. */
            readonly tests: components["schemas"]["texts"];
            /** @description The tests of them that failed under the deviation that the run looks like. Absent if it looks like none that was tried. */
            readonly failing?: components["schemas"]["texts"];
        };
        readonly NightHead: {
            readonly startedAt: string;
            /** @description Nights of one target are compared; all targets on this machine count as one. */
            readonly target: string;
            /** @enum {unknown} */
            readonly exitCode: 0 | 1 | 2 | 3 | 4 | 5;
            readonly headline: string;
            readonly runId?: string;
            readonly durationMs?: number;
            readonly requests?: components["schemas"]["count"];
            readonly allow?: string;
            /** @description Version of Lockstep and digests of contract and scenarios, shortened. */
            readonly suite?: string;
        };
        /** @description One file of the history, its lines combined; later nights are compared with it. */
        readonly Night: {
            readonly night: components["schemas"]["NightHead"];
            /** @description By verdict, the statements with that verdict. */
            readonly verdicts: {
                readonly [key: string]: components["schemas"]["texts"];
            };
            readonly failures: readonly {
                /** @description Statement, scenario, step and check. */
                readonly key: string;
                readonly verdict: components["schemas"]["FailedVerdict"];
                /** @constant */
                readonly news?: true;
            }[];
            /** @description By scenario that ran, the milliseconds of one try. */
            readonly scenarios: components["schemas"]["numbers"];
            /** @description Scenarios with a need that the tenant file does not have or allow. */
            readonly skipped: components["schemas"]["texts"];
            /** @description By credential, the operations that it opened. Version 0.1 wrote it; nothing reads it. */
            readonly opened?: {
                readonly [key: string]: components["schemas"]["texts"];
            };
            /** @description By silence and answer, digests of the places that saw it. */
            readonly silences: {
                readonly [key: string]: {
                    readonly [key: string]: components["schemas"]["texts"];
                };
            };
            /** @description By operation: median and 95th percentile in milliseconds. */
            readonly latency: {
                readonly [key: string]: readonly number[];
            };
            /** @description The milliseconds that each change took to show. */
            readonly convergence: components["schemas"]["numbers"];
        };
        /** a date such as 2026-12-31 */
        readonly date: string;
        readonly numbers: {
            readonly [key: string]: number;
        };
        readonly count: number;
        readonly texts: readonly string[];
        /**
         * What a night came to
         * @description The file gate.json, which `lockstep gate` writes. The definitions `Baseline` and `Night` are the files of known problems and of the history. `npm run generate` makes the types.
         */
        readonly Gate: {
            /** @constant */
            readonly schemaVersion: 1;
            readonly night: components["schemas"]["NightHead"];
            /** @description Checks that fail the night: the baseline does not have them, or no longer excuses them. */
            readonly news: readonly components["schemas"]["Finding"][];
            /** @description Statements that an earlier night tried, and this one did not, although it could. */
            readonly lost: readonly components["schemas"]["Finding"][];
            /** @description Failures that the baseline excuses. */
            readonly known: readonly components["schemas"]["Finding"][];
            /** @description Checks that the baseline excuses although they hold: remove them from it. */
            readonly stale: readonly components["schemas"]["Finding"][];
            /** @description Entries that name no scenario of the suite. They do not fail the night; an update removes them. */
            readonly unknown: readonly components["schemas"]["Finding"][];
            /** @description Checks that failed while the target was out of order: they prove nothing. */
            readonly unconfirmed: readonly components["schemas"]["Finding"][];
            /** @description Changes that showed after the run had stopped waiting for them. */
            readonly late: readonly components["schemas"]["Finding"][];
            /** @description Silences whose answer differs from the last night that saw them. */
            readonly silences: readonly {
                readonly statement: string;
                readonly was: string;
                readonly now: string;
                /** @description The last day on which it was as before. */
                readonly last: string;
            }[];
            /** @description Clients whose tests rely on a broken statement, or on a silence whose answer changed. Absent without `--reliance`. */
            readonly reach?: readonly {
                readonly statement: string;
                readonly clients: readonly components["schemas"]["ReachedClient"][];
            }[];
            /** @description Known deviations that make the same checks fail, a line each. */
            readonly diagnosis?: components["schemas"]["texts"];
            /** @description Reasons why the target could not be tried, or not all the time, a line each. */
            readonly outages: components["schemas"]["texts"];
            /** @description The parts that a budget of time left out. */
            readonly budget?: {
                readonly ran: components["schemas"]["count"];
                /** @description Titles of scenarios. */
                readonly leftOut: components["schemas"]["texts"];
                /** @description Statements without a check that ran. */
                readonly statements: components["schemas"]["texts"];
                /** @description The number of nights like this one in which every scenario runs. */
                readonly nights: components["schemas"]["count"];
            };
            /** @description Changes of a killed run that this one put back before it began. */
            readonly putBack: components["schemas"]["texts"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Baseline = components['schemas']['Baseline'];
export type BaselineEntry = components['schemas']['BaselineEntry'];
export type Which = components['schemas']['Which'];
export type FailedVerdict = components['schemas']['FailedVerdict'];
export type Finding = components['schemas']['Finding'];
export type ReachedClient = components['schemas']['ReachedClient'];
export type NightHead = components['schemas']['NightHead'];
export type Night = components['schemas']['Night'];
export type date = components['schemas']['date'];
export type numbers = components['schemas']['numbers'];
export type count = components['schemas']['count'];
export type texts = components['schemas']['texts'];
export type Gate = components['schemas']['Gate'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
