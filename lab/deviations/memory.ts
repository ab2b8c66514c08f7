/** What a deviation remembers of earlier calls, and conditions that rest on it. */
import type { Memory } from '../../mock/world/deviations.ts';

interface Remembering {
  readonly memory: Memory;
}

/** Counts an occurrence under a key: 1 for the first. */
export function count(memory: Memory, key = 'calls'): number {
  const times = Number(memory.get(key) ?? 0) + 1;
  memory.set(key, times);
  return times;
}

/**
 * The number of the call that a stage is asked for, 1 for the first: a refused call asks its stages
 * more than once, and counts once.
 */
export function countCall(memory: Memory, call: object, key = 'calls'): number {
  const last = `${key}:last`;
  if (memory.get(last) === call) return Number(memory.get(key));
  memory.set(last, call);
  return count(memory, key);
}

/** A set that a deviation keeps under a key. */
export function setIn(memory: Memory, key: string): Set<string> {
  let set = memory.get(key);
  if (!(set instanceof Set)) {
    set = new Set<string>();
    memory.set(key, set);
  }
  return set as Set<string>;
}

/** Remembers a value, where there is one, and gives the one from before. */
export function exchange<Value>(
  memory: Memory,
  key: string,
  value: Value | undefined,
): Value | undefined {
  const before = memory.get(key) as Value | undefined;
  if (value !== undefined) memory.set(key, value);
  return before;
}

/** The value that there was the first time; `of` says of what. */
export const asAtFirst =
  <Value, S extends Remembering>(of: (value: Value, scene: S) => unknown) =>
  (value: Value, scene: S): Value | undefined => {
    const key = `first of ${String(of(value, scene))}`;
    const first = scene.memory.get(key) as Value | undefined;
    if (first === undefined) scene.memory.set(key, value);
    return first;
  };

/** From the second time on; `of` says what is counted, where it is not every call. */
export const again =
  <Value, S extends Remembering>(of?: (value: Value, scene: S) => unknown) =>
  (value: Value, scene: S): boolean =>
    count(scene.memory, of === undefined ? undefined : String(of(value, scene))) >= 2;

/** Every second time. */
export const everySecondTime = (_value: unknown, { memory }: Remembering): boolean =>
  count(memory) % 2 === 0;
