/** Results of dbt syncs, of jobs that are done and of those that are not, in any order. */

import fc from 'fast-check';
import { type ExploredArea, moveKind } from '../../move.ts';
import type { Session } from '../../session.ts';

const jobs = ['dbtSync', 'runningDbtSync', 'failedDbtSync'] as const;

async function read(session: Session, job: (typeof jobs)[number]): Promise<void> {
  const done = { 'DBT-1': 200, 'DBT-2': { body: { syncJobId: '{dbtSync.id}' } } };
  const checks = job === 'dbtSync' ? done : {};
  await session.call({ call: 'getDbtSyncResult', path: { syncJobId: `{${job}.id}` }, checks });
}

export const dbt: ExploredArea = {
  moves: () =>
    jobs.map((job) =>
      moveKind(
        'read a dbt result',
        job === 'dbtSync' ? 4 : 2,
        { needs: ['admin', 'deployment.numericId', `${job}.id`], effect: 'none' },
        fc.constant(job),
        read,
      ),
    ),
};
