/**
 * A scenario as it is written (`scenario.schema.json` is its grammar), and as the loader hands it on:
 * checked, with positions, templates still unresolved.
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
export type ConfirmText = Exclude<NonNullable<ScenarioText['confirm']>, number>;
export type ValueIs = Words['statementOfValue'];
/** Ids of steps. What came to the list or went from it between `since` and `seen` is looked for. */
export type Lasting = NonNullable<ConfirmText['unless it stays']>;

export const scenarioGrammar: Grammar<ScenarioText> = new Grammar(schema, undefined, scenario);
export const standingGrammar: Grammar<StandingText> = new Grammar(schema, 'standing', standing);

export interface Suite {
  readonly scenarios: readonly Scenario[];
  /** All that belongs together, if `scenarios` is a part of it: each try is varied with a view to the whole. */
  readonly whole?: Whole | undefined;
  /** Digest of the files that the scenarios came from. */
  readonly sha256: string;
}

/** A whole suite, and who may make each call. */
export interface Whole {
  readonly scenarios: readonly Scenario[];
  readonly callers: ReadonlyMap<OperationId, readonly Caller[]>;
  /** Promises of who is let in: another caller would be another promise. */
  readonly aboutCallers: ReadonlySet<string>;
}

/** Somebody whom the description lets in, whatever the call asks for. */
export interface Caller {
  /** As the authorisation matrix calls it. */
  readonly name: string;
  readonly as: NonNullable<Step['as']>;
  /** The credential that it sends. */
  readonly credential: string;
  /** If this is not so, the tenant file does not say that it is let in. */
  readonly require?: ValueIs | undefined;
  /** It must be able to edit what the call names. */
  readonly edits?: boolean;
  /** It is let in where it calls now, and need not be elsewhere. */
  readonly here?: boolean;
}

export interface Scenario {
  readonly title: string;
  readonly effect: Effect;
  /** Credentials, `binding.field`, features and `https`: what it cannot do without. */
  readonly needs: readonly string[];
  /** It only looks deeper than others: where a binding is missing it says nothing. */
  readonly extra: boolean;
  readonly confirm: Confirm;
  readonly let: Readonly<Record<string, unknown>>;
  /** Stands after the id of the run in all that it makes up. */
  readonly mark?: string | undefined;
  readonly steps: readonly Step[];
  readonly undo: readonly Step[];
  readonly location: Location;
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /**
   * How many of its steps pass until all that it changed shows; then it only reads, and asks for what
   * must be refused.
   */
  readonly writesUntil: number;
  /** What it calls; undefined where a step without an operation may call anything. */
  readonly operations: ReadonlySet<OperationId> | undefined;
  /** Every statement that a check or observation of it names. */
  readonly statements: ReadonlySet<string>;
  /** Every statement that holds for all answers, and so for its own. */
  readonly standing: ReadonlySet<string>;
}

/** A failure that other people's work could have made must come again. */
export interface Confirm {
  /** How often it is tried in all; 1 where a failure stands at once. */
  readonly times: number;
  /**
   * Where all of these hold after another try, the failure need not come again: what the first try
   * left behind is still there. `{firstTry.x}` is what the first try captured as x.
   */
  readonly unless: readonly ValueIs[];
  /** The same of lists. */
  readonly lasting: Lasting | undefined;
}

/** What is written, with defaults and without the words that say the same in another way. */
export interface Step
  extends Pick<StepText, 'as' | 'request' | 'body' | 'rawBody' | 'method' | 'list'>,
    Required<Pick<StepText, 'id' | 'path' | 'query' | 'headers' | 'require' | 'capture'>> {
  readonly location: Location;
  readonly operation: Operation | undefined;
  readonly plain: boolean;
  /** The description says nothing of the answer, so neither the contract nor a standing check judges it. */
  readonly unspecified: boolean;
  /** It is made in a way that a service may refuse. */
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
  | { readonly kind: 'repeat'; readonly times: number };

/**
 * `settled`: as long as a switch took to show in this run, and half of it more. `rested`: until the
 * run's convergence has passed since its last change in the area.
 */
export type Resting = 'settled' | 'rested';

/** Milliseconds; undefined where the run's convergence decides. */
export type Timing =
  | {
      readonly kind: 'eventually';
      readonly within: number | undefined;
      readonly every: number;
    }
  | {
      readonly kind: 'throughout';
      readonly for: number | Resting | undefined;
      /** However short the run's convergence is: what is lost by itself needs time to be lost. */
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
  /** Conditions under which it speaks at all. */
  readonly only: readonly Conditions[];
  readonly because: string | undefined;
  readonly location: Location;
}

export interface Observe {
  readonly statement: string;
  /** Choice id -> conditions, tried in order. */
  readonly cases: Readonly<Record<string, Conditions>>;
  /** What is recorded; undefined where only the choice is. */
  readonly value: unknown;
  readonly location: Location;
}

/** Methods whose requests change nothing. */
export const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Every step, those inside forEach included. */
export function* allSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    yield* allSteps(step.steps);
  }
}

/** Every step of a scenario, those that always run at its end included. */
export function everyStep({ steps, undo }: Pick<Scenario, 'steps' | 'undo'>): Step[] {
  return [...allSteps(steps), ...allSteps(undo)];
}

/** Whether a step makes a call that could change something. */
export function isWrite(step: Step): boolean {
  return step.effect !== 'none';
}

/** The areas that a scenario reads, and those that it has for itself. */
export type Areas = Pick<Scenario, 'reads' | 'writes'>;

/** Whether one of two writes an area that the other reads or writes, or they are one. */
export function collide(a: Areas, b: Areas): boolean {
  const apart = a.writes.isDisjointFrom(b.writes) && a.writes.isDisjointFrom(b.reads);
  return a === b || !apart || !a.reads.isDisjointFrom(b.writes);
}
