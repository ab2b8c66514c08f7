/** The ways in which a variation makes the calls of a scenario, and variations made of them. */

import type { Variation } from '../judge/report.ts';
import type { Call, Calls } from './calls.ts';
import { rewrites } from './rewrites.ts';
import { plainText, texts } from './texts.ts';
import { plain } from './variation.ts';

/** The ways in which a variation makes a call, in words: the caller, the deployment, the spelling. */
export function waysOf(
  { step, callers, own, rewritten, free }: Call,
  { as = {}, rewritten: made = {}, elsewhere, text }: Variation,
): readonly string[] {
  const caller = as[step.id] ?? step.as;
  const names = made[step.id] ?? [];
  const ways = [...dimensionsOf(rewritten).values()].map(
    (options) => options.find((name) => names.includes(name)) ?? insteadOf(options),
  );
  if (callers !== undefined) ways.push(`as ${caller}`);
  if (free) ways.push(text ?? plainText);
  if (!own) ways.push(elsewhere === true ? 'in the other deployment' : 'in the deployment');
  return ways;
}

/** The rewrites of a step by dimension: the step is made in one way of each dimension. */
const dimensionsOf = (names: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(names, (name) => rewrites[name]?.dimension ?? '');

const insteadOf = ([first = '']: readonly string[]): string => rewrites[first]?.instead ?? '';

/** The callers that may make a call; a key of some deployments is not tried in another. */
export function callersIn({ callers = [] }: Call, { elsewhere }: Variation): readonly string[] {
  const able = elsewhere === true ? callers.filter(({ here }) => here !== true) : callers;
  return able.map(({ name }) => name);
}

/** Each variation with one change: one caller for all steps, one spelling, or the place. */
export function singles({ calls, movable }: Calls): Variation[] {
  const callers = new Set(calls.flatMap((call) => callersIn(call, plain)));
  const spellings = new Set(calls.flatMap(({ rewritten }) => rewritten));
  const asOne = (name: string): Variation => {
    const able = calls.filter(
      (call) => callersIn(call, plain).includes(name) && call.step.as !== name,
    );
    return { as: Object.fromEntries(able.map(({ step }) => [step.id, name])) };
  };
  const spelled = (name: string): Variation => {
    const able = calls.filter(({ rewritten }) => rewritten.includes(name));
    return { rewritten: Object.fromEntries(able.map(({ step }) => [step.id, [name]])) };
  };
  return [
    plain,
    ...[...callers].map(asOne).filter(({ as = {} }) => Object.keys(as).length > 0),
    ...[...spellings].map(spelled),
    ...(movable ? [{ elsewhere: true } as const] : []),
    ...(calls.some(({ free }) => free) ? Object.keys(texts).map((text) => ({ text })) : []),
  ];
}

/** Changes callers and spellings from step to step, each time to the one that is worth most. */
export function mixed(
  { calls }: Calls,
  base: Variation,
  worth: (call: Call, way: string) => number,
): Variation {
  const as: Record<string, string> = {};
  const rewritten: Record<string, string[]> = {};
  // A way that an earlier step of the scenario was already checked in is worth nothing more.
  const given = new Set<string>();
  const chosen = new Map<string, string>();
  for (const call of calls) {
    const { step, own, checks } = call;
    const id = step.operation?.id ?? '';
    const still = (way: string): number => (given.has(`${id} ${way}`) ? 0 : worth(call, way));
    const known = own ? chosen.get(id) : undefined;
    const able = callersIn(call, base);
    const names = known !== undefined && able.includes(known) ? [known] : able;
    const [first, ...others] = names;
    if (first !== undefined) {
      const name = others.reduce((a, b) => (still(`as ${b}`) > still(`as ${a}`) ? b : a), first);
      if (checks.length > 0) given.add(`${id} as ${name}`);
      chosen.set(id, name);
      if (name !== step.as) as[step.id] = name;
    }
    for (const options of dimensionsOf(call.rewritten).values()) {
      const instead = insteadOf(options);
      const name = options.reduce((a, b) => (still(b) > still(a) ? b : a), instead);
      if (checks.length > 0) given.add(`${id} ${name}`);
      if (name !== instead) rewritten[step.id] = [...(rewritten[step.id] ?? []), name];
    }
  }
  return {
    ...base,
    ...(Object.keys(as).length > 0 && { as }),
    ...(Object.keys(rewritten).length > 0 && { rewritten }),
  };
}
