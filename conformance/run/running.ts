/** The state of one scenario while it runs, and the state that all scenarios of a run share. */

import type { CheckRecord, MadeCall } from '../judge/record.ts';
import type { EventuallyTiming, Observation } from '../judge/report.ts';
import type { Circumstance } from '../judge/rules-of-evidence.ts';
import type { Answer } from '../language/answer.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import type { RunNames, ScenarioScope } from '../language/scope.ts';
import { Unresolved } from '../language/template.ts';
import type { ClaimWatch } from '../safety/claim-watch.ts';
import type { Protection, ProtectionContext } from '../safety/protect.ts';
import type { Settling } from '../safety/settling.ts';
import { type Client, CouldNotRun } from '../target/client.ts';
import type { CredentialWatch } from '../target/credential-watch.ts';
import type { TraceEvent } from '../target/trace-event.ts';

export interface RunContext {
  readonly client: Client;
  readonly names: RunNames;
  readonly settling: Settling;
  /** Undefined in a replay, which writes nothing. */
  readonly protection?: ProtectionContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The statements that the run is limited to; empty means all. */
  readonly only: readonly string[];
  readonly stoppedWorking: CredentialWatch;
  /** Undefined in a replay, and on a mock, because its bindings are always correct. */
  readonly claimWatch?: ClaimWatch | undefined;
  /** Called with the outcome of a step. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Called before a step waits on a tenant. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
  /** In a replay: whether the evidence has another call of the step that waits. */
  readonly morePolls?: (step: string) => 'no' | 'in time' | 'late';
  /** In a replay: whether the evidence holds another call of the step's `repeat`. */
  readonly moreCalls?: (step: string) => boolean;
}

/** The answer to a step, and the values of its loop at that time. */
export interface Answered {
  readonly answer: Answer;
  readonly loop: Readonly<Record<string, unknown>>;
}

export interface Running {
  readonly run: RunContext;
  readonly scenario: Scenario;
  readonly scope: ScenarioScope;
  /** Name of the evidence file. */
  readonly file: string;
  readonly protection: Protection | undefined;
  readonly checks: CheckRecord[];
  readonly observations: Observation[];
  readonly eventually: EventuallyTiming[];
  readonly calls: MadeCall[];
  /** The answers, by the id of the step with its position in a loop. */
  readonly answers: Map<string, Answered>;
  /** The names and values of the loops around the step. */
  loop: Readonly<Record<string, unknown>>;
  /** The reason why later steps cannot be tested. */
  stopped?: Circumstance | undefined;
  /** The reason why the target, and not the service, ended the scenario. */
  couldNotRun?: string;
  /** The service did not answer a write, and the write is not sent again. */
  brokenOff?: boolean;
  /** A call of the scenario was refused, and the description allows that. */
  openRefused: boolean;
  requests: number;
}

/** One run of a step. */
export interface Turn {
  readonly running: Running;
  readonly step: Step;
  /** The id of the step, with its position in the loops around it. */
  readonly id: string;
  /** The wait of the step is over. From now on the step only looks whether the change shows late. */
  readonly late?: true;
  /** A walk failed: the next ones are made between two readings of the whole list. */
  readonly bracketed?: true;
  /** The longest time to wait for a gateway in this call; by default that of the run. */
  readonly patienceMs?: number;
}

/** Neither this step nor the later steps of the scenario can be tried. */
export class Stopped extends Error {
  readonly why: Circumstance;

  constructor(why: Circumstance) {
    super(why.rule);
    this.why = why;
  }
}

/** The reason why a step could not be tried; undefined for an error that is a defect. */
export function whyUntried(error: unknown): Circumstance | undefined {
  if (error instanceof Stopped) return error.why;
  if (error instanceof Unresolved) return { rule: 'unresolved', reason: error.message };
  if (!(error instanceof CouldNotRun)) return undefined;
  const { message: reason, status } = error;
  if (status === 429) return { rule: 'throttled', reason };
  return { rule: status === 0 ? 'no-answer' : 'gateway', reason };
}
