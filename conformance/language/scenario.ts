/**
 * A scenario as it is written (`scenario.schema.json` is its grammar), and as the loader returns it:
 * checked, with positions, with unresolved templates.
 */

import { Grammar } from '../../spec/base/grammar.ts';
import type { Location } from '../../spec/base/yaml-source.ts';
import type { Effect, Level, Operation, OperationId } from '../../spec/contract.ts';
import schema from '../scenario.schema.json' with { type: 'json' };
import { scenario, standing } from './grammars.generated.js';
import type { components } from './scenario.generated.ts';

type Words = components['schemas'];

export type ScenarioText = Words['ScenarioText'];
export type StepText = Words['step'];
/** A status alone, or facets. */
export type ConditionsText = Words['conditions'];
export type Facets = Extract<ConditionsText, { readonly unchanged?: unknown }>;
export type CheckText = Words['check'];
export type StandingText = Words['standing'];
export type ValueIs = Words['statementOfValue'];

export const scenarioGrammar: Grammar<ScenarioText> = new Grammar(schema, undefined, scenario);
export const standingGrammar: Grammar<StandingText> = new Grammar(schema, 'standing', standing);

export interface Suite {
  readonly scenarios: readonly Scenario[];
  /** The whole suite, if `scenarios` is a part of it: variations are spread over the whole. */
  readonly whole?: Whole | undefined;
  /** The digest of the scenario files. */
  readonly sha256: string;
}

/** The whole suite, with the callers that may make each call. */
export interface Whole {
  readonly scenarios: readonly Scenario[];
  readonly callers: ReadonlyMap<OperationId, readonly Caller[]>;
  /** Promises about access. They depend on the caller, so the caller is not varied. */
  readonly aboutCallers: ReadonlySet<string>;
}

/** A caller with access to a call, whatever its input is. */
export interface Caller {
  /** Its name in the authorisation matrix. */
  readonly name: string;
  readonly as: NonNullable<Step['as']>;
  /** The name of the credential that it sends. */
  readonly credential: string;
  /** The statements that give the caller access. */
  readonly statements: readonly string[];
  /** The condition on the tenant file under which the caller has access. */
  readonly require?: ValueIs | undefined;
  /** Whether the caller must have the right to edit the object of the call. */
  readonly edits?: boolean;
  /** Whether the caller has access only in the present deployment. */
  readonly here?: boolean;
}

export interface Scenario {
  readonly title: string;
  readonly effect: Effect;
  /**
   * The credentials, binding fields (`binding.field`), features and `https` that the scenario
   * needs.
   */
  readonly needs: readonly string[];
  /** It only adds depth to other scenarios. Without its binding it is left out, and no gap is noted. */
  readonly extra: boolean;
  /**
   * In how many attempts a failure must occur on a tenant, because other users could have caused it; 1 if
   * a single failure counts.
   */
  readonly confirm: number;
  readonly let: Readonly<Record<string, unknown>>;
  /** A suffix of the run id in all names that the scenario generates. */
  readonly mark?: string | undefined;
  readonly steps: readonly Step[];
  readonly undo: readonly Step[];
  readonly location: Location;
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /**
   * The number of steps until all its changes are visible. The later steps only read, or send
   * writes that must be refused.
   */
  readonly writesUntil: number;
  /** Whether it names `walk.head`, the big page before a walk. */
  readonly namesHead: boolean;
  /** The operations that it calls; undefined if a step without an operation may call any of them. */
  readonly operations: ReadonlySet<OperationId> | undefined;
  /** Every statement that one of its checks or observations names. */
  readonly statements: ReadonlySet<string>;
  /** The statements about all answers, which this scenario's answers can also show. */
  readonly standing: ReadonlySet<string>;
}

/** A step with defaults filled in and shorthands replaced. */
export interface Step
  extends Pick<StepText, 'as' | 'request' | 'body' | 'rawBody' | 'method' | 'list'>,
    Required<Pick<StepText, 'id' | 'path' | 'query' | 'headers' | 'require' | 'capture'>> {
  readonly location: Location;
  readonly operation: Operation | undefined;
  readonly plain: boolean;
  /** The description does not define the answer, so neither the contract nor a standing check judges it. */
  readonly unspecified: boolean;
  /** Whether the call is made in a way that a service may refuse. */
  readonly open?: boolean;
  readonly effect: Effect;
  readonly expect: Conditions | undefined;
  readonly checks: readonly Check[];
  /** Checks of promises that hold for every answer. */
  readonly standing: readonly Check[];
  readonly observes: readonly Observe[];
  readonly mode: Mode | undefined;
  readonly timing: Timing | undefined;
  readonly forEach: { readonly name: string; readonly list: unknown } | undefined;
  readonly steps: readonly Step[];
}

export type Mode =
  | {
      readonly kind: 'walkPages' | 'scimList';
      readonly size: unknown;
      readonly key: string;
      readonly items: string;
    }
  | {
      readonly kind: 'repeat';
      readonly times: number;
      /** On a tenant, calls that one credential of the run made within a minute count as well. */
      readonly ofRun: boolean;
    };

/**
 * `settled`: wait one and a half times as long as a switch took to become visible in this run.
 * `rested`: wait until the run's convergence has passed since the run last changed this area.
 */
export type Resting = 'settled' | 'rested';

/** Times in milliseconds; undefined if the run's convergence decides. */
export type Timing =
  | {
      readonly kind: 'eventually';
      readonly within: number | undefined;
      readonly every: number;
    }
  | {
      readonly kind: 'throughout';
      readonly for: Resting | undefined;
      /**
       * The least time to watch, even if the convergence is shorter: a change that is undone later
       * needs time to appear.
       */
      readonly atLeast: number;
      readonly every: number;
    };

/** Facets that must all hold. */
export type Conditions = Readonly<Record<string, unknown>>;

export interface Check {
  readonly statement: string;
  readonly level: Level;
  readonly conditions: Conditions;
  readonly atLeast: Readonly<Record<string, number>>;
  /** The check is skipped unless these conditions hold. */
  readonly only: readonly Conditions[];
  readonly because: string | undefined;
  readonly location: Location;
}

export interface Observe {
  readonly statement: string;
  /** Choice id -> conditions, tried in order. */
  readonly cases: Readonly<Record<string, Conditions>>;
  /** The value to record; undefined if only the choice is recorded. */
  readonly value: unknown;
  readonly location: Location;
}

/** Methods whose requests change nothing. */
export const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Every step, with the steps inside forEach. */
export function* allSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    yield* allSteps(step.steps);
  }
}

/** Every step of a scenario, with the steps that always run at its end. */
export function everyStep({ steps, undo }: Pick<Scenario, 'steps' | 'undo'>): Step[] {
  return [...allSteps(steps), ...allSteps(undo)];
}

/** Whether a step makes a call that could change something. */
export function isWrite(step: Step): boolean {
  return step.effect !== 'none';
}

/** Whether the calls of other scenarios count for a step, so that it need not make its own. */
export function countsOthers({ mode }: Step): boolean {
  return mode?.kind === 'repeat' && mode.ofRun;
}

/** The areas that a scenario reads, and the areas that it locks. */
export type Areas = Pick<Scenario, 'reads' | 'writes'>;

/**
 * Whether two scenarios must not run in parallel: one writes an area that the other reads or
 * writes, or they are the same.
 */
export function collide(a: Areas, b: Areas): boolean {
  const apart = a.writes.isDisjointFrom(b.writes) && a.writes.isDisjointFrom(b.reads);
  return a === b || !apart || !a.reads.isDisjointFrom(b.writes);
}
