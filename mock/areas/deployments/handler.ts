import type { components } from '../../../spec/contract.ts';
import type { Binding } from '../../pipeline/binding.ts';
import { isRefusal } from '../../pipeline/exchange.ts';
import { checkPaging, page } from '../../pipeline/paging.ts';
import type { DeploymentRow } from '../../world/rows.ts';

type Deployment = components['schemas']['Deployment'];

export const listDeployments: Binding<'listDeployments'> = {
  validate: checkPaging,
  handle(call) {
    const { scope } = call.caller;
    const all = call.world.state.tables.deployments.rows();
    const listed = page(call, scope === null ? all : all.filter((row) => scope.includes(row.id)));
    if (isRefusal(listed)) return listed;
    const more = call.peek('DEPL-5') === 'more';
    const deployments = listed.items.map((row) => deploymentRecord(row, more));
    return call.reply(200, { data: { deployments }, pagination: listed.pagination });
  },
};

function deploymentRecord(row: DeploymentRow, more: boolean): Deployment {
  const record: Deployment = { id: row.id, name: row.name, created_at: row.createdAt };
  return more ? Object.assign(record, { region: 'eu-central', status: 'running' }) : record;
}
