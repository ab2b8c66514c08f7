/** A scenario file as it is written. `scenario.schema.json` is its grammar; these are its types. */

import { Grammar } from '../../spec/base/grammar.ts';
import type { Effect, OperationId } from '../../spec/contract.ts';
import schema from '../scenario.schema.json' with { type: 'json' };
import type { Conditions, Lasting } from './scenario.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ScenarioText {
  readonly scenario: string;
  readonly about?: string;
  readonly effect?: Effect;
  readonly needs?: readonly string[];
  readonly confirm?: number | ConfirmText;
  readonly extra?: true;
  readonly let?: Fields;
  readonly as?: unknown;
  readonly path?: Fields;
  readonly steps: readonly StepText[];
  readonly undo?: readonly StepText[];
}

export interface ConfirmText {
  readonly times: number;
  readonly unless?: readonly ValueIs[];
  readonly 'unless it stays'?: Lasting;
}

export interface ValueIs {
  readonly value: unknown;
  readonly is: unknown;
}

/** What makes a call; `again` takes it over from an earlier step. */
export interface CallText {
  readonly as?: unknown;
  readonly call?: OperationId;
  readonly request?: { readonly method: string; readonly path: string };
  readonly path?: Fields;
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly method?: string;
  readonly suffix?: string;
  readonly over?: 'http';
  readonly effect?: Effect;
  readonly walkPages?: ListText;
  readonly scimList?: ListText;
  readonly list?: unknown;
}

export interface StepText extends CallText {
  readonly id?: string;
  readonly about?: string;
  readonly again?: string;
  readonly repeat?: { readonly times: number };
  readonly 'appears within'?: string;
  readonly eventually?: boolean | Readonly<Record<'within' | 'every' | 'stableFor', string>>;
  readonly stays?: WatchText;
  readonly throughout?: WatchText;
  readonly require?: readonly (ValueIs & { readonly else: string })[];
  readonly only?: ConditionsText;
  readonly atLeast?: Readonly<Record<string, number>>;
  readonly expect?: ConditionsText;
  readonly capture?: Fields;
  readonly checks?: ChecksText;
  readonly never?: ChecksText;
  readonly observe?: Fields;
  readonly forEach?: Fields;
  readonly steps?: readonly StepText[];
}

/** A status alone, or facets. */
export type ConditionsText = number | string | Conditions;

export type WholeCheckText = Conditions & {
  readonly atLeast?: Readonly<Record<string, number>>;
  readonly only?: ConditionsText;
  readonly collateral?: readonly string[];
  readonly because?: string;
};

export type CheckText = number | string | WholeCheckText;

export type ChecksText = Readonly<Record<string, CheckText | readonly CheckText[]>>;

export interface ListText {
  readonly limit?: unknown;
  readonly count?: unknown;
  readonly key?: string;
  readonly items?: string;
}

export type WatchText = boolean | string | Readonly<Record<'for' | 'atLeast' | 'every', string>>;

export const scenarioGrammar: Grammar<ScenarioText> = new Grammar(schema);
