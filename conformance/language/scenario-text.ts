/** A scenario file as it is written. `scenario.schema.json` is its grammar. */

import { Grammar } from '../../spec/base/grammar.ts';
import schema from '../scenario.schema.json' with { type: 'json' };
import type { components } from './scenario.generated.ts';

type Words = components['schemas'];

export type ScenarioText = Words['ScenarioText'];
export type StepText = Words['step'];
/** A status alone, or facets. */
export type ConditionsText = Words['conditions'];
export type Facets = Extract<ConditionsText, { readonly unchanged?: unknown }>;
export type CheckText = Words['check'];
export type WatchText = Words['watch'];
export type StandingText = Words['standing'];
export type ConfirmText = Exclude<NonNullable<ScenarioText['confirm']>, number>;
export type ValueIs = Words['statementOfValue'];
/** Ids of steps. What came to the list or went from it between `since` and `seen` is looked for. */
export type Lasting = NonNullable<ConfirmText['unless it stays']>;

export const scenarioGrammar: Grammar<ScenarioText> = new Grammar(schema);
export const standingGrammar: Grammar<StandingText> = new Grammar(schema, 'standing');
