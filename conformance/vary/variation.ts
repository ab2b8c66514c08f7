/** A variation: how one turn of a scenario differs from its text. The promise stays the same. */

import { isObject } from '../../spec/base/json.ts';
import type { Variation } from '../judge/report.ts';
import { allSteps, type Scenario, type Step, type Whole } from '../language/scenario.ts';
import { bindingFields } from '../language/vocabulary.ts';
import { rewrites } from './rewrites.ts';
import { texts } from './texts.ts';

/** The unchanged scenario. */
export const plain: Variation = {};

/** A scenario in a variation. Its title, the ids of its steps and its checks stay. */
export function varied(
  scenario: Scenario,
  { as = {}, rewritten = {}, elsewhere, text }: Variation,
  callers: Whole['callers'] | undefined,
): Scenario {
  if (Object.keys(as).length + Object.keys(rewritten).length === 0 && !elsewhere && !text)
    return scenario;
  const change = (step: Step): Step => {
    const { operation } = step;
    const own = as[step.id];
    const caller = operation && callers?.get(operation.id)?.find(({ name }) => name === own);
    const names = rewritten[step.id] ?? [];
    const made = names.reduce((made, name) => rewrites[name]?.of(made) ?? made, step);
    return {
      ...made,
      ...(own !== undefined && { as: caller?.as ?? own }),
      ...((text !== undefined || names.some((name) => rewrites[name]?.open)) && { open: true }),
      steps: made.steps.map(change),
    };
  };
  const [steps, undo] = [scenario.steps.map(change), scenario.undo.map(change)];
  const mark = text === undefined ? scenario.mark : texts[text];
  const made = { ...scenario, steps, undo, mark };
  if (elsewhere !== true) return made;
  const moved = { let: made.let, steps, undo, needs: scenario.needs.map((need) => `{${need}}`) };
  const { needs, ...rest } = inOtherDeployment(moved) as typeof moved;
  return { ...made, ...rest, needs: needs.map((need) => need.slice(1, -1)) };
}

/** The statements that grant access to the caller, for each step with another caller. */
export function lettingIn(
  scenario: Scenario,
  { as = {} }: Variation,
  callers: Whole['callers'] | undefined,
): ReadonlyMap<string, readonly string[]> {
  const all = [...allSteps(scenario.steps)].map((step) => {
    const named = step.operation && callers?.get(step.operation.id);
    const caller = named?.find(({ name }) => name === as[step.id]);
    return [step.id, caller?.statements ?? []] as const;
  });
  return new Map(all);
}

/** The credentials and bindings that a variation needs in addition to those of the scenario. */
export function needsOf({ as = {}, elsewhere }: Variation, callers: Whole['callers']): Set<string> {
  const all = [...callers.values()].flat();
  const names = new Set(Object.values(as));
  const credentials = all.filter(({ name }) => names.has(name)).map(({ credential }) => credential);
  return new Set([...names, ...credentials, ...(elsewhere === true ? movable.values() : [])]);
}

/** The binding that replaces another in the other deployment: `folder` becomes `foreignFolder`. */
export const movable: ReadonlyMap<string, string> = new Map(
  Object.keys(bindingFields).flatMap((name) => {
    const foreign = `foreign${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return foreign in bindingFields ? [[name, foreign]] : [];
  }),
).set('deployment', 'otherDeployment');

const reference = new RegExp(`\\{(${[...movable.keys()].join('|')})\\b`, 'g');

/** Data with each reference to the deployment replaced by the other deployment. */
function inOtherDeployment(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(reference, (_all, name: string) => `{${movable.get(name)}`);
  if (Array.isArray(value)) return value.map(inOtherDeployment);
  if (!isObject(value)) return value;
  // The contract's statements about an operation hold in every deployment.
  const own = Object.entries(value).map(([key, item]) => [
    key,
    key === 'operation' || key === 'location' ? item : inOtherDeployment(item),
  ]);
  return Object.fromEntries(own);
}
