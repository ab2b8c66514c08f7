/** Long lists, gone through so that whatever else the process has to do gets its turn in between. */
import { setImmediate as turn } from 'node:timers/promises';

const SIZE = 1000;

/** The list in parts, the next one when others had their turn. A short list is one part, at once. */
export async function* inParts<Item>(
  items: readonly Item[],
): AsyncGenerator<readonly Item[], void> {
  for (let from = 0; from < items.length; from += SIZE) {
    if (from > 0) await turn();
    yield items.slice(from, from + SIZE);
  }
}

/** Does something for each number below a limit. */
export async function countInTurns(limit: number, act: (number: number) => void): Promise<void> {
  for (let number = 0; number < limit; number += 1) {
    if (number > 0 && number % SIZE === 0) await turn();
    act(number);
  }
}

/** As `items.map(make)`. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for await (const part of inParts(items))
    for (const item of part) made.push(make(item, made.length));
  return made;
}
