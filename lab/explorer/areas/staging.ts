/** Switches of staging environments, and the list that shows them. */

import fc from 'fast-check';
import { operation } from '../../../spec/contract.ts';
import type { ExploredOperation, Judge } from '../call.ts';

/** How a switch names its branch, and who says that it may. */
const names = {
  branchName: { field: 'name', statement: 'STAGE-11' },
  branchId: { field: 'id', statement: 'STAGE-12' },
} as const;

/** Branches that cannot be enabled, and who says so. */
const refusals = { productionBranch: 'STAGE-8', personalBranch: 'STAGE-7' } as const;

const switches = fc.record({
  by: fc.constantFrom<keyof typeof names>('branchName', 'branchId'),
  /** Mostly it is switched to the other state: a switch to its own may be refused (STAGE-20). */
  same: fc.constantFrom(false, false, false, true),
  /** One in seven is in vain. */
  refused: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('productionBranch', 'personalBranch') },
  ),
});

export const toggle: ExploredOperation = {
  body: ({ bindings }) => {
    if (bindings.sharedBranch === undefined) return undefined;
    return switches.map(({ by, same, refused }) => (model, call) => {
      const { field, statement } = names[by];
      const binding = refused ?? 'sharedBranch';
      const named = { [by]: `{${binding}.${field}}` };
      if (refused !== undefined) {
        const rules = [[refusals[refused], { status: 'refused' }]] as const;
        return { body: { ...named, enabled: true }, binding, rules };
      }
      const before = model.known(call, 'enabled', binding);
      const enabled = (before === true) === same;
      const said = enabled ? 'STAGE-3' : 'STAGE-4';
      return {
        body: { ...named, enabled },
        binding,
        sets: { enabled: { value: enabled, statement: said } },
        // No identifier is promised to come back: each time it is enabled, it may be another.
        state: enabled ? `on after ${model.notes.get('disabled') ?? 0}` : 'off',
        serves: before === undefined || same ? undefined : statement,
        rules: [
          [statement, { body: { data: { name: `{${binding}.name}` } } }],
          [said, { body: { data: { isStagingEnvironmentEnabled: enabled } } }],
        ],
      };
    });
  },
  judge: ({ text }, _call, { notes }) => {
    const isOff = (text.body as { enabled?: unknown }).enabled === false;
    if (isOff) notes.set('disabled', Number(notes.get('disabled') ?? 0) + 1);
    return [];
  },
};

const own = '{walk.items[type=staging].id}';

/** Enabled, the list has exactly one environment more than while it is disabled. */
export const environments: Judge = ({ id }, call, model) => {
  if (call.pages === undefined || (call.query.type ?? 'staging') !== 'staging') return [];
  const switched = { ...call, operation: operation('setStagingEnvironment') };
  const enabled = model.known(switched, 'enabled', 'sharedBranch');
  if (typeof enabled !== 'boolean') return [];
  const place = `whole list at ${call.path.deployment_id}`;
  const other = model.notes.get(`${place}, ${!enabled}`);
  model.notes.set(`${place}, ${enabled}`, id);
  if (other === undefined) return [];
  const before = `{steps.${String(other)}.walk.items[type=staging].id}`;
  const [more, less] = enabled ? [own, before] : [before, own];
  const that = [
    { value: { from: more, minus: less }, is: { $length: 1 } },
    { value: { from: less, minus: more }, is: [] },
  ];
  return [[enabled ? 'STAGE-5' : 'STAGE-6', { that }]];
};
