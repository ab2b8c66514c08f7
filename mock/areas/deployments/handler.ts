import type { components } from '../../../spec/contract.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { checkPaging, page } from '../../pipeline/paging.ts';
import type { DeploymentRow } from '../../world/rows.ts';

type Deployment = components['schemas']['Deployment'];

export const listDeployments: Handler<'listDeployments'> = {
  validate: checkPaging,
  handle(call) {
    const { scope } = call.caller;
    const all = call.world.state.tables.deployments;
    const rows = scope === null ? all.list() : all.pick(scope);
    const more = call.choice('DEPL-5') === 'more';
    const listed = page(call, rows, more, (row) => deploymentRecord(row, more));
    if (isRefusal(listed)) return listed;
    const { items: deployments, pagination } = listed;
    return call.reply(200, { data: { deployments }, pagination });
  },
};

function deploymentRecord(row: DeploymentRow, more: boolean): Deployment {
  const record: Deployment = { id: row.id, name: row.name, created_at: row.createdAt };
  return more ? Object.assign(record, { region: 'eu-central', status: 'running' }) : record;
}
