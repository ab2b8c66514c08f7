/** The report of a campaign: as data, and in lines for people. */
import { count } from '../../spec/base/count.ts';
import type { OperationId } from '../../spec/contract.ts';

/** A request of the client in a run without a loss. */
export interface LossRequest {
  readonly operation: OperationId;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** 1 for the first request that is the same to the byte, 2 for the second, and so on. */
  readonly nth: number;
  /** The status of its answer in a run without a loss. */
  readonly status: number;
  /** Why the request is refused even without a loss; null if it is not. */
  readonly refusal: string | null;
}

/**
 * The client's reaction. `recovered`: it went on and made up for the loss. `failed`: it failed, as it should.
 * `swallowed`: it went on as if nothing had been lost. `hung`: it never ended. `unreached`: it did not make the
 * request this time.
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
  /** The changes of the repetition beyond those of the first request; times are left out. */
  readonly again: readonly string[];
  readonly error?: string;
}

export interface LossFinding {
  readonly kind: 'hang' | 'duplicate-write' | 'swallowed-error';
  readonly request: LossRequest;
  readonly phase: string;
  /**
   * True for a harmless repetition: the contract says that the operation may be repeated, and the second
   * request changed nothing. Such a finding leaves `ok` true.
   */
  readonly idempotent: boolean;
  readonly text: string;
}

export interface LossReport {
  /** Something was tested, and no finding is a failure. */
  readonly ok: boolean;
  /** The reason why nothing was tested, and the remedy; null if something was. */
  readonly untested: string | null;
  readonly requests: readonly LossRequest[];
  readonly runs: readonly LossRun[];
  /** Failures come first. */
  readonly findings: readonly LossFinding[];
  /**
   * Possible mistakes in the test, which are not failures: requests that are refused anyway, or
   * were not tested.
   */
  readonly notes: readonly string[];
  /**
   * First a summary. Then the reason why nothing was tested, or a line for each failure. At the end the
   * findings and notes that are not failures, under a heading.
   */
  readonly text: string;
}

/** The lines of a report: counts, failures, and at the end findings that are not failures. */
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
    ...(noFailures.length === 0 ? [] : ['for information; these are not failures:']),
    ...noFailures.map((line) => `  ${line}`),
  ].join('\n');
}
