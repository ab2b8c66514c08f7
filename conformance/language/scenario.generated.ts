// Generated from conformance/scenario.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** a list of at least one step */
        readonly steps: readonly components["schemas"]["step"][];
        /** a mapping */
        readonly fields: {
            readonly [key: string]: unknown;
        };
        /** a mapping of names to values */
        readonly values: {
            readonly [key: string]: components["schemas"]["value"];
        };
        /** @enum {unknown} */
        readonly effect: "none" | "reversible" | "disruptive" | "permanent";
        /** @enum {unknown} */
        readonly operation: "listDeployments" | "updateDeployment" | "listEnvironments" | "createMetaSyncToken" | "listVersions" | "getDbtSyncResult" | "updateFolder" | "addNotificationRecipients" | "exportAuditLogs" | "listBranches" | "setStagingEnvironment" | "listScimUsers";
        /** @enum {unknown} */
        readonly need: "https" | "admin" | "member" | "scoped" | "oauth" | "memberOauth" | "embed" | "adminEmbed" | "expired" | "expiredOauth" | "expiredScim" | "scim" | "auditLog" | "!auditLog" | "deployment" | "deployment.id" | "deployment.numericId" | "otherDeployment" | "otherDeployment.id" | "otherDeployment.numericId" | "environment" | "environment.id" | "environment.numericId" | "foreignEnvironment" | "foreignEnvironment.id" | "foreignEnvironment.numericId" | "sharedBranch" | "sharedBranch.id" | "sharedBranch.name" | "sharedBranch.numericId" | "productionBranch" | "productionBranch.id" | "productionBranch.name" | "productionBranch.numericId" | "personalBranch" | "personalBranch.id" | "personalBranch.name" | "personalBranch.numericId" | "folder" | "folder.id" | "folder.numericId" | "lockedFolder" | "lockedFolder.id" | "lockedFolder.numericId" | "foreignFolder" | "foreignFolder.id" | "foreignFolder.numericId" | "nestedFolder" | "nestedFolder.id" | "nestedFolder.numericId" | "notification" | "notification.id" | "notification.numericId" | "foreignNotification" | "foreignNotification.id" | "foreignNotification.numericId" | "dbtSync" | "dbtSync.id" | "dbtSync.numericId" | "runningDbtSync" | "runningDbtSync.id" | "runningDbtSync.numericId" | "failedDbtSync" | "failedDbtSync.id" | "failedDbtSync.numericId" | "versions" | "versions.mayRun" | "audit" | "audit.eventName" | "audit.userEmail" | "audit.search" | "audit.start" | "audit.end" | "recipients" | "recipients.mailTo" | "recipients.users" | "recipients.embedUsers";
        /** a span such as 30s or 500ms */
        readonly duration: string;
        /** a credential, none, or { header } */
        readonly actor: string | {
            readonly header: string;
        };
        /** a status: a number, 1xx, 2xx, 3xx, 4xx, 5xx, refused, allowed, a list of these, or { not: ... } */
        readonly status: number | string | readonly unknown[] | {
            readonly not: components["schemas"]["status"];
        };
        /** a status: a number, 1xx, 2xx, 3xx, 4xx, 5xx, refused or allowed */
        readonly oneStatus: number | string;
        /** @enum {unknown} */
        readonly jsonType: "integer" | "number" | "string" | "boolean" | "object" | "array" | "null";
        readonly matcher: unknown;
        readonly value: unknown;
        readonly slice: {
            readonly slice?: unknown;
            readonly from?: unknown;
            readonly to?: unknown;
        };
        readonly from: {
            /** @description a list */
            readonly from?: unknown;
            readonly where?: components["schemas"]["matcher"];
            /** the path of a field */
            readonly take?: string;
            /** @constant */
            readonly first?: true;
            /** @description A list whose elements are left out. */
            readonly minus?: unknown;
            /** @description Columns of the rows that minus does not compare. */
            readonly ignoring?: unknown;
            /** @description A list that is added. */
            readonly plus?: unknown;
            /** @constant */
            readonly unique?: true;
            /** @constant */
            readonly length?: true;
        };
        readonly day: {
            readonly day?: unknown;
            readonly add?: unknown;
        };
        readonly oneKey: {
            readonly upper?: unknown;
            /** a value, and the value or token that holds it */
            readonly placeOf?: readonly unknown[];
            readonly join?: unknown;
            /** two times */
            readonly secondsBetween?: readonly unknown[];
            /** two lists of rows */
            readonly unsteadyColumns?: readonly unknown[] | string;
            /** the value, the rows that it kept, all rows, and columns that are not compared */
            readonly filterDefects?: readonly unknown[];
            /** a regular expression of the word, the rows found, all rows, and columns that are not compared */
            readonly searchDefects?: readonly unknown[];
        };
        /** { value, is } */
        readonly statementOfValue: {
            readonly value: components["schemas"]["value"];
            readonly is: components["schemas"]["matcher"];
        };
        readonly facets: {
            /** @description 200, 2xx, refused, allowed, a list of these, or { not: ... } */
            readonly status?: components["schemas"]["status"];
            /** a mapping of header names */
            readonly headers?: {
                readonly [key: string]: components["schemas"]["matcher"];
            };
            readonly media?: components["schemas"]["matcher"];
            readonly body?: components["schemas"]["matcher"];
            readonly walk?: components["schemas"]["matcher"];
            /** @description The list of the step. */
            readonly list?: components["schemas"]["matcher"];
            readonly csv?: components["schemas"]["matcher"];
            /** { token, header, payload } */
            readonly jwt?: {
                readonly token: unknown;
                readonly header?: components["schemas"]["matcher"];
                readonly payload?: components["schemas"]["matcher"];
            };
            /** { of, into: { name: list }, by: [[field]] } */
            readonly partition?: {
                readonly of: unknown;
                /** a mapping of names to lists */
                readonly into: Record<string, unknown>;
                /** a list of lists of fields */
                readonly by: readonly (readonly string[])[];
            };
            /** true, or a list of fields */
            readonly roundTrip?: boolean | readonly string[];
            /**
             * a path such as body.data.id, or a list of paths
             * @description These places of the answer have a value, and it fits the contract.
             */
            readonly fits?: string | readonly string[];
            /**
             * { since, at, of }
             * @description The body, or the value at a place, is the same as in the earlier step.
             */
            readonly unchanged?: {
                /** the id of a step */
                readonly since: string;
                /** a path such as body.data */
                readonly at?: string;
                readonly of?: components["schemas"]["names"];
            };
            /**
             * { since, added, lost }
             * @description How many items the list has gained and lost since an earlier step.
             */
            readonly changed?: {
                /** the id of a step */
                readonly since: string;
                readonly added?: components["schemas"]["matcher"];
                readonly lost?: components["schemas"]["matcher"];
            };
            /**
             * the id of a step, or a list
             * @description The list has exactly the items of an earlier step's list, or these.
             */
            readonly "same set"?: string | readonly unknown[];
            /** @description The list has this item, or all of these: ids, or mappings that match. */
            readonly listed?: unknown;
            /** @description The list has neither this item nor any of these. */
            readonly "not listed"?: unknown;
            /**
             * a mapping of steps to statuses
             * @description The statuses of the answers to earlier steps.
             */
            readonly answered?: {
                readonly [key: string]: components["schemas"]["status"];
            };
            /** { value, is }, or a list of these */
            readonly that?: readonly components["schemas"]["statementOfValue"][] | components["schemas"]["statementOfValue"];
        };
        /** a list of names */
        readonly names: readonly string[];
        /** a status, or a mapping of facets */
        readonly conditions: components["schemas"]["oneStatus"] | components["schemas"]["facetsOnly"];
        /** a mapping of facets */
        readonly facetsOnly: components["schemas"]["facets"];
        readonly check: components["schemas"]["oneStatus"] | components["schemas"]["wholeCheck"];
        /** a check */
        readonly wholeCheck: components["schemas"]["checkWords"];
        readonly checkWords: components["schemas"]["facets"] & {
            readonly atLeast?: components["schemas"]["atLeast"];
            /** @description When the check applies. If one of these conditions does not hold, the check is skipped: it neither passes nor fails, and is not a gap. */
            readonly only?: components["schemas"]["conditions"];
            /**
             * a sentence
             * @description Why a failure of this check breaks the statement. It is printed with the failure.
             */
            readonly because?: string;
        };
        /**
         * a number of at least 1 for each path: { walk.items: 3 }
         * @description How many items each path must have, for the check to count. With fewer, it is not-testable.
         */
        readonly atLeast: {
            readonly [key: string]: number;
        };
        /** a list of checks */
        readonly standing: readonly (components["schemas"]["checkWords"] & {
            /** a statement */
            readonly statement: string;
        })[];
        /** a mapping of statements to checks */
        readonly checks: {
            readonly [key: string]: readonly components["schemas"]["check"][] | components["schemas"]["check"];
        };
        readonly observation: {
            /** a mapping of choices to conditions */
            readonly cases: {
                readonly [key: string]: components["schemas"]["conditions"];
            };
            readonly value?: components["schemas"]["value"];
        } | components["schemas"]["value"];
        /** a mapping of options */
        readonly walkPages: {
            /** @description the size of a page */
            readonly limit?: unknown;
        };
        /** a mapping of options */
        readonly scimList: {
            /** @description the size of a page */
            readonly count?: unknown;
        };
        /** true, settled, rested, or a span such as 30s or 500ms */
        readonly watch: boolean | string;
        /** a step */
        readonly step: {
            /** letters, digits, - and _ */
            readonly id?: string;
            readonly about?: string;
            /**
             * the id of an earlier step
             * @description Sends the call of that earlier step once more, without its checks. Keys that this step has replace those of that step.
             */
            readonly again?: string;
            readonly as?: components["schemas"]["actor"];
            /** @description An operation, or several, which make one step each. */
            readonly call?: readonly components["schemas"]["operation"][] | components["schemas"]["operation"];
            /** { method, path } */
            readonly request?: {
                readonly method: string;
                readonly path: string;
            };
            readonly path?: components["schemas"]["fields"];
            readonly query?: components["schemas"]["fields"];
            readonly headers?: components["schemas"]["fields"];
            readonly body?: unknown;
            readonly rawBody?: string;
            readonly method?: string;
            /**
             * http
             * @constant
             */
            readonly over?: "http";
            /** @constant */
            readonly unspecified?: true;
            readonly effect?: components["schemas"]["effect"];
            /** a list of { value, is, else } */
            readonly require?: readonly {
                readonly value: components["schemas"]["value"];
                readonly is: components["schemas"]["matcher"];
                readonly else: string;
            }[];
            /** @description When the checks of the step apply. If one of these conditions does not hold, all of them are skipped: they neither pass nor fail, and are not a gap. */
            readonly only?: components["schemas"]["conditions"];
            readonly atLeast?: components["schemas"]["atLeast"];
            readonly expect?: components["schemas"]["conditions"];
            readonly capture?: components["schemas"]["values"];
            /** @description The list that listed, changed and same set look at. The default is the list of the answer. */
            readonly list?: components["schemas"]["value"];
            readonly checks?: components["schemas"]["checks"];
            /** a mapping of silent statements */
            readonly observe?: {
                readonly [key: string]: components["schemas"]["observation"];
            };
            readonly walkPages?: components["schemas"]["walkPages"];
            readonly scimList?: components["schemas"]["scimList"];
            /** { times, ofRun } */
            readonly repeat?: {
                /** a whole number of at least 2 */
                readonly times: number;
                /**
                 * true: calls that the run made anyway count
                 * @constant
                 */
                readonly ofRun?: true;
            };
            readonly "appears within"?: components["schemas"]["duration"];
            /** true, or { within, every } */
            readonly eventually?: boolean | {
                readonly within?: components["schemas"]["duration"];
                readonly every?: components["schemas"]["duration"];
            };
            readonly stays?: components["schemas"]["watch"];
            /** one variable and its list */
            readonly forEach?: {
                readonly [key: string]: components["schemas"]["value"];
            };
            readonly steps?: components["schemas"]["steps"];
        };
        /**
         * a scenario
         * @description See LANGUAGE.md. The loader checks more than this schema can say.
         */
        readonly ScenarioText: {
            /** a title that no other scenario has */
            readonly scenario: string;
            readonly about?: string;
            /** @description The worst effect of any step. It may be left out. */
            readonly effect?: components["schemas"]["effect"];
            /** a list of names */
            readonly needs?: readonly components["schemas"]["need"][];
            /**
             * true, or left out
             * @description The scenario adds depth to others. If it cannot run, its checks are not a gap.
             * @constant
             */
            readonly extra?: true;
            /**
             * a whole number from 2 to 5
             * @description If the scenario fails on a tenant, it runs again, up to this many times in all. A failure counts only if it comes each time.
             */
            readonly confirm?: number;
            readonly let?: components["schemas"]["values"];
            /** @description The caller, unless a step names one. The default is admin, or scim if the operation is SCIM's. */
            readonly as?: components["schemas"]["actor"];
            /** @description Path parameters for every step whose operation has them; else those of the bindings. */
            readonly path?: components["schemas"]["fields"];
            readonly steps: components["schemas"]["steps"];
            readonly undo?: components["schemas"]["steps"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type steps = components['schemas']['steps'];
export type fields = components['schemas']['fields'];
export type values = components['schemas']['values'];
export type effect = components['schemas']['effect'];
export type operation = components['schemas']['operation'];
export type need = components['schemas']['need'];
export type duration = components['schemas']['duration'];
export type actor = components['schemas']['actor'];
export type status = components['schemas']['status'];
export type oneStatus = components['schemas']['oneStatus'];
export type jsonType = components['schemas']['jsonType'];
export type matcher = components['schemas']['matcher'];
export type value = components['schemas']['value'];
export type slice = components['schemas']['slice'];
export type from = components['schemas']['from'];
export type day = components['schemas']['day'];
export type oneKey = components['schemas']['oneKey'];
export type statementOfValue = components['schemas']['statementOfValue'];
export type facets = components['schemas']['facets'];
export type names = components['schemas']['names'];
export type conditions = components['schemas']['conditions'];
export type facetsOnly = components['schemas']['facetsOnly'];
export type check = components['schemas']['check'];
export type wholeCheck = components['schemas']['wholeCheck'];
export type checkWords = components['schemas']['checkWords'];
export type atLeast = components['schemas']['atLeast'];
export type standing = components['schemas']['standing'];
export type checks = components['schemas']['checks'];
export type observation = components['schemas']['observation'];
export type walkPages = components['schemas']['walkPages'];
export type scimList = components['schemas']['scimList'];
export type watch = components['schemas']['watch'];
export type step = components['schemas']['step'];
export type ScenarioText = components['schemas']['ScenarioText'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
