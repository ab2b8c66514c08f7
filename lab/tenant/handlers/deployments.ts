/** Deployments and their environments. */

import type { Call } from '../call.ts';
import type { Fields, Reply } from '../exchange.ts';
import { has } from '../habits.ts';
import { page } from '../lists.ts';
import type { Branch, State } from '../state.ts';

/** Newest first. */
export function deployments(call: Call): Reply {
  const { scope } = call.caller;
  const rows = call.state.deployments
    .filter(({ id }) => scope === undefined || scope.includes(id))
    .sort((a, b) => b.createdAt - a.createdAt)
    .map(
      ({ id, name, createdAt }): Fields => ({
        id: String(id),
        name,
        created_at: new Date(createdAt).toISOString(),
        region: 'north-sea',
        plan: { seats: 40 },
      }),
    );
  return page(call, 'deployments', rows);
}

export function environmentId(state: State, { id, switchedOn }: Branch): string {
  const isNew = switchedOn > 0 && has(state, 'staging-ids-are-new');
  return `e${id.toString(36)}${isNew ? `-${switchedOn}` : ''}`;
}

/** A shared branch always has its environment. Its type is staging only while it is enabled. */
export function environments(call: Call): Reply {
  const { state, deployment, query } = call;
  const rows = state.branches
    .filter((branch) => branch.deployment === deployment)
    .map((branch): Fields => {
      const { name, kind, enabled } = branch;
      const id = environmentId(state, branch);
      return {
        id,
        name: `${name} @ ${deployment}`,
        type: kind === 'production' ? kind : enabled ? 'staging' : 'development',
        api_credentials: {
          rest: { url: `https://rest.harbour.example/${id}/v2` },
          sql: { host: `${id}.sql.harbour.example`, port: 15432, user: 'reader' },
        },
        awake: kind !== 'personal',
      };
    });
  const { type: wanted = '' } = query;
  const filters = ['production', 'staging', 'development'].includes(wanted);
  return page(call, 'environments', filters ? rows.filter(({ type }) => type === wanted) : rows);
}
