/** The journal of a world as server-sent events: one `request` event for each answer from now on. */
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { journalRecord } from './journal-record.ts';

export function liveJournal(world: World): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      const waiting: string[] = [': connected\n\n'];
      let wake: (() => void) | undefined;
      let ended = false;
      const unsubscribe = world.journal.subscribe((entry: JournalEntry) => {
        waiting.push(
          `id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(journalRecord(world, entry))}\n\n`,
        );
        wake?.();
      });
      return {
        async next() {
          while (waiting.length === 0 && !ended) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          const value = waiting.shift();
          return value === undefined ? { done: true, value: undefined } : { done: false, value };
        },
        // Called when the client goes away: wakes whoever waits for the next piece.
        async return() {
          ended = true;
          waiting.length = 0;
          unsubscribe();
          wake?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
