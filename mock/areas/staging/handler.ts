import type { components } from '../../../spec/contract.ts';
import type { Call } from '../../pipeline/call.ts';
import type { Refusal } from '../../pipeline/exchange.ts';
import type { Handler } from '../../pipeline/handler.ts';
import { inOrder, part, readsPart } from '../../pipeline/paging.ts';
import type { BranchRow } from '../../world/rows.ts';
import { stepStaging, switchStaging } from './machine.ts';

type Branch = components['schemas']['Branch'];

export const listBranches: Handler<'listBranches'> = {
  alsoReads: readsPart('BRANCH-4'),
  handle(call) {
    const rows = call.world.state.tables.branches.of(call.path.deployment_id);
    const { items, pagination, pageInfo } = part(call, 'BRANCH-4', inOrder(call, rows), {
      key: ({ id }) => String(id),
      usual: 100,
    });
    const branches = items.map((row) => branchRecord(call, row));
    const shapes: Readonly<Record<string, object>> = {
      items: { items: branches, data: branches, pageInfo },
      'items-alone': { items: branches, pageInfo },
      named: { data: { branches }, pagination },
      bare: branches,
      'data-array': { data: branches },
    };
    const own = shapes[call.assume('BRANCH-1')] ?? {};
    const body = call.basis.shaped(['BRANCH-1', 'BRANCH-3'], own, { list: branches });
    return call.reply(200, Object(body));
  },
};

export const setStagingEnvironment: Handler<'setStagingEnvironment', BranchRow> = {
  validate(call) {
    const { branchName, branchId } = call.input;
    if (typeof branchId === 'string' && call.assume('STAGE-22') === 'refused') {
      return call.invalidBody('branchId must be an integer', '/branchId', 'STAGE-22');
    }
    if (branchName !== undefined && branchId !== undefined) {
      const choice = call.assume('STAGE-15');
      const disagree = byId(call)?.name !== branchName;
      if (choice === 'refused' || (choice === 'when-they-agree' && disagree)) {
        const message = disagree
          ? 'branchName and branchId name different branches'
          : 'branchName and branchId exclude each other';
        return call.invalidBody(message, '/branchId', 'STAGE-15');
      }
    }
    return undefined;
  },
  // The body names the branch, and `find` may run before the body is read.
  find: (call) => (call.input === undefined ? undefined : target(call)),
  handle(call, branch) {
    const { world } = call;
    const refuse = () => {
      const kind =
        branch.kind === 'personal' ? 'a personal development branch' : 'the production branch';
      const message = `${branch.name} is ${kind}; only shared branches can be enabled`;
      return call.refuseAssumed('STAGE-9', message, named(call).at);
    };
    const event = call.input.enabled ? 'enable' : 'disable';
    const step = stepStaging(branch, event);
    const state = branch.stagingEnabled ? 'enabled' : 'disabled';
    call.enter(`staging: ${branch.kind}, ${state}, ${event}`);
    if (step === 'refused') return refuse();
    if (step === 'idle' && call.assume('STAGE-21') === 'refused') return refuse();
    if (step === 'same' && call.assume('STAGE-20') !== 'accepted') {
      const message = `The staging environment of ${branch.name} is ${state} already`;
      return call.refuseAssumed('STAGE-20', message);
    }
    if (step === 'same' || step === 'idle')
      return call.reply(200, { data: branchRecord(call, branch) });
    const switched = switchStaging(branch, step, world.clock.now());
    world.state.tables.branches.put(branch.id, switched);
    const name = step === 'enabled' ? 'StagingEnvironmentEnabled' : 'StagingEnvironmentDisabled';
    call.audit(name, branch.deploymentId, `branch ${branch.name}`);
    return call.reply(200, { data: branchRecord(call, switched) });
  },
};

function target(call: Call<'setStagingEnvironment'>): BranchRow | Refusal {
  const { field, value, at } = named(call);
  const own = call.world.state.tables.branches.of(call.path.deployment_id);
  const branch = field === 'branchName' ? own.find(({ name }) => name === value) : byId(call);
  const message = `Deployment ${call.path.deployment_id} has no branch with ${field} ${JSON.stringify(value)}`;
  return branch ?? call.refuseAssumed('STAGE-16', message, at);
}

/** The field that names the branch. If both are sent, STAGE-15 chooses. */
function named(call: Call<'setStagingEnvironment'>) {
  const { branchName, branchId } = call.input;
  const both = branchName !== undefined && branchId !== undefined;
  const useName = branchId === undefined || (both && call.choice('STAGE-15') === 'name-wins');
  return useName
    ? { field: 'branchName', value: branchName, at: '/branchName' }
    : { field: 'branchId', value: branchId, at: '/branchId' };
}

function byId(call: Call<'setStagingEnvironment'>): BranchRow | undefined {
  const row = call.world.state.tables.branches.get(Number(call.input.branchId));
  return row?.deploymentId === call.path.deployment_id ? row : undefined;
}

/** The choices of STAGE-24 that show another parent than the branch itself. */
const parents: Readonly<Record<string, string | null>> = { nothing: null, empty: '' };

function branchRecord(call: Pick<Call, 'assume' | 'world'>, row: BranchRow): Branch {
  const more = call.world.assumptions.choice('BRANCH-3') === 'more';
  const choice = row.kind === 'production' ? call.assume('STAGE-24') : 'own-name';
  const { [choice]: parentBranch = row.parentBranch } = parents;
  const record: Branch = {
    id: row.id,
    name: row.name,
    ...(choice !== 'absent' && { parentBranch }),
    lastHash: row.lastHash,
    isStagingEnvironmentEnabled: row.stagingEnabled,
  };
  return more ? Object.assign(record, { type: row.kind }) : record;
}
