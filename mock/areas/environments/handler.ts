import type { components } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { checkPaging, page } from '../../pipeline/paging.ts';
import type { EnvironmentRow } from '../../world/rows.ts';
import { isFresh, listedType } from './machine.ts';

/** A type that no environment has. */
const NO_TYPE = 'none';

type Environment = components['schemas']['Environment'];

export const listEnvironments: Handler<'listEnvironments'> = {
  takesInvalid(call, name) {
    if (name !== 'type') return false;
    const choice = call.assume('ENV-9');
    if (choice === 'refused') return false;
    Object.assign(call.query, { type: choice === 'empty' ? NO_TYPE : undefined });
    return true;
  },
  validate: checkPaging,
  handle(call) {
    const more = call.choice('ENV-10') === 'more';
    const listed = page(call, rowsListed(call), more, (item) => environmentRecord(item, more));
    if (isRefusal(listed)) return listed;
    const { items: environments, pagination } = listed;
    return call.reply(200, { data: { environments }, pagination });
  },
};

interface Listed {
  readonly row: EnvironmentRow;
  readonly type: EnvironmentRow['type'];
}

/** The environments in the list, with the types in the list. */
function rowsListed(call: Call<'listEnvironments'>): Listed[] {
  const wanted = call.query.type as string | undefined;
  if (wanted === NO_TYPE) return [];
  const { branches, environments } = call.world.state.tables;
  const rows: Listed[] = [];
  for (const row of environments.of(call.path.deployment_id)) {
    const branch = row.branchId === null ? undefined : branches.get(row.branchId);
    let enabled = branch?.stagingEnabled ?? false;
    if (row.type === 'staging' && branch !== undefined && isFresh(branch, call.world.clock.now())) {
      const shows = wanted === undefined || wanted === 'staging';
      const choice = shows ? call.assume('STAGE-23') : call.choice('STAGE-23');
      if (choice === 'later') enabled = !enabled;
    }
    if (row.type === 'staging' && !enabled && wanted !== 'staging' && wanted !== 'production') {
      call.assume('ENV-8');
    }
    const type = listedType(row, enabled, call.choice('ENV-8') === 'as-development');
    if (type !== undefined && (wanted === undefined || wanted === type)) rows.push({ row, type });
  }
  return rows;
}

function environmentRecord({ row, type }: Listed, more: boolean): Environment {
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
