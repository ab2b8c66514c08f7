/** Walks over the lists of the management API, by anyone and after anything, and what each is judged by. */

import fc from 'fast-check';
import { checksFrom } from '../../contradiction.ts';
import { type ExploredArea, type MoveKind, moveKind, type Setting } from '../../move.ts';
import type { Session } from '../../session.ts';

/** The first walk of each credential. */
class Reached extends Map<string, string> {}

interface Wish {
  /** One after the other. */
  readonly actors: readonly string[];
  /** How the first of them reads it; undefined: one page, as it comes. */
  readonly pages: { readonly limit?: number } | undefined;
}

async function listDeployments(session: Session, { actors, pages }: Wish): Promise<void> {
  for (const actor of actors) {
    await listReached(session, actor, actor === actors[0] ? pages : undefined);
  }
}

/** What a credential reaches does not change by itself. */
async function listReached(session: Session, actor: string, pages: Wish['pages']): Promise<void> {
  const reached = session.beliefs(Reached);
  const first = reached.get(actor);
  const walkPages = first === undefined ? (pages ?? {}) : pages;
  const own = walkPages === undefined ? '{body.data.deployments.id}' : '{walk.items.id}';
  const before = `{steps.${first}.walk.items.id}`;
  const that = [
    { value: { from: own, minus: before }, is: [] },
    ...(walkPages === undefined ? [] : [{ value: { from: before, minus: own }, is: [] }]),
  ];
  const because = `${actor} reaches what it reached before`;
  const short = { data: { deployments: { $length: { $max: 20 } } } };
  const long = { walk: { pages: { $every: short } } };
  const checks = {
    ...(first === undefined ? { 'DEPL-1': 200 } : { 'DEPL-4': { that, because } }),
    ...(walkPages !== undefined && walkPages.limit === undefined && { 'PAGE-2': long }),
  };
  const verb = walkPages === undefined ? {} : { walkPages };
  const entry = await session.call({ as: actor, call: 'listDeployments', ...verb, checks });
  reached.set(actor, first ?? entry.id);
}

async function listOfType(session: Session, type: string): Promise<void> {
  const checks = { 'ENV-6': { list: { $every: { type } } } };
  await session.call({ call: 'listEnvironments', query: { type }, checks });
}

function moves({ actors }: Setting): MoveKind[] {
  const readers = [...new Set(['admin', ...actors('listDeployments')])];
  const some = fc.shuffledSubarray(readers, { minLength: Math.min(2, readers.length) });
  const pages = fc.constantFrom(undefined, undefined, undefined, {}, { limit: 20 }, { limit: 50 });
  const types = fc.constantFrom('production', 'staging', 'development');
  const needs = ['admin', 'deployment.id'];
  return [
    moveKind(
      'list deployments',
      9,
      { needs: ['admin'], effect: 'none' },
      fc.record({ actors: some, pages }),
      listDeployments,
    ),
    moveKind('list environments of a type', 4, { needs, effect: 'none' }, types, listOfType),
  ];
}

export const lists: ExploredArea = {
  moves,
  walks: {
    walkPages: checksFrom({
      'PAGE-4': { walk: { longPages: [], wrongOffsets: [] } },
      'PAGE-6': { walk: { duplicates: [], shortPages: [] } },
      'PAGE-5': [{ walk: { totals: { $length: 1 } } }, { walk: { missing: 0 } }],
    }),
  },
};
