/** Lists the ways in which a variation makes calls, and makes variations with chosen ways. */

import type { Variation } from '../judge/report.ts';
import type { Call, Calls } from './calls.ts';
import { rewrites } from './rewrites.ts';
import { plainText, texts } from './texts.ts';
import { plain } from './variation.ts';

/** The ways of a call in words: its caller, its deployment, its spelling. */
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

/** The caller of a call, if it has a name. */
export function callerIn({ step }: Call, { as = {} }: Variation): string | undefined {
  const caller = as[step.id] ?? step.as;
  return typeof caller === 'string' ? caller : undefined;
}

/** The rewrites of a step by dimension. The step uses one way of each dimension. */
const dimensionsOf = (names: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(names, (name) => rewrites[name]?.dimension ?? '');

const insteadOf = ([first = '']: readonly string[]): string => rewrites[first]?.instead ?? '';

/** The callers with access to a call. A scoped key is not tried in another deployment. */
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

/** The worth of one way to make a call, after the ways that the calls before it got. */
export interface Worth {
  readonly of: (call: Call, way: string, caller: string | undefined) => number;
  readonly give: (call: Call, way: string, caller: string | undefined) => void;
}

/**
 * Changes callers and spellings from step to step. Each step gets the one with the highest worth.
 */
export function mixed({ calls }: Calls, base: Variation, worth: Worth): Variation {
  const as: Record<string, string> = {};
  const rewritten: Record<string, string[]> = {};
  const chosen = new Map<string, string>();
  for (const call of calls) {
    const { step, own } = call;
    const id = step.operation?.id ?? '';
    const best = (ways: readonly string[], first: string, caller?: string): string => {
      const still = (way: string): number => worth.of(call, way, caller);
      const found = ways.reduce((a, b) => (still(b) > still(a) ? b : a), first);
      worth.give(call, found, caller);
      return found;
    };
    const known = own ? chosen.get(id) : undefined;
    const able = callersIn(call, base);
    const names = known !== undefined && able.includes(known) ? [known] : able;
    const [first, ...others] = names;
    if (first !== undefined) {
      const ways = others.map((name) => `as ${name}`);
      const name = best(ways, `as ${first}`).slice('as '.length);
      chosen.set(id, name);
      if (name !== step.as) as[step.id] = name;
    }
    const caller = callerIn(call, { as });
    for (const options of dimensionsOf(call.rewritten).values()) {
      const instead = insteadOf(options);
      const name = best(options, instead, caller);
      if (name !== instead) rewritten[step.id] = [...(rewritten[step.id] ?? []), name];
    }
  }
  return {
    ...base,
    ...(Object.keys(as).length > 0 && { as }),
    ...(Object.keys(rewritten).length > 0 && { rewritten }),
  };
}
