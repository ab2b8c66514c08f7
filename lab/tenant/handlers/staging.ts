/** Branches, and the switch of their staging environments. */

import { bodyOf, type KnownCall, type Reply, reply } from '../exchange.ts';
import { knowsOnly } from '../lists.ts';
import { Refusal } from '../refusal.ts';
import type { Branch, State } from '../state.ts';

/** The list does not say which branches are switched on. */
export function branches(call: KnownCall, state: State): Reply {
  knowsOnly(call, []);
  const found = state.branches.filter(({ deployment }) => deployment === Number(call.path[0]));
  return reply(200, {
    branches: found.map(({ id, name, kind }) => ({ id, name, protected: kind === 'production' })),
    count: found.length,
  });
}

export function toggle(call: KnownCall, state: State): Reply {
  knowsOnly(call, []);
  const { enabled, branchName, branchId, ...others } = bodyOf(call, [
    'enabled',
    'branchName',
    'branchId',
  ]);
  if (typeof enabled !== 'boolean' || Object.keys(others).length > 0)
    throw new Refusal(422, 'enabled?');
  if ((branchName === undefined) === (branchId === undefined))
    throw new Refusal(422, 'which branch?');
  if (branchName !== undefined && typeof branchName !== 'string')
    throw new Refusal(422, 'branchName?');
  if (branchId !== undefined && typeof branchId !== 'number') throw new Refusal(422, 'branchId?');
  const branch = state.branches.find(
    ({ id, name, deployment }) =>
      deployment === Number(call.path[0]) &&
      (branchName === undefined ? id === branchId : name === branchName),
  );
  if (branch === undefined) throw new Refusal(400, 'no such branch');
  if (branch.kind !== 'shared') throw new Refusal(423, 'only shared branches');
  if (branch.enabled === enabled && state.habits === 'odd')
    throw new Refusal(409, 'it is so already');
  branch.enabled = enabled;
  return reply(200, { data: shown(branch), took: 12 });
}

const shown = ({ id, name, hash, enabled }: Branch) => ({
  id,
  name,
  parentBranch: 'trunk',
  lastHash: hash,
  isStagingEnvironmentEnabled: enabled,
  color: '#0af',
});
