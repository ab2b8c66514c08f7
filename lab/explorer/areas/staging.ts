/**
 * Switches staging environments. Each call goes to the other state, because a call to the present
 * state may be refused (STAGE-20).
 */

import fc from 'fast-check';
import type { ExploredOperation } from '../call.ts';

/** The ways to name the branch in a switch, each with the statement that promises it. */
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
          // The description does not promise the same environment id each time, so every time
          // counts as a new state.
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
