/** The state of one scenario while it runs, and what it shares with the others of its run. */

import type { EventuallyTiming, Judged, Observation } from '../judge/report.ts';
import type { Answer } from '../language/answer.ts';
import type { Scenario, Step } from '../language/scenario.ts';
import type { RunNames, ScenarioScope } from '../language/scope.ts';
import { Unresolved } from '../language/template.ts';
import type { Protection, ProtectionContext } from '../safety/protect.ts';
import { callTo, type TargetCall } from '../target/call.ts';
import { type Client, CouldNotRun } from '../target/client.ts';
import type { Settling } from '../target/pace.ts';
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
  /** Told what a step came to. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Told before a step waits on a tenant. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
  /** Of a replay: whether the evidence holds another poll of the step that is waiting. */
  readonly morePolls?: (step: string) => 'no' | 'in time' | 'late';
}

/**
 * Is told of every answer, and says whether its credential has stopped working in mid-run, so that a
 * 401 is not judged.
 */
export type CredentialWatch = (
  credential: string,
  call: TargetCall,
  answer: Answer,
  running: Pick<Running, 'file' | 'scenario'>,
) => Promise<boolean>;

/** Sends a read again that the credential once opened: a service that refuses it still serves that. */
export function watchCredentials(client: Client): CredentialWatch {
  const opened = new Map<string, TargetCall>();
  return async (credential, call, answer, { file, scenario }) => {
    const known = opened.get(credential);
    if (known === undefined) {
      if (answer.ok && call.request.method === 'GET') opened.set(credential, call);
      return false;
    }
    if (answer.status !== 401) return false;
    const { method, path, headers } = known.request;
    const { authorization = '' } = headers;
    const again = callTo(method, path, undefined, { headers: { authorization } });
    const occasion = { scenario: scenario.title, step: 'probe', kind: 'probe' } as const;
    return (await client.call(again, file, occasion)).status === 401;
  };
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
  readonly judged: Judged[];
  readonly observations: Observation[];
  readonly eventually: EventuallyTiming[];
  /** By the id of a step, with its place in a loop. */
  readonly answers: Map<string, Answered>;
  /** What the loops around the step name. */
  loop: Readonly<Record<string, unknown>>;
  /** Why the rest cannot be tested. */
  stopped?: string | undefined;
  /** Why the target, not the service, ended the scenario. */
  couldNotRun?: string;
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
}

/** Neither this step nor what follows it in the scenario can be tried. */
export class Stopped extends Error {}

/** Why a step could not be tried; undefined for an error that is a defect. */
export function untestable(error: unknown): string | undefined {
  const expected = [Unresolved, CouldNotRun, Stopped].some((kind) => error instanceof kind);
  return expected && error instanceof Error ? error.message : undefined;
}
