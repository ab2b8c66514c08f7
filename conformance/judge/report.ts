/**
 * The report of a run: everything that renderers and `verify` need, as plain JSON data.
 *
 * Written once at the end of a run; nothing in it is secret (redaction happens at capture). The
 * published JSON Schema is `report.schema.json`; a test keeps the two together.
 */

import type { Location } from '../../spec/base/yaml-source.ts';
import type { Effect, Level } from '../../spec/contract.ts';

export const schemaVersion = 1;

/**
 * What a check, or all the checks of a statement together, came to.
 *
 * `violated`: a documented promise is broken. `deviates`: a standard's. `observed`: a silence was
 * recorded. `not-testable`: it could not be tried, `reason` says why. `not-applicable`: the tenant
 * file says that the tenant lacks the feature.
 */
export type Verdict =
  | 'verified'
  | 'violated'
  | 'deviates'
  | 'not-testable'
  | 'not-applicable'
  | 'observed';

/** A statement's verdict; `unobservable` ones are listed and never counted as verified. */
export type StatementVerdict = Verdict | 'unobservable' | 'not-selected';

export const exitCodes = {
  ok: 0,
  violation: 1,
  usage: 2,
  stale: 3,
  couldNotRun: 4,
  unsafe: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Report {
  readonly schemaVersion: typeof schemaVersion;
  /** Lower-case letters and digits; stands in every name that the run made. */
  readonly runId: string;
  readonly suite: SuiteDigests;
  readonly target: ReportTarget;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly options: RunOptions;
  /** Every write that the run meant to make, as printed before the first call. */
  readonly plan: readonly PlannedWrite[];
  /** What the reading of credentials and bindings found not to be as the tenant file says. */
  readonly preflight: readonly PreflightFinding[];
  /** All statements of the contract, in its order. */
  readonly statements: readonly StatementResult[];
  readonly scenarios: readonly ScenarioResult[];
  readonly observations: readonly Observation[];
  /** How long each `eventually` took to come true. */
  readonly eventually: readonly EventuallyTiming[];
  readonly unobservable: readonly { readonly id: string; readonly reason: string }[];
  /** Features that the tenant file switches off, and the statements that fall away with them. */
  readonly notApplicable: readonly {
    readonly feature: string;
    readonly statements: readonly string[];
  }[];
  readonly requests: RequestCounts;
  /** HAR files beside the report, with digests, so that a certificate can be re-checked. */
  readonly evidence: readonly EvidenceFile[];
  /** Anything that a reader must know: what could not be put back, what was skipped. */
  readonly warnings: readonly string[];
  /** Objects that could not be put back; the ledger still holds them. */
  readonly leftBehind: readonly string[];
  /** The run was stopped before its end. */
  readonly interrupted: boolean;
  readonly totals: Totals;
  readonly exitCode: ExitCode;
}

export interface SuiteDigests {
  /** Version of Lockstep. */
  readonly version: string;
  readonly contractVersion: string;
  readonly contractSha256: string;
  readonly statementsSha256: string;
  readonly scenariosSha256: string;
}

export interface ReportTarget {
  readonly baseUrl: string;
  readonly kind: 'mock' | 'tenant';
  /** Of a mock: the version that its health answers. */
  readonly version?: string | undefined;
  /** Of a mock: the world that was made for the run. */
  readonly world?: string | undefined;
  /** Names of the credentials and what the tenant file says of them; never a secret. */
  readonly credentials: Readonly<Record<string, unknown>>;
  /** As in the tenant file; `verify` needs them to read the evidence. */
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly features: Readonly<Record<string, boolean | 'absent'>>;
  /** The tenant's field name -> the contract's. */
  readonly aliases: Readonly<Record<string, string>>;
}

export interface RunOptions {
  readonly allow: Effect;
  /** The longest that an `eventually` waited for; the description gives no bound. */
  readonly convergenceMs: number;
  readonly standards: 'report' | 'enforce';
  readonly complete: boolean;
  readonly jobs: number;
  /** Statement ids that the run was narrowed to; empty for all. */
  readonly only: readonly string[];
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
}

export interface PlannedWrite {
  readonly scenario: string;
  readonly step: string;
  readonly operation: string;
  /** What it is done to, in words: `folder 11 of deployment 1`. */
  readonly object: string;
  readonly effect: Effect;
  readonly actor: string;
}

export interface PreflightFinding {
  /** Name of the credential or binding. */
  readonly name: string;
  readonly kind: 'credential' | 'binding';
  /** What was found, and what depends on it. */
  readonly message: string;
}

export interface StatementResult {
  readonly id: string;
  readonly level: Level;
  /** The statement, in our words. */
  readonly text: string;
  readonly section: string;
  readonly verdict: StatementVerdict;
  /** Why it is not `verified`, in a sentence. */
  readonly reason?: string | undefined;
  readonly checks: readonly CheckResult[];
}

export interface CheckResult {
  /** Title of the scenario; `contract` checks carry that of the scenario whose answer failed. */
  readonly scenario: string;
  readonly step: string;
  /** `contract`: the answer was compared with the contract's schema. */
  readonly kind: 'check' | 'observe' | 'contract';
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  /** The check has a condition of its own (`only`) that did not hold: it says nothing. */
  readonly moot?: true | undefined;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** JSON pointer into the step's subject (`/body/data/0/id`). */
  readonly pointer?: string | undefined;
  /** Other statements that this failure may break as well. */
  readonly collateral?: readonly string[] | undefined;
  readonly location: Location;
  /** `evidence/<file>.har#<entry index>`, in the order of the calls. */
  readonly evidence: readonly string[];
}

export interface ScenarioResult {
  readonly scenario: string;
  readonly file: string;
  readonly effect: Effect;
  /** `not-run`: something it needs is missing or not allowed. `could-not-run`: the target failed. */
  readonly outcome: 'ran' | 'not-run' | 'could-not-run';
  readonly reason?: string | undefined;
  readonly durationMs: number;
  readonly requests: number;
}

/** A check result with the statement that it belongs to. */
export type Judged = CheckResult & { readonly statement: string };

/** Something that breaks no promise and is worth knowing; equal ones are counted. */
export interface Observation {
  readonly kind:
    | 'silence'
    | 'undeclared-field'
    | 'undeclared-header'
    | 'undeclared-status'
    | 'undeclared-value'
    | 'contract'
    | 'media-type';
  /** The silent statement, where there is one. */
  readonly statement?: string | undefined;
  readonly operation?: string | undefined;
  /** Id of the assumption or alternative that the answer is an instance of. */
  readonly choice?: string | undefined;
  /** What was seen: a status, a shape, a field's pointer. */
  readonly value: unknown;
  readonly count: number;
  /** One example. */
  readonly evidence: readonly string[];
}

export interface EventuallyTiming {
  readonly scenario: string;
  readonly step: string;
  /** Milliseconds until it came true, and null where it never did. On a mock, the world's. */
  readonly tookMs: number | null;
  readonly polls: number;
  readonly withinMs: number;
}

export interface RequestCounts {
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Reads that were sent again after a network error or a 5xx. */
  readonly retries: number;
  /** Answers of 429 that were waited for. */
  readonly throttled: number;
  readonly throttledMs: number;
  readonly networkErrors: number;
}

export interface EvidenceFile {
  /** Relative to the report: `evidence/<name>.har`. */
  readonly file: string;
  readonly sha256: string;
  readonly entries: number;
}

export interface Totals {
  /** Statements by verdict, for each level. */
  readonly statements: Readonly<Record<Level, Readonly<Record<StatementVerdict, number>>>>;
  readonly checks: Readonly<Record<Verdict, number>>;
  readonly scenarios: {
    readonly ran: number;
    readonly notRun: number;
    readonly couldNotRun: number;
  };
  /** Documented and standard statements that could not be tested. */
  readonly gaps: number;
}
