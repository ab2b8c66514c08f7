import type { components } from '../../../spec/contract.ts';
import type { Binding } from '../../pipeline/binding.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import { signMetadataToken } from '../../service/sign.ts';
import { fitsTimestamp } from '../../world/clock.ts';
import type { EnvironmentRow } from '../../world/rows.ts';
import { checkPaging, page } from '../lists/paging.ts';
import { isFresh, listedType } from '../staging/machine.ts';

/** Stands for a type that no environment has. */
const NO_TYPE = 'none';

type Environment = components['schemas']['Environment'];
const DEFAULT_LIFETIME_S = 86_400;
const LONGEST_LIFETIME_S = 30 * 86_400;

export const listEnvironments: Binding<'listEnvironments'> = {
  takesInvalid(call, name) {
    if (name !== 'type' || call.assume('ENV-9') !== 'empty') return false;
    Object.assign(call.query, { type: NO_TYPE });
    return true;
  },
  validate: checkPaging,
  handle(call) {
    const more = call.peek('ENV-10') === 'more';
    const listed = page(call, rowsListed(call));
    if (isRefusal(listed)) return listed;
    const environments = listed.items.map(({ row, type }) => environmentRecord(row, type, more));
    return call.reply(200, { data: { environments }, pagination: listed.pagination });
  },
};

interface Listed {
  readonly row: EnvironmentRow;
  readonly type: EnvironmentRow['type'];
}

/** The environments that the list shows, with the types that it shows them with. */
function rowsListed(call: Call<'listEnvironments'>): Listed[] {
  const wanted = call.query.type as string | undefined;
  if (wanted === NO_TYPE) return [];
  const { branches, environments } = call.world.state.tables;
  const rows: Listed[] = [];
  for (const row of environments.rows()) {
    if (row.deploymentId !== call.path.deployment_id) continue;
    const branch = row.branchId === null ? undefined : branches.get(row.branchId);
    let enabled = branch?.stagingEnabled ?? false;
    if (row.type === 'staging' && branch !== undefined && isFresh(branch, call.world.clock.now())) {
      const shows = wanted === undefined || wanted === 'staging';
      const choice = shows ? call.assume('STAGE-23') : call.peek('STAGE-23');
      if (choice === 'later') enabled = !enabled;
    }
    if (row.type === 'staging' && !enabled && wanted !== 'staging' && wanted !== 'production') {
      call.assume('ENV-8');
    }
    const type = listedType(row, enabled, call.peek('ENV-8') === 'as-development');
    if (type !== undefined && (wanted === undefined || wanted === type)) rows.push({ row, type });
  }
  return rows;
}

export const createMetaSyncToken: Binding<'createMetaSyncToken', EnvironmentRow> = {
  validate(call) {
    const { security_context: context, expires_in: lifetime } = call.input;
    if (Object.keys(context).length === 0 && call.assume('META-17') === 'refused') {
      return call.invalidBody('security_context must not be empty', '/security_context', 'META-17');
    }
    if (lifetime === undefined) return undefined;
    if (lifetime <= 0 && call.assume('META-13') === 'refused') {
      return call.invalidBody(
        `expires_in must be above 0, not ${lifetime}`,
        '/expires_in',
        'META-13',
      );
    }
    if (lifetime > LONGEST_LIFETIME_S && call.assume('META-12') === 'refused') {
      return call.invalidBody(
        `expires_in must not be above ${LONGEST_LIFETIME_S}, as ${lifetime} is`,
        '/expires_in',
        'META-12',
      );
    }
    if (!fitsTimestamp(call.world.clock.now() + lifetime * 1000)) {
      return call.invalidBody('expires_in lies beyond what a timestamp can hold', '/expires_in');
    }
    return undefined;
  },
  find(call) {
    const row = call.world.state.tables.environments.get(call.path.environment_id);
    if (row !== undefined && row.deploymentId === call.path.deployment_id) return row;
    const { environment_id: id, deployment_id: deployment } = call.path;
    return call.refuseAssumed('META-15', `Deployment ${deployment} has no environment ${id}`);
  },
  async handle(call, environment) {
    const { world } = call;
    const { security_context: context, expires_in: sent } = call.input;
    let lifetime = sent === undefined || sent <= 0 ? DEFAULT_LIFETIME_S : sent;
    if (call.peek('META-12') === 'cap') lifetime = Math.min(lifetime, LONGEST_LIFETIME_S);
    const createdAt = world.clock.now();
    const expiresAt = Math.round(createdAt + lifetime * 1000);
    const claim = call.assume('META-11');
    world.audit({
      name: 'MetadataTokenCreated',
      userEmail: call.caller.user?.email ?? '',
      deploymentId: call.path.deployment_id,
      ipAddress: '192.0.2.1',
      details: `environment ${environment.id}`,
    });
    const token = await signMetadataToken(world, {
      context,
      claim,
      createdAt,
      expiresAt,
      environmentId: environment.id,
    });
    return call.reply(200, {
      data: {
        token,
        created_at: new Date(createdAt).toISOString(),
        expires_at: new Date(expiresAt).toISOString(),
      },
    });
  },
};

function environmentRecord(
  row: EnvironmentRow,
  type: EnvironmentRow['type'],
  more: boolean,
): Environment {
  const record: Environment = {
    id: row.id,
    name: row.name,
    type,
    api_credentials: { rest: { url: row.restUrl }, sql: { host: row.sqlHost, port: row.sqlPort } },
  };
  return more
    ? Object.assign(record, { status: 'active', created_at: '2026-01-05T09:30:00.000Z' })
    : record;
}
