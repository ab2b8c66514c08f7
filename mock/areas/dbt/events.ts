/** Events of dbt syncs on the service's side: a sync starts, completes or fails. */
import { EventError, type EventFields } from '../../world/service-event.ts';
import type { EventTypesOf, World } from '../../world/world.ts';
import { type DbtSyncEvent, type DbtSyncOutcome, stepDbtSync } from './machine.ts';

const counts = ['models', 'sources', 'macros', 'unitCount'] as const;

/** The fields of each type of event, as a caller writes them. */
export interface Fields {
  readonly startDbtSync: { readonly syncJobId: string };
  readonly failDbtSync: { readonly syncJobId: string };
  readonly completeDbtSync: { readonly syncJobId: string } & DbtSyncOutcome;
}

export const events = {
  completeDbtSync: {
    fields: ['syncJobId', 'generatedFiles', ...counts],
    happen: (world, fields) => endSync(world, fields, 'complete', outcomeOf(fields)),
  },
  failDbtSync: { fields: ['syncJobId'], happen: (world, fields) => endSync(world, fields, 'fail') },
  startDbtSync: {
    fields: ['syncJobId'],
    happen(world, fields) {
      const { deploymentId, id, key, syncs } = syncOf(world, fields);
      if (syncs.has(key)) throw new EventError(`there is a dbt sync ${id} already`);
      syncs.put(key, {
        id,
        deploymentId,
        state: 'running',
        startedAt: new Date(world.clock.now()).toISOString(),
        completedAt: null,
        generatedFiles: [],
        models: 0,
        sources: 0,
        macros: 0,
        unitCount: 0,
      });
      return { syncJobId: id };
    },
  },
} satisfies EventTypesOf<Fields>;

/** The outcome of a sync; `generatedFiles` are paths. */
function outcomeOf(fields: EventFields): DbtSyncOutcome {
  const given = counts.map((name) => [name, fields.count(name)] as const);
  const outcome = Object.fromEntries(given.filter(([, count]) => count !== undefined));
  const generatedFiles = fields.get('generatedFiles');
  if (generatedFiles === undefined) return outcome;
  const paths: readonly unknown[] = Array.isArray(generatedFiles) ? generatedFiles : [undefined];
  if (!paths.every((path) => typeof path === 'string')) {
    throw new EventError('generatedFiles must be an array of paths');
  }
  return { ...outcome, generatedFiles: paths };
}

function endSync(
  world: World,
  fields: EventFields,
  event: DbtSyncEvent,
  outcome?: DbtSyncOutcome,
): Record<string, unknown> {
  const { deploymentId, id, key, syncs } = syncOf(world, fields);
  const job = syncs.get(key);
  if (job === undefined) throw new EventError(`deployment ${deploymentId} has no dbt sync ${id}`);
  const ended = stepDbtSync(job, event, new Date(world.clock.now()).toISOString(), outcome);
  if (ended === undefined) throw new EventError(`the dbt sync ${id} is ${job.state} already`);
  syncs.put(key, ended);
  return { syncJobId: id, state: ended.state };
}

function syncOf(world: World, fields: EventFields) {
  const deploymentId = fields.deployment();
  const id = fields.text('syncJobId');
  return { deploymentId, id, key: `${deploymentId}/${id}`, syncs: world.state.tables.dbtSyncs };
}
