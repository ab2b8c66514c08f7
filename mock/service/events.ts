/**
 * What happens on the service's side, outside this API: a version is published, a sync ends, a key
 * is revoked. One entry per type; each checks its fields and then changes the world.
 */
import { type DbtSyncOutcome, stepDbtSync } from '../areas/dbt/machine.ts';
import { compareVersions } from '../areas/versions/machine.ts';
import { insteadOf } from '../pipeline/misfits.ts';
import type { BranchRow } from '../world/rows.ts';
import type { Table } from '../world/table.ts';
import type { World } from '../world/world.ts';

/** An event as a caller writes it. */
export interface ServiceEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An event that cannot happen: the message says why. */
export class EventError extends Error {
  override readonly name = 'EventError';
}

type Happen = (world: World, fields: Fields) => Record<string, unknown>;

const happenings: Readonly<Record<string, Happen>> = {
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

export const eventTypes: readonly string[] = Object.keys(happenings);

const FIELDS = [
  'type',
  'at',
  'in',
  'deployment',
  'deploymentId',
  'channel',
  'version',
  'newChannel',
  'syncJobId',
  'generatedFiles',
  'models',
  'sources',
  'macros',
  'unitCount',
  'name',
  'kind',
  'credential',
  'userEmail',
];

/** Lets an event happen; answers with what it made. Throws an EventError, and changes nothing. */
export function emit(world: World, event: ServiceEvent): Record<string, unknown> {
  const happen = Object.hasOwn(happenings, event.type) ? happenings[event.type] : undefined;
  const unknown = Object.keys(event).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    throw new EventError(`an event has no field ${unknown}; there are ${FIELDS.join(', ')}`);
  }
  if (happen === undefined) {
    throw new EventError(
      `there is no event type ${JSON.stringify(event.type)}; there are ${eventTypes.join(', ')}`,
    );
  }
  return { type: event.type, ...happen(world, new Fields(world, event)) };
}

/** Reads the fields of an event, or says what is wrong with one. */
class Fields {
  readonly #world: World;
  readonly #event: ServiceEvent;

  constructor(world: World, event: ServiceEvent) {
    this.#world = world;
    this.#event = event;
  }

  text(name: string): string {
    const value = this.#event[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new EventError(`${this.#event.type} needs ${name}, a string`);
  }

  /** False where it is left out. */
  flag(name: string): boolean {
    const value = this.#event[name] ?? false;
    if (typeof value === 'boolean') return value;
    throw new EventError(`${name} must be true or false`);
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.#event[name] ?? fallback;
    const found = values.find((item) => item === value);
    if (found === undefined) throw new EventError(`${name} must be one of ${values.join(', ')}`);
    return found;
  }

  /** `deployment` or `deploymentId`; deployment 1 where neither is given. */
  deployment(): string {
    const id = String(this.#event.deployment ?? this.#event.deploymentId ?? '1');
    if (!this.#world.state.tables.deployments.has(id)) {
      throw new EventError(`there is no deployment ${id}`);
    }
    return id;
  }

  get outcome(): DbtSyncOutcome {
    const { generatedFiles, models, sources, macros, unitCount } = this.#event;
    const counts: Record<string, number> = {};
    for (const [name, value] of Object.entries({ models, sources, macros, unitCount })) {
      if (value === undefined) continue;
      if (!Number.isInteger(value) || (value as number) < 0) {
        throw new EventError(`${name} must be a whole number of at least 0`);
      }
      counts[name] = value as number;
    }
    if (generatedFiles === undefined) return counts;
    const paths: readonly unknown[] = Array.isArray(generatedFiles) ? generatedFiles : [undefined];
    if (!paths.every((path) => typeof path === 'string')) {
      throw new EventError('generatedFiles must be an array of paths');
    }
    return { ...counts, generatedFiles: paths };
  }
}

function endSync(
  world: World,
  fields: Fields,
  event: 'complete' | 'fail',
): Record<string, unknown> {
  const deploymentId = fields.deployment();
  const id = fields.text('syncJobId');
  const key = `${deploymentId}/${id}`;
  const job = world.state.tables.dbtSyncs.get(key);
  if (job === undefined) throw new EventError(`deployment ${deploymentId} has no dbt sync ${id}`);
  const at = new Date(world.clock.now()).toISOString();
  const ended = stepDbtSync(job, event, at, event === 'complete' ? fields.outcome : {});
  if (ended === undefined) throw new EventError(`the dbt sync ${id} is ${job.state} already`);
  world.state.tables.dbtSyncs.put(key, ended);
  return { syncJobId: id, state: ended.state };
}

function endCredential(
  world: World,
  fields: Fields,
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
