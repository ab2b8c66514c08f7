// Generated from conformance/report.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The result of a check, or of all checks of a statement. `violated`: a documented promise is broken. `deviates`: a promise of a standard is broken. `unstable`: it failed in one try and held in another, and changes by others do not explain it. `observed`: a silence was recorded. `not-testable`: it could not be tried, `reason` says why. `not-applicable`: the tenant file says that the tenant lacks the feature.
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
            /** @description Scenario files that are not of the suite, in the order in which they were given. They can break a promise, but never verify one. */
            readonly custom?: readonly components["schemas"]["CustomFile"][] | undefined;
        };
        readonly CustomFile: {
            /** @description Its name in the options, from the folder of the run. */
            readonly file: string;
            /** @description The copy of its text next to the evidence. */
            readonly copy: string;
            readonly sha256: components["schemas"]["sha256"];
        };
        /** @description The suite's result in the exam: how many deliberate deviations of a mock it refused. Absent if that is not known. */
        readonly Exam: {
            /** @description Digest of `exam.md`, the table of that result. */
            readonly sha256: components["schemas"]["sha256"];
            readonly deviations: components["schemas"]["count"];
            readonly refused: components["schemas"]["count"];
            /** @description How many services this suite refused although they keep every promise. `sha256` is the digest of `honest.md`, the table of that result. */
            readonly honest?: {
                readonly sha256: components["schemas"]["sha256"];
                readonly services: components["schemas"]["count"];
                readonly refused: components["schemas"]["count"];
            };
        };
        readonly ReportTarget: {
            readonly baseUrl: string;
            /** @description Its name in the tenant file. */
            readonly name?: string | undefined;
            /** @enum {unknown} */
            readonly kind: "mock" | "tenant";
            /** @description Of a mock: the version in its health. */
            readonly version?: string | undefined;
            /** @description Of a mock: the world that was made for the run. */
            readonly world?: string | undefined;
            /** @description Names of the credentials and the tenant file's claims about them; never a secret. */
            readonly credentials: {
                readonly [key: string]: unknown;
            };
            /** @description By credential: the environment variable that held its secret. */
            readonly variables?: {
                readonly [key: string]: string;
            };
            /** @description The file of tls.ca, from the folder in which the run was started. */
            readonly ca?: string | undefined;
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
            /** @description The longest wait of an `eventually`; the description gives no limit. */
            readonly convergenceMs: number;
            /** @enum {unknown} */
            readonly standards: "report" | "enforce";
            /**
             * @description Failures of statements that only follow from the description are reported, and do not count.
             * @constant
             */
            readonly inferred?: "report" | undefined;
            readonly complete: boolean;
            readonly jobs: components["schemas"]["count"];
            /** @description Ids of the only statements of the run; empty for all. */
            readonly only: components["schemas"]["texts"];
            /** @description The seed of the order in which the scenarios ran. */
            readonly seed?: components["schemas"]["count"] | undefined;
            /** @description The least number of tries of each scenario that may be repeated. */
            readonly tries?: number | undefined;
            /** @description The time for which scenarios were repeated. */
            readonly soakMs?: number | undefined;
            /** @description The only files of the suite in the run; absent for all of them. */
            readonly files?: components["schemas"]["texts"] | undefined;
            /**
             * @description `failures`: only exchanges of scenarios with failures were kept, and `verify` derives only their results. Absent for all.
             * @enum {unknown}
             */
            readonly evidence?: "all" | "failures" | undefined;
            /** @description Titles of the scenarios that were not chosen, or for which a budget of time had no room. */
            readonly leftOut?: components["schemas"]["texts"] | undefined;
            /** @description Those of `leftOut` that were planned, and for which there was no time. */
            readonly outOfTime?: components["schemas"]["texts"] | undefined;
        };
        readonly PlannedWrite: {
            readonly scenario: string;
            readonly step: string;
            readonly operation: string;
            /** @description Its object, in words: `folder 11 of deployment 1`. */
            readonly object: string;
            readonly effect: components["schemas"]["Effect"];
            readonly actor: string;
            /**
             * @description Absent for a call of the step. `look`: the object is read by an update that changes nothing. `put-back`: its earlier state is written again.
             * @enum {unknown}
             */
            readonly kind?: "look" | "put-back" | undefined;
            /** @description The body, as far as it is known before the first call; cut if it is long. */
            readonly sends?: string | undefined;
            /**
             * @description The answer that the scenario expects. `open`: it accepts either, or observes which of the two comes.
             * @enum {unknown}
             */
            readonly answer?: "accepted" | "refused" | "open" | undefined;
            /** @description By name, the objects that stay if it is accepted, because they cannot be put back. */
            readonly leaves?: components["schemas"]["texts"] | undefined;
        };
        readonly Stay: {
            /** @description The object that was changed, in words: `recipients of notification 31 of deployment 1`. */
            readonly object: string;
            /** @description A person who was subscribed, by the key that says most; or how long the object stays. */
            readonly name: string;
            /** @description How many accepted writes left it. */
            readonly times: number;
            /** @description The first scenario that left it. */
            readonly scenario: string;
        };
        readonly PreflightFinding: {
            /** @description Name of the credential or binding. */
            readonly name: string;
            /** @enum {unknown} */
            readonly kind: "credential" | "binding";
            /** @description The found fact, and the checks that depend on it. */
            readonly message: string;
            /**
             * @description The checks that depend on it are still judged.
             * @constant
             */
            readonly judged?: true | undefined;
        };
        readonly StatementResult: {
            readonly id: string;
            /** @description `custom`: a statement of a custom file. */
            readonly level: components["schemas"]["Level"] | "custom";
            /** @description The statement, in our words. */
            readonly text: string;
            readonly section: string;
            /** @description The reason why the statement follows from the description, which does not say it. */
            readonly inferred?: string | undefined;
            readonly verdict: components["schemas"]["StatementVerdict"];
            /** @description The reason why it is not `verified`, in a sentence. */
            readonly reason?: string | undefined;
            readonly checks: readonly components["schemas"]["CheckResult"][];
            /** @description In how many tries its checks held and failed. */
            readonly tries?: components["schemas"]["Tries"] | undefined;
            /** @description The ways in which it was tried and held: the caller, the deployment, the spelling. */
            readonly heldIn?: components["schemas"]["texts"] | undefined;
            /** @description Of a verified statement: the highest rate of failures that its tries still allow with a confidence of 95 %. */
            readonly failureRate?: number | undefined;
            /** @description Of a statement that is verified in part: the checks that could not be tried, each with its reason. */
            readonly untried?: components["schemas"]["texts"] | undefined;
        };
        readonly CheckResult: {
            /** @description Title of the scenario; `contract` checks have the title of the scenario whose answer failed. */
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
             * @description The check has a condition of its own (`only`) that did not hold: it has no result.
             * @constant
             */
            readonly unmet?: true | undefined;
            /**
             * @description The check is in a custom file: it can break a promise, but never verify one.
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
            /** @description Its tries and failures, if it was tried more than once. */
            readonly tries?: components["schemas"]["Tries"] | undefined;
            /** @description The change of a try that caused the failure: `as oauth, by identifier`. Without the change the check held. */
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
            /** @description How often it ran, if more than once. */
            readonly tries?: number | undefined;
            /**
             * @description It first failed in parallel with scenarios of the same area. Failures that those may explain do not count: it was tried again, alone.
             * @constant
             */
            readonly concurrent?: true | undefined;
            /** @description How each of its tries was varied, in their order; absent if none was. */
            readonly turns?: readonly components["schemas"]["Variation"][] | undefined;
        };
        /** @description The variations in a try of a scenario. The contract treats all that they change as equal. */
        readonly Variation: {
            /** @description The caller, by the id of the step. */
            readonly as?: {
                readonly [key: string]: string;
            };
            /** @description The spellings that replace the written ones, by the id of the step. */
            readonly rewritten?: {
                readonly [key: string]: components["schemas"]["texts"];
            };
            /**
             * @description The other deployment replaces the deployment.
             * @constant
             */
            readonly elsewhere?: true | undefined;
            /** @description The kind of text for the names that it makes. */
            readonly text?: string | undefined;
            /**
             * @description It changes several things at once, or callers take turns. A failure must come with one change alone, or without any.
             * @constant
             */
            readonly mixed?: true | undefined;
            /**
             * @description This try failed in parallel with scenarios of the same area.
             * @constant
             */
            readonly concurrent?: true | undefined;
        };
        /** @description A fact that breaks no promise but is worth knowing; equal ones are counted. */
        readonly Observation: {
            /** @enum {unknown} */
            readonly kind: "silence" | "undeclared-field" | "undeclared-header" | "undeclared-status" | "undeclared-value" | "contract" | "media-type";
            /** @description The silent statement, if there is one. */
            readonly statement?: string | undefined;
            readonly operation?: string | undefined;
            /** @description Id of the assumption or alternative that the answer is an instance of. */
            readonly choice?: string | undefined;
            /** @description The observed value: a status, a shape, a field's pointer. */
            readonly value: unknown;
            /** @description The JSON type of an undeclared field in an answer that succeeded. */
            readonly type?: string | undefined;
            readonly count: number;
            /** @description One example. */
            readonly evidence: components["schemas"]["texts"];
        };
        readonly EventuallyTiming: {
            readonly scenario: string;
            readonly step: string;
            /** @description Milliseconds until it came true, or null if it never did. On a mock, by the clock of the world. */
            readonly tookMs: number | null;
            readonly polls: components["schemas"]["count"];
            readonly withinMs: number;
        };
        readonly RequestCounts: {
            /** @description All requests of the run. */
            readonly total: components["schemas"]["count"];
            readonly byStatus: {
                readonly [key: string]: components["schemas"]["count"];
            };
            /** @description Reads that were sent again after a network error or a 5xx. */
            readonly retries: components["schemas"]["count"];
            /** @description Requests that were sent again after a 429. */
            readonly throttled: components["schemas"]["count"];
            readonly throttledMs: number;
            /** @description Requests that got no answer. */
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
                /** @description Scenarios that ran. */
                readonly ran: components["schemas"]["count"];
                /** @description Scenarios that did not run: something they need is missing or not allowed. */
                readonly notRun: components["schemas"]["count"];
                /** @description Scenarios that could not run, because the target failed. */
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
        /** @description The file that `lockstep client --reliance` writes: the statements that each test of a client relies on. */
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
             * @description The statements that were tried; nothing is known of the rest.
             */
            readonly asked: readonly ("promises" | "assumptions")[];
            /** @description Statements that were not wholly tried, or whose test failed only at times. */
            readonly unknown?: components["schemas"]["texts"] | undefined;
            /** @description The deviations that no test noticed, by promise that the tests meet. */
            readonly unnoticed?: components["schemas"]["textsById"] | undefined;
            /**
             * tests by their names
             * @description `all tests` if the command does not tell them apart.
             */
            readonly tests: {
                readonly [key: string]: {
                    /** @description The ids of the deviations that the test noticed, by promise. */
                    readonly promises: components["schemas"]["textsById"];
                    /** @description The choices under which the test fails, by silence. */
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
            /** @description How many of them were played; the time may not have been enough for all. */
            readonly played: components["schemas"]["count"];
            /** @description The groups that together explain the failed checks, one deviation of each; none if nothing fits. */
            readonly causes: readonly (readonly components["schemas"]["Suspects"][])[];
        };
        /** @description Deviations that no check can tell apart. */
        readonly Suspects: {
            readonly deviations: readonly {
                readonly id: string;
                /** @description The deviation, in a sentence. */
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
            /** @description Its state before the run; absent if that is not known. */
            readonly was?: unknown | undefined;
            readonly reason: string;
            /** @description Its state now; absent if that is not known. */
            readonly now?: unknown | undefined;
            readonly operation: string;
            /** @description Title of the scenario that wrote it. */
            readonly scenario: string;
            readonly location: components["schemas"]["Location"];
        };
        /**
         * Report of a Lockstep run
         * @description The file report.json, which `lockstep certify` writes: all data that renderers and `verify` need. It holds no secret. `npm run generate` makes its types.
         */
        readonly Report: {
            /** @constant */
            readonly schemaVersion: 1;
            /** @description A notice for anybody who keeps these files. Absent in reports of earlier versions. */
            readonly notice?: string | undefined;
            /** @description Lower-case letters and digits; part of every name that the run made. */
            readonly runId: string;
            readonly suite: components["schemas"]["SuiteDigests"];
            readonly target: components["schemas"]["ReportTarget"];
            /** Format: date-time */
            readonly startedAt: string;
            readonly durationMs: number;
            readonly options: components["schemas"]["RunOptions"];
            /** @description Every write that the run meant to make, as printed before the first call. */
            readonly plan: readonly components["schemas"]["PlannedWrite"][];
            /** @description Credentials and bindings that differ from the tenant file. */
            readonly preflight: readonly components["schemas"]["PreflightFinding"][];
            /** @description All statements of the contract, in its order; then those of custom files, `X-...`. */
            readonly statements: readonly components["schemas"]["StatementResult"][];
            readonly scenarios: readonly components["schemas"]["ScenarioResult"][];
            readonly observations: readonly components["schemas"]["Observation"][];
            /** @description How long each `eventually` took to come true. */
            readonly eventually: readonly components["schemas"]["EventuallyTiming"][];
            readonly unobservable: readonly {
                readonly id: string;
                readonly reason: string;
            }[];
            /** @description Features that the tenant file switches off, and the statements that are then not applicable. */
            readonly notApplicable: readonly {
                readonly feature: string;
                readonly statements: components["schemas"]["texts"];
            }[];
            readonly requests: components["schemas"]["RequestCounts"];
            /** @description By operation, the milliseconds of its successful answers, in their order; only a part if there are many. Absent in reports of earlier versions. */
            readonly latency?: {
                readonly [key: string]: readonly number[];
            };
            /** @description HAR files next to the report, with digests, so that a certificate can be checked again. */
            readonly evidence: readonly components["schemas"]["EvidenceFile"][];
            /** @description Changes that the run could not put back; the ledger still holds them. */
            readonly leftBehind: readonly components["schemas"]["LeftBehind"][];
            /** @description Changes that cannot be put back, so the run left them on purpose: recipients, and tokens until they expire. On a mock they go with the world, and are not listed. */
            readonly stays?: readonly components["schemas"]["Stay"][] | undefined;
            /** @description The reason why the run stopped before its end: one write after the other was answered 5xx, or the service had stopped answering. */
            readonly stopped?: string | undefined;
            /** @description The run was stopped before its end. */
            readonly interrupted: boolean;
            /** @description Facts that a reader must know, such as changes that could not be put back, and skipped scenarios. */
            readonly warnings: components["schemas"]["texts"];
            /** @description The clients of `--reliance`. They hold only the promises that the run found broken. */
            readonly reliance?: readonly components["schemas"]["RelyingClient"][] | undefined;
            /** @description Known deviations that would look the same. Absent if nothing is broken, or without a diagnosis. */
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
