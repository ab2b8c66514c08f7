/** The journal of the world that is looked at: what it held, and what arrives. */
import { call, follow } from './api.js';

const MOST = 1000;

/** Follows a world until the signal ends it. `changed(entry)` tells of one, `changed()` of all. */
export function followJournal(world, signal, { changed, status }) {
  const store = { entries: [], dropped: 0, load };

  async function load() {
    const { requests, dropped } = await call('GET', `/worlds/${world}/requests`, undefined, signal);
    store.entries = requests;
    store.dropped = dropped;
    changed();
  }

  follow(`/worlds/${world}/events`, {
    signal,
    opened() {
      status('live');
      load().catch(() => {});
    },
    lost(error) {
      status(error === undefined ? 'lost' : 'gone');
    },
    event(entry) {
      const last = store.entries.at(-1)?.id ?? 0;
      // A world that was reset counts from 1 again.
      if (entry.id <= last) {
        load().catch(() => {});
        return;
      }
      store.entries.push(entry);
      if (store.entries.length > MOST) {
        store.entries.shift();
        store.dropped += 1;
      }
      changed(entry);
    },
  });
  return store;
}
