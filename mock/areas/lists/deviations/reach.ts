/** Deployments lists that hold what the credential may not reach, or lack what it may. */

import type { Deviation, Memory } from '../../../deviations/deviation.ts';
import { count, deviationOf } from '../../../deviations/transforms.ts';
import { isRefusal } from '../../../pipeline/exchange.ts';
import { readQuery } from '../../../pipeline/parameters.ts';
import { instead, repaged } from './page.ts';

const deviation = deviationOf('lists', 'listDeployments');

function reaches(
  name: string,
  text: string,
  scopeOf: (
    scope: readonly string[],
    about: {
      readonly all: readonly string[];
      readonly offset: number;
      readonly memory: Memory;
    },
  ) => readonly string[] | null,
  collateral: readonly string[] = [],
): Deviation {
  return deviation(`scoped-key-${name}`, text, ['DEPL-4'], {
    collateral,
    authenticate(caller, { world, request, memory }) {
      if (isRefusal(caller) || caller.scope === null) return caller;
      const query = readQuery(request.target.split('?')[1] ?? '');
      const offset = Number(query.get('offset')?.[0] ?? 0);
      const all = world.state.tables.deployments.rows().map((row) => row.id);
      const scope = scopeOf(caller.scope, { all, offset, memory });
      return scope === caller.scope ? caller : { ...caller, scope };
    },
  });
}

export const reach: readonly Deviation[] = [
  reaches(
    'lists-another',
    "A scoped key's deployments list holds one deployment outside its scope.",
    (scope, { all }) => {
      const other = all.find((id) => !scope.includes(id));
      return other === undefined ? scope : [...scope, other];
    },
  ),
  reaches(
    'lists-the-last-deployment',
    "A scoped key's deployments list holds the last deployment of the account as well.",
    (scope, { all }) => {
      const last = all.at(-1);
      return last === undefined || scope.includes(last) ? scope : [...scope, last];
    },
  ),
  reaches('lists-all', "A scoped key's deployments list holds every deployment.", () => null),
  reaches(
    'lists-all-behind-the-first-page',
    "A scoped key's deployments list is right on its first page; later ones are of all deployments.",
    (scope, { offset }) => (offset > 0 ? null : scope),
    ['PAGE-5', 'PAGE-6'],
  ),
  reaches(
    'lists-all-the-second-time',
    "A scoped key's deployments list is right once, and then holds every deployment.",
    (scope, { memory }) => (count(memory, 'calls') === 1 ? scope : null),
  ),
  reaches(
    'misses-its-own',
    "A scoped key's deployments list lacks the deployment of its scope.",
    (scope) => scope.slice(1),
  ),
  deviation(
    'scoped-key-total-counts-all',
    "A scoped key's deployments list is right, but total counts every deployment.",
    ['DEPL-4'],
    {
      collateral: ['PAGE-5', 'PAGE-6'],
      handle: repaged((_page, { scene }) =>
        scene.call.caller.scope === null
          ? undefined
          : { total: scene.world.state.tables.deployments.rows().length },
      ),
    },
  ),
  deviation(
    'oauth-token-lists-one',
    'The deployments list of an OAuth access token holds one deployment.',
    ['DEPL-4'],
    {
      collateral: ['AUTH-5'],
      handle: repaged((page, { scene, whole }) =>
        scene.call.caller.kind === 'oauth' ? instead(page, whole.slice(0, 1)) : undefined,
      ),
    },
  ),
];
