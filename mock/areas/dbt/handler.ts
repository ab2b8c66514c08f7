import type { Call } from '../../pipeline/call.ts';
import type { Refusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import type { DbtSyncRow } from '../../world/rows.ts';

export const getDbtSyncResult: Handler<'getDbtSyncResult', DbtSyncRow> = {
  find: completedJob,
  handle(call, job) {
    const completedAt = job.completedAt ?? job.startedAt;
    const files = job.generatedFiles.map((path) => ({ path }));
    if (call.assume('PAGE-10') === 'descending') files.reverse();
    return call.reply(200, {
      syncJobId: job.id,
      generatedFiles: files,
      manifestStats: { models: job.models, sources: job.sources, macros: job.macros },
      unitCount: job.unitCount,
      completedAt,
      durationMs: Date.parse(completedAt) - Date.parse(job.startedAt),
    });
  },
};

function completedJob(call: Call<'getDbtSyncResult'>): DbtSyncRow | Refusal {
  const { deploymentId, syncJobId } = call.path;
  const job = call.world.state.tables.dbtSyncs.get(`${deploymentId}/${syncJobId}`);
  if (job === undefined) {
    return call.refuseAssumed('DBT-9', `Deployment ${deploymentId} has no dbt sync ${syncJobId}`);
  }
  call.enter(`dbt sync: ${job.state}, read`);
  switch (job.state) {
    case 'completed':
      return job;
    case 'running':
      return call.refuseAssumed('DBT-8', `The dbt sync ${syncJobId} has not completed`);
    case 'failed':
      return call.refuseAssumed('DBT-10', `The dbt sync ${syncJobId} failed`);
  }
}
