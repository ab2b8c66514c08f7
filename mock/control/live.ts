/** The journal of a world as server-sent events: one `request` event for each answer from now on. */
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { journalRecord } from './journal-record.ts';

/**
 * The most entries that wait for a slow reader. Above that, the older half is dropped, and the
 * reader is told.
 */
const MOST_WAITING = 100;

/** `history` starts it with a `journal` event: the list of the requests before. */
export function liveJournal(world: World, history = false): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      const waiting: JournalEntry[] = [];
      const held = history ? world.journal.list() : [];
      const before = held.map((entry) => journalRecord(world, entry));
      /** Text to send before the next entry. */
      let notice = history ? `event: journal\ndata: ${JSON.stringify(before)}` : ': connected';
      let news = Promise.withResolvers<void>();
      let ended = false;
      const unsubscribe = world.journal.subscribe((entry) => {
        waiting.push(entry);
        if (waiting.length > MOST_WAITING) {
          waiting.splice(0, MOST_WAITING / 2);
          notice = `: requests before ${waiting[0]?.id} were dropped: this stream is read too slowly`;
        }
        news.resolve();
      });
      return {
        async next() {
          if (notice !== '') {
            const value = `${notice}\n\n`;
            notice = '';
            return { done: false, value };
          }
          while (waiting.length === 0 && !ended) {
            news = Promise.withResolvers();
            await news.promise;
          }
          const entry = waiting.shift();
          if (entry === undefined) return { done: true, value: undefined };
          // The entry is written out when the stream is read, so that an error here never fails the request
          // itself.
          const data = JSON.stringify(journalRecord(world, entry));
          return { done: false, value: `id: ${entry.id}\nevent: request\ndata: ${data}\n\n` };
        },
        // Called when the client disconnects. Ends the wait for the next piece.
        async return() {
          ended = true;
          waiting.length = 0;
          unsubscribe();
          news.resolve();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
