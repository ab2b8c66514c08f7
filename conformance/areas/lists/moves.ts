/** Pages, totals and filters of the deployments and environments lists. */

import fc from 'fast-check';
import { type ExploredArea, type MoveKind, moveKind, type Setting } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';

const served = { listDeployments: 'DEPL-1', listEnvironments: 'ENV-1' } as const;
type List = keyof typeof served;
const pathsOf = { listDeployments: {}, listEnvironments: { deployment_id: '{deployment.id}' } };

interface Page {
  readonly list: List;
  readonly actor: string;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
}

/** One page, wherever it begins. */
async function readPage(session: Session, { list, actor, offset, limit }: Page): Promise<void> {
  const query = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) };
  const entry = await session.call({ as: actor, call: list, path: pathsOf[list], query });
  // An offset behind the end may be answered 404 (PAGE-9).
  if (!entry.answer.ok && offset !== undefined && offset > 0) return;
  const [of, most] = [offset ?? 0, limit ?? 20];
  const name = list === 'listDeployments' ? 'deployments' : 'environments';
  session.judge(entry, { [served[list]]: { status: 200 } });
  const begins = { body: { pagination: { offset: of } } };
  session.judge(entry, { [offset === undefined ? 'PAGE-1' : 'PAGE-4']: begins });
  const holds = { pagination: { limit: most }, data: { [name]: { $length: { $max: most } } } };
  session.judge(entry, { [limit === undefined ? 'PAGE-2' : 'PAGE-4']: { body: holds } });
}

/** The list with a type against the same list without one. */
async function compareTypes(
  session: Session,
  { type, size }: { type: string; size: number | undefined },
): Promise<void> {
  await session.rest();
  const path = pathsOf.listEnvironments;
  const data = { as: 'admin', call: 'listEnvironments', path } as const;
  const whole = await session.call(
    { ...data, pages: {} },
    { checks: { 'ENV-1': { status: 200 } } },
  );
  const expected = { from: `{steps.${whole.id}.walk.items}`, where: { type }, take: 'id' };
  const checks = {
    'ENV-6': [
      { status: 200 },
      { walk: { items: { $every: { type } } } },
      { that: { value: expected, is: { $sameSet: '{walk.ids}' } } },
    ],
  };
  await session.call({ ...data, query: { type }, pages: { size } }, { checks });
}

function moves({ actors }: Setting): MoveKind[] {
  const about = (kind: string, weight: number) =>
    ({ kind, weight, needs: ['admin', 'deployment.id'], effect: 'none' }) as const;
  const actor = fc.constantFrom('admin', ...actors('listDeployments', 'allowed'));
  return [
    moveKind(
      about('read a page', 4),
      fc.record({
        list: fc.constantFrom<List>('listDeployments', 'listEnvironments'),
        actor,
        offset: fc.constantFrom(undefined, 0, 1, 2, 20, 3),
        limit: fc.constantFrom(undefined, 1, 2, 3, 10, 20, 30),
      }),
      readPage,
    ),
    moveKind(
      about('compare types', 3),
      fc.record({
        type: fc.constantFrom('staging', 'staging', 'staging', 'production', 'development'),
        size: fc.constantFrom(undefined, 1, 1, 2, 20),
      }),
      compareTypes,
    ),
  ];
}

export const lists: ExploredArea = {
  moves,
  walks: {
    walkPages: {
      'PAGE-4': { walk: { longPages: [], wrongOffsets: [] } },
      'PAGE-6': { walk: { duplicates: [], shortPages: [] } },
      'PAGE-5': [{ walk: { totals: { $length: 1 } } }, { walk: { missing: 0 } }],
    },
  },
};
