/** Conditions: who asks, where, and how often before. */
import type { Memory } from '../../mock/world/deviations.ts';
import type { Asked, When } from './does.ts';
import { type Call, callerOf, deploymentOf } from './wire.ts';

/** Counts an occurrence under a key: 1 for the first. */
export function count(memory: Memory, key = 'calls'): number {
  const times = Number(memory.get(key) ?? 0) + 1;
  memory.set(key, times);
  return times;
}

/** Remembers a value, where there is one, and gives the one from before. */
export function exchange<Value>(memory: Memory, key: string, value?: Value): Value | undefined {
  const before = memory.get(key) as Value | undefined;
  if (value !== undefined) memory.set(key, value);
  return before;
}

/** A set that is remembered under a key. */
export function setIn(memory: Memory, key: string): Set<string> {
  const set = (memory.get(key) as Set<string> | undefined) ?? new Set<string>();
  memory.set(key, set);
  return set;
}

type Holds<What> = (what: What) => boolean | Promise<boolean>;

export function not<What = Asked>(holds: Holds<What>): Holds<What> {
  return async (what) => !(await holds(what));
}

/** All hold; a later one is not asked where an earlier one does not. */
export const all =
  <What = Asked>(...conditions: readonly Holds<What>[]): Holds<What> =>
  async (what) => {
    for (const holds of conditions) if (!(await holds(what))) return false;
    return true;
  };

/** From the second time on that the same is asked; `of` says what, where it is not any call. */
export function again(of: (call: Call) => string = () => 'calls'): When {
  return ({ call, target }) => count(target.memory, `times of ${of(call)}`) >= 2;
}

/** In a call that fits, and in all later ones about the same. */
export const since =
  (fits: When, of: (call: Call) => string = objectOf): When =>
  async (asked) => {
    const marked = setIn(asked.target.memory, 'marked');
    if (await fits(asked)) marked.add(of(asked.call));
    return marked.has(of(asked.call));
  };

export function every(times: number): When {
  return ({ target }) => count(target.memory, 'every') % times === 0;
}

/** What a call is about. */
export const objectOf = ({ operation, path, body }: Call): string =>
  JSON.stringify([path, (operation.object?.fields ?? []).map((name) => body[name])]);
export const sameHeader = ({ headers }: Call): string => headers.authorization ?? '';

/** Somebody asks whose credential has one of these names. */
export function by(...names: readonly string[]): When {
  return ({ call, target }) => names.includes(callerOf(call, target)?.name ?? '');
}

export const isScoped: When = ({ call, target }) => callerOf(call, target)?.scope !== undefined;

/** The deployment is not the one that the scoped credential opens, which every target has. */
export const isElsewhere: When = ({ call, target }) =>
  deploymentOf(call) !== '' && deploymentOf(call) !== homeOf(target);
export const isWithinScope: When = ({ call, target }) =>
  callerOf(call, target)?.scope?.includes(deploymentOf(call)) === true;

export function homeOf({ callers }: Asked['target']): string | undefined {
  return callers.find(({ scope }) => scope !== undefined)?.scope?.[0];
}

export function isOf(...ids: readonly string[]): When {
  return ({ call }) => ids.includes(call.operation.id);
}
