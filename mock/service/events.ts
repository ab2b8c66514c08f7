/**
 * What happens on the service's side, outside this API: a version is published, a sync ends, a key
 * is revoked. One entry per type; each checks its fields and then changes the world.
 */

import { insteadOf } from '../../spec/base/similar.ts';
import { type DbtSyncOutcome, stepDbtSync } from '../areas/dbt/machine.ts';
import { compareVersions } from '../areas/versions/machine.ts';
import type { BranchRow } from '../world/rows.ts';
import { EventError, type EventFields } from '../world/service-event.ts';
import type { Table } from '../world/table.ts';
import type { EventHandlers, World } from '../world/world.ts';

export const events: EventHandlers = {
  publishVersion(world, fields) {
    const channel = fields.text('channel');
    const version = fields.text('version');
    if (!/^\d+\.\d+\.\d+$/.test(version)) throw new EventError('version must look like 1.2.3');
    const { channels } = world.state.tables;
    const head = channels.get(channel)?.head;
    if (head === undefined && !fields.flag('newChannel')) {
      const names = channels.rows().map(({ name }) => name);
      throw new EventError(
        `there is no channel ${channel}${insteadOf(channel, names)}; newChannel: true opens another`,
      );
    }
    if (head !== undefined && compareVersions(version, head) <= 0) {
      throw new EventError(`version must be above ${head}, the head of ${channel}`);
    }
    channels.put(channel, { name: channel, head: version });
    return { channel, version };
  },
  completeDbtSync: (world, fields) => endSync(world, fields, 'complete'),
  failDbtSync: (world, fields) => endSync(world, fields, 'fail'),
  startDbtSync(world, fields) {
    const deploymentId = fields.deployment();
    const id = fields.text('syncJobId');
    const key = `${deploymentId}/${id}`;
    if (world.state.tables.dbtSyncs.has(key))
      throw new EventError(`there is a dbt sync ${id} already`);
    world.state.tables.dbtSyncs.put(key, {
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
  createBranch(world, fields) {
    const deploymentId = fields.deployment();
    const name = fields.text('name');
    const kind = fields.oneOf('kind', ['shared', 'personal'] as const, 'shared');
    const rows = world.state.tables.branches.rows();
    if (rows.some((row) => row.deploymentId === deploymentId && row.name === name)) {
      throw new EventError(`deployment ${deploymentId} has a branch ${name} already`);
    }
    return addBranch(world, deploymentId, name, kind);
  },
  createDeployment(world, fields) {
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
  deleteDeployment(world, fields) {
    const id = fields.deployment();
    const { tables } = world.state;
    for (const name of [
      'branches',
      'environments',
      'folders',
      'notifications',
      'dbtSyncs',
    ] as const) {
      const table = tables[name] as Table<string | number, { readonly deploymentId: string }>;
      for (const [key, row] of [...table.entries()]) {
        if (row.deploymentId === id) table.delete(key);
      }
    }
    tables.deployments.delete(id);
    return { id };
  },
  revokeCredential: (world, fields) => endCredential(world, fields, 'revoked'),
  expireCredential: (world, fields) => endCredential(world, fields, 'expired'),
  login(world, fields) {
    const email = fields.text('userEmail');
    world.audit({
      name: 'Login',
      userEmail: email,
      deploymentId: '',
      ipAddress: '192.0.2.1',
      details: 'password',
    });
    return { userEmail: email };
  },
};

/** What a sync brought; `generatedFiles` are paths. */
function outcomeOf(fields: EventFields): DbtSyncOutcome {
  const outcome: Record<string, number | readonly string[]> = {};
  for (const name of ['models', 'sources', 'macros', 'unitCount']) {
    const count = fields.count(name);
    if (count !== undefined) outcome[name] = count;
  }
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
  event: 'complete' | 'fail',
): Record<string, unknown> {
  const deploymentId = fields.deployment();
  const id = fields.text('syncJobId');
  const key = `${deploymentId}/${id}`;
  const job = world.state.tables.dbtSyncs.get(key);
  if (job === undefined) throw new EventError(`deployment ${deploymentId} has no dbt sync ${id}`);
  const at = new Date(world.clock.now()).toISOString();
  const ended = stepDbtSync(job, event, at, event === 'complete' ? outcomeOf(fields) : {});
  if (ended === undefined) throw new EventError(`the dbt sync ${id} is ${job.state} already`);
  world.state.tables.dbtSyncs.put(key, ended);
  return { syncJobId: id, state: ended.state };
}

function endCredential(
  world: World,
  fields: EventFields,
  state: 'revoked' | 'expired',
): Record<string, unknown> {
  const given = fields.text('credential');
  const name = given.startsWith(`${world.id}-`) ? given.slice(world.id.length + 1) : given;
  const row = world.state.tables.credentials.get(name);
  if (row === undefined) throw new EventError(`there is no credential ${name}`);
  world.state.tables.credentials.put(name, { ...row, state });
  return { credential: name };
}

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
