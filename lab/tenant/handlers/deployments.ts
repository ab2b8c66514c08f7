/** Deployments and their environments. */

import { type Fields, type KnownCall, parameter, type Reply, reply } from '../exchange.ts';
import { knowsOnly, page } from '../lists.ts';
import type { State } from '../state.ts';

/** Newest first. */
export function deployments(call: KnownCall, state: State): Reply {
  knowsOnly(call, ['offset', 'limit']);
  const { scope } = call.caller;
  const rows = state.deployments
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
  return reply(200, page(call, 'deployments', rows, state.habits));
}

/** A branch that is shared has its environment always; it is of type staging while enabled. */
export function environments(call: KnownCall, state: State): Reply {
  knowsOnly(call, ['type', 'offset', 'limit']);
  const wanted = parameter(call, 'type');
  const filters = ['production', 'staging', 'development'].includes(wanted ?? '');
  const deployment = Number(call.path[0]);
  const rows = state.environments
    .filter((environment) => environment.deployment === deployment)
    .map(({ id, name, branch }): Fields => {
      const { kind, enabled } = state.branches.find((one) => one.id === branch) ?? {};
      return {
        id,
        name,
        type: kind === 'production' ? 'production' : enabled ? 'staging' : 'development',
        api_credentials: {
          rest: { url: `https://rest.harbour.example/${id}/v2` },
          sql: { host: `${id}.sql.harbour.example`, port: 15432, user: 'reader' },
        },
        awake: kind !== 'personal',
      };
    });
  const found = filters ? rows.filter(({ type }) => type === wanted) : rows;
  return reply(200, page(call, 'environments', found, state.habits));
}
