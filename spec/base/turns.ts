/**
 * Turns of the event loop: long lists that let other work run, work that waits for the end of a turn, and
 * work on several items at a time.
 */
// The function is imported, because tests may replace the global one.
import { setImmediate } from 'node:timers';
import { setImmediate as turn } from 'node:timers/promises';

const SIZE = 1000;

/** Works like `map` of a list, or of numbers: `Array(count).keys()`. */
export async function mapInTurns<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    if (made.length > 0 && made.length % SIZE === 0) await turn();
    made.push(make(item));
  }
  return made;
}

/** Collects the items of one turn, and uses them all at its end, or at `flush`. */
export function inBatches<Item>(use: (items: readonly Item[]) => void) {
  const waiting: Item[] = [];
  const flush = (): void => {
    const items = waiting.splice(0);
    if (items.length > 0) use(items);
  };
  const add = (item: Item): void => {
    if (waiting.push(item) === 1) setImmediate(flush);
  };
  return { add, flush };
}

/** Works like `map` of a list, on several items at a time. The first rejection is passed on. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const workers = Array.from({ length: Math.max(1, jobs) }, async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  });
  await Promise.all(workers);
  return results;
}
