/**
 * The record of a run, without a verdict. `run/` and `verify` write it; `judge.ts` alone makes
 * verdicts of it. Plain data, and nothing in it is judged.
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
      /** The scenario, or the answer, explains it. */
      readonly note?: string | undefined;
    }
  /** `moot`: its own condition did not hold, so it says nothing. */
  | { readonly kind: 'untestable'; readonly reason: string; readonly moot?: true | undefined }
  /** An observation of a silence, and its note. */
  | { readonly kind: 'seen'; readonly actual: unknown }
  /** There was no answer; the circumstances say why. */
  | { readonly kind: 'untried' };

export interface Reading {
  readonly result: Result;
  /** Of the exchanges: `evidence/<file>.har#<entry index>`. */
  readonly evidence: readonly string[];
  readonly circumstances: readonly Circumstance[];
  /** The list moved while it was walked, as the readings before and after it show. */
  readonly moved?: true | undefined;
}

/** A check, an observation, or a breach of the contract, and all that was read of it in one attempt. */
export interface CheckRecord extends Pick<CheckResult, 'scenario' | 'step' | 'kind' | 'location'> {
  readonly statement: string;
  readonly level: Level;
  /** One; of a list that was walked several times, one for each walk. */
  readonly readings: readonly Reading[];
}

/** A check whose readings were all made in a circumstance. */
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

/** A check that says nothing of one of several walks. */
const notRead: Reading = { result: { kind: 'untried' }, evidence: [], circumstances: [] };

/** A call of an operation that was answered. */
export interface MadeCall {
  /** When it was sent, milliseconds since 1970. */
  readonly at: number;
  readonly operation: string;
  /** A page stood where the answer should. */
  readonly page: boolean;
  /** It is a write, and was answered 5xx. */
  readonly failed?: boolean;
}

/** A scenario from its first step to its last. */
export interface AttemptRecord {
  readonly checks: readonly CheckRecord[];
  /** The evidence of each step that was answered. */
  readonly answered: ReadonlyMap<string, readonly string[]>;
  readonly observations: readonly Observation[];
  readonly eventually: readonly EventuallyTiming[];
  readonly requests: number;
  readonly calls: readonly MadeCall[];
  /** A call was refused that was made in a way that a service may refuse. */
  readonly openRefused?: boolean;
  /** Why the target, not the service, ended it. */
  readonly couldNotRun?: string | undefined;
}

/** How a turn was varied, and in which ways each of its steps was made for that. */
export interface Varied {
  readonly variation: Variation;
  readonly ways: ReadonlyMap<string, readonly string[]>;
}

/** One turn of a scenario, in which a failure may have been tried again. */
export interface TurnRecord {
  /** Absent if nothing is varied. */
  readonly varied?: Varied | undefined;
  readonly first: AttemptRecord;
  /** The attempts that were to confirm a failure of the first. */
  readonly again: readonly AttemptRecord[];
  /** It failed while others shared its area. */
  readonly beside: boolean;
  /** With which status a gateway may have answered a write of the first attempt. */
  readonly gateway?: number | undefined;
  /** The traces of the first attempt are still there, so that it cannot fail again. */
  readonly trace: boolean;
  /** Of failures that did not come again: how others explain them. */
  readonly explained: ReadonlyMap<CheckRecord, Circumstance>;
  readonly durationMs: number;
}

/** A scenario and its turns; or why it had none, and the checks that were not made for that. */
export interface ScenarioRecord extends Pick<ScenarioResult, 'scenario' | 'file' | 'effect'> {
  /** It only looks deeper than others. */
  readonly extra: boolean;
  readonly turns: readonly TurnRecord[];
  readonly notRun?: NotRun | undefined;
  /** If its evidence was not kept: what the report says of it, which nobody can derive again. */
  readonly told?:
    | { readonly result: ScenarioResult; readonly judged: readonly Judged[] }
    | undefined;
}

interface NotRun {
  readonly why: Circumstance;
  readonly checks: readonly CheckRecord[];
  /** The statements that fall away with a feature that the tenant lacks. */
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
