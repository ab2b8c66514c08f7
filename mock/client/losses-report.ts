/** What a campaign reports: as data, and in lines for people. */
import { count } from '../../spec/base/count.ts';
import type { OperationId } from '../../spec/contract.ts';

/** A request that the client makes when nothing is lost. */
export interface LossRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** 1 for the first request that is the same to the byte, 2 for the second, and so on. */
  readonly nth: number;
  /** Of its answer when nothing is lost. */
  readonly status: number;
  /** Why it is refused even then; null where it is not. */
  readonly refusal: string | null;
}

/**
 * How the client took it: it went on and made up for the loss, it failed as it should, it went on
 * as if nothing had been lost, it never ended, or it did not make the request this time.
 */
export type LossOutcome = 'recovered' | 'failed' | 'swallowed' | 'hung' | 'unreached';

export interface LossRun {
  readonly request: LossRequest;
  readonly phase: string;
  readonly outcome: LossOutcome;
  /** The service had carried the request out before its answer was lost. */
  readonly committed: boolean;
  /** The write was carried out again, more often than without the loss. */
  readonly duplicate: boolean;
  /** What the repetition changed beyond the first time, times aside. */
  readonly again: readonly string[];
  /** What the client failed with. */
  readonly error?: string;
}

export interface LossFinding {
  readonly kind: 'hang' | 'duplicate-write' | 'swallowed-error';
  readonly request: LossRequest;
  readonly phase: string;
  /**
   * A repetition that does no harm: the contract says that the operation may be repeated, and the
   * state was the same after the second time. Such a finding leaves `ok` true.
   */
  readonly idempotent: boolean;
  readonly text: string;
}

export interface LossReport {
  /** Something was tested, and no finding is a failure. */
  readonly ok: boolean;
  /** Why nothing was tested, and what to do; null where something was. */
  readonly untested: string | null;
  readonly requests: readonly LossRequest[];
  readonly runs: readonly LossRun[];
  /** Those that make it fail come first. */
  readonly findings: readonly LossFinding[];
  /** What may be a slip of the test, and is no failure: what is refused anyway, or was not tested. */
  readonly notes: readonly string[];
  /**
   * A line in sum; why nothing was tested, or a line for each finding that is a failure; then what is
   * none, under a line that says so.
   */
  readonly text: string;
}

/** The lines of a report: counts, failures, and last what is no failure. */
export function reportText({
  requests,
  runs,
  findings,
  untested,
  notes,
}: Omit<LossReport, 'ok' | 'text'>): string {
  const outcomes = ['recovered', 'failed', 'swallowed', 'hung', 'unreached'] as const;
  const counts = outcomes
    .map((outcome) => [runs.filter((run) => run.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  const lines = (harmless: boolean) =>
    findings.filter(({ idempotent }) => idempotent === harmless).map(({ text }) => text);
  const noFailures = [...lines(true), ...notes];
  return [
    `${count(requests.length, 'request')}, ${count(runs.length, 'run')}: ${counts.join(', ') || 'none'}`,
    ...(untested === null ? [] : [`nothing was tested: ${untested}`]),
    ...lines(false),
    ...(noFailures.length === 0 ? [] : ['to know, and no failure:']),
    ...noFailures.map((line) => `  ${line}`),
  ].join('\n');
}
