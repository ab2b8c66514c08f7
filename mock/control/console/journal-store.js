/** The journal of the world that is looked at: what it held, and what arrives. */
import { call, follow } from './api.js';

const MOST = 1000;

/** Follows a world until the signal ends it. `changed(entry)` tells of one, `changed()` of all. */
export function followJournal(world, signal, { changed, status }) {
  const store = { entries: [], dropped: 0, load };
  let loading;
  /** What arrives while the journal is read: the listing may have been made before or after it. */
  let meanwhile = [];
  let again = false;

  function load() {
    again = true;
    loading ??= read().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function read() {
    while (again) {
      again = false;
      meanwhile = [];
      const path = `/worlds/${world}/requests`;
      const { requests, dropped } = await call('GET', path, undefined, signal);
      const last = requests.at(-1)?.id ?? 0;
      store.entries = [...requests, ...meanwhile.filter(({ id }) => id > last)];
      store.dropped = dropped;
      // A known id for another request: the world was reset in between and counts from 1 again.
      const known = new Set(requests.map((entry) => JSON.stringify(entry)));
      again ||= meanwhile.some((entry) => entry.id <= last && !known.has(JSON.stringify(entry)));
    }
    changed();
  }

  function arrive(entry) {
    if (loading !== undefined) {
      meanwhile.push(entry);
      return;
    }
    if (entry.id <= (store.entries.at(-1)?.id ?? 0)) {
      load().catch(() => {});
      return;
    }
    store.entries.push(entry);
    if (store.entries.length > MOST) {
      store.entries.shift();
      store.dropped += 1;
    }
    changed(entry);
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
    event: arrive,
  });
  return store;
}
