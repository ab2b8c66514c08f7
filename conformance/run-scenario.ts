/** Runs one scenario: its steps in order, then whatever puts things back. */

import { actorOf } from './actor.ts';
import type { Answer } from './answer.ts';
import { CouldNotRun } from './client.ts';
import { compute } from './compute.ts';
import { evidenceName } from './evidence.ts';
import { matches } from './matcher.ts';
import { Protection, type ProtectionContext } from './protect.ts';
import type { CheckResult, EventuallyTiming, Observation, ScenarioResult } from './report.ts';
import type { Scenario, Step } from './scenario.ts';
import { type RunNames, ScenarioScope } from './scope.ts';
import { callStep } from './call-step.ts';
import { judgeStep, untestedStep } from './judge-step.ts';
import { Unresolved, resolve } from './template.ts';

/** What scenarios share in a run. */
export interface RunContext extends ProtectionContext {
  readonly names: RunNames;
  readonly signal: AbortSignal | undefined;
  readonly onlyStatements: ReadonlySet<string>;
  /** Whether a credential that just got 401 still opens what it opened before. */
  readonly stillWorks: (credential: string, file: string, scenario: string) => Promise<boolean>;
  readonly worked: (credential: string, answer: Answer) => void;
}

export interface ScenarioOutcome {
  readonly result: ScenarioResult;
  readonly checks: readonly CheckResult2[];
  readonly observations: readonly Observation[];
  readonly eventually: readonly EventuallyTiming[];
}

/** A check result with the statement that it belongs to. */
export type CheckResult2 = CheckResult & { readonly statement: string };

/** The state of one scenario while it runs. */
export interface Running {
  readonly run: RunContext;
  readonly scenario: Scenario;
  readonly scope: ScenarioScope;
  readonly file: string;
  readonly protection: Protection;
  readonly checks: CheckResult2[];
  readonly observations: Observation[];
  readonly eventually: EventuallyTiming[];
  /** Why the rest cannot be tested. */
  stopped: string | undefined;
  couldNotRun: string | undefined;
  requests: number;
}
