/** Switches of staging environments, and the list that shows them. */

import fc from 'fast-check';
import { operation } from '../../../spec/contract.ts';
import type { Body, ExploredOperation, Judge } from '../call.ts';
import type { Rule } from '../contradiction.ts';

/** Branches that cannot be enabled, and who says so. */
const refusals = { productionBranch: 'STAGE-8', personalBranch: 'STAGE-7' } as const;
type Refused = keyof typeof refusals;

const names = {
  branchName: { field: 'name', statement: 'STAGE-11' },
  branchId: { field: 'id', statement: 'STAGE-12' },
} as const;
type Naming = keyof typeof names;

const by = fc.constantFrom<Naming>('branchName', 'branchId');
/** Mostly it is switched to the other state: a switch to its own may be refused (STAGE-20). */
const same = fc.constantFrom(false, false, false, true);
const branch = fc.constantFrom<Refused>('productionBranch', 'personalBranch');

const inVain = (binding: Refused, by: Naming): Body => {
  const body = { [by]: `{${binding}.${names[by].field}}`, enabled: true };
  return () => ({ body, binding, rules: [[refusals[binding], { status: 'refused' }]] });
};

const toAndFro =
  (by: Naming, same: boolean): Body =>
  (model, call) => {
    const binding = 'sharedBranch';
    const before = model.known(call, 'enabled', binding);
    const enabled = (before === true) === same;
    const { field, statement } = names[by];
    const said = enabled ? 'STAGE-3' : 'STAGE-4';
    return {
      body: { [by]: `{${binding}.${field}}`, enabled },
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
  };

export const toggle: ExploredOperation = {
  body: ({ bindings }) => {
    const shared = fc.tuple(by, same).map(([by, same]) => toAndFro(by, same));
    const refused = fc.tuple(branch, by).map(([binding, by]) => inVain(binding, by));
    if (bindings.sharedBranch === undefined) return undefined;
    return fc.oneof({ weight: 6, arbitrary: shared }, { weight: 1, arbitrary: refused });
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
  const rule: Rule = [enabled ? 'STAGE-5' : 'STAGE-6', { that }];
  return [rule];
};
