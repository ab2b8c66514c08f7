/** Branches, and the switch of their staging environments. */

import { bodyOf, type Call } from '../call.ts';
import { Refusal, type Reply, reply } from '../exchange.ts';
import { has } from '../habits.ts';
import type { Branch } from '../state.ts';

/** The number of branches on a page, if the tenant pages this list. */
const pageSize = 5;

/** The list does not show which branches are enabled. */
export function branches({ state, deployment, query }: Call): Reply {
  const found = state.branches
    .filter((branch) => branch.deployment === deployment)
    .map(({ id, name, kind }) => ({ id, name, protected: kind === 'production' }));
  if (!has(state, 'branches-in-pages')) return reply(200, { branches: found, count: found.length });
  const from = Number(query.cursor ?? 0);
  const next = from + pageSize;
  const cursor = next < found.length ? String(next) : null;
  return reply(200, { values: found.slice(from, next), next_cursor: cursor });
}

export function toggle(call: Call): Reply {
  const { state, deployment } = call;
  const { enabled, branchName, branchId } = bodyOf(call, ['enabled', 'branchName', 'branchId']);
  if (typeof enabled !== 'boolean') throw new Refusal(422, 'E-401 enabled?');
  if ((branchName === undefined) === (branchId === undefined))
    throw new Refusal(422, 'E-402 which branch?');
  if (branchName !== undefined && typeof branchName !== 'string')
    throw new Refusal(422, 'E-403 branchName?');
  if (branchId !== undefined && typeof branchId !== 'number')
    throw new Refusal(422, 'E-404 branchId?');
  const branch = state.branches.find(
    (one) => one.deployment === deployment && (one.name === branchName || one.id === branchId),
  );
  if (branch === undefined) throw new Refusal(400, 'E-405 no such branch');
  if (branch.kind !== 'shared') throw new Refusal(423, 'E-406 only shared branches');
  if (branch.enabled === enabled && has(state, 'already-so-refused'))
    throw new Refusal(409, 'E-407 it is so already');
  if (enabled && !branch.enabled) branch.switchedOn += 1;
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
