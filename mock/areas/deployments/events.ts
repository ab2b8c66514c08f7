/** Events that add and delete deployments and branches on the service's side. */
import type { BranchRow } from '../../world/rows.ts';
import { EventError } from '../../world/service-event.ts';
import type { EventTypesOf, World } from '../../world/world.ts';

/** The tables whose rows are deleted with their deployment. */
const ofDeployment = ['branches', 'environments', 'folders', 'notifications', 'dbtSyncs'] as const;

/** The fields of each type of event, as a caller writes them. */
export interface Fields {
  readonly createBranch: { readonly name: string; readonly kind?: 'shared' | 'personal' };
  readonly createDeployment: { readonly name: string };
  /** This event has only the field `deployment`, which every event may have. */
  readonly deleteDeployment: object;
}

export const events = {
  createBranch: {
    fields: ['name', 'kind'],
    happen(world, fields) {
      const deploymentId = fields.deployment();
      const name = fields.text('name');
      const kind = fields.oneOf('kind', ['shared', 'personal'] as const, 'shared');
      if (world.state.tables.branches.of(deploymentId).some((row) => row.name === name)) {
        throw new EventError(`deployment ${deploymentId} has a branch ${name} already`);
      }
      return addBranch(world, deploymentId, name, kind);
    },
  },
  createDeployment: {
    fields: ['name'],
    happen(world, fields) {
      const { state } = world;
      const name = fields.text('name');
      const runs = state.tables.deployments.slice(0, 1)[0]?.runs;
      if (runs === undefined) {
        throw new EventError('a world without a deployment has no version to run');
      }
      const id = String(state.nextIds.deployment++);
      const createdAt = new Date(world.clock.now()).toISOString();
      state.tables.deployments.put(id, { id, name, createdAt, runs, before: null });
      addBranch(world, id, 'main', 'production');
      return { id };
    },
  },
  deleteDeployment: {
    fields: [],
    happen(world, fields) {
      const id = fields.deployment();
      const { tables } = world.state;
      for (const name of ofDeployment) {
        tables[name].deleteOf(id);
      }
      tables.deployments.delete(id);
      return { id };
    },
  },
} satisfies EventTypesOf<Fields>;

/** A branch and the environment that belongs to it. */
function addBranch(world: World, deploymentId: string, name: string, kind: BranchRow['kind']) {
  const { nextIds, tables } = world.state;
  const { branches, environments } = tables;
  const id = nextIds.branch++;
  const production = branches.of(deploymentId).find((row) => row.kind === 'production');
  const environmentId = String(nextIds.environment++);
  branches.put(id, {
    id,
    deploymentId,
    name,
    kind,
    parentBranch: production?.name ?? name,
    lastHash: Buffer.from(world.random.bytes(20)).toString('hex'),
    stagingEnabled: false,
    switchedAt: null,
  });
  const types = { production: 'production', shared: 'staging', personal: 'development' } as const;
  environments.put(environmentId, {
    id: environmentId,
    deploymentId,
    name,
    type: types[kind],
    branchId: kind === 'production' ? null : id,
    restUrl: `https://env-${environmentId}.data.example.com/v1`,
    sqlHost: `env-${environmentId}.sql.example.com`,
    sqlPort: 15432,
  });
  return { id, environmentId };
}
