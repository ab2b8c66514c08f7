/** Switches of staging environments; each goes to the other state, as one to its own may be refused (STAGE-20). */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

/** How a switch names its branch, and who says that it may. */
const names = {
  branchName: { field: 'name', statement: 'STAGE-11' },
  branchId: { field: 'id', statement: 'STAGE-12' },
} as const;

export const toggle: ExploredOperation = {
  body: ({ bindings }) => {
    if (bindings.sharedBranch === undefined) return undefined;
    return fc
      .constantFrom<keyof typeof names>('branchName', 'branchId')
      .map((by) => (model, call) => {
        const { field, statement } = names[by];
        const before = model.known(call, 'enabled', 'sharedBranch');
        const enabled = before !== true;
        const said = enabled ? 'STAGE-3' : 'STAGE-4';
        const times = Number(model.notes.get('switches') ?? 0) + 1;
        model.notes.set('switches', times);
        return {
          body: { [by]: `{sharedBranch.${field}}`, enabled },
          binding: 'sharedBranch',
          sets: { enabled: { value: enabled, statement: said } },
          // No identifier is promised to come back: each time it is enabled, it may be another.
          state: enabled ? `on at ${times}` : 'off',
          serves: before === undefined ? undefined : statement,
          rules: [
            [statement, { body: { data: { name: '{sharedBranch.name}' } } }],
            [said, { body: { data: { isStagingEnvironmentEnabled: enabled } } }],
          ],
        };
      });
  },
};
