/** Pages, totals and filters of the deployments and environments lists. */

import fc from 'fast-check';
import type { CallData, Checks } from '../../explore/contradiction.ts';
import { type ExploredArea, type MoveKind, moveKind, type Setting } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';

const served = { listDeployments: 'DEPL-1', listEnvironments: 'ENV-1' } as const;
type List = keyof typeof served;
const pathsOf = { listDeployments: {}, listEnvironments: { deployment_id: '{deployment.id}' } };

interface Walk {
  readonly list: List;
  readonly actor: string;
  readonly size: number | undefined;
}

/** What walks have shown of lists that nothing in a walk changes. */
class Lists {
  /** By actor: the entry of the first walk over its deployments. */
  readonly first = new Map<string, string>();
}

async function walkDeployments(session: Session, { actor, size }: Walk): Promise<void> {
  const { first } = session.beliefs(Lists);
  const known = first.get(actor);
  const data: CallData = { as: actor, call: 'listDeployments', pages: { size } };
  const { id } = await session.call(data, { checks: walkChecks(session, actor, known) });
  if (known === undefined) first.set(actor, id);
}

function walkChecks(session: Session, actor: string, known: string | undefined): Checks {
  const inScope = scopeOf(session, actor);
  return {
    'DEPL-1': { status: 200 },
    'DEPL-4': [
      { walk: { ids: { $contains: '{deployment.id}' } } },
      ...(inScope === undefined ? [] : [{ walk: { items: { $every: { id: { $in: inScope } } } } }]),
    ],
    ...(known === undefined
      ? {}
      : { 'PAGE-5': { walk: { total: `{steps.${known}.walk.total}` } } }),
  };
}

/** The deployments that a key is scoped to. */
function scopeOf({ target }: Session, actor: string): readonly string[] | undefined {
  return target.credentials.get(actor)?.claims?.deployments?.map(String);
}

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
  const known = list === 'listDeployments' ? session.beliefs(Lists).first.get(actor) : undefined;
  const inScope = list === 'listDeployments' ? scopeOf(session, actor) : undefined;
  session.judge(entry, { [served[list]]: { status: 200 } });
  const begins = { body: { pagination: { offset: of } } };
  session.judge(entry, { [offset === undefined ? 'PAGE-1' : 'PAGE-4']: begins });
  const holds = { pagination: { limit: most }, data: { [name]: { $length: { $max: most } } } };
  session.judge(entry, { [limit === undefined ? 'PAGE-2' : 'PAGE-4']: { body: holds } });
  if (inScope !== undefined) {
    const body = { data: { [name]: { $every: { id: { $in: inScope } } } } };
    session.judge(entry, { 'DEPL-4': { body } });
  }
  if (known === undefined) return;
  const total = `{steps.${known}.walk.total}`;
  session.judge(entry, { 'PAGE-5': { body: { pagination: { total } } } });
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

/** Any deployment of the list, for a key that is not scoped. */
async function reach(
  session: Session,
  {
    offset,
    actor,
    call,
  }: { offset: number; actor: string; call: 'listEnvironments' | 'listVersions' },
): Promise<void> {
  const query = { offset, limit: 1 };
  const list = await session.call({ as: 'admin', call: 'listDeployments', query });
  const id = `{steps.${list.id}.body.data.deployments[0].id}`;
  const checks = {
    'AUTH-10': { status: 200, because: 'an unscoped key reaches every deployment' },
  };
  await session.call({ as: actor, call, path: { deployment_id: id } }, { checks });
}

function moves({ actors }: Setting): MoveKind[] {
  const about = (kind: string, weight: number) =>
    ({ kind, weight, needs: ['admin', 'deployment.id'], effect: 'none' }) as const;
  const actor = fc.constantFrom('admin', ...actors('listDeployments', 'allowed'));
  return [
    moveKind(
      about('walk deployments', 2),
      fc.record({
        list: fc.constant<List>('listDeployments'),
        actor,
        size: fc.constantFrom(13, 20, undefined, 44, 50, 30),
      }),
      walkDeployments,
    ),
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
    moveKind(
      about('reach any deployment', 2),
      fc.record({
        offset: fc.nat(50),
        actor: fc.constant('admin'),
        call: fc.constantFrom('listEnvironments' as const, 'listVersions' as const),
      }),
      reach,
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
