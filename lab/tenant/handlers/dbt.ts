/** Results of dbt syncs. */

import type { Call } from '../call.ts';
import { Refusal, type Reply, reply } from '../exchange.ts';

/** A running job gets 202, because it has no result yet. */
export function dbt({ state, deployment, id }: Call): Reply {
  const sync = state.syncs.find((one) => one.deployment === deployment && one.id === id);
  if (sync === undefined) throw new Refusal(400, 'E-600 no job');
  if (sync.state === 'failed') throw new Refusal(424, 'E-601 the job failed');
  if (sync.state === 'running') return reply(202, { progress: 0.4 });
  return reply(200, {
    syncJobId: sync.id,
    generatedFiles: ['vessels', 'calls', 'cargo'].map((name) => ({
      path: `model/${name}.yml`,
      bytes: 812,
    })),
    manifestStats: { models: 31, sources: 4, macros: 0, seeds: 2 },
    measureCount: 29,
    completedAt: '2026-10-30T23:15:02+02:00',
    durationMs: 48_211,
    branch: 'dbt/sync-77',
  });
}
