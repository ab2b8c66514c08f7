/** An operator's notes of earlier calls. */
import type { Memory } from '../../mock/world/deviations.ts';

/** Counts one more occurrence of a key, and returns the count: 1 for the first. */
export function count(memory: Memory, key = 'calls'): number {
  const times = Number(memory.get(key) ?? 0) + 1;
  memory.set(key, times);
  return times;
}

/** Stores a value, if one is given, and returns the value before. */
export function exchange<Value>(memory: Memory, key: string, value?: Value): Value | undefined {
  const before = memory.get(key) as Value | undefined;
  if (value !== undefined) memory.set(key, value);
  return before;
}

export function setIn(memory: Memory, key: string): Set<string> {
  const set = (memory.get(key) as Set<string> | undefined) ?? new Set<string>();
  memory.set(key, set);
  return set;
}
