/** Routes of the control API about the requests of a world. */

import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { har } from './har.ts';
import { journalRecord } from './journal-record.ts';
import { impossible } from './request-criteria.ts';
import { AdminError, type AdminRoutes, withBody } from './route.ts';

const CRITERIA = {
  operation: 'name',
  method: 'text',
  path: 'text',
  status: 'number',
  credential: 'name',
} as const;

export const journalRoutes: AdminRoutes = {
  'GET /requests?operation&limit': ({ query, world }) => listing(world, last(query, world)),
  'DELETE /requests': ({ world }) => world.journal.clear(),
  'POST /requests/find': withBody(CRITERIA, ({ body, world }) =>
    listing(world, found(body, world)),
  ),
  'POST /requests/count': withBody(CRITERIA, ({ body, world }) => ({
    count: found(body, world).length,
  })),
  'GET /requests/unmatched': ({ world }) => listing(world, found({ operation: null }, world)),
  'GET /requests.har': ({ world }) => har(world),
};

function listing(world: World, entries: readonly JournalEntry[]) {
  return {
    requests: entries.map((entry) => journalRecord(world, entry)),
    dropped: world.journal.dropped,
  };
}

/** The last so many of an operation's requests, or of all, oldest first. */
function last(query: URLSearchParams, world: World): readonly JournalEntry[] {
  const limit = query.get('limit');
  const operation = query.get('operation');
  if (limit !== null && !/^[1-9]\d*$/.test(limit)) {
    throw new AdminError(400, `limit must be a whole number of at least 1, not ${limit}`);
  }
  const entries = found(operation === null ? {} : { operation }, world);
  return entries.slice(limit === null ? 0 : -Number(limit));
}

/** Entries that fit every criterion that is given. */
function found(criteria: Readonly<Record<string, unknown>>, world: World): JournalEntry[] {
  const entries = world.journal.list();
  const reason = impossible(criteria, world.credentials, entries);
  if (reason !== undefined) throw new AdminError(400, reason);
  const { method } = criteria;
  const wanted =
    typeof method === 'string' ? { ...criteria, method: method.toUpperCase() } : criteria;
  return entries.filter((entry) =>
    Object.entries(wanted).every(([name, value]) => entry[name as keyof JournalEntry] === value),
  );
}
