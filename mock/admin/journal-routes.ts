/** Routes of the control API about the requests of a world. */
import type { JournalEntry } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { type AdminCall, AdminError, type Routes, type WorldHandler } from './admin.ts';
import { har } from './har.ts';
import { journalRecord } from './journal-record.ts';

export const journalRoutes: Routes<WorldHandler> = {
  'GET /requests': (_call, world) => ({ status: 200, body: listing(world, world.journal.list()) }),
  'DELETE /requests': (_call, world) => {
    world.journal.clear();
    return { status: 204 };
  },
  'POST /requests/find': (call, world) => ({
    status: 200,
    body: listing(world, found(call, world)),
  }),
  'POST /requests/count': (call, world) => ({
    status: 200,
    body: { count: found(call, world).length },
  }),
  'GET /requests/unmatched': (_call, world) => ({
    status: 200,
    body: listing(
      world,
      world.journal.list().filter((entry) => entry.operation === null),
    ),
  }),
  'GET /requests.har': (_call, world) => ({ status: 200, body: har(world) }),
};

function listing(world: World, entries: readonly JournalEntry[]) {
  return {
    requests: entries.map((entry) => journalRecord(world, entry)),
    dropped: world.journal.dropped,
  };
}

const CRITERIA = ['operation', 'method', 'path', 'status', 'credential'] as const;

/** Entries that fit every criterion that is given. */
function found({ body }: AdminCall, world: World): JournalEntry[] {
  const unknown = Object.keys(body).find((key) => !CRITERIA.includes(key as never));
  if (unknown !== undefined) {
    throw new AdminError(400, `Requests are found by ${CRITERIA.join(', ')}, not ${unknown}`);
  }
  return world.journal
    .list()
    .filter((entry) =>
      CRITERIA.every((name) => body[name] === undefined || body[name] === entry[name]),
    );
}
