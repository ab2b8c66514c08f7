/** Routes of the control API about the requests of a world. */

import type { OperationId } from '../../spec/contract.ts';
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { har } from './har.ts';
import { journalRecord } from './journal-record.ts';
import { redactAll } from './redact.ts';
import { repairsOf } from './repair.ts';
import { findRequests, type RequestCriteria } from './request-criteria.ts';
import { AdminError, type AdminRoutes, withBody } from './route.ts';

const CRITERIA = {
  operation: 'name',
  method: 'text',
  path: 'text',
  status: 'number',
  credential: 'name',
  headers: 'object',
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
  'GET /requests/{n}': ({ params: { n = '' }, service, world }) => {
    const entry = world.journal.get(Number(n));
    if (entry !== undefined) return journalRecord(world, entry, repairsOf(service, world, entry));
    const { recorded, dropped } = world.journal;
    const held = recorded === dropped ? 'none' : `${dropped + 1} to ${recorded}`;
    throw new AdminError(404, `The world ${world.id} holds no request ${n}; it holds ${held}`);
  },
  'GET /requests/unmatched': ({ world }) => listing(world, found({ operation: null }, world)),
  'GET /requests.har': ({ world }) => har(world),
};

function listing(world: World, entries: readonly JournalEntry[]) {
  return {
    requests: entries.map((entry) => journalRecord(world, entry)),
    dropped: world.journal.dropped,
    notes: redactAll(world, world.journal.notes),
  };
}

/** The last requests of an operation, or of all, oldest first. */
function last(query: URLSearchParams, world: World): readonly JournalEntry[] {
  const limit = query.get('limit');
  const operation = query.get('operation');
  if (limit !== null && !/^[1-9]\d*$/.test(limit)) {
    throw new AdminError(400, `limit must be a whole number of at least 1, not ${limit}`);
  }
  const criteria = operation === null ? {} : { operation: operation as OperationId };
  const entries = found(criteria, world);
  return entries.slice(limit === null ? 0 : -Number(limit));
}

function found(criteria: RequestCriteria, { credentials, journal }: World): JournalEntry[] {
  return findRequests(criteria, credentials, journal.list());
}
