// Generated from conformance/report.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description What a check, or all the checks of a statement together, came to. `violated`: a documented promise is broken. `deviates`: a standard's. `unstable`: it failed in one try and held in another, and nothing that others did explains it. `observed`: a silence was recorded. `not-testable`: it could not be tried, `reason` says why. `not-applicable`: the tenant file says that the tenant lacks the feature.
         * @enum {unknown}
         */
        readonly Verdict: "verified" | "violated" | "deviates" | "unstable" | "not-testable" | "not-applicable" | "observed";
        /** @description A statement's verdict. `verified-in-part`: some checks held, none failed, and others could not be tried. `unobservable` ones are listed and never counted as verified. */
        readonly StatementVerdict: components["schemas"]["Verdict"] | ("verified-in-part" | "unobservable" | "not-selected");
        readonly SuiteDigests: {
            /** @description Version of Lockstep. */
            readonly version: string;
            readonly contractVersion: string;
            readonly contractSha256: components["schemas"]["sha256"];
            readonly statementsSha256: components["schemas"]["sha256"];
            readonly scenariosSha256: components["schemas"]["sha256"];
            readonly exam?: components["schemas"]["Exam"] | undefined;
            /** @description Scenario files that are not of the suite, in the order in which they were given. They can break a promise, and verify none. */
            readonly custom?: readonly components["schemas"]["CustomFile"][] | undefined;
        };
        readonly CustomFile: {
            /** @description As it was named, from the folder of the run. */
            readonly file: string;
            /** @description Where its text stands with the evidence. */
            readonly copy: string;
            readonly sha256: components["schemas"]["sha256"];
        };
        /** @description How the suite did when it was examined: how many deliberate deviations of a mock it refused; absent where that is not known. */
        readonly Exam: {
            /** @description Of the table that says so, `exam.md`. */
            readonly sha256: components["schemas"]["sha256"];
            readonly deviations: components["schemas"]["count"];
            readonly refused: components["schemas"]["count"];
            /** @description How many services that keep every promise this suite refused all the same; `sha256` is that of `honest.md`, which says so. */
            readonly honest?: {
                readonly sha256: components["schemas"]["sha256"];
                readonly services: components["schemas"]["count"];
                readonly refused: components["schemas"]["count"];
            };
        };
        readonly ReportTarget: {
            readonly baseUrl: string;
            /** @description What the tenant file calls it. */
            readonly name?: string | undefined;
            /** @enum {unknown} */
            readonly kind: "mock" | "tenant";
            /** @description Of a mock: the version that its health answers. */
            readonly version?: string | undefined;
            /** @description Of a mock: the world that was made for the run. */
            readonly world?: string | undefined;
            /** @description Names of the credentials and what the tenant file says of them; never a secret. */
            readonly credentials: {
                readonly [key: string]: unknown;
            };
            /** @description As in the tenant file; `verify` needs them to read the evidence. */
            readonly bindings: {
                readonly [key: string]: unknown;
            };
            readonly features: {
                readonly [key: string]: true | false | "absent";
            };
            /** @description The tenant's field name -> the contract's. */
            readonly aliases: {
                readonly [key: string]: string;
            };
        };
        readonly RunOptions: {
            readonly allow: components["schemas"]["Effect"];
            /** @description The longest that an `eventually` waited for; the description gives no bound. */
            readonly convergenceMs: number;
            /** @enum {unknown} */
            readonly standards: "report" | "enforce";
            /**
             * @description Failures of statements that the description does not say are told, and do not count.
             * @constant
             */
            readonly inferred?: "report" | undefined;
            readonly complete: boolean;
            readonly jobs: components["schemas"]["count"];
            /** @description Statement ids that the run was narrowed to; empty for all. */
            readonly only: components["schemas"]["texts"];
            /** @description Of the order in which the scenarios ran. */
            readonly seed?: components["schemas"]["count"] | undefined;
            /** @description How often each scenario that may be repeated ran at least. */
            readonly tries?: number | undefined;
            /** @description For how long scenarios were repeated. */
            readonly soakMs?: number | undefined;
            /** @description The only files of the suite that the run was to look at; absent for all of them. */
            readonly files?: components["schemas"]["texts"] | undefined;
            /**
             * @description `failures`: only exchanges of scenarios were kept in which something is broken, and `verify` derives what these came to. Absent for all.
             * @enum {unknown}
             */
            readonly evidence?: "all" | "failures" | undefined;
            /** @description Titles of the scenarios for which a budget of time had no room. */
            readonly leftOut?: components["schemas"]["texts"] | undefined;
        };
        readonly PlannedWrite: {
            readonly scenario: string;
            readonly step: string;
            readonly operation: string;
            /** @description What it is done to, in words: `folder 11 of deployment 1`. */
            readonly object: string;
            readonly effect: components["schemas"]["Effect"];
            readonly actor: string;
            /**
             * @description Absent for a call of the step. `look`: the object is read by an update that changes nothing. `put-back`: what was there before is written again.
             * @enum {unknown}
             */
            readonly kind?: "look" | "put-back" | undefined;
            /** @description The body, as far as it is known before the first call; cut if it is long. */
            readonly sends?: string | undefined;
            /**
             * @description What the scenario expects. `open`: it takes either, or asks which of the two comes.
             * @enum {unknown}
             */
            readonly answer?: "accepted" | "refused" | "open" | undefined;
            /** @description What stays if it is accepted, as nothing takes it back, by name. */
            readonly leaves?: components["schemas"]["texts"] | undefined;
        };
        readonly Stay: {
            /** @description Where it is, in words: `recipients of notification 31 of deployment 1`. */
            readonly object: string;
            /** @description A person who was subscribed, by the most telling key; or how long it stays. */
            readonly name: string;
            /** @description How many accepted writes left it. */
            readonly times: number;
            /** @description The first that left it. */
            readonly scenario: string;
        };
        readonly PreflightFinding: {
            /** @description Name of the credential or binding. */
            readonly name: string;
            /** @enum {unknown} */
            readonly kind: "credential" | "binding";
            /** @description What was found, and what depends on it. */
            readonly message: string;
            /**
             * @description What depends on it is judged all the same.
             * @constant
             */
            readonly judged?: true | undefined;
        };
        readonly StatementResult: {
            readonly id: string;
            /** @description `custom`: a statement of a file of one's own. */
            readonly level: components["schemas"]["Level"] | "custom";
            /** @description The statement, in our words. */
            readonly text: string;
            readonly section: string;
            /** @description Why the statement follows from the description, which does not say it. */
            readonly inferred?: string | undefined;
            readonly verdict: components["schemas"]["StatementVerdict"];
            /** @description Why it is not `verified`, in a sentence. */
            readonly reason?: string | undefined;
            readonly checks: readonly components["schemas"]["CheckResult"][];
            /** @description In how many tries its checks held and failed. */
            readonly tries?: components["schemas"]["Tries"] | undefined;
            /** @description In which ways it was tried and held: as whom, in which deployment, in which spelling. */
            readonly heldIn?: components["schemas"]["texts"] | undefined;
            /** @description Of a verified statement: the highest rate of failures that its tries still allow with a confidence of 95 %. */
            readonly failureRate?: number | undefined;
            /** @description Of one that is verified in part: what could not be tried, each with its reason. */
            readonly untried?: components["schemas"]["texts"] | undefined;
        };
        readonly CheckResult: {
            /** @description Title of the scenario; `contract` checks carry that of the scenario whose answer failed. */
            readonly scenario: string;
            readonly step: string;
            /**
             * @description `contract`: the answer was compared with the contract's schema.
             * @enum {unknown}
             */
            readonly kind: "check" | "observe" | "contract";
            readonly verdict: components["schemas"]["Verdict"];
            readonly reason?: string | undefined;
            /**
             * @description The check has a condition of its own (`only`) that did not hold: it says nothing.
             * @constant
             */
            readonly moot?: true | undefined;
            /**
             * @description Of a file of one's own: it can break a promise, and verify none.
             * @constant
             */
            readonly custom?: true | undefined;
            readonly expected?: unknown | undefined;
            readonly actual?: unknown | undefined;
            /** @description JSON pointer into the step's subject (`/body/data/0/id`). */
            readonly pointer?: string | undefined;
            readonly location: components["schemas"]["Location"];
            /** @description `evidence/<file>.har#<entry index>`, in the order of the calls. */
            readonly evidence: components["schemas"]["texts"];
            /** @description Where it was tried more than once. */
            readonly tries?: components["schemas"]["Tries"] | undefined;
            /** @description It failed with this change of a try, and held without: `as oauth, by identifier`. */
            readonly only?: string | undefined;
            /** @description Of an unstable check: the evidence of a try in which it held. */
            readonly held?: components["schemas"]["texts"] | undefined;
        };
        /** @description A place in a file, relative to the root of the repository. */
        readonly Location: {
            readonly file: string;
            readonly line: number;
            readonly column: number;
        };
        readonly ScenarioResult: {
            readonly scenario: string;
            readonly file: string;
            readonly effect: components["schemas"]["Effect"];
            /**
             * @description `not-run`: something it needs is missing or not allowed. `could-not-run`: the target failed.
             * @enum {unknown}
             */
            readonly outcome: "ran" | "not-run" | "could-not-run";
            readonly reason?: string | undefined;
            readonly durationMs: number;
            readonly requests: components["schemas"]["count"];
            /** @description How often it ran, where that is more than once. */
            readonly tries?: number | undefined;
            /**
             * @description It first failed beside others that share its area. What may have been their doing does not count: then it was tried again, alone.
             * @constant
             */
            readonly beside?: true | undefined;
            /** @description How each of its tries was varied, in their order; absent if none was. */
            readonly turns?: readonly components["schemas"]["Variation"][] | undefined;
        };
        /** @description How a try of a scenario differs from what is written. All that it changes the contract calls equal. */
        readonly Variation: {
            /** @description Who calls, by the id of the step. */
            readonly as?: {
                readonly [key: string]: string;
            };
            /** @description Which spellings take the place of those that are written, by the id of the step. */
            readonly rewritten?: {
                readonly [key: string]: components["schemas"]["texts"];
            };
            /**
             * @description The other deployment takes the place of the deployment.
             * @constant
             */
            readonly elsewhere?: true | undefined;
            /** @description In which kind of text it names what it makes. */
            readonly text?: string | undefined;
            /**
             * @description It changes several things at once, or callers take turns. A failure must come with one change alone, or without any.
             * @constant
             */
            readonly mixed?: true | undefined;
            /**
             * @description This try failed beside others that share its area.
             * @constant
             */
            readonly beside?: true | undefined;
        };
        /** @description Something that breaks no promise and is worth knowing; equal ones are counted. */
        readonly Observation: {
            /** @enum {unknown} */
            readonly kind: "silence" | "undeclared-field" | "undeclared-header" | "undeclared-status" | "undeclared-value" | "contract" | "media-type";
            /** @description The silent statement, where there is one. */
            readonly statement?: string | undefined;
            readonly operation?: string | undefined;
            /** @description Id of the assumption or alternative that the answer is an instance of. */
            readonly choice?: string | undefined;
            /** @description What was seen: a status, a shape, a field's pointer. */
            readonly value: unknown;
            readonly count: number;
            /** @description One example. */
            readonly evidence: components["schemas"]["texts"];
        };
        readonly EventuallyTiming: {
            readonly scenario: string;
            readonly step: string;
            /** @description Milliseconds until it came true, and null where it never did. On a mock, the world's. */
            readonly tookMs: number | null;
            readonly polls: components["schemas"]["count"];
            readonly withinMs: number;
        };
        readonly RequestCounts: {
            /** @description Reads that were sent again after a network error or a 5xx. */
            readonly total: components["schemas"]["count"];
            readonly byStatus: {
                readonly [key: string]: components["schemas"]["count"];
            };
            /** @description Reads that were sent again after a network error or a 5xx. */
            readonly retries: components["schemas"]["count"];
            /** @description Reads that were sent again after a network error or a 5xx. */
            readonly throttled: components["schemas"]["count"];
            readonly throttledMs: number;
            /** @description Reads that were sent again after a network error or a 5xx. */
            readonly networkErrors: components["schemas"]["count"];
        };
        readonly EvidenceFile: {
            /** @description Relative to the report: `evidence/<name>.har`. */
            readonly file: string;
            readonly sha256: components["schemas"]["sha256"];
            readonly entries: components["schemas"]["count"];
        };
        readonly Totals: {
            /** @description Statements by verdict, for each level. */
            readonly statements: {
                readonly documented: components["schemas"]["statementCounts"];
                readonly standard: components["schemas"]["statementCounts"];
                readonly silent: components["schemas"]["statementCounts"];
            };
            readonly checks: components["schemas"]["checkCounts"];
            readonly scenarios: {
                /** @description Documented and standard statements that could not be tested. */
                readonly ran: components["schemas"]["count"];
                /** @description Documented and standard statements that could not be tested. */
                readonly notRun: components["schemas"]["count"];
                /** @description Documented and standard statements that could not be tested. */
                readonly couldNotRun: components["schemas"]["count"];
            };
            /** @description Documented and standard statements that could not be tested. */
            readonly gaps: components["schemas"]["count"];
        };
        readonly checkCounts: {
            readonly verified: components["schemas"]["count"];
            readonly violated: components["schemas"]["count"];
            readonly deviates: components["schemas"]["count"];
            readonly "not-testable": components["schemas"]["count"];
            readonly "not-applicable": components["schemas"]["count"];
            readonly observed: components["schemas"]["count"];
            readonly unstable: components["schemas"]["count"];
        };
        readonly statementCounts: {
            readonly verified: components["schemas"]["count"];
            readonly violated: components["schemas"]["count"];
            readonly deviates: components["schemas"]["count"];
            readonly "not-testable": components["schemas"]["count"];
            readonly "not-applicable": components["schemas"]["count"];
            readonly observed: components["schemas"]["count"];
            readonly unobservable: components["schemas"]["count"];
            readonly "not-selected": components["schemas"]["count"];
            readonly unstable: components["schemas"]["count"];
            readonly "verified-in-part": components["schemas"]["count"];
        };
        /** @enum {unknown} */
        readonly Effect: "none" | "reversible" | "disruptive" | "permanent";
        /** @enum {unknown} */
        readonly Level: "documented" | "standard" | "silent";
        /** @enum {unknown} */
        readonly ExitCode: 0 | 1 | 2 | 3 | 4 | 5;
        readonly sha256: string;
        readonly count: number;
        readonly texts: readonly string[];
        /** @description How often something was tried. */
        readonly Tries: {
            readonly held: components["schemas"]["count"];
            readonly failed: components["schemas"]["count"];
        };
        readonly RelyingClient: {
            /** @description The name of its file, without the end. */
            readonly name: string;
            readonly reliance: components["schemas"]["Reliance"];
        };
        /** @description The file that `lockstep client --reliance` writes: which test of a client relies on what. */
        readonly Reliance: {
            /**
             * a version of Lockstep
             * @description Version of Lockstep that tried it.
             */
            readonly lockstep: string;
            /** a version and a digest of a contract */
            readonly contract: string;
            /**
             * a list of promises and assumptions
             * @description What was tried; of the rest nothing is known.
             */
            readonly asked: readonly ("promises" | "assumptions")[];
            /** @description Statements of which not all was tried, or a test failed at times only. */
            readonly unknown?: components["schemas"]["texts"] | undefined;
            /** @description By promise that the tests meet, the broken ones that none of them noticed. */
            readonly unnoticed?: components["schemas"]["textsById"] | undefined;
            /**
             * tests by their names
             * @description `all tests` if the command does not tell them apart.
             */
            readonly tests: {
                readonly [key: string]: {
                    /** @description By promise, the broken ones that it noticed: ids of deviations. */
                    readonly promises: components["schemas"]["textsById"];
                    /** @description By silence, the choices under which it fails. */
                    readonly assumptions: components["schemas"]["textsById"];
                };
            };
        };
        readonly textsById: {
            readonly [key: string]: components["schemas"]["texts"];
        };
        readonly Diagnosis: {
            /** @description Checks that failed, each counted once. */
            readonly checks: components["schemas"]["count"];
            /** @description Known deviations that break one of the broken statements. */
            readonly known: components["schemas"]["count"];
            /** @description How many of them were played; the time may not have lasted for all. */
            readonly played: components["schemas"]["count"];
            /** @description One of each is needed to explain the checks that failed; none if nothing fits. */
            readonly causes: readonly (readonly components["schemas"]["Suspects"][])[];
        };
        /** @description Deviations that no check tells apart. */
        readonly Suspects: {
            readonly deviations: readonly {
                readonly id: string;
                /** @description What is wrong, in a sentence. */
                readonly text: string;
            }[];
            /** @description Checks that failed, and fail with the deviation. */
            readonly agree: components["schemas"]["count"];
            /** @description Checks that fail with the deviation, and held. */
            readonly against: components["schemas"]["count"];
        };
        readonly LeftBehind: {
            /** @description In words: `folder 11 of deployment 1`. */
            readonly object: string;
            /** @description Its state before the run; absent where that is not known. */
            readonly was?: unknown | undefined;
            readonly reason: string;
            /** @description What it reads now; absent where that is not known. */
            readonly now?: unknown | undefined;
            readonly operation: string;
            /** @description Title of the scenario that wrote it. */
            readonly scenario: string;
            readonly location: components["schemas"]["Location"];
        };
        /**
         * Report of a Lockstep run
         * @description What `lockstep certify` writes to report.json: everything that renderers and `verify` need. Nothing in it is secret. `npm run generate` makes the types of it.
         */
        readonly Report: {
            /** @constant */
            readonly schemaVersion: 1;
            /** @description For whoever keeps these files. Absent in reports of earlier versions. */
            readonly notice?: string | undefined;
            /** @description Lower-case letters and digits; stands in every name that the run made. */
            readonly runId: string;
            readonly suite: components["schemas"]["SuiteDigests"];
            readonly target: components["schemas"]["ReportTarget"];
            /** Format: date-time */
            readonly startedAt: string;
            readonly durationMs: number;
            readonly options: components["schemas"]["RunOptions"];
            /** @description Every write that the run meant to make, as printed before the first call. */
            readonly plan: readonly components["schemas"]["PlannedWrite"][];
            /** @description What the reading of credentials and bindings found not to be as the tenant file says. */
            readonly preflight: readonly components["schemas"]["PreflightFinding"][];
            /** @description All statements of the contract, in its order; then those of files of one's own, `X-...`. */
            readonly statements: readonly components["schemas"]["StatementResult"][];
            readonly scenarios: readonly components["schemas"]["ScenarioResult"][];
            readonly observations: readonly components["schemas"]["Observation"][];
            /** @description How long each `eventually` took to come true. */
            readonly eventually: readonly components["schemas"]["EventuallyTiming"][];
            readonly unobservable: readonly {
                readonly id: string;
                readonly reason: string;
            }[];
            /** @description Features that the tenant file switches off, and the statements that fall away with them. */
            readonly notApplicable: readonly {
                readonly feature: string;
                readonly statements: components["schemas"]["texts"];
            }[];
            readonly requests: components["schemas"]["RequestCounts"];
            /** @description By operation, how many milliseconds its successful answers took, in their order; of many, a part. Absent in reports of earlier versions. */
            readonly latency?: {
                readonly [key: string]: readonly number[];
            };
            /** @description HAR files beside the report, with digests, so that a certificate can be re-checked. */
            readonly evidence: readonly components["schemas"]["EvidenceFile"][];
            /** @description What the run changed and could not put back; the ledger still holds it. */
            readonly leftBehind: readonly components["schemas"]["LeftBehind"][];
            /** @description What the run has left on purpose, as nothing takes it back: recipients, and tokens until they expire. On a mock it goes with the world, and is not listed. */
            readonly stays?: readonly components["schemas"]["Stay"][] | undefined;
            /** @description Why the run stopped writing before its end: one write after the other was answered 5xx. */
            readonly stopped?: string | undefined;
            /** @description The run was stopped before its end. */
            readonly interrupted: boolean;
            /** @description Anything that a reader must know: what could not be put back, what was skipped. */
            readonly warnings: components["schemas"]["texts"];
            /** @description The clients whose reliance was handed to the run. Of promises it holds those that the run found broken. */
            readonly reliance?: readonly components["schemas"]["RelyingClient"][] | undefined;
            /** @description The known ways of being wrong that would look the same. Absent if nothing is broken, or nobody asked. */
            readonly diagnosis?: components["schemas"]["Diagnosis"] | undefined;
            readonly totals: components["schemas"]["Totals"];
            readonly exitCode: components["schemas"]["ExitCode"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Verdict = components['schemas']['Verdict'];
export type StatementVerdict = components['schemas']['StatementVerdict'];
export type SuiteDigests = components['schemas']['SuiteDigests'];
export type CustomFile = components['schemas']['CustomFile'];
export type Exam = components['schemas']['Exam'];
export type ReportTarget = components['schemas']['ReportTarget'];
export type RunOptions = components['schemas']['RunOptions'];
export type PlannedWrite = components['schemas']['PlannedWrite'];
export type Stay = components['schemas']['Stay'];
export type PreflightFinding = components['schemas']['PreflightFinding'];
export type StatementResult = components['schemas']['StatementResult'];
export type CheckResult = components['schemas']['CheckResult'];
export type Location = components['schemas']['Location'];
export type ScenarioResult = components['schemas']['ScenarioResult'];
export type Variation = components['schemas']['Variation'];
export type Observation = components['schemas']['Observation'];
export type EventuallyTiming = components['schemas']['EventuallyTiming'];
export type RequestCounts = components['schemas']['RequestCounts'];
export type EvidenceFile = components['schemas']['EvidenceFile'];
export type Totals = components['schemas']['Totals'];
export type checkCounts = components['schemas']['checkCounts'];
export type statementCounts = components['schemas']['statementCounts'];
export type Effect = components['schemas']['Effect'];
export type Level = components['schemas']['Level'];
export type ExitCode = components['schemas']['ExitCode'];
export type sha256 = components['schemas']['sha256'];
export type count = components['schemas']['count'];
export type texts = components['schemas']['texts'];
export type Tries = components['schemas']['Tries'];
export type RelyingClient = components['schemas']['RelyingClient'];
export type Reliance = components['schemas']['Reliance'];
export type textsById = components['schemas']['textsById'];
export type Diagnosis = components['schemas']['Diagnosis'];
export type Suspects = components['schemas']['Suspects'];
export type LeftBehind = components['schemas']['LeftBehind'];
export type Report = components['schemas']['Report'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
