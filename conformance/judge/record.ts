/**
 * The record of a run, as plain data without verdicts. `run/` and `verify` write it, and only `judge.ts`
 * makes verdicts of it.
 */

import type { Level } from '../../spec/contract.ts';
import {
  type CheckResult,
  type EventuallyTiming,
  type Judged,
  type Observation,
  placeOf,
  type Report,
  type ScenarioResult,
  type Variation,
} from './report.ts';
import type { Circumstance } from './rules-of-evidence.ts';

/** The raw result of a check on one answer. */
export type Result =
  | { readonly kind: 'holds' }
  | {
      readonly kind: 'fails';
      readonly expected: unknown;
      readonly actual: unknown;
      readonly pointer: string;
      /** A reason that lies in the scenario or in the answer. */
      readonly note?: string | undefined;
    }
  /** `unmet`: the condition of the check did not hold, so the check has no result. */
  | { readonly kind: 'untestable'; readonly reason: string; readonly unmet?: true | undefined }
  /** An observation of a silence, and its note. */
  | { readonly kind: 'seen'; readonly actual: unknown }
  /** There was no answer; the circumstances say why. */
  | { readonly kind: 'untried' };

export interface Reading {
  readonly result: Result;
  /** Ids of the exchanges: `evidence/<file>.har#<entry index>`. */
  readonly evidence: readonly string[];
  readonly circumstances: readonly Circumstance[];
  /** The list changed during the walk, as the readings before and after it show. */
  readonly moved?: true | undefined;
}

/** A check, an observation, or a breach of the contract, with all its readings in one attempt. */
export interface CheckRecord extends Pick<CheckResult, 'scenario' | 'step' | 'kind' | 'location'> {
  readonly statement: string;
  readonly level: Level;
  /** One reading; if a list was walked several times, one for each walk. */
  readonly readings: readonly Reading[];
}

/** A check with a circumstance added to each of its readings. */
export function inCircumstance(check: CheckRecord, circumstance: Circumstance): CheckRecord {
  const readings = check.readings.map((reading) => ({
    ...reading,
    circumstances: [...reading.circumstances, circumstance],
  }));
  return { ...check, readings };
}

/** The checks of several walks over one list, each with a reading of each walk. */
export function overWalks(
  walks: readonly { readonly checks: readonly CheckRecord[]; readonly moved: boolean }[],
): CheckRecord[] {
  const places = new Map(walks.flatMap(({ checks }) => checks.map((one) => [placeOf(one), one])));
  return [...places].map(([place, check]) => ({
    ...check,
    readings: walks.flatMap(({ checks, moved }) => {
      const { readings = [notRead] } = checks.find((one) => placeOf(one) === place) ?? {};
      return readings.map((reading) => ({ ...reading, moved: moved || undefined }));
    }),
  }));
}

/** The reading of a check that says nothing about one of several walks. */
const notRead: Reading = { result: { kind: 'untried' }, evidence: [], circumstances: [] };

/** A call of an operation that got an answer. */
export interface MadeCall {
  /** When the call was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly operation: string;
  /** Whether a page came in place of an answer. */
  readonly page: boolean;
  /** It is a write, and was answered 5xx. */
  readonly failed?: boolean;
  /** It went over plain HTTP, where something else than the service may answer. */
  readonly plain?: boolean;
}

/** One pass through a scenario, from the first step to the last. */
export interface AttemptRecord {
  readonly checks: readonly CheckRecord[];
  /** The evidence of each step that got an answer. */
  readonly answered: ReadonlyMap<string, readonly string[]>;
  readonly observations: readonly Observation[];
  readonly eventually: readonly EventuallyTiming[];
  readonly requests: number;
  readonly calls: readonly MadeCall[];
  /** Whether a call was refused that a service may refuse. */
  readonly openRefused?: boolean;
  /** The reason for an end that the target caused, and not the service. */
  readonly couldNotRun?: string | undefined;
}

/** The variation of a turn, and the ways in which it makes each step. */
export interface Varied {
  readonly variation: Variation;
  readonly ways: ReadonlyMap<string, readonly string[]>;
  /** The statements that grant access to the caller of a step, if it is not the caller of the scenario. */
  readonly letIn: ReadonlyMap<string, readonly string[]>;
}

/** One turn of a scenario; a failure may be tried again in it. */
export interface TurnRecord {
  /** Absent if nothing is varied. */
  readonly varied?: Varied | undefined;
  readonly first: AttemptRecord;
  /** The attempts to confirm a failure of the first. */
  readonly again: readonly AttemptRecord[];
  /** Whether it failed while other scenarios ran in its area. */
  readonly concurrent: boolean;
  /** The status with which a gateway may have answered a write of the first attempt. */
  readonly gateway?: number | undefined;
  /** For failures that are not the service's doing: the circumstance that explains them. */
  readonly explained: ReadonlyMap<CheckRecord, Circumstance>;
  readonly durationMs: number;
}

/** A scenario and its turns. If it had none: the reason, and the checks that were therefore not made. */
export interface ScenarioRecord extends Pick<ScenarioResult, 'scenario' | 'file' | 'effect'> {
  /** The scenario only adds detail to others. */
  readonly extra: boolean;
  readonly turns: readonly TurnRecord[];
  readonly notRun?: NotRun | undefined;
  /**
   * The statements of the report, if the evidence for them was not kept and they cannot be derived
   * again.
   */
  readonly told?:
    | { readonly result: ScenarioResult; readonly judged: readonly Judged[] }
    | undefined;
}

interface NotRun {
  readonly why: Circumstance;
  readonly checks: readonly CheckRecord[];
  /** The statements that do not apply without a feature. */
  readonly feature?: { readonly name: string; readonly statements: readonly string[] } | undefined;
}

/** The parts of a report that need no judgement. */
type Said = Omit<
  Report,
  | 'schemaVersion'
  | 'statements'
  | 'scenarios'
  | 'observations'
  | 'eventually'
  | 'notApplicable'
  | 'unobservable'
  | 'totals'
  | 'exitCode'
>;

export interface RunRecord extends Said {
  /** In the order of the report. */
  readonly scenarios: readonly ScenarioRecord[];
}
