/** Switches of staging environments; each goes to the other state, as one to its own may be refused (STAGE-20). */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

/** How a switch names its branch, and who says that it may. */
const names = {
  branchName: { field: 'name', statement: 'STAGE-11' },
  branchId: { field: 'id', statement: 'STAGE-12' },
} as const;

/** Branches that cannot be enabled, and who says so. */
const refusals = { productionBranch: 'STAGE-8', personalBranch: 'STAGE-7' } as const;

const switches = fc.record({
  by: fc.constantFrom<keyof typeof names>('branchName', 'branchId'),
  /** One in seven is in vain. */
  refused: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('productionBranch', 'personalBranch') },
  ),
});

export const toggle: ExploredOperation = {
  body: ({ bindings }) => {
    if (bindings.sharedBranch === undefined) return undefined;
    return switches.map(({ by, refused }) => (model, call) => {
      const { field, statement } = names[by];
      const binding = refused ?? 'sharedBranch';
      const named = { [by]: `{${binding}.${field}}` };
      if (refused !== undefined) {
        const rules = [[refusals[refused], { status: 'refused' }]] as const;
        return { body: { ...named, enabled: true }, binding, rules };
      }
      const before = model.known(call, 'enabled', binding);
      const enabled = before !== true;
      const said = enabled ? 'STAGE-3' : 'STAGE-4';
      return {
        body: { ...named, enabled },
        binding,
        sets: { enabled: { value: enabled, statement: said } },
        // No identifier is promised to come back: each time it is enabled, it may be another.
        state: enabled ? `on after ${model.notes.get('disabled') ?? 0}` : 'off',
        serves: before === undefined ? undefined : statement,
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
