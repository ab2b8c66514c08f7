/** Walks over the lists of the management API, by anyone and after anything, and what each is judged by. */

import fc from 'fast-check';
import { type ExploredArea, type MoveKind, moveKind, type Setting } from '../../explore/move.ts';
import type { Session } from '../../explore/session.ts';

/** The first walk of each credential. */
class Reached extends Map<string, string> {}

interface Wish {
  readonly actor: string;
  readonly limit: number | undefined;
}

/** What a credential reaches does not change by itself. */
async function listDeployments(session: Session, { actor, limit }: Wish): Promise<void> {
  const reached = session.beliefs(Reached);
  const first = reached.get(actor);
  const walkPages = limit === undefined ? {} : { limit };
  const [own, before] = ['{walk.items.id}', `{steps.${first}.walk.items.id}`];
  const that = [
    { value: { from: own, minus: before }, is: [] },
    { value: { from: before, minus: own }, is: [] },
  ];
  const because = `${actor} reaches what it reached before`;
  const checks = first === undefined ? { 'DEPL-1': 200 } : { 'DEPL-4': { that, because } };
  const entry = await session.call({ as: actor, call: 'listDeployments', walkPages, checks });
  reached.set(actor, first ?? entry.id);
}

async function listOfType(session: Session, type: string): Promise<void> {
  const path = { deployment_id: '{deployment.id}' };
  const checks = { 'ENV-6': { list: { $every: { type } } } };
  const query = { type };
  await session.call({ as: 'admin', call: 'listEnvironments', path, query, checks });
}

function moves({ actors }: Setting): MoveKind[] {
  const actor = fc.constantFrom('admin', ...actors('listDeployments', 'allowed'));
  const limit = fc.constantFrom(undefined, 20, 50);
  const types = fc.constantFrom('production', 'staging', 'development');
  const needs = ['admin', 'deployment.id'];
  return [
    moveKind(
      'list deployments',
      4,
      { needs: ['admin'], effect: 'none' },
      fc.record({ actor, limit }),
      listDeployments,
    ),
    moveKind('list environments of a type', 4, { needs, effect: 'none' }, types, listOfType),
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
