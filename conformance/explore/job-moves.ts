/** Results of dbt syncs: a completed one is answered; what the others answer is open. */

import fc from 'fast-check';
import { type MoveKind, moveKind, type Setting } from './move.ts';

const jobs = { completed: 'dbtSync', running: 'runningDbtSync', failed: 'failedDbtSync' } as const;
type State = keyof typeof jobs;

export function jobMoves({ target }: Setting): MoveKind[] {
  const bound = (Object.keys(jobs) as State[]).filter(
    (state) => target.bindings[jobs[state]] !== undefined,
  );
  if (bound.length === 0) return [];
  const actors = ['admin', 'oauth', 'none', 'expired'].filter(
    (name) => name === 'none' || target.credentials.has(name),
  );
  return [
    moveKind(
      {
        kind: 'read a result',
        weight: 1.5,
        needs: ['admin', 'deployment.numericId'],
        effect: 'none',
      },
      fc.record({ state: fc.constantFrom(...bound), actor: fc.constantFrom(...actors) }),
      async (session, { state, actor }) => {
        const authorised = actor !== 'none' && actor !== 'expired';
        session.coverage.enter('job', state, authorised ? 'read' : 'without authorisation');
        const path = {
          deploymentId: '{deployment.numericId}',
          syncJobId: `{${jobs[state]}.id}`,
        };
        const entry = await session.call({ as: actor, call: 'getDbtSyncResult', path });
        if (actor === 'none') session.expectStatus(entry, 'AUTH-1', 401, 'no credential was sent');
        else if (actor === 'expired')
          session.expectStatus(entry, 'AUTH-4', 401, 'the credential has expired');
        else if (state === 'completed')
          session.expectStatus(entry, 'DBT-1', 200, 'the sync is completed');
      },
    ),
  ];
}
