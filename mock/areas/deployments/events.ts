/** Deployments and their branches come and go on the service's side. */
import type { BranchRow } from '../../world/rows.ts';
import { EventError } from '../../world/service-event.ts';
import type { Table } from '../../world/table.ts';
import type { EventTypes, World } from '../../world/world.ts';

/** The tables whose rows go with their deployment. */
const ofDeployment = ['branches', 'environments', 'folders', 'notifications', 'dbtSyncs'] as const;

export const events = {
  createBranch: {
    fields: ['name', 'kind'],
    happen(world, fields) {
      const deploymentId = fields.deployment();
      const name = fields.text('name');
      const kind = fields.oneOf('kind', ['shared', 'personal'] as const, 'shared');
      const rows = world.state.tables.branches.rows();
      if (rows.some((row) => row.deploymentId === deploymentId && row.name === name)) {
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
      const runs = state.tables.deployments.rows()[0]?.runs;
      if (runs === undefined) {
        throw new EventError('a world without a deployment has no version to run');
      }
      const id = String(state.nextDeploymentId);
      state.nextDeploymentId += 1;
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
        const table = tables[name] as Table<string | number, { readonly deploymentId: string }>;
        for (const [key, row] of [...table.entries()]) {
          if (row.deploymentId === id) table.delete(key);
        }
      }
      tables.deployments.delete(id);
      return { id };
    },
  },
} satisfies EventTypes;

/** A branch and the environment that belongs to it. */
function addBranch(world: World, deploymentId: string, name: string, kind: BranchRow['kind']) {
  const { branches, environments } = world.state.tables;
  const rows = branches.rows();
  const id = 1 + Math.max(0, ...rows.map((row) => row.id));
  const production = rows.find(
    (row) => row.deploymentId === deploymentId && row.kind === 'production',
  );
  const environmentId = String(
    1 + Math.max(0, ...environments.rows().map((row) => Number(row.id) || 0)),
  );
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
