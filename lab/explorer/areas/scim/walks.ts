/** Lists of users, paged as RFC 7644 says, and what each walk over one is judged by. */

import fc from 'fast-check';
import { checksFrom } from '../../contradiction.ts';
import { type ExploredArea, moveKind } from '../../move.ts';
import type { Session } from '../../session.ts';

/** Pages of a size, or of the size that the service chooses; one of none counts alone. */
async function listUsers(session: Session, count: number | undefined): Promise<void> {
  const none = { query: { count: 0 }, checks: { 'SCIM-7': { body: { Resources: noUsers } } } };
  const verb = count === 0 ? none : { scimList: count === undefined ? {} : { count } };
  await session.call({ call: 'listScimUsers', checks: { 'SCIM-1': 200 }, ...verb });
}

const noUsers = { $absentOr: [] };

const size = fc.constantFrom(undefined, 0, 0, 20);

export const scim: ExploredArea = {
  moves: () => [moveKind('list users', 4, { needs: ['scim'], effect: 'none' }, size, listUsers)],
  walks: {
    scimList: checksFrom({
      'SCIM-6': { walk: { longPages: [] } },
      'SCIM-4': { walk: { duplicates: [] } },
      'SCIM-11': [{ walk: { totals: { $length: 1 } } }, { walk: { missing: 0 } }],
      'SCIM-9': { walk: { wrongOffsets: [] } },
    }),
  },
};
