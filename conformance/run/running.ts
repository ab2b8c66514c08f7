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

export interface RunContext {
  readonly client: Client;
  readonly names: RunNames;
  readonly settling: Settling;
  /** Undefined in a replay: it writes nothing. */
  readonly protection?: ProtectionContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Statements that the run is narrowed to; empty for all. */
  readonly only: readonly string[];
  readonly credentials: CredentialWatch;
  /** Told before a step waits on a tenant. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
  /** Of a replay: whether the evidence holds another poll of the step that is waiting. */
  readonly morePolls?: (step: string) => 'no' | 'in time' | 'late';
}

/** Notices when a credential stops working in mid-run, so that its 401 is not judged. */
export interface CredentialWatch {
  /** Remembers a read that the credential opened. */
  readonly worked: (credential: string, call: TargetCall) => void;
  /** Sends that read again; true where the credential never worked, or still does. */
  readonly stillWorks: (credential: string, file: string, scenario: string) => Promise<boolean>;
}

/** Tells a credential that stopped working from a service that refuses it. */
export function watchCredentials(client: Client): CredentialWatch {
  const opened = new Map<string, TargetCall>();
  return {
    worked: (credential, call) => {
      if (!opened.has(credential)) opened.set(credential, call);
    },
    stillWorks: async (credential, file, scenario) => {
      const known = opened.get(credential);
      if (known === undefined) return true;
      const { method, path, headers } = known.request;
      const { authorization = '' } = headers;
      const again = callTo(method, path, undefined, { headers: { authorization } });
      const answer = await client.call(again, file, { scenario, step: 'probe', kind: 'probe' });
      return answer.status !== 401;
    },
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
