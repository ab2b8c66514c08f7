/** The list of users for provisioning, by the paging of RFC 7644. */

import fc from 'fast-check';
import { type ExploredArea, moveKind } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';

const call = 'listScimUsers' as const;

interface Page {
  readonly as: unknown;
  readonly startIndex: number | undefined;
  readonly count: number | undefined;
}

/** A page beside the page that begins at the first user. */
async function readPage(session: Session, { as, startIndex, count }: Page): Promise<void> {
  const sized = count === undefined ? {} : { count };
  const first = await session.call({ as, call, query: { startIndex: 1, ...sized } });
  const start = startIndex === undefined ? {} : { startIndex };
  const entry = await session.call({ as, call, query: { ...start, ...sized } });
  const least = Math.max(0, count ?? Number.MAX_SAFE_INTEGER);
  const statement = (startIndex ?? 1) < 1 ? 'SCIM-5' : (count ?? 1) < 1 ? 'SCIM-7' : 'SCIM-1';
  const body = `steps.${first.id}.body`;
  session.judge(entry, { [statement]: { status: 200 } });
  session.judge(entry, {
    [least === 0 ? 'SCIM-7' : 'SCIM-6']: {
      body: { Resources: { $any: [{ $absent: true }, { $length: { $max: least } }] } },
    },
    'SCIM-11': { body: { totalResults: `{${body}.totalResults}` } },
  });
  if (startIndex === undefined || least === 0) return;
  const ids = { value: '{body.Resources.id}' };
  const same = { that: { ...ids, is: { $sameSet: `{${body}.Resources.id}` } } };
  const others = { that: { ...ids, is: { $disjointFrom: `{${body}.Resources.id}` } } };
  if (startIndex <= 1) session.judge(entry, { [startIndex < 1 ? 'SCIM-5' : 'SCIM-4']: same });
  else if (count !== undefined && startIndex > count) session.judge(entry, { 'SCIM-4': others });
}

export const scim: ExploredArea = {
  moves: ({ target }) => {
    if (!target.credentials.has('scim')) return [];
    const as = fc.constantFrom<unknown>('scim', 'scim', { credential: 'scim', scheme: 'Api-Key' });
    const about = (kind: string, weight: number) =>
      ({ kind, weight, needs: ['scim'], effect: 'none' }) as const;
    return [
      moveKind(
        about('read a page of users', 4),
        fc.record({
          as,
          startIndex: fc.constantFrom(undefined, 1, 2, 11, 41, 0, -3),
          count: fc.constantFrom(undefined, 0, 0, -1, 1, 5, 12),
        }),
        readPage,
      ),
    ];
  },
  walks: {
    scimList: {
      'SCIM-6': { walk: { longPages: [] } },
      'SCIM-4': { walk: { duplicates: [] } },
      'SCIM-11': [{ walk: { totals: { $length: 1 } } }, { walk: { missing: 0 } }],
      'SCIM-9': { walk: { wrongOffsets: [] } },
    },
  },
};
