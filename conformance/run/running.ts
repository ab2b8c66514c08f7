/** The state of one scenario while it runs, and what it shares with the others of its run. */

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
  /** Undefined in a replay: it writes nothing. */
  readonly protection?: ProtectionContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Statements that the run is narrowed to; empty for all. */
  readonly only: readonly string[];
  readonly stoppedWorking: CredentialWatch;
  /** Undefined in a replay, and on a mock, which has what it says. */
  readonly claimWatch?: ClaimWatch | undefined;
  /** Told what a step came to. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Told before a step waits on a tenant. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
  /** Of a replay: whether the evidence holds another poll of the step that is waiting. */
  readonly morePolls?: (step: string) => 'no' | 'in time' | 'late';
}

/** What a step was answered, and what its loop named just then. */
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
  /** By the id of a step, with its place in a loop. */
  readonly answers: Map<string, Answered>;
  /** What the loops around the step name. */
  loop: Readonly<Record<string, unknown>>;
  /** Why the rest cannot be tested. */
  stopped?: Circumstance | undefined;
  /** Why the target, not the service, ended the scenario. */
  couldNotRun?: string;
  /** A write was not answered by the service, and is not sent again. */
  brokenOff?: boolean;
  /** A call was refused that was made in a way that a service may refuse. */
  openRefused: boolean;
  requests: number;
}

/** One time that a step runs. */
export interface Turn {
  readonly running: Running;
  readonly step: Step;
  /** Of the step, with its place in the loops around it. */
  readonly id: string;
  /** The wait of the step is over, and it only looks whether the change shows after all. */
  readonly late?: true;
  /** The longest that its call waits for a gateway to pass; by default as long as the run's calls do. */
  readonly patienceMs?: number;
}

/** Neither this step nor what follows it in the scenario can be tried. */
export class Stopped extends Error {
  readonly why: Circumstance;

  constructor(why: Circumstance) {
    super(why.rule);
    this.why = why;
  }
}

/** Why a step could not be tried; undefined for an error that is a defect. */
export function whyUntried(error: unknown): Circumstance | undefined {
  if (error instanceof Stopped) return error.why;
  if (error instanceof Unresolved) return { rule: 'unresolved', reason: error.message };
  if (!(error instanceof CouldNotRun)) return undefined;
  const { message: reason, status } = error;
  if (status === 429) return { rule: 'throttled', reason };
  return { rule: status === 0 ? 'no-answer' : 'gateway', reason };
}
