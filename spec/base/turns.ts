/** Long lists, gone through so that whatever else the process has to do gets its turn in between. */
import { setImmediate as turn } from 'node:timers/promises';

const SIZE = 1000;

/** As `map` of a list does, or for each of so many numbers: `Array(count).keys()`. */
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
