/**
 * The report of a run: everything that renderers and `verify` need, as plain JSON data.
 *
 * Written once at the end of a run; nothing in it is secret (redaction happens at capture). Its
 * form is said once, by the published `report.schema.json`: `npm run generate` makes these types.
 */

import type { CheckResult, ExitCode, Report } from './report.generated.ts';

export type {
  CheckResult,
  EventuallyTiming,
  EvidenceFile,
  ExitCode,
  Observation,
  PlannedWrite,
  PreflightFinding,
  Report,
  ReportTarget,
  RequestCounts,
  RunOptions,
  ScenarioResult,
  StatementResult,
  StatementVerdict,
  SuiteDigests,
  Totals,
  Verdict,
} from './report.generated.ts';

export const schemaVersion: Report['schemaVersion'] = 1;

export const exitCodes = {
  ok: 0,
  violation: 1,
  usage: 2,
  stale: 3,
  couldNotRun: 4,
  unsafe: 5,
} as const satisfies Readonly<Record<string, ExitCode>>;

/** What a run changed and could not put back. */
export type LeftBehind = Report['leftBehind'][number];

/** A check result with the statement that it belongs to. */
export type Judged = CheckResult & { readonly statement: string };
